// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/exact_squeeze.hpp"
#include "tests/support/planning/squeezable.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace orderly::squeeze_exact_squeeze_test {

using namespace orderly::planning;

namespace {

/// The reference's rule, word for word: from the least loaded node on, each
/// set of nodes is tried in full.
struct slow_way {
  const cluster& c;
  spare_factors spare;

  std::optional<std::vector<step>> try_set(const std::vector<int>& off,
                                           const spare_room& room) const {
    auto tried = c;
    for (auto n : off)
      tried.nodes[at(n)].offline = true;
    placement p{tried, std::nullopt, {}};
    search_rules rules;
    rules.min_gain = rules.min_gain_limit = 0;
    rules.min_score = -std::numeric_limits<double>::infinity();
    auto steps = balance(p, rules).steps;
    for (auto x : p.places)
      if (!p.facts[at(x.primary)].online)
        return std::nullopt;
    for (int n = 0; n < p.node_count(); ++n)
      if (!has_room(p, n, p.states[at(n)], room))
        return std::nullopt;
    return steps;
  }

  std::vector<int> run() const {
    std::vector<int> off;
    auto all = nodes_to_switch_off(c);
    for (auto n = all.rbegin(); n != all.rend(); ++n) {
      auto wider = off;
      wider.insert(wider.begin(), *n);
      if (try_set(wider, spare_of(c.policy.standard, spare.target)))
        off = wider;
    }
    return off;
  }
};

bool has_all_room(const cluster& c, double factor) {
  placement p{c, std::nullopt, {}};
  for (int n = 0; n < p.node_count(); ++n)
    if (!has_room(p, n, p.states[at(n)], spare_of(c.policy.standard, factor)))
      return false;
  return true;
}

} // namespace

TEST_CASE("the exact way switches off what trying every set in full would") {
  int off = 0;
  int moved = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    samples::squeezable f;
    f.nodes = 2 + static_cast<int>(seed % 3);
    f.instances = f.nodes * static_cast<int>(2 + seed % 5);
    f.local = seed % 3 == 0;
    f.tags = seed % 4 == 0;
    auto c = samples::draw_squeezable(seed, f);
    spare_factors spare{0.5, static_cast<double>(seed % 4)};
    auto x = squeeze_exactly(c, spare, {});
    if (!has_all_room(c, spare.minimal)) {
      CHECK(x.kind == switch_plan::what::on);
      continue;
    }
    slow_way slow{c, spare};
    auto expected = slow.run();
    CHECK(x.nodes == expected);
    CHECK((x.kind == switch_plan::what::off) == !expected.empty());
    off += static_cast<int>(expected.size());
    auto steps = slow.try_set(expected, spare_of(c.policy.standard, 0));
    REQUIRE(steps);
    CHECK(x.steps.size() == (expected.empty() ? 0 : steps->size()));
    moved += static_cast<int>(x.steps.size());
  }
  CHECK(off > 60);
  CHECK(moved > 60);
}

TEST_CASE("a node stays on whose instance may not migrate to any other") {
  samples::squeezable f;
  f.nodes = 1;
  f.instances = 0;
  auto c = samples::draw_squeezable(1, f);
  instance_spec i;
  i.name = "i";
  i.memory = 512;
  i.vcpus = 1;
  i.disks = disk_template::ext;
  c.instances.push_back(i);
  c.nodes[0].free_memory -= i.memory;
  CHECK(squeeze_exactly(c, {0, 0}, {}).nodes == std::vector<int>{0});
  c.tags = {"htools:migration:hv"};
  c.nodes[0].tags = {"hv:new"};
  CHECK(squeeze_exactly(c, {0, 0}, {}).nodes.empty());
}

TEST_CASE(
  "where a node has too little room, standby nodes go on in order until "
  "balancing gives it") {
  samples::squeezable f;
  f.nodes = 2;
  f.instances = 0;
  auto c = samples::draw_squeezable(1, f);
  for (auto& n : c.nodes) {
    n.total_memory = 16384;
    n.free_memory = 15360;
    n.total_cpus = 8;
    n.master = false;
  }
  for (int k = 0; k < 4; ++k) {
    instance_spec i;
    i.name = "i" + std::to_string(k);
    i.memory = 3800;
    i.vcpus = 1;
    i.disks = disk_template::ext;
    c.nodes[0].free_memory -= i.memory;
    c.instances.push_back(i);
  }
  for (int n : {1, 2, 3}) {
    c.nodes[at(n)].offline = true;
    if (n != 2)
      c.nodes[at(n)].tags = {"htools:standby:x"};
  }
  c.policy.standard = {1000, 1, 0, 0, 0, 0};
  auto x = squeeze_exactly(c, {1, 1}, {});
  CHECK(x.kind == switch_plan::what::on);
  CHECK(x.nodes == std::vector<int>{1});
  CHECK(x.steps.size() == 2);
  CHECK(x.enough);
  x = squeeze_exactly(c, {14, 1}, {});
  CHECK(x.nodes == std::vector<int>{1, 3});
  CHECK_FALSE(x.enough);
  x = squeeze_exactly(c, {0.1, 1}, {});
  CHECK(x.kind == switch_plan::what::nothing);
  // A node that is off and has no figures never has room, as they see it.
  c.nodes[2].total_memory = c.nodes[2].total_cpus = 0;
  c.nodes[2].free_memory = 0;
  x = squeeze_exactly(c, {0.1, 1}, {});
  CHECK(x.kind == switch_plan::what::on);
  CHECK_FALSE(x.enough);
}

} // namespace orderly::squeeze_exact_squeeze_test
