// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/compression.hpp"
#include "actors/planning/groups/crossed_steps.hpp"
#include "tests/support/planning/planted.hpp"
#include "tests/support/planning/safe_prefix.hpp"

namespace orderly::emptying_test {

using namespace orderly::planning;
using samples::add;
using samples::racks;

namespace {

constexpr crossing_rules asked{group_moves::asked, crossing_cause::asked};
constexpr std::int64_t effort = 2'000'000;

emptying judged(const cluster& c, std::vector<int> groups) {
  crossing_map map{c, asked};
  return emptier{c, map, {}, effort}.judge(groups);
}

/// The last group of a planted cluster, emptied.
bool is_emptied(const cluster& c) {
  auto last = static_cast<int>(c.groups.size()) - 1;
  auto x = judged(c, {last});
  CHECK(x.is != empty_verdict::cannot);
  if (x.is != empty_verdict::can)
    return false;
  std::vector<bool> loosed(c.groups.size(), false);
  loosed[at(last)] = true;
  auto after = check_prefixes(c, x.steps, loosed);
  for (const auto& i : after.instances)
    CHECK(after.nodes[at(i.primary)].group != last);
  CHECK(after.instances.size() == c.instances.size());
  CHECK(x.rounds.count <= x.rounds.most_moves + 1);
  return true;
}

int emptied_of(int percent, int clusters) {
  auto result = 0;
  for (int seed = 1; seed <= clusters; ++seed) {
    INFO("seed " << seed);
    result += is_emptied(
      samples::plant(static_cast<std::uint64_t>(seed), {3, 10, percent}));
  }
  return result;
}

} // namespace

TEST_CASE("a group that was planted to fit is emptied, and no other loses "
          "N+1 or cover on the way") {
  CHECK(emptied_of(90, 20) == 20);
  CHECK(emptied_of(95, 20) == 20);
  CHECK(emptied_of(97, 20) >= 16);
}

TEST_CASE("mirrors cross to two nodes in one step") {
  auto c = racks(2, 3);
  for (int k = 0; k < 3; ++k)
    add(c, k, 2000, disk_template::drbd, (k + 1) % 3);
  auto x = judged(c, {0});
  REQUIRE(x.is == empty_verdict::can);
  CHECK(x.steps.size() == 3);
  check_prefixes(c, x.steps, {true, false});
  // Both halves are copied, and the memory once.
  CHECK(x.moved.copied == 3 * (2000 + 2 * 1000));
}

TEST_CASE("who may go nowhere is named, and so is each group's reason") {
  auto c = racks(3, 2);
  add(c, 0, 1000);
  auto pinned = add(c, 0, 1000, disk_template::plain);
  auto x = judged(c, {0});
  CHECK(x.is == empty_verdict::cannot);
  REQUIRE(x.kept.size() == 1);
  CHECK(x.kept[0].instance == pinned);
  CHECK(x.kept[0].into[1] == barrier::own_disks);
  CHECK(x.steps.empty());
}

TEST_CASE("an instance that is larger than any node is kept") {
  auto c = racks(2, 2);
  c.nodes[0].free_memory = 50'000;
  c.nodes[0].total_memory = 50'000;
  add(c, 0, 20'000);
  auto x = judged(c, {0});
  REQUIRE(x.kept.size() == 1);
  CHECK(x.kept[0].into[1] == barrier::none);
}

TEST_CASE("what is short is said with its pool and its groups") {
  auto c = racks(3, 2);
  const storage_pool nas{storage_type::external, "nas1"};
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    c.nodes[n].pools.emplace();
    if (c.nodes[n].group < 2)
      c.nodes[n].pools->push_back(nas);
  }
  for (int k = 0; k < 4; ++k)
    c.instances[at(add(c, k % 2, 4000))].storage = nas;
  for (int k = 0; k < 2; ++k)
    add(c, 2 + k, 5000, disk_template::plain);
  auto x = judged(c, {0});
  CHECK(x.is == empty_verdict::cannot);
  CHECK(x.kept.empty());
  REQUIRE(x.lacks);
  CHECK(x.lacks->of == resource::memory);
  CHECK(x.lacks->groups == std::vector<int>{1});
  REQUIRE(x.lacks->pools.size() == 1);
  CHECK(x.lacks->pools[0] == nas);
  // 16,000 come to two nodes that have 5,000 left, less one MiB each.
  CHECK(x.lacks->missing == 16'000 - 2 * 4999);
  CHECK(x.lacks->wanted - x.lacks->room == x.lacks->missing);
}

TEST_CASE("without permission everything is kept") {
  auto c = racks(2, 2);
  add(c, 0, 1000);
  crossing_map map{c, {}};
  auto x = emptier{c, map, {}, effort}.judge({0});
  CHECK(x.is == empty_verdict::cannot);
  CHECK(x.kept.at(0).into.at(1) == barrier::permission);
}

TEST_CASE("a group without instances is empty already") {
  auto c = racks(2, 2);
  auto x = judged(c, {0});
  CHECK(x.is == empty_verdict::can);
  CHECK(x.steps.empty());
}

TEST_CASE("of groups that can be emptied the one with most room is taken, or "
          "as many as can be") {
  auto c = racks(4, 2);
  for (int n = 0; n < 8; ++n)
    add(c, n, n < 2 ? 500 : 1000);
  add(c, 2, 500, disk_template::plain);
  crossing_map map{c, asked};
  emptier judge{c, map, {}, effort};
  CHECK(most_free_first(c, {}) == std::vector<int>{0, 2, 3, 1});
  auto one = empty_most_free(c, judge, {});
  REQUIRE(one.best);
  CHECK(one.verdicts.at(*one.best).groups == std::vector<int>{0});
  auto all = empty_all(c, judge, {});
  REQUIRE(all.best);
  auto groups = all.verdicts.at(*all.best).groups;
  std::sort(groups.begin(), groups.end());
  CHECK(groups == std::vector<int>{0, 2, 3});
}

TEST_CASE("a cluster after crossings has what the plain rules count") {
  auto c = racks(2, 2);
  auto a = add(c, 0, 2000);
  auto b = add(c, 0, 1000, disk_template::drbd, 1);
  auto after
    = crossed_cluster(c, {{{a, move_kind::failover_to, 2}, {0, -1}, {2, -1}, 0},
                          {{b, move_kind::failover_to, 3}, {0, 1}, {3, 2}, 0}});
  CHECK(after.nodes[0].free_memory == 10'000);
  CHECK(after.nodes[0].free_disk == 1'000'000);
  CHECK(after.nodes[1].free_disk == 1'000'000);
  CHECK(after.nodes[2].free_memory == 8000);
  CHECK(after.nodes[2].free_disk == 999'000);
  CHECK(after.nodes[3].free_memory == 9000);
  CHECK(after.instances[at(b)].secondary == 2);
}

} // namespace orderly::emptying_test
