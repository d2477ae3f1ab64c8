// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hspace and hail say where the reference has rules of its own: sizes that
// shrink, groups that are not well, dedicated nodes. data/hail-dedicated.json
// holds messages, options and what Debian's hail 3.0.2 answers.

#include "actors/planning/place/choose_group.hpp"
#include "actors/planning/place/dedicated.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::planning::place_room_test {

using namespace orderly::io::htools;

namespace {

const char* const policy
  = "|128,1,1024,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|plain,drbd,"
    "ext|16.0|32.0\n";

/// Two nodes with 2000 MiB, and five of which no CPU is left. An instance of
/// 89000 MiB could go nowhere if its node was lost; one of 70000 could.
std::string two_small_nodes(int memory) {
  std::string nodes;
  for (int n = 1; n <= 7; ++n) {
    auto total = n < 3 ? 2000 : n == 3 ? 90000 : 80000;
    nodes
      += fmt::format("n{}|{}|0|{}|900000|900000|8|N|u|8||N|0|{}|1.0\n", n,
                     total, n == 3 ? total - memory : total, n < 3 ? 1 : 129);
  }
  return fmt::format("g|u|preferred||\n\n{}\ni1|{}|1024|1|running|Y|n3||ext||"
                     "1\n\n\n{}g{}",
                     nodes, memory, policy, policy);
}

/// Three empty nodes, and a group that could not lose one of its two.
std::string one_group_is_bad() {
  std::string nodes;
  for (int n = 1; n <= 3; ++n)
    nodes
      += fmt::format("n{}|20000|0|20000|900000|900000|8|N|u|8||N|0|1|1.0\n", n);
  return fmt::format("g|u|preferred||\nh|v|preferred||\n\n{}"
                     "m1|20000|0|10000|900000|900000|8|N|v|8||N|0|1|1.0\n"
                     "m2|8000|0|8000|900000|900000|8|N|v|8||N|0|1|1.0\n\n"
                     "i1|10000|1024|1|running|Y|m1||ext||1\n\n\n{}g{}h{}",
                     nodes, policy, policy, policy);
}

std::string tiers(const std::string& path, const std::string& disks,
                  std::vector<std::string> more) {
  more.insert(more.end(), {"--machine-readable", "--disk-template=" + disks,
                           "--tiered-alloc=20480,2048,1", "-t", path});
  auto r = run_as_reference(tool::hspace, more);
  CHECK(r.code == 0);
  auto from = r.out.find("HTS_TSPEC=");
  REQUIRE(from != std::string::npos);
  return r.out.substr(from, r.out.find('\n', from) - from);
}

} // namespace

TEST_CASE("a smaller pair is looked for with global N+1, a pair is not") {
  draft well{two_small_nodes(70000)};
  draft bad{two_small_nodes(89000)};
  const auto* smaller = "HTS_TSPEC='1984,20480,1,1=2'";
  CHECK(tiers(well.path(), "drbd", {}) == smaller);
  CHECK(tiers(bad.path(), "drbd", {}) == "HTS_TSPEC=");
  CHECK(tiers(bad.path(), "drbd", {"--no-capacity-checks"}) == smaller);
}

TEST_CASE("with independent groups the one that is not well is not asked") {
  draft file{one_group_is_bad()};
  CHECK(tiers(file.path(), "ext", {}) == "HTS_TSPEC=");
  CHECK(tiers(file.path(), "ext", {"--accept-existing-errors"})
        == "HTS_TSPEC=");
  CHECK(tiers(file.path(), "ext", {"--independent-groups"})
        == "HTS_TSPEC='2048,20480,1,1=18'");
  CHECK(
    tiers(file.path(), "ext", {"--independent-groups", "--no-capacity-checks"})
    == "HTS_TSPEC='2048,20480,1,1=27 1536,20480,1,1=3'");
}

TEST_CASE("on dedicated nodes hail answers as the reference does") {
  auto golden = nlohmann::json::parse(text_of("hail-dedicated.json"));
  REQUIRE(golden.size() >= 9);
  for (const auto& one : golden) {
    draft file{one["message"].dump()};
    auto words = one["options"].get<std::vector<std::string>>();
    words.push_back(file.path());
    auto r = run_as_reference(tool::hail, words);
    CHECK(r.code == 0);
    CHECK(r.out == one["answer"].get<std::string>() + "\n");
  }
}

namespace {

/// Two dedicated groups of one node, the second one without.
cluster dedicated_cluster() {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.groups.push_back({"h", "v", {}, {}, {}, {}});
  for (int n = 0; n < 2; ++n) {
    node_spec x;
    x.name = "n" + std::to_string(n);
    x.group = n;
    x.exclusive_storage = n == 0;
    c.nodes.push_back(x);
  }
  return c;
}

} // namespace

TEST_CASE("nodes are dedicated if all that may be used are") {
  auto c = dedicated_cluster();
  CHECK_FALSE(is_dedicated(c, std::nullopt));
  CHECK(is_dedicated(c, 0));
  CHECK_FALSE(is_dedicated(c, 1));
  c.groups[1].allocation = alloc_policy::unallocable;
  CHECK(is_dedicated(c, std::nullopt));
}

TEST_CASE("on dedicated nodes nothing is better than what is chosen") {
  auto found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto c = samples::draw(seed, 5, 12, {.exclusive = true});
    instance_spec x;
    x.name = "new";
    x.memory = 1024;
    x.disk = 20480;
    x.disk_sizes = {x.disk};
    x.disk_spindles = {1};
    x.vcpus = 1;
    x.primary = -1;
    x.disks = disk_template::plain;
    c.instances.push_back(x);
    placement p{c, std::nullopt, {}};
    std::vector<int> all;
    for (int n = 0; n < p.node_count(); ++n)
      all.push_back(n);
    auto i = p.instance_count() - 1;
    auto r = allocate_dedicated(p, i, all, 1, c.groups[0].policy, false);
    REQUIRE(r);
    std::int64_t refused = 0;
    for (auto k : r->failures)
      refused += k;
    auto online = std::count_if(p.facts.begin(), p.facts.end(),
                                [](const auto& f) { return f.online; });
    CHECK(refused + r->successes == online);
    if (!r->best)
      continue;
    ++found;
    for (auto n : all) {
      auto one = allocate_dedicated(p, i, {n}, 1, c.groups[0].policy, false);
      if (one && one->best)
        CHECK(*r->best->lost <= *one->best->lost);
    }
  }
  CHECK(found > 10);
}

} // namespace orderly::planning::place_room_test
