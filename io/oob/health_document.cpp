// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/health_document.hpp"

#include "io/oob/decode.hpp"
#include "io/oob/document_watcher.hpp"

#include <array>
#include <utility>

namespace orderly::io::oob {

namespace {

constexpr std::size_t items_max = 1000;
constexpr std::size_t item_size_max = 200;

bool is_status(const std::string& text) {
  return text == "OK" || text == "WARNING" || text == "CRITICAL"
         || text == "UNKNOWN";
}

/// Fit for tables and logs, whatever the language: control characters become
/// spaces. The parser lets only good UTF-8 through.
std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    auto is_c1 = c == 0xC2 && i + 1 < text.size()
                 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (is_c1)
      text[i] = text[i + 1] = ' ';
    else if (c < 0x20 || c == 0x7F)
      text[i] = ' ';
  }
  if (text.size() <= item_size_max)
    return text;
  auto end = item_size_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end; // not in the middle of a character
  return text.substr(0, end) + "...";
}

class watcher : public document_watcher {
public:
  [[nodiscard]] health_document found() && {
    if (!problem_.empty())
      return {false, {}, std::move(problem_)};
    return {true, std::move(items_), {}};
  }

  bool start_object(std::size_t) override { return other_value(); }

  bool key(string_t&) override { return other_value(); }

  bool end_object() override { return other_value(); }

  bool string(string_t& value) override {
    if (depth_ != 2 || words_ == pair_.size())
      return other_value();
    pair_[words_++] = std::move(value);
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ == 2)
      return other_value();
    if (++depth_ == 2) {
      words_ = 0;
      if (items_.size() == items_max)
        return stop("it has more than " + std::to_string(items_max) + " items");
    }
    return true;
  }

  bool end_array() override {
    if (--depth_ == 0)
      return true;
    if (words_ != pair_.size())
      return no_pair();
    auto& [item, status] = pair_;
    if (!is_status(status))
      return stop(place() + " has the status \"" + one_line(status, 40)
                  + "\", which is none of OK, WARNING, CRITICAL and UNKNOWN");
    items_.push_back({printable(std::move(item)), std::move(status)});
    return true;
  }

private:
  [[nodiscard]] std::string place() const {
    return "entry " + std::to_string(items_.size() + 1);
  }

  bool no_pair() { return stop(place() + " is not a pair of two texts"); }

  bool other_value() override {
    return depth_ == 0 ? stop("it is not a JSON list") : no_pair();
  }

  int depth_ = 0;
  std::array<std::string, 2> pair_; ///< the one that is being read
  std::size_t words_ = 0;           ///< of it, so far
  std::vector<health_item> items_;
};

} // namespace

health_document read_health_document(const std::string& text) {
  watcher events;
  nlohmann::json::sax_parse(text, &events);
  return std::move(events).found();
}

} // namespace orderly::io::oob
