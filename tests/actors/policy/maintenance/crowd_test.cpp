// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/crowd.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

namespace orderly::maintenance_test {

using namespace maintenance;

namespace {

/// So many nodes ask, one every so many seconds.
std::vector<event_standing> asking(int count, int apart) {
  std::vector<event_standing> all;
  for (int i = 0; i < count; ++i) {
    event_standing x;
    x.uuid = fmt::format("{}", i);
    x.node = fmt::format("n{}", i);
    x.ctime = instant{seconds{1000 + apart * i}};
    all.push_back(x);
  }
  return all;
}

} // namespace

TEST_CASE("a third of the nodes within a minute is a crowd") {
  CHECK(crowd_of({}, asking(4, 10), 12, {}).open);
  CHECK(!crowd_of({}, asking(3, 10), 12, {}).open);
  CHECK(crowd_of({}, asking(3, 30), 9, {}).open);
  CHECK(!crowd_of({}, asking(3, 31), 9, {}).open);
}

TEST_CASE("a crowd that is heard over several looks at the nodes is one") {
  CHECK(crowd_of({}, asking(3, 45), 9, seconds{30}).open);
  CHECK(!crowd_of({}, asking(3, 46), 9, seconds{30}).open);
}

TEST_CASE("who was let begin before the others came counts among them") {
  auto all = asking(3, 10);
  all[0].phase = event_phase::evacuating;
  all[1].phase = event_phase::draining;
  CHECK(crowd_of({}, all, 9, {}).open);
  // Once all have begun there is nobody to be held.
  all[2].phase = event_phase::draining;
  CHECK(!crowd_of({}, all, 9, {}).open);
  // What has ended was meant.
  all[2].phase = event_phase::noted;
  all[0].phase = event_phase::completed;
  CHECK(!crowd_of({}, all, 9, {}).open);
}

TEST_CASE(
  "who began long before is none of a crowd, nor is one that all began") {
  auto all = asking(7, 10);
  for (int i = 0; i < 4; ++i) {
    all[i].ctime = instant{seconds{10 + i}};
    all[i].phase = event_phase::evacuating;
  }
  auto now = crowd_of({}, all, 9, {});
  REQUIRE(now.open);
  CHECK(now.nodes == std::set<node_name>{"n4", "n5", "n6"});
}

TEST_CASE("two nodes are no crowd, however few there are") {
  CHECK(!crowd_of({}, asking(2, 0), 3, {}).open);
  CHECK(!crowd_of({}, asking(2, 0), 5, {}).open);
  CHECK(crowd_of({}, asking(3, 0), 5, {}).open);
}

TEST_CASE("many events of one node are no crowd of nodes") {
  auto all = asking(6, 0);
  for (auto& x : all)
    x.node = "n1";
  CHECK(!crowd_of({}, all, 6, {}).open);
}

TEST_CASE("a crowd lasts until enough of it are canceled or gone") {
  auto all = asking(4, 0);
  auto now = crowd_of({}, all, 12, {});
  REQUIRE(now.open);
  all.push_back(asking(1, 0).front());
  all.back().node = "late";
  all.back().ctime = instant{seconds{5000}};
  now = crowd_of(now, all, 12, {});
  CHECK(now.open);
  CHECK(now.nodes.count("late") == 0);
  all.front().phase = event_phase::canceled;
  CHECK(!crowd_of(now, all, 12, {}).open);
}

TEST_CASE("more than so many open events of a node are too many") {
  auto all = asking(21, 0);
  for (auto& x : all)
    x.node = "n1";
  CHECK(overrun(all, 20).count("n1") == 1);
  all.front().phase = event_phase::failed;
  CHECK(overrun(all, 20).empty());
}

} // namespace orderly::maintenance_test
