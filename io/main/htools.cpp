// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderly-htools: the tools of Ganeti's htools in one program. The name by
// which it is called chooses the tool, or its first argument.

#include "io/files/output.hpp"
#include "io/htools/tools/tools.hpp"
#include "io/json/escape.hpp"

#include <exception>
#include <new>

#include <fmt/format.h>
#include <unistd.h>

namespace {

using namespace orderly::io::htools;

/// Scripts that call a tool tell its end by its code, not by a signal.
int run_safely(tool of, const std::vector<std::string>& arguments,
               tool_output to) {
  try {
    return orderly::io::after_output(run_tool(of, arguments, to), name_of(of));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "Error: {}: there is not enough memory for this\n",
               name_of(of));
  } catch (const std::exception& e) {
    if (auto code = orderly::io::after_output(0, name_of(of)); code != 0)
      return code;
    fmt::print(stderr,
               "Error: {}: this is a defect of the program, please report it "
               "with what it read: {}\n",
               name_of(of), orderly::io::http::one_line(e.what()));
  }
  return 1;
}

} // namespace

int main(int count, char** words) {
  std::vector<std::string> arguments(words + 1, words + count);
  std::string name{count > 0 ? words[0] : ""};
  name = name.substr(name.rfind('/') + 1);
  auto tool = tool_of(name);
  if (!tool && !arguments.empty()) {
    name = arguments.front();
    arguments.erase(arguments.begin());
    tool = tool_of(name);
  }
  tool_output to;
  to.terminal = ::isatty(STDERR_FILENO) == 1;
  if (tool)
    return run_safely(*tool, arguments, to);
  auto asked = name == "--help" || name == "-h";
  fmt::print(asked ? stdout : stderr,
             "usage: orderly-htools TOOL [OPTION...]\n\nThe tools are: hbal, "
             "hail, hcheck, hspace, hinfo, hroller, hsqueeze, hscan, hwhatif, "
             "hgroups. Each takes --help. A link to this program with the name "
             "of a tool is that "
             "tool.\n");
  return orderly::io::after_output(asked ? 0 : 1, "orderly-htools");
}
