// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds of every answer, on drawn clusters.

#include "tests/support/planning/in_service.hpp"
#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/squeezable.hpp"
#include "tests/support/planning/tool_run.hpp"
#include "tests/support/planning/what_if_asked.hpp"

#include <algorithm>
#include <map>

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
    // What is new is created after all moves.
    REQUIRE(at(s.what.instance) < changed->now.instances.size());
    check_in_service(changed->now, s.what, s.from);
    auto& i = changed->now.instances[at(s.what.instance)];
    CHECK(place{i.primary, i.secondary} == s.from);
    i.primary = s.to.primary;
    i.secondary = s.to.secondary;
  }
  for (std::size_t i = 0; i < changed->now.instances.size(); ++i) {
    const auto& here = r.now.instances[i];
    CHECK(here.primary == changed->now.instances[i].primary);
    CHECK(here.secondary == changed->now.instances[i].secondary);
  }
}

/// Of whoever is still on a node that is out of service, or has a mirror there.
void check_stuck(const what_if_answer& r) {
  for (std::size_t i = 0; i < r.now.instances.size(); ++i) {
    const auto& here = r.now.instances[i];
    auto is_out = [&](int n) { return n >= 0 && r.now.nodes[at(n)].offline; };
    auto named = std::count_if(
      r.stuck.begin(), r.stuck.end(),
      [i](const stuck_instance& s) { return at(s.instance) == i; });
    CHECK(named == (is_out(here.primary) || is_out(here.secondary) ? 1 : 0));
  }
}

/// Nodes of one group that die, are drained, and were dead or drained before;
/// and instances with a mirror in the other group.
cluster in_trouble(std::uint64_t seed) {
  auto c = drawn(seed, 50 + static_cast<int>(seed % 3) * 15);
  samples::dice d{seed};
  auto& out = c.nodes[static_cast<std::size_t>(2 + d.roll(2))];
  out.offline = true;
  out.dead = d.chance(50);
  for (auto& i : c.instances)
    if (i.secondary >= 0 && d.chance(10))
      i.secondary = (i.secondary + 6) % 12;
  return c;
}

} // namespace

TEST_CASE("nothing is made of what is dead, and who stays is told, wherever") {
  int steps = 0;
  std::map<stuck_kind, int> kinds;
  int created = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    INFO("seed " << seed);
    auto c = in_trouble(seed);
    auto x = lose("node" + std::to_string(seed % 2));
    x.drained.push_back({false, "node" + std::to_string(4 + seed % 2)});
    x.lost.push_back({false, "node" + std::to_string(6 + seed % 6)});
    auto more
      = small(20, seed % 2 == 0 ? disk_template::ext : disk_template::drbd);
    more.memory = 4096;
    if (seed % 3 != 0)
      x.grown.push_back(more);
    auto r = ask(c, x);
    check_steps(c, x, r);
    check_stuck(r);
    steps += static_cast<int>(r.steps.size());
    created += static_cast<int>(r.created);
    for (const auto& s : r.stuck) {
      ++kinds[s.kind];
      auto moves = std::any_of(r.steps.begin(), r.steps.end(), [&](auto& m) {
        return m.what.instance == s.instance;
      });
      CHECK((s.kind != stuck_kind::no_copy || !moves));
    }
  }
  CHECK(steps > 500);
  CHECK(created > 100);
  for (auto k : {stuck_kind::no_room, stuck_kind::no_copy, stuck_kind::apart})
    CHECK(kinds[k] > 5);
}

TEST_CASE("who is told to be stuck is so after N+1 was mended") {
  auto c = samples::read(io::htools::text_of("mended.txt"));
  change_set x;
  x.drained.push_back({false, "n4"});
  x.added.push_back({1, "n1", 0, 0, 0, {}});
  x.grown.push_back(small(20, disk_template::ext));
  x.grown[0].memory = 16 * 1024;
  x.grown[0].disk = 50 * 1024;
  x.grown[0].vcpus = 2;
  build_options build;
  build.n1 = initial_n1::reported;
  auto r = what_if(c, x, build);
  REQUIRE(r);
  CHECK(r->steps.size() > 10);
  check_steps(c, x, *r);
  check_stuck(*r);
}

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
    check_stuck(r);
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
