// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/advise.hpp"
#include "tests/support/planning/nodes_with.hpp"
#include "tests/support/planning/squeezable.hpp"
#include "tests/support/planning/what_if_asked.hpp"

#include <algorithm>

namespace orderly::advise_test {

using namespace orderly::planning;

namespace {

advice advice_for(const cluster& c, const change_set& x) {
  return advise(c, x, ask(c, x), {});
}

change_set with(change_set x, const cluster& c, const nodes_to_add& b) {
  x.added.push_back({b.count, c.nodes[at(b.like)].name, 0, 0, 0, {}});
  return x;
}

change_set with(change_set x, const cluster& c, const memory_to_add& b) {
  x.memory.push_back({{true, c.groups[at(b.group)].name}, b.each});
  return x;
}

} // namespace

TEST_CASE("who is well needs no advice") {
  auto r = advice_for(samples::nodes_with({{1000}, {}, {}}), lose("n0"));
  CHECK_FALSE(r.is_needed);
  CHECK_FALSE(r.nodes);
  CHECK_FALSE(r.memory);
}

TEST_CASE("one node more carries what one that is lost had") {
  auto c = samples::nodes_with({{3000, 3000}, {3000, 3000}, {}});
  auto r = advice_for(c, lose("n2"));
  CHECK(r.is_needed);
  REQUIRE(r.nodes);
  REQUIRE(r.nodes->size() == 1);
  CHECK(r.nodes->front().count == 1);
  REQUIRE(r.memory);
  // 4000 are free, and more than 6000 must be.
  CHECK(r.memory->front().each == 2 * 1024);
}

TEST_CASE("of as many nodes the smaller ones are advised") {
  auto c = samples::nodes_with({{3000, 3000}, {3000, 3000}, {}});
  c.nodes[1].total_memory += 90'000;
  c.nodes[1].free_memory += 90'000;
  auto r = advice_for(c, lose("n1"));
  REQUIRE(r.nodes);
  CHECK(c.nodes[at(r.nodes->front().like)].total_memory == 10'000);
}

TEST_CASE("no purchase brings back what is lost, and none is advised for it") {
  auto c = samples::nodes_with({{1000}, {}, {}});
  c.instances[0].disks = disk_template::plain;
  CHECK_FALSE(advice_for(c, lose("n0")).is_needed);
}

TEST_CASE("where CPUs are short memory is no advice") {
  auto c = samples::nodes_with({{}, {}});
  change_set x;
  x.grown.push_back(small(10, disk_template::ext));
  x.grown[0].memory = 128;
  x.grown[0].vcpus = 8;
  c.groups[0].policy.vcpu_ratio = 2;
  auto r = advice_for(c, x);
  CHECK(r.is_needed);
  CHECK_FALSE(r.memory);
  REQUIRE(r.nodes);
  // Each takes three: what its own system uses counts, too.
  CHECK(r.nodes->front().count == 2);
}

TEST_CASE("what is advised makes it well, and less of it does not") {
  int nodes = 0;
  int memory = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    INFO("seed " << seed);
    samples::squeezable f;
    f.nodes = 5;
    f.instances = 90;
    auto c = samples::draw_squeezable(seed, f);
    auto x = lose("node" + std::to_string(2 + seed % 3));
    auto r = advice_for(c, x);
    if (!r.is_needed)
      continue;
    if (r.nodes && r.nodes->size() == 1) {
      ++nodes;
      auto b = r.nodes->front();
      CHECK(has_room_for_all(ask(c, with(x, c, b))));
      if (--b.count > 0)
        CHECK_FALSE(has_room_for_all(ask(c, with(x, c, b))));
    }
    if (r.memory && r.memory->size() == 1) {
      ++memory;
      auto b = r.memory->front();
      CHECK(has_room_for_all(ask(c, with(x, c, b))));
      b.each -= 1024;
      if (b.each > 0)
        CHECK_FALSE(has_room_for_all(ask(c, with(x, c, b))));
    }
  }
  CHECK(nodes > 0);
  CHECK(memory > 0);
}

TEST_CASE("of all that is advised nothing can be left out or be less") {
  int together = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    samples::squeezable f;
    f.nodes = 3;
    f.instances = 45;
    auto c = samples::draw_squeezable(seed, f);
    // One wish of each group, and one that goes anywhere.
    change_set x = lose("node" + std::to_string(seed % 3));
    for (const char* group : {"g1", "g2", ""}) {
      x.grown.push_back(
        small(6 + static_cast<std::int64_t>(seed % 5), disk_template::ext));
      x.grown.back().memory = *group == 0 ? 8192 : 3000;
      x.grown.back().group = group;
    }
    auto r = advice_for(c, x);
    if (!r.nodes || r.nodes->size() < 2)
      continue;
    ++together;
    auto all = *r.nodes;
    auto does = [&](const std::vector<nodes_to_add>& bought) {
      auto y = x;
      for (const auto& b : bought)
        if (b.count > 0)
          y = with(y, c, b);
      return has_room_for_all(ask(c, y));
    };
    CHECK(does(all));
    for (auto& b : all) {
      CHECK(std::count_if(all.begin(), all.end(),
                          [&](const auto& other) {
                            return other.group == b.group
                                   && other.like == b.like;
                          })
            == 1);
      --b.count;
      CHECK_FALSE(does(all));
      ++b.count;
    }
  }
  CHECK(together > 2);
}

} // namespace orderly::advise_test
