// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/room_left.hpp"
#include "tests/support/planning/nodes_with.hpp"

#include <catch2/catch.hpp>

namespace orderly::room_left_test {

using namespace orderly::planning;

namespace {

instance_spec size_of(mib memory) {
  instance_spec x;
  x.memory = memory;
  x.disk = 1024;
  x.disk_sizes = {1024};
  x.disk_spindles = {std::int64_t{1}};
  x.vcpus = 1;
  x.primary = -1;
  x.disks = disk_template::ext;
  return x;
}

} // namespace

TEST_CASE("as many are counted as leave any node so that it could be lost") {
  auto c = samples::nodes_with({{}, {}, {}});
  // Four on each node, and of those of one no more than four find room.
  CHECK(room_left(c, 0, size_of(1600), {}) == room_count{12, true});
  c.groups[0].allocation = alloc_policy::unallocable;
  CHECK(room_left(c, 0, size_of(1600), {}) == room_count{0, true});
}

TEST_CASE("a group with a node short of N+1 takes none") {
  auto c = samples::nodes_with({{3000, 3000}, {5000}, {}, {}});
  for (auto i : {0, 1}) {
    c.instances[at(i)].disks = disk_template::drbd;
    c.instances[at(i)].secondary = 1;
  }
  CHECK(room_left(c, 0, size_of(1000), {}) == room_count{0, true});
}

TEST_CASE("a number that says enough is where counting ends") {
  auto c = samples::nodes_with({{}, {}});
  for (auto& n : c.nodes) {
    n.total_memory = 1e8;
    n.free_memory = 100'000'000;
    n.total_cpus = 1e6;
  }
  CHECK(room_left(c, 0, size_of(128), {}) == room_count{10'000, false});
}

} // namespace orderly::room_left_test
