// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/ordered_room.hpp"

#include <catch2/catch.hpp>

namespace orderly::roll_room_test {

using namespace orderly::planning;

TEST_CASE("of nodes those with the most or the least room are found") {
  ordered_room r;
  r.add(0, 50);
  r.add(1, 90);
  r.add(2, 90);
  r.add(3, 10);
  auto any = [](int) { return true; };
  CHECK(r.most(any).node == 1); // the first of equals
  CHECK(r.most([](int n) { return n == 0 || n == 3; }).node == 0);
  CHECK(r.least(11, any).node == 0);
  CHECK(r.least(50, any).room == 50);
  CHECK(r.least(51, any).room == 90);
  CHECK(r.least(91, any).node == -1);
  r.take(r.most(any), 85);
  CHECK(r.most(any).node == 2);
  CHECK(r.least(1, any).node == 1);
  CHECK(r.least(1, any).room == 5);
}

} // namespace orderly::roll_room_test
