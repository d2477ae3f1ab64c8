// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/diagnosis.hpp"

#include "io/json/escape.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace orderly::io::node_agent {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> known_statuses{
  "Ok", "live-repair", "evacuate", "evacuate-failover"};

/// Of a stranger's text: fit to be shown, and not too long for it.
std::string shown(const std::string& text) {
  constexpr std::size_t shown_max = 200;
  return http::one_line(
    text.size() > shown_max ? text.substr(0, shown_max) + "..." : text);
}

/// Looks at a text without keeping it: is it an object, is it too deep, does a
/// key come twice, and what is its status?
class examiner final : public nlohmann::json_sax<json> {
public:
  bool null() override { return value(); }

  bool boolean(bool) override { return value(); }

  bool number_integer(number_integer_t) override { return value(); }

  bool number_unsigned(number_unsigned_t) override { return value(); }

  bool number_float(number_float_t, const string_t&) override {
    return value();
  }

  bool string(string_t& text) override {
    if (keys_.size() == 1 && at_status_ && depth_ == 1)
      status_ = text;
    return value();
  }

  bool binary(binary_t&) override { return value(); }

  bool start_object(std::size_t) override {
    if (!deeper())
      return false;
    keys_.emplace_back();
    return true;
  }

  bool key(string_t& name) override {
    at_status_ = depth_ == 1 && name == "status";
    has_status_ = has_status_ || at_status_;
    if (keys_.back().insert(name).second)
      return true;
    return complain(fmt::format("the key '{}' is there twice", shown(name)));
  }

  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override { return deeper(); }

  bool end_array() override {
    --depth_;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& why) override {
    // 406: JSON, and more than a number of ours can hold.
    constexpr int out_of_range = 406;
    return complain(
      why.id == out_of_range
        ? fmt::format("a number is out of range at byte {}", position)
        : fmt::format("it is no JSON from byte {} on", position));
  }

  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  [[nodiscard]] bool has_status() const { return has_status_; }

  /// Nothing: there is none, or it is no text.
  [[nodiscard]] const std::optional<std::string>& status() const {
    return status_;
  }

private:
  bool complain(std::string what) {
    if (wrong_.empty())
      wrong_ = std::move(what);
    return false;
  }

  bool value() {
    at_status_ = false;
    return depth_ > 0 || complain("it is no JSON object");
  }

  bool deeper() {
    at_status_ = false;
    if (++depth_ <= diagnosis_depth_max)
      return true;
    return complain(
      fmt::format("it is nested more than {} deep", diagnosis_depth_max));
  }

  std::vector<std::set<std::string>> keys_; ///< of the objects that are open
  int depth_ = 0;
  bool at_status_ = false;
  bool has_status_ = false;
  std::optional<std::string> status_;
  std::string wrong_;
};

std::string first_line(const std::string& text) {
  return shown(text.substr(0, text.find('\n')));
}

/// Why a run is no answer, whatever it has printed.
std::string why_no_answer(const child::outcome& x) {
  if (!x.refused.empty())
    return "it was not run: " + shown(x.refused);
  if (x.out_truncated)
    return fmt::format("it printed more than {} KiB", diagnosis_max / 1024);
  if (x.timed_out)
    return x.exit_code == -1 && x.signal == 0
             ? "it did not end in time, and cannot be killed"
             : "it did not end in time and was killed";
  auto said = x.err.empty() ? "" : ": " + first_line(x.err);
  if (x.signal != 0)
    return fmt::format("signal {} ended it{}", x.signal, said);
  if (x.exit_code != 0)
    return fmt::format("it ended with exit code {}{}", x.exit_code, said);
  return {};
}

sample not_parsed(const std::string& why) {
  return failed_probe("Could not parse result: " + why,
                      "the diagnose command's output cannot be taken: " + why);
}

/// White space around it does not count.
std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  auto from = text.find_first_not_of(blanks);
  return from == std::string::npos
           ? std::string{}
           : text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

} // namespace

std::string ok_because(const std::string& text) {
  return "{\"status\":\"Ok\",\"details\":" + json(http::valid_utf8(text)).dump()
         + "}";
}

sample failed_probe(const std::string& details, const std::string& error) {
  return {ok_because(details), http::valid_utf8(error)};
}

sample read_diagnosis(const child::outcome& what) {
  if (auto why = why_no_answer(what); !why.empty())
    return failed_probe("Could not parse result: " + why,
                        "the diagnose command gave no answer: " + why);
  if (what.out.size() > diagnosis_max)
    return not_parsed(
      fmt::format("it is longer than {} KiB", diagnosis_max / 1024));
  auto text = trimmed(what.out);
  if (text.empty())
    return not_parsed("it is empty");
  if (http::valid_utf8(text) != text)
    return not_parsed("it is not UTF-8");
  if (text.front() != '{' && json::accept(text))
    return not_parsed("it is no JSON object");
  examiner by;
  if (!json::sax_parse(text, &by) || !by.wrong().empty())
    return not_parsed(by.wrong().empty() ? "it is no JSON" : by.wrong());
  if (!by.has_status())
    return not_parsed("it has no status");
  if (!by.status())
    return not_parsed("its status is no text");
  if (std::find(known_statuses.begin(), known_statuses.end(), *by.status())
      == known_statuses.end())
    return not_parsed(fmt::format("its status is '{}', which is none of {}",
                                  shown(*by.status()),
                                  fmt::join(known_statuses, ", ")));
  return {text, {}};
}

} // namespace orderly::io::node_agent
