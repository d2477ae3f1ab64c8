// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderly-htools: the tools of Ganeti's htools in one program. The name by
// which it is called chooses the tool, or its first argument.

#include "io/htools/hbal.hpp"

#include <fmt/format.h>

int main(int count, char** words) {
  std::vector<std::string> arguments(words + 1, words + count);
  std::string name{count > 0 ? words[0] : ""};
  name = name.substr(name.rfind('/') + 1);
  if (name != "hbal" && !arguments.empty()) {
    name = arguments.front();
    arguments.erase(arguments.begin());
  }
  if (name == "hbal")
    return orderly::io::htools::run_hbal(arguments, {});
  fmt::print(stderr,
             "usage: orderly-htools TOOL [OPTION...]\n\nThe tools are: hbal. "
             "Each takes --help. A link to this program with the name of a "
             "tool is that tool.\n");
  return name == "--help" || name == "-h" ? 0 : 1;
}
