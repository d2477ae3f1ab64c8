// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/redistribution.hpp"
#include "tests/support/planning/drawn_sick.hpp"
#include "tests/support/planning/safe_prefix.hpp"

namespace orderly::redistribution_test {

using namespace orderly::planning;
using samples::add;
using samples::draw_sick;
using samples::one_too_many;
using samples::racks;

namespace {

constexpr std::int64_t effort = 2'000'000;

redistribution healed(const cluster& c,
                      group_moves allowed = group_moves::repair) {
  return redistribute(c, allowed, {}, effort);
}

/// The plan is safe, leads where it says, and heals what it says.
void check(const cluster& c, const redistribution& r) {
  std::vector<bool> sick(c.groups.size(), false);
  for (const auto& g : r.groups)
    sick[at(g.group)] = true;
  plain_rules rules{check_prefixes(c, r.steps, sick)};
  for (const auto& g : r.groups) {
    auto well = true;
    for (int n = 0; n < rules.count(); ++n)
      if (rules.group_of(n) == g.group)
        well = well
               && (rules.is_on(n) ? rules.has_n1(n) && rules.is_covered(n)
                                  : rules.instances_on(n) == 0);
    CHECK(well == g.is_healed);
  }
  for (std::size_t i = 0; i < c.instances.size(); ++i) {
    CHECK(rules.now().instances[i].primary == r.now.instances[i].primary);
    CHECK(rules.now().instances[i].secondary == r.now.instances[i].secondary);
  }
}

} // namespace

TEST_CASE("what a group has no room for goes to another one") {
  auto c = one_too_many();
  auto r = healed(c);
  CHECK(r.is_reached());
  REQUIRE(r.groups.size() == 1);
  CHECK(r.groups[0].was == group_health::unhealthy);
  CHECK(r.groups[0].crossings == 1);
  check(c, r);
}

TEST_CASE("what a group can do by itself does not cross") {
  auto c = racks(2, 3);
  add(c, 0, 3000);
  add(c, 1, 3000);
  samples::lose(c, 0);
  auto r = healed(c);
  CHECK(r.is_reached());
  CHECK(r.groups.at(0).crossings == 0);
  CHECK(r.steps.size() == 1);
  check(c, r);
}

TEST_CASE("redistribution ends where nothing is wrong, nothing may cross, or "
          "no group is healthy") {
  auto c = racks(2, 3);
  CHECK(healed(c).end == redistribution_end::all_healthy);
  CHECK(healed(c, group_moves::none).is_reached());
  c = one_too_many();
  for (auto allowed : {group_moves::none, group_moves::asked}) {
    auto r = healed(c, allowed);
    CHECK(r.end == redistribution_end::forbidden);
    CHECK_FALSE(r.is_reached());
    CHECK(r.steps.empty());
  }
  add(c, 3, 1000);
  samples::lose(c, 3);
  CHECK(healed(c).end == redistribution_end::none_healthy);
}

TEST_CASE("a group is healed wholly or not at all, and what lacks is said") {
  auto c = one_too_many();
  const storage_pool nas{storage_type::external, "nas1"};
  for (auto i : {0, 1, 3})
    c.instances[at(i)].storage = nas;
  for (auto n : {0, 1, 2})
    c.nodes[at(n)].pools = {{{}, nas}};
  for (auto n : {3, 4, 5}) {
    c.nodes[at(n)].pools = {{{}, nas}};
    add(c, n, 8000, disk_template::plain);
  }
  auto r = healed(c);
  CHECK(r.end == redistribution_end::done);
  CHECK_FALSE(r.is_reached());
  CHECK(r.steps.empty());
  REQUIRE(r.groups.at(0).lacks.size() == 1);
  CHECK(r.groups[0].lacks[0].pool == nas);
  CHECK(r.groups[0].lacks[0].memory == 6000);
}

TEST_CASE("who cannot leave wherever there is room is named") {
  auto c = racks(2, 3);
  auto i = add(c, 0, 1000, disk_template::plain);
  samples::lose(c, 0);
  auto r = healed(c);
  CHECK_FALSE(r.is_reached());
  REQUIRE(r.groups.at(0).pinned.size() == 1);
  CHECK(r.groups[0].pinned[0].instance == i);
  CHECK(r.groups[0].pinned[0].kind == stuck_kind::own_disks);
}

TEST_CASE("a node short of N+1 is mended by mirrors before primaries") {
  auto c = racks(2, 2);
  add(c, 0, 6000, disk_template::drbd, 1);
  add(c, 1, 5000, disk_template::plain);
  auto r = healed(c);
  CHECK(r.groups.at(0).was == group_health::weakly);
  CHECK(r.is_reached());
  CHECK(r.groups[0].crossings == 1);
  check(c, r);
}

TEST_CASE("up to three moves inside another group make room") {
  auto c = racks(2, 3);
  add(c, 0, 6000);
  add(c, 1, 6000);
  add(c, 2, 6000, disk_template::plain);
  samples::lose(c, 0);
  for (auto i : {0, 1})
    c.instances[at(i)].auto_balance = false; // nobody has to cover them
  // No node of rack1 has more than 6,000 left before one gives 500 away.
  for (auto n : {3, 4, 5})
    add(c, n, 500);
  for (auto n : {3, 4, 5})
    add(c, n, n == 3 ? 3500 : 3800, disk_template::plain);
  auto r = healed(c);
  CHECK(r.is_reached());
  check(c, r);
  CHECK(r.steps.size() == 2);
}

TEST_CASE("every plan on drawn clusters is safe, and says what it heals") {
  auto crossed = 0;
  auto failed = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    INFO("seed " << seed);
    auto c = draw_sick(seed, 60 + static_cast<int>(seed % 4) * 8, true);
    auto r = redistribute(c, group_moves::repair, {}, 200'000);
    if (r.end != redistribution_end::done)
      continue;
    check(c, r);
    for (const auto& g : r.groups) {
      crossed += g.crossings;
      failed += g.is_healed ? 0 : 1;
      CHECK((g.is_healed || !g.lacks.empty() || !g.pinned.empty()
             || g.was == group_health::weakly));
    }
  }
  CHECK(crossed >= 20);
  CHECK(failed >= 3);
}

} // namespace orderly::redistribution_test
