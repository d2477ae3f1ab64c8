// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One connection to Ganeti's query daemon: a question of JSON goes out, an
// answer comes back, both end in byte 3. luxi_source.cpp asks by it.

#pragma once

#include "io/htools/formats/json_value.hpp"

#include <chrono>
#include <optional>

namespace orderly::io::htools {

class luxi_line {
public:
  /// Each question waits at most `patience`, or with `overall` all of them
  /// together, from now on.
  luxi_line(std::string socket, std::chrono::milliseconds patience,
            bool overall = false);
  ~luxi_line();
  luxi_line(const luxi_line&) = delete;
  luxi_line& operator=(const luxi_line&) = delete;

  /// What the method answers; `arguments` is a JSON list.
  result<json_value> ask(const std::string& method,
                         const std::string& arguments);

private:
  std::optional<fault> open();
  std::optional<fault> send(const std::string& text);
  result<std::string> receive();
  fault trouble(const std::string& doing) const;
  bool wait(short events, std::chrono::steady_clock::time_point end) const;
  std::chrono::steady_clock::time_point end_of_question() const;

  std::string socket_;
  std::chrono::milliseconds patience_;
  std::optional<std::chrono::steady_clock::time_point> end_;
  int fd_ = -1;
  std::string rest_; ///< that came behind the last answer
};

} // namespace orderly::io::htools
