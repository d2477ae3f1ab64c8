// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/terminal.hpp"

#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

#include <unistd.h>

namespace orderly::io::console {

namespace {

volatile std::sig_atomic_t interrupts = 0;

void count_interrupt(int) {
  interrupts = 1;
}

std::optional<std::string> confer(const std::string& question) {
  std::cerr << question << std::flush;
  std::string answer;
  if (!std::getline(std::cin, answer)) {
    std::cerr << "\n";
    return std::nullopt;
  }
  return answer;
}

/// Between two looks of whoever follows.
constexpr seconds follow_pause{1};

} // namespace

surroundings real_surroundings(const std::string& version) {
  surroundings with{
    std::cout, std::cerr, version,
    [] { return std::chrono::floor<millis>(std::chrono::system_clock::now()); },
    [] {
      std::this_thread::sleep_for(follow_pause);
      return true;
    }};
  with.rest = [](millis span) { std::this_thread::sleep_for(span); };
  with.watched = ::isatty(STDERR_FILENO) == 1;
  if (with.watched && ::isatty(STDIN_FILENO) == 1)
    with.confer = confer;
  return with;
}

void heed_interrupts(surroundings& with) {
  with.interrupted = [heeded = false]() mutable {
    if (!heeded) {
      struct sigaction what = {};
      what.sa_handler = count_interrupt;
      what.sa_flags = SA_RESETHAND;
      ::sigaction(SIGINT, &what, nullptr);
      heeded = true;
    }
    return interrupts != 0;
  };
}

} // namespace orderly::io::console
