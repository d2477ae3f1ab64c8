// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/power_document.hpp"

#include "io/oob/document_watcher.hpp"

#include <cstdint>

namespace orderly::io::oob {

namespace {

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

} // namespace

power_document read_power_document(const std::string& text) {
  power_watcher events;
  nlohmann::json::sax_parse(text, &events);
  return events.found();
}

} // namespace orderly::io::oob
