// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command `orderly`: what is going on in the cluster, and why. Called as
// `harep`, or with that word first, it makes one pass of auto-repair instead.

#include "io/console/commands.hpp"
#include "io/main/harep.hpp"

#include <chrono>
#include <iostream>
#include <string_view>
#include <thread>

int main(int argc, char** argv) {
  using namespace orderly;
  if (argc > 0 && std::string_view{argv[0]}.ends_with("harep"))
    run_harep({argv + 1, argv + argc});
  if (argc > 1 && std::string_view{argv[1]} == "harep")
    run_harep({argv + 2, argv + argc});
  auto parsed = io::console::parse_command_line(argc, argv, ORDERLY_VERSION);
  if (!parsed.line) {
    (parsed.code == 0 ? std::cout : std::cerr) << parsed.text;
    return parsed.code;
  }
  io::console::surroundings with{
    std::cout, std::cerr, ORDERLY_VERSION,
    [] { return std::chrono::floor<millis>(std::chrono::system_clock::now()); },
    [] {
      std::this_thread::sleep_for(seconds{1});
      return true;
    }};
  return io::console::run(*parsed.line, with);
}
