// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Runs the command `orderly` against a site, without a process of its own:
// what the tests of io/console share.

#pragma once

#include "io/console/commands.hpp"
#include "tests/io/http/site.hpp"

#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace orderly::test {

using io::console::understood;

struct outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// The command line in the world of `site`, without a process of its own.
inline outcome orderly_cli(
  const std::string& socket, std::vector<const char*> words,
  std::function<bool()> go_on = [] { return false; }) {
  std::vector<const char*> all{"orderly", "--socket", socket.c_str()};
  all.insert(all.end(), words.begin(), words.end());
  auto parsed = io::console::parse_command_line(static_cast<int>(all.size()),
                                                all.data(), "1.2.3");
  if (!parsed.line)
    return {parsed.code, parsed.code == 0 ? parsed.text : "",
            parsed.code == 0 ? "" : parsed.text};
  std::ostringstream out;
  std::ostringstream err;
  io::console::surroundings with{out, err, "1.2.3", [] { return noon; },
                                 std::move(go_on)};
  with.rest = [](millis) {};
  auto code = io::console::run(*parsed.line, with);
  return {code, out.str(), err.str()};
}

inline understood parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "orderly");
  return io::console::parse_command_line(static_cast<int>(words.size()),
                                         words.data(), "1.2.3");
}

} // namespace orderly::test
