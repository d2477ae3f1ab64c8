// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/crossed_steps.hpp"
#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/whatif/traffic.hpp"
#include "tests/support/planning/racks.hpp"

#include <catch2/catch.hpp>

namespace orderly::crossing_test {

using namespace orderly::planning;
using samples::add;
using samples::racks;

namespace {

constexpr crossing_rules permitted{group_moves::automatic,
                                   crossing_cause::asked};

/// Two groups of two nodes, and a shared instance in the first.
cluster two_racks() {
  auto c = racks(2, 2);
  add(c, 0, 1000);
  return c;
}

barrier into_the_other(const cluster& c, crossing_rules rules = permitted) {
  return crossing_map{c, rules}.into(0, 1);
}

} // namespace

TEST_CASE("each permission allows its cause and those before it") {
  using m = group_moves;
  for (auto cause : {crossing_cause::asked, crossing_cause::repair,
                     crossing_cause::evenness}) {
    auto rank = static_cast<int>(cause);
    for (auto allowed : {m::none, m::asked, m::repair, m::automatic}) {
      CHECK(permits(allowed, cause) == (static_cast<int>(allowed) > rank));
      auto c = two_racks();
      auto found = into_the_other(c, {allowed, cause});
      CHECK(found
            == (permits(allowed, cause) ? barrier::none : barrier::permission));
    }
  }
}

TEST_CASE("the tag on cluster, either group or the instance forbids crossing "
          "whatever is permitted") {
  auto c = two_racks();
  CHECK(into_the_other(c) == barrier::none);
  for (auto* tags :
       {&c.tags, &c.groups[0].tags, &c.groups[1].tags, &c.instances[0].tags}) {
    tags->push_back(no_group_moves);
    CHECK(into_the_other(c) == barrier::tag);
    tags->assign({std::string{no_group_moves} + "x"});
    CHECK(into_the_other(c) == barrier::none);
    tags->clear();
  }
}

TEST_CASE("disks on one node never cross, mirrors do by copying") {
  auto c = two_racks();
  for (auto t : {disk_template::plain, disk_template::file}) {
    c.instances[0].disks = t;
    CHECK(into_the_other(c) == barrier::own_disks);
  }
  c.instances[0].disks = disk_template::drbd;
  CHECK(into_the_other(c) == barrier::apart);
  c.instances[0].secondary = 2; // in the other group
  CHECK(into_the_other(c) == barrier::apart);
  c.instances[0].secondary = 1;
  CHECK(into_the_other(c) == barrier::none);
  samples::lose(c, 0);
  CHECK(into_the_other(c) == barrier::none);
  samples::lose(c, 1);
  CHECK(into_the_other(c) == barrier::no_copy);
}

TEST_CASE("a drained node lives: what is there is copied to another group") {
  auto c = two_racks();
  c.instances[0].disks = disk_template::drbd;
  c.instances[0].secondary = 1;
  const std::vector<step> steps{
    {{0, move_kind::replace_and_failover, 2}, {0, 1}, {2, 3}, 0}};
  auto is_failed_over_first = [&] {
    return moves_of_crossings(c, steps).front().what.kind
           == move_kind::failover;
  };
  samples::drain(c, 0);
  samples::drain(c, 1);
  CHECK(into_the_other(c) == barrier::none);
  CHECK_FALSE(is_failed_over_first());
  auto moved = traffic_of(c, moves_of_crossings(c, steps));
  CHECK(moved.copied >= 2 * c.instances[0].disk);
  // It migrates, so that its new home must take what comes from there.
  c.nodes[0].tags = {"os:new"};
  c.tags = {"htools:migration:os"};
  CHECK(into_the_other(c) == barrier::migration);
  samples::lose(c, 0);
  CHECK(into_the_other(c) == barrier::none);
  CHECK(is_failed_over_first());
}

TEST_CASE("a pair needs two nodes in service that reach its pool") {
  auto c = two_racks();
  c.instances[0].disks = disk_template::drbd;
  c.instances[0].secondary = 1;
  c.nodes[2].pools.emplace();
  CHECK(into_the_other(c) == barrier::storage);
  c.nodes[2].pools->push_back({});
  CHECK(into_the_other(c) == barrier::none);
  samples::lose(c, 3);
  CHECK(into_the_other(c) == barrier::no_node);
}

TEST_CASE("a group that lacks network, size, pool or policy is no way out") {
  auto c = two_racks();
  c.instances[0].networks = {"net1"};
  CHECK(into_the_other(c) == barrier::network);
  c.groups[1].networks = {"net2", "net1"};
  CHECK(into_the_other(c) == barrier::none);
  c.groups[1].allocation = alloc_policy::unallocable;
  CHECK(into_the_other(c) == barrier::unallocable);
  c.groups[1].allocation = alloc_policy::last_resort;
  c.groups[1].policy.ranges[0].max.memory = 999;
  CHECK(into_the_other(c) == barrier::policy);
  c.groups[1].policy.ranges[0].max.memory = 1000;
  c.instances[0].storage = storage_pool{storage_type::external, "nas1"};
  for (auto n : {2, 3})
    c.nodes[at(n)].pools.emplace();
  CHECK(into_the_other(c) == barrier::storage);
  c.nodes[3].pools->push_back({storage_type::external, "nas1"});
  CHECK(into_the_other(c) == barrier::none);
  CHECK(crossing_map{c, permitted}.nodes_for(0, 1) == std::vector<int>{3});
  c.instances[0].excluded = true;
  CHECK(into_the_other(c) == barrier::excluded);
}

TEST_CASE("migration tags hold who migrates, not who starts anew") {
  auto c = two_racks();
  c.tags = {"htools:migration:os"};
  c.nodes[0].tags = {"os:new"};
  CHECK(into_the_other(c) == barrier::migration);
  c.nodes[2].tags = {"os:new"};
  CHECK(into_the_other(c) == barrier::none);
  CHECK(crossing_map{c, permitted}.nodes_for(0, 1) == std::vector<int>{2});
  c.nodes[2].tags.clear();
  samples::lose(c, 0);
  CHECK(into_the_other(c) == barrier::none);
}

TEST_CASE("a partition has the groups that reach its pool, and a group may be "
          "in several or alone") {
  auto c = racks(3, 1);
  const storage_pool nas{storage_type::external, "nas1"};
  c.nodes[0].pools = {{{}, nas}};
  c.nodes[1].pools = {{nas}};
  c.nodes[2].pools = {{{storage_type::internal, "file"}}};
  auto i = add(c, 0, 1000);
  c.instances[at(i)].storage = nas;
  auto all = partitions_of(c);
  REQUIRE(all.size() == 3);
  CHECK(all[0].pool.pool == "file");
  CHECK(all[1].groups == std::vector<int>{0});
  CHECK(all[2].groups == std::vector<int>{0, 1});
  CHECK(all[2].instances == 1);
  CHECK(all[2].memory == 1000);
  CHECK(lone_groups(c, all) == std::vector<int>{2});
  samples::lose(c, 0);
  CHECK(lone_groups(c, partitions_of(c)) == std::vector<int>{0, 1, 2});
}

} // namespace orderly::crossing_test
