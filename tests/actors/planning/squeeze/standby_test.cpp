// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/standby.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::squeeze_standby_test {

using namespace orderly::planning;

TEST_CASE("a node has room where an instance of that size could be added") {
  int yes = 0;
  int no = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    auto c = samples::draw(seed, 5, 30,
                           {.forthcoming = seed % 2 == 0,
                            .exclusive = seed % 5 == 0,
                            .offline = seed % 3 == 0});
    for (auto& g : c.groups)
      g.policy.vcpu_ratio = 1.5;
    if (seed % 4 == 0) // what is down could be started
      for (auto& i : c.instances) {
        i.status = instance_status::admin_down;
        i.memory *= 4;
      }
    for (double factor : {0.0, 1.0, 4.5, 20.0, 60.0}) {
      auto room = spare_of({512, 1, 1024, 1, 1, 1}, factor);
      instance_spec x;
      x.memory = room.memory;
      x.vcpus = room.cpus;
      x.disks = disk_template::ext;
      x.primary = -1;
      c.instances.push_back(x);
      placement p{c, 0, {}};
      c.instances.pop_back();
      auto last = p.instance_count() - 1;
      for (int n = 0; n < p.node_count(); ++n) {
        auto s = p.states[at(n)];
        auto fits = add_primary(p, n, s, last, {n, -1}, false) == refusal::none;
        CHECK(has_room(p, n, p.states[at(n)], room) == fits);
        (fits ? yes : no) += 1;
      }
    }
  }
  CHECK(yes > 200);
  CHECK(no > 200);
}

TEST_CASE("room is counted in whole MiB and CPUs, and bounded") {
  instance_size standard{1000, 3, 0, 0, 0, 0};
  CHECK(spare_of(standard, 1.5).memory == 1500);
  CHECK(spare_of(standard, 1.5).cpus == 4);
  CHECK(spare_of(standard, 0).memory == 0);
  CHECK(spare_of(standard, 1e300).memory == 1'000'000'000'000);
}

TEST_CASE("only free nodes go off, and those with most instances come first") {
  auto c = samples::small();
  for (auto& n : c.nodes)
    n.offline = n.master = false;
  for (auto& i : c.instances) {
    i.disks = disk_template::rbd;
    i.secondary = -1;
    i.forthcoming = false;
    i.primary = 1;
  }
  CHECK(nodes_to_switch_off(c) == std::vector<int>{1, 0, 2, 3});
  c.nodes[0].master = true;
  c.nodes[2].offline = true;
  c.instances[0].primary = 3;
  CHECK(nodes_to_switch_off(c) == std::vector<int>{1, 3});
  c.instances[0].disks = disk_template::plain;
  CHECK(nodes_to_switch_off(c) == std::vector<int>{1});
  c.instances[1].disks = disk_template::drbd;
  c.instances[1].primary = 0;
  c.instances[1].secondary = 1;
  CHECK(nodes_to_switch_off(c).empty());
}

TEST_CASE("a node is standby by the beginning of a tag, and only offline ones "
          "go on") {
  auto c = samples::small();
  for (auto& n : c.nodes)
    n.offline = true;
  c.nodes[0].tags = {"foo", "htools:standby:auto"};
  c.nodes[1].tags = {"htools:standby"};
  c.nodes[2].tags = {"htools:standby:"};
  c.nodes[3].tags = {"htools:standby:auto"};
  c.nodes[3].offline = false;
  CHECK(nodes_to_switch_on(c) == std::vector<int>{0, 2});
}

} // namespace orderly::squeeze_standby_test
