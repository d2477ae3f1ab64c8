// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/clock/offsets.hpp"

#include <catch2/catch.hpp>

#include <thread>

namespace orderly::clock_test {

TEST_CASE("while nobody sleeps and nobody sets the calendar the clocks do not "
          "jump") {
  auto before = io::read_clock_offsets();
  std::this_thread::sleep_for(millis{120});
  auto x = jump_between(before, io::read_clock_offsets());
  CHECK_FALSE(is_jump(x, millis{200}));
}

TEST_CASE("the calendar follows from the steady clock and its offset") {
  auto offsets = io::read_clock_offsets();
  auto steady = std::chrono::floor<millis>(
    std::chrono::steady_clock::now().time_since_epoch());
  auto wall = std::chrono::floor<millis>(
    std::chrono::system_clock::now().time_since_epoch());
  CHECK(std::chrono::abs(wall - steady - offsets.wall) < seconds{1});
  CHECK(offsets.boot >= millis{-1}); // time asleep is never taken away
}

TEST_CASE("a suspend and a step of the calendar are told apart") {
  clock_offsets before{minutes{1}, hours{9}};
  clock_offsets slept{minutes{1} + hours{2}, hours{11}};
  CHECK(jump_between(before, slept).asleep == hours{2});
  CHECK(jump_between(before, slept).stepped == millis{0});
  clock_offsets stepped{minutes{1}, hours{8}};
  CHECK(jump_between(before, stepped).asleep == millis{0});
  CHECK(jump_between(before, stepped).stepped == -hours{1});
  CHECK(is_jump(jump_between(before, slept), hours{1}));
  CHECK(is_jump(jump_between(before, stepped), minutes{59}));
  CHECK_FALSE(is_jump(jump_between(before, stepped), hours{1}));
}

} // namespace orderly::clock_test
