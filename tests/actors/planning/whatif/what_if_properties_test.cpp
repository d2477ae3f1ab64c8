// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every answer, on drawn clusters.

#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/squeezable.hpp"
#include "tests/support/planning/what_if_asked.hpp"

#include <algorithm>

namespace orderly::whatif_properties_test {

using namespace orderly::planning;

namespace {

cluster drawn(std::uint64_t seed, int instances) {
  samples::squeezable f;
  f.nodes = 6;
  f.instances = instances;
  f.local = true;
  return samples::draw_squeezable(seed, f);
}

change_set one_of_each(std::uint64_t seed) {
  samples::dice d{seed};
  auto x = lose("node" + std::to_string(d.roll(6)));
  x.drained.push_back({false, "node" + std::to_string(6 + d.roll(6))});
  if (d.chance(50))
    x.added.push_back(
      {1 + d.roll(2), "node" + std::to_string(d.roll(12)), 0, 0, 0, {}});
  if (d.chance(50))
    x.memory.push_back({{true, "g2"}, 4096});
  if (d.chance(50))
    x.grown.push_back(small(1 + d.roll(9), d.chance(50) ? disk_template::drbd
                                                        : disk_template::rbd));
  return x;
}

/// The steps of an answer lead where it says, each from where the one before
/// it ended.
void check_steps(const cluster& c, const change_set& x,
                 const what_if_answer& r) {
  auto changed = apply(c, x);
  REQUIRE(changed);
  for (const auto& s : r.steps) {
    auto& i = changed->now.instances[at(s.what.instance)];
    CHECK(place{i.primary, i.secondary} == s.from);
    i.primary = s.to.primary;
    i.secondary = s.to.secondary;
    CHECK_FALSE(r.now.nodes[at(s.to.primary)].offline);
  }
  for (std::size_t i = 0; i < changed->now.instances.size(); ++i) {
    const auto& here = r.now.instances[i];
    CHECK(here.primary == changed->now.instances[i].primary);
    CHECK(here.secondary == changed->now.instances[i].secondary);
  }
}

} // namespace

TEST_CASE("what is called well is so by the plain rules, on drawn clusters") {
  std::array<int, 3> seen{};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed, seed % 3 == 0 ? 40 : 70);
    auto x = one_of_each(seed);
    auto r = ask(c, x);
    ++seen[static_cast<std::size_t>(r.is)];
    check_steps(c, x, r);
    plain_rules rules{r.now};
    for (const auto& g : r.after)
      for (int n = 0; n < static_cast<int>(r.now.nodes.size()); ++n) {
        if (r.now.nodes[at(n)].group != g.group || r.now.nodes[at(n)].offline)
          continue;
        auto listed = [n](const std::vector<node_lack>& all) {
          return std::any_of(all.begin(), all.end(),
                             [n](const node_lack& l) { return l.node == n; });
        };
        CHECK(listed(g.short_of) == !rules.has_n1(n));
        CHECK(listed(g.uncovered) == !rules.is_covered(n));
      }
    // Whoever is still on a node that is out of service is named.
    for (std::size_t i = 0; i < r.now.instances.size(); ++i) {
      const auto& here = r.now.instances[i];
      auto is_out = [&](int n) { return n >= 0 && r.now.nodes[at(n)].offline; };
      auto named = std::any_of(
        r.stuck.begin(), r.stuck.end(),
        [i](const stuck_instance& s) { return at(s.instance) == i; });
      CHECK(named == (is_out(here.primary) || is_out(here.secondary)));
    }
  }
  CHECK(seen[static_cast<std::size_t>(verdict::after_moves)] >= 5);
  CHECK(seen[static_cast<std::size_t>(verdict::not_well)] >= 5);
}

TEST_CASE("the order of changes means nothing") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = drawn(seed, 60);
    auto x = one_of_each(seed);
    x.lost.push_back({false, "node5"});
    x.added.push_back({2, {}, 40'000, 4'000'000, 16, "g2"});
    x.grown.push_back(small(2, disk_template::ext));
    x.grown.push_back(small(3, disk_template::plain));
    auto y = x;
    std::reverse(y.lost.begin(), y.lost.end());
    std::reverse(y.added.begin(), y.added.end());
    std::reverse(y.grown.begin(), y.grown.end());
    auto a = ask(c, x);
    auto b = ask(c, y);
    CHECK(a.now == b.now);
    CHECK(a.is == b.is);
    CHECK(a.steps.size() == b.steps.size());
  }
}

TEST_CASE("more memory makes nothing worse") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed, 80);
    auto x = lose("node" + std::to_string(seed % 6));
    auto before = ask(c, x).is;
    for (mib by : {1024, 8192, 65'536}) {
      x.memory = {{{true, "g1"}, by}, {{true, "g2"}, by}};
      auto after = ask(c, x).is;
      CHECK(after <= before);
      before = after;
    }
  }
}

} // namespace orderly::whatif_properties_test
