// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/documents.hpp"

#include "io/oob/decode.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <utility>

namespace orderly::io::oob {

namespace {

/// What the readers have in common: they follow the parser event by event, and
/// stop at the first thing that does not belong there. A member that returns
/// false stops the parser.
class document_watcher : public nlohmann::json_sax<nlohmann::json> {
public:
  bool null() override { return other_value(); }

  bool boolean(bool) override { return other_value(); }

  bool number_integer(number_integer_t) override { return other_value(); }

  bool number_unsigned(number_unsigned_t) override { return other_value(); }

  bool number_float(number_float_t, const string_t&) override {
    return other_value();
  }

  bool string(string_t&) override { return other_value(); }

  bool binary(binary_t&) override { return other_value(); }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return stop("it is not JSON from byte " + std::to_string(position) + " on");
  }

protected:
  /// A value that is not the one looked for.
  virtual bool other_value() = 0;

  /// The first problem is the one that is told.
  bool stop(std::string why) {
    if (problem_.empty())
      problem_ = std::move(why);
    return false;
  }

  std::string problem_; ///< a clause; empty: none so far
};

constexpr int document_depth_max = 16;

class power_watcher : public document_watcher {
public:
  [[nodiscard]] power_document found() const {
    if (!problem_.empty())
      return {false, false, problem_};
    if (count_ != 1)
      return {false, false, "it has no key \"powered\""};
    return {true, powered_, {}};
  }

  bool boolean(bool value) override {
    if (!wanted_)
      return other_value();
    wanted_ = false;
    powered_ = value;
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ > 0 && !other_value())
      return false;
    return deeper();
  }

  bool key(string_t& name) override {
    wanted_ = depth_ == 1 && name == "powered";
    if (wanted_ && ++count_ > 1)
      return stop("it says \"powered\" more than once");
    return true;
  }

  bool end_object() override {
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override { return other_value() && deeper(); }

  bool end_array() override {
    --depth_;
    return true;
  }

private:
  bool other_value() override {
    if (depth_ == 0)
      return stop("it is not a JSON object");
    if (wanted_)
      return stop("the value of \"powered\" is not true or false");
    return true;
  }

  bool deeper() {
    if (++depth_ > document_depth_max)
      return stop("it is nested too deeply");
    return true;
  }

  int depth_ = 0;
  int count_ = 0;
  bool wanted_ = false; ///< the next value is the one
  bool powered_ = false;
};

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

class health_watcher : public document_watcher {
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

power_document read_power_document(const std::string& text) {
  power_watcher events;
  nlohmann::json::sax_parse(text, &events);
  return events.found();
}

health_document read_health_document(const std::string& text) {
  health_watcher events;
  nlohmann::json::sax_parse(text, &events);
  return std::move(events).found();
}

} // namespace orderly::io::oob
