// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/clock/offsets.hpp"

#include <ctime>
#include <fstream>

namespace orderly::io {

namespace {

/// Longer than three readings take, and shorter than what would be a jump.
constexpr millis held_up{50};
constexpr int tries_max = 20;

std::chrono::nanoseconds read(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

} // namespace

clock_offsets read_clock_offsets() {
  clock_offsets found;
  for (int i = 0; i < tries_max; ++i) {
    auto before = read(CLOCK_MONOTONIC);
    auto boot = read(CLOCK_BOOTTIME);
    auto wall = read(CLOCK_REALTIME);
    auto after = read(CLOCK_MONOTONIC);
    found.boot = std::chrono::round<millis>(boot - before);
    found.wall = std::chrono::round<millis>(wall - before);
    if (after - before < held_up)
      break;
  }
  return found;
}

millis read_uptime() {
  return std::chrono::floor<millis>(read(CLOCK_BOOTTIME));
}

std::string read_boot_name() {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string name;
  std::getline(file, name);
  return name;
}

} // namespace orderly::io
