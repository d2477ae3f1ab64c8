// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/wake.hpp"
#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/squeezable.hpp"

#include <catch2/catch.hpp>

namespace orderly::squeeze_wake_test {

using namespace orderly::planning;

namespace {

/// Two nodes that are nearly full, and one that is off, larger than they.
cluster full() {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.groups[0].policy.standard = {1000, 1, 0, 0, 0, 0};
  for (int k = 0; k < 4; ++k) {
    node_spec n;
    n.name = "n" + std::to_string(k);
    n.total_memory = k == 3 ? 20'000 : 10'000;
    n.total_disk = 1000;
    n.free_disk = 1000;
    n.total_cpus = 16;
    n.free_memory = static_cast<mib>(n.total_memory);
    n.offline = k > 1;
    if (k > 1)
      n.tags = {"htools:standby:auto"};
    c.nodes.push_back(n);
  }
  for (int k = 0; k < 6; ++k) {
    instance_spec i;
    i.name = "i" + std::to_string(k);
    i.memory = 3000;
    i.vcpus = 1;
    i.primary = k % 2;
    i.disks = disk_template::ext;
    c.nodes[at(i.primary)].free_memory -= i.memory;
    c.instances.push_back(i);
  }
  return c;
}

group_squeeze squeezed(const cluster& c, double minimal) {
  return squeeze_groups(c, {minimal, minimal}, {}).front();
}

/// The cluster with the plan carried out.
plain_rules after(const cluster& c, const group_squeeze& g) {
  plain_rules r{c};
  for (auto n : g.on)
    r.now().nodes[at(n)].offline = false;
  for (const auto& s : g.steps)
    r.now().instances[at(s.what.instance)].primary = s.to.primary;
  return r;
}

} // namespace

TEST_CASE("as few standby nodes go on as give room, N+1 and cover, the largest "
          "first") {
  auto c = full();
  auto g = squeezed(c, 2);
  CHECK_FALSE(g.was_well);
  CHECK(g.is_well);
  CHECK(g.on == std::vector<int>{3});
  CHECK(g.on_after == 3);
  CHECK(g.off.empty());
  auto r = after(c, g);
  for (int n : {0, 1, 3}) {
    CHECK(r.has_room(n, 2000, 2));
    CHECK(r.is_covered(n));
  }
  // Without tags nobody may switch them on.
  for (auto& n : c.nodes)
    n.tags = {"htools:standby"};
  g = squeezed(c, 2);
  CHECK(g.on.empty());
  CHECK_FALSE(g.is_well);
}

TEST_CASE("where moves alone are enough, no node goes on") {
  auto c = full();
  for (auto& i : c.instances) {
    i.memory = 1000;
    i.primary = 0;
    i.vcpus = 3;
  }
  c.groups[0].policy.vcpu_ratio = 1;
  c.nodes[0].free_memory = 4000;
  c.nodes[1].free_memory = 10'000;
  c.nodes[0].total_cpus = 19;
  auto g = squeezed(c, 2);
  CHECK_FALSE(g.was_well);
  CHECK(g.is_well);
  CHECK(g.on.empty());
  CHECK(g.steps.size() == 1);
}

TEST_CASE(
  "a node that nobody has figures of counts as the smallest that is on, "
  "and nothing is moved before they are there") {
  auto c = full();
  for (int n : {2, 3}) {
    auto& x = c.nodes[at(n)];
    x.total_memory = x.total_cpus = x.total_disk = 0;
    x.free_memory = x.free_disk = 0;
  }
  auto g = squeezed(c, 2);
  CHECK(g.is_guessed);
  CHECK(g.on == std::vector<int>{2});
  CHECK(g.steps.empty());
  // Those that are off do not make it want more and more of them.
  auto few = full();
  few.instances.pop_back();
  few.instances.pop_back();
  for (int n : {0, 1})
    few.nodes[at(n)].free_memory += 3000;
  few.nodes[2] = c.nodes[2];
  few.nodes[3] = c.nodes[3];
  g = squeezed(few, 5);
  CHECK_FALSE(g.was_well);
  CHECK(g.on.size() == 2);
  few.nodes[2].total_memory = 10'000;
  few.nodes[2].free_memory = 10'000;
  few.nodes[2].total_cpus = 16;
  few.nodes[2].offline = false;
  few.instances[0].primary = 2;
  few.nodes[0].free_memory += 3000;
  few.nodes[2].free_memory -= 3000;
  CHECK(squeezed(few, 2).on.empty());
}

TEST_CASE("what even all standby nodes do not give switches none on") {
  auto c = full();
  auto g = squeezed(c, 30);
  CHECK_FALSE(g.was_well);
  CHECK_FALSE(g.is_well);
  CHECK(g.on.empty());
}

TEST_CASE("instances come off offline nodes, and nodes go on for them") {
  auto c = full();
  c.nodes[0].offline = true;
  c.nodes[1].free_memory = 1000;
  CHECK(lacking(placement{c, 0, {}}, {}) == 4); // 3 instances, and no cover
  auto g = squeezed(c, 0);
  CHECK(g.is_well);
  auto r = after(c, g);
  CHECK(r.instances_on(0) == 0);
  for (auto n : g.on)
    CHECK(r.is_covered(n));
}

TEST_CASE(
  "what is switched on lacks nothing that could be had with more nodes") {
  int woken = 0;
  int well = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    samples::squeezable f;
    f.instances = 50 + static_cast<int>(seed % 60);
    f.standby = true;
    f.tags = seed % 3 == 0;
    f.local = seed % 4 == 0;
    auto c = samples::draw_squeezable(seed, f);
    for (const auto& g : squeeze_groups(c, {4, 4}, {})) {
      if (g.was_well)
        continue;
      auto r = after(c, g);
      auto room = spare_of(c.groups[0].policy.standard, 4);
      int bad = 0;
      for (int n = 0; n < r.count(); ++n)
        if (r.group_of(n) == g.group && r.is_on(n)
            && !(r.has_n1(n) && r.is_covered(n)
                 && r.has_room(n, static_cast<double>(room.memory),
                               static_cast<double>(room.cpus))))
          ++bad;
      CHECK((bad == 0) == g.is_well);
      for (auto n : g.on) {
        CHECK(is_standby(c.nodes[at(n)]));
        CHECK(c.nodes[at(n)].group == g.group);
      }
      woken += static_cast<int>(g.on.size());
      well += g.is_well ? 1 : 0;
    }
  }
  CHECK(woken > 30);
  CHECK(well > 20);
}

} // namespace orderly::squeeze_wake_test
