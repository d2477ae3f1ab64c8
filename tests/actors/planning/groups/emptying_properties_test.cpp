// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every verdict, on drawn clusters with mirrors, pools, networks
// and exclusion tags.

#include "actors/planning/groups/emptying.hpp"
#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/safe_prefix.hpp"
#include "tests/support/planning/samples.hpp"

#include <set>

namespace orderly::emptying_properties_test {

using namespace orderly::planning;

namespace {

const storage_pool nas1{storage_type::external, "nas1"};
const storage_pool nas2{storage_type::external, "nas2"};

void draw_instance(samples::dice& d, cluster& c, int node) {
  auto group = c.nodes[at(node)].group;
  auto first = group * 4;
  auto size = 200 * (1 + d.roll(10));
  if (c.nodes[at(node)].free_memory <= 2 * size)
    return;
  auto sort = d.roll(10);
  auto other = first + (node - first + 1 + d.roll(3)) % 4;
  auto i = sort < 3 ? samples::add(c, node, size, disk_template::drbd, other)
           : sort == 3 && group != 0 && d.chance(20)
             ? samples::add(c, node, size, disk_template::plain)
             : samples::add(c, node, size);
  auto& x = c.instances[at(i)];
  if (x.disks == disk_template::ext)
    x.storage = d.chance(70) ? nas1 : nas2;
  if (d.chance(20))
    x.tags.push_back("service:" + std::to_string(d.roll(4)));
  if (d.chance(10))
    x.networks.emplace_back("net1");
}

cluster drawn(std::uint64_t seed) {
  samples::dice d{seed};
  auto c = samples::racks(4, 4);
  c.tags = {"htools:iextags:service"};
  for (auto& g : c.groups)
    if (d.chance(60))
      g.networks = {"net1"};
  c.groups[at(1 + d.roll(3))].allocation
    = d.chance(30) ? alloc_policy::unallocable : alloc_policy::last_resort;
  for (auto& n : c.nodes) {
    n.pools = {{{}, nas1}};
    if (n.group == 0 || d.chance(60))
      n.pools->push_back(nas2);
  }
  auto count = 20 + d.roll(50);
  for (int k = 0; k < count; ++k)
    draw_instance(d, c, d.roll(16));
  return c;
}

/// Why the crossing would be forbidden, by the words of
/// docs/policies/groups.md.
std::string forbidden(const cluster& c, const step& s) {
  const auto& x = c.instances[at(s.what.instance)];
  const auto& to = c.groups[at(c.nodes[at(s.to.primary)].group)];
  if (x.disks == disk_template::plain)
    return "own disks";
  if (to.allocation == alloc_policy::unallocable)
    return "unallocable";
  for (const auto& n : x.networks)
    if (std::find(to.networks.begin(), to.networks.end(), n)
        == to.networks.end())
      return "network";
  auto pool = x.storage.value_or(storage_pool{});
  for (auto n : {s.to.primary, s.to.secondary})
    if (n >= 0) {
      const auto& all = *c.nodes[at(n)].pools;
      if (std::find(all.begin(), all.end(), pool) == all.end())
        return "storage";
    }
  return {};
}

} // namespace

TEST_CASE("every plan for an emptying is allowed and safe after each step") {
  std::map<empty_verdict, int> seen;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    crossing_map map{c, {group_moves::asked, crossing_cause::asked}};
    auto x = emptier{c, map, {}, 200'000}.judge({0});
    ++seen[x.is];
    auto after = check_prefixes(c, x.steps, {true, false, false, false});
    plain_rules before{c};
    plain_rules then{after};
    for (const auto& s : x.steps)
      CHECK(forbidden(c, s).empty());
    for (int n = 4; n < 16; ++n)
      CHECK(then.conflicts(n) <= before.conflicts(n));
    auto left = std::count_if(after.instances.begin(), after.instances.end(),
                              [&](const instance_spec& i) {
                                return c.nodes[at(i.primary)].group == 0;
                              });
    CHECK((x.is == empty_verdict::can) == (left == 0));
    // Who is named cannot go to any node of any other group, by each rule.
    for (const auto& k : x.kept) {
      const auto& spec = c.instances[at(k.instance)];
      for (int n = 4; n < 16; ++n) {
        step s{{k.instance, move_kind::failover_to, n},
               {spec.primary, spec.secondary},
               {n, -1},
               0};
        auto group = c.nodes[at(n)].group;
        CHECK(
          (!forbidden(c, s).empty()
           || (spec.secondary >= 0 && k.into[at(group)] == barrier::storage)));
      }
    }
    CHECK((x.is != empty_verdict::cannot || x.lacks || !x.kept.empty()));
  }
  CHECK(seen[empty_verdict::can] >= 20);
  CHECK(seen[empty_verdict::cannot] >= 10);
}

TEST_CASE(
  "the same question has the same answer, and more effort no worse one") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto c = drawn(seed);
    crossing_map map{c, {group_moves::asked, crossing_cause::asked}};
    auto a = emptier{c, map, {}, 20'000}.judge({0});
    auto b = emptier{c, map, {}, 20'000}.judge({0});
    REQUIRE(a.steps.size() == b.steps.size());
    for (std::size_t k = 0; k < a.steps.size(); ++k)
      CHECK(a.steps[k].to == b.steps[k].to);
    auto more = emptier{c, map, {}, 2'000'000}.judge({0});
    CHECK((a.is != empty_verdict::can || more.is == empty_verdict::can));
  }
}

} // namespace orderly::emptying_properties_test
