// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command `orderly`: what is going on in the cluster, and why.

#include "io/console/commands.hpp"

#include <chrono>
#include <iostream>
#include <thread>

int main(int argc, char** argv) {
  using namespace orderly;
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
