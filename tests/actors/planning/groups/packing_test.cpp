// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/packing.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::packing_into_rooms_test {

using namespace orderly::planning;

namespace {

packing_question question(std::vector<mib> rooms, std::vector<mib> sizes) {
  packing_question q;
  q.rooms = std::move(rooms);
  q.sizes = std::move(sizes);
  q.open.assign(q.sizes.size(), std::vector<bool>(q.rooms.size(), true));
  q.start.assign(q.sizes.size(), -1);
  return q;
}

void check_fits(const packing_question& q, const std::vector<int>& where) {
  std::vector<mib> used(q.rooms.size(), 0);
  for (std::size_t k = 0; k < where.size(); ++k)
    if (where[k] >= 0) {
      used[at(where[k])] += q.sizes[k];
      CHECK(q.open[k][at(where[k])]);
    }
  for (std::size_t r = 0; r < used.size(); ++r)
    CHECK(used[r] <= q.rooms[r]);
}

} // namespace

TEST_CASE("rooms are filled wholly where sizes allow it") {
  // The largest first would put 6 and 3 together, and leave one over.
  auto q = question({10, 9}, {6, 5, 4, 4});
  auto where = pack(q);
  check_fits(q, where);
  CHECK(std::count(where.begin(), where.end(), -1) == 0);
}

TEST_CASE("nothing goes where it may not be, and what fits nowhere stays out") {
  auto q = question({10, 10}, {5, 5, 11});
  q.open[0][0] = q.open[1][0] = false;
  auto where = pack(q);
  CHECK(where == std::vector<int>{1, 1, -1});
}

TEST_CASE("no drawn question is answered with a room that is too full") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    samples::dice d{seed};
    std::vector<mib> rooms;
    std::vector<mib> sizes;
    for (auto k = 2 + d.roll(8); k > 0; --k)
      rooms.push_back(d.roll(100));
    for (auto k = d.roll(30); k > 0; --k)
      sizes.push_back(d.roll(60));
    auto q = question(rooms, sizes);
    for (auto& line : q.open)
      for (std::size_t r = 0; r < line.size(); ++r)
        line[r] = d.chance(70);
    q.effort = 20'000;
    check_fits(q, pack(q));
    CHECK(pack(q) == pack(q));
  }
}

} // namespace orderly::packing_into_rooms_test
