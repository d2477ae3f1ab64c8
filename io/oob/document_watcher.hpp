// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the readers of helpers' JSON documents have in common: they follow the
// parser event by event, and stop at the first thing that does not belong
// there. Private to the readers.

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace orderly::io::oob {

/// A member that returns false stops the parser.
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

} // namespace orderly::io::oob
