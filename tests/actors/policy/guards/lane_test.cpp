// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/lane.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <vector>

namespace orderly::guards_lane_test {

namespace {

instant at(int second) {
  return instant{seconds{second}};
}

std::vector<lane::ticket> all_turns(lane& x, const lane::bounds& within) {
  std::vector<lane::ticket> result;
  while (auto ticket = x.next(within))
    result.push_back(*ticket);
  return result;
}

using tickets = std::vector<lane::ticket>;

} // namespace

TEST_CASE("no more run in a lane than its bound, and an end makes room") {
  lane x;
  lane::bounds within{2, 10};
  for (auto i = 0; i < 5; ++i)
    CHECK(x.offer(at(0), within).admitted);
  CHECK(all_turns(x, within) == tickets{1, 2});
  CHECK(x.running() == 2);
  CHECK(x.waiting() == 3);
  x.ended(1);
  CHECK(all_turns(x, within) == tickets{3});
  x.ended(1); // of one that does not run nothing follows
  CHECK(all_turns(x, within).empty());
}

TEST_CASE("who has waited longest comes first, and of two who came first") {
  lane x;
  lane::bounds within{3, 10};
  x.offer(at(7), within);
  x.offer(at(5), within);
  x.offer(at(5), within);
  CHECK(all_turns(x, within) == tickets{2, 3, 1});
}

TEST_CASE("a full lane refuses who has waited no longer than those in it") {
  lane x;
  lane::bounds within{1, 1};
  x.offer(at(3), within);
  x.offer(at(3), within);
  auto late = x.offer(at(3), within);
  CHECK_FALSE(late.admitted);
  CHECK_FALSE(late.displaced);
  CHECK(x.waiting() == 2);
}

TEST_CASE("in a full lane who has waited longer gets the place of who has "
          "not") {
  lane x;
  lane::bounds within{1, 1};
  x.offer(at(3), within);
  auto young = x.offer(at(9), within).mine;
  auto old = x.offer(at(1), within);
  CHECK(old.admitted);
  CHECK(old.displaced == young);
  CHECK(all_turns(x, {9, 0}) == tickets{old.mine, 1});
}

TEST_CASE("what runs keeps its place, whoever comes") {
  lane x;
  lane::bounds within{1, 0};
  x.offer(at(9), within);
  REQUIRE(x.next(within));
  CHECK_FALSE(x.offer(at(1), within).admitted);
  x.ended(1);
  CHECK(x.offer(at(1), within).admitted);
}

TEST_CASE("those that are slow take half of the room, whoever waited longer") {
  lane x;
  lane::bounds within{4, 100};
  for (auto i = 0; i < 6; ++i)
    x.offer(at(0), within, true);
  CHECK(all_turns(x, within) == tickets{1, 2});
  for (auto i = 0; i < 3; ++i)
    x.offer(at(5), within);
  CHECK(all_turns(x, within) == tickets{7, 8});
  x.ended(7);
  x.ended(1);
  CHECK(all_turns(x, within) == tickets{3, 9});
  x.ended(8);
  CHECK(all_turns(x, within).empty());
}

TEST_CASE("one that is slow runs where there is room for one only") {
  lane x;
  x.offer(at(0), {1, 5}, true);
  CHECK(x.next({1, 5}));
}

TEST_CASE("a full lane refuses the youngest, slow or not") {
  lane x;
  lane::bounds within{1, 1};
  auto slow = x.offer(at(4), within, true).mine;
  x.offer(at(3), within);
  CHECK(x.offer(at(1), within, true).displaced == slow);
}

TEST_CASE("in rounds of too many each has its turn") {
  // Ten are due together each round, and five have room.
  lane x;
  lane::bounds within{2, 3};
  std::vector<int> last(10, 0);
  std::vector<int> turns(10, 0);
  for (auto round = 1; round <= 4; ++round) {
    std::map<lane::ticket, std::size_t> who;
    for (std::size_t i = 0; i < last.size(); ++i)
      who[x.offer(at(last[i]), within).mine] = i;
    auto now = round * 100;
    while (auto ticket = x.next(within)) {
      last[who.at(*ticket)] = now++;
      ++turns[who.at(*ticket)];
      x.ended(*ticket);
    }
  }
  CHECK(turns == std::vector<int>(10, 2));
}

} // namespace orderly::guards_lane_test
