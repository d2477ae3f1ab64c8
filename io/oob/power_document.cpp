// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/power_document.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace orderly::io::oob {

namespace {

constexpr int depth_max = 16;

/// Follows the parser; a member that returns false stops it.
class watcher : public nlohmann::json_sax<nlohmann::json> {
public:
  [[nodiscard]] power_document found() const {
    if (!problem_.empty())
      return {false, false, problem_};
    if (count_ != 1)
      return {false, false, "it has no key \"powered\""};
    return {true, powered_, {}};
  }

  bool null() override { return other_value(); }

  bool boolean(bool value) override {
    if (!wanted_)
      return other_value();
    wanted_ = false;
    powered_ = value;
    return true;
  }

  bool number_integer(number_integer_t) override { return other_value(); }

  bool number_unsigned(number_unsigned_t) override { return other_value(); }

  bool number_float(number_float_t, const string_t&) override {
    return other_value();
  }

  bool string(string_t&) override { return other_value(); }

  bool binary(binary_t&) override { return other_value(); }

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

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return stop("it is not JSON from byte " + std::to_string(position) + " on");
  }

private:
  bool stop(std::string why) {
    if (problem_.empty())
      problem_ = std::move(why);
    return false;
  }

  bool other_value() {
    if (depth_ == 0)
      return stop("it is not a JSON object");
    if (wanted_)
      return stop("the value of \"powered\" is not true or false");
    return true;
  }

  bool deeper() {
    if (++depth_ > depth_max)
      return stop("it is nested too deeply");
    return true;
  }

  int depth_ = 0;
  int count_ = 0;
  bool wanted_ = false; ///< the next value is the one
  bool powered_ = false;
  std::string problem_;
};

} // namespace

power_document read_power_document(const std::string& text) {
  watcher events;
  nlohmann::json::sax_parse(text, &events);
  return events.found();
}

} // namespace orderly::io::oob
