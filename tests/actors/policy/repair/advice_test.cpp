// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a person is told to do: the least harmful first, and nothing that would
// cost a copy of the data which may live.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_advice_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

/// A plain instance on n1, which a person marked offline. It lives.
rig merely_marked() {
  rig b;
  b.record.disks = disk_template::plain;
  b.record.secondaries.clear();
  b.nodes["n1"].offline = true;
  return b;
}

} // namespace

TEST_CASE("nobody is led to a reinstall while the node may live") {
  for (const char* permitted : {"", "failover"}) {
    auto b = merely_marked();
    if (*permitted != 0)
      b.cluster_tags = {tagged(permitted)};
    b.run();
    auto shown = b.shown();
    CHECK(shown.needed == repair_type::reinstall);
    CHECK(shown.may_live == std::vector<node_name>{"n1"});
    INFO(shown.waits_for);
    CHECK(says(shown.waits_for, "orderly node modify --offline=no n1"));
    CHECK_FALSE(says(shown.waits_for, "reinstall"));
    CHECK_FALSE(says(shown.why, "add tag"));
  }
}

TEST_CASE("a reinstall is the last way, and is told with what it destroys") {
  auto b = merely_marked();
  b.kill("n1");
  b.run();
  auto shown = b.shown();
  CHECK(shown.may_live.empty());
  INFO(shown.waits_for);
  auto back = shown.waits_for.find("brought back, which keeps its data");
  auto cost = shown.waits_for.find("destroys the data of i1");
  auto tag
    = shown.waits_for.find("add tag ganeti:watcher:autorepair:reinstall");
  REQUIRE(tag != std::string::npos);
  CHECK(back < cost);
  CHECK(cost < tag);
}

TEST_CASE("one proved node of two does not make a reinstall advice") {
  rig b;
  b.kill("n1");
  b.nodes["n2"].offline = true;
  b.run();
  auto shown = b.shown();
  REQUIRE(shown.needed == repair_type::reinstall);
  CHECK(shown.may_live == std::vector<node_name>{"n2"});
  CHECK_FALSE(says(shown.waits_for, "autorepair:reinstall"));
}

TEST_CASE("an old proof is none for advice either") {
  auto b = merely_marked();
  b.kill("n1");
  b.run();
  b.now += b.limits.proof_max_age + seconds{1};
  CHECK(b.shown().may_live == std::vector<node_name>{"n1"});
}

TEST_CASE("a person's word is none too old for advice while it is not too old "
          "for a reinstall") {
  auto b = merely_marked();
  b.kill("n1");
  b.run();
  b.limits.proof_max_age = minutes{5};
  b.nodes["n1"].proved_down->level = proof_level::operator_word;
  b.now += b.limits.proof_max_age + seconds{1};
  CHECK(b.shown().may_live.empty());
  b.now += b.limits.word_max_age;
  CHECK(b.shown().may_live == std::vector<node_name>{"n1"});
}

TEST_CASE("a mark vouches for nobody who answers") {
  auto b = merely_marked();
  b.limits.offline_vouches = true;
  b.nodes["n1"].power_control = false;
  b.run();
  CHECK(b.shown().may_live.empty());
  b.nodes["n1"].lives = true;
  CHECK(b.shown().may_live == std::vector<node_name>{"n1"});
}

TEST_CASE("whoever has power control is taken back with its record of power") {
  auto b = merely_marked();
  b.nodes["n1"].power_control = true;
  b.run();
  CHECK(says(b.shown().waits_for,
             "orderly node modify --powered=yes --offline=no n1"));
}

TEST_CASE("a failover of a node that may live is told after the return of it") {
  rig b;
  b.nodes["n1"].offline = true;
  b.run();
  auto shown = b.shown();
  CHECK(shown.needed == repair_type::failover);
  auto back = shown.waits_for.find("--offline=no n1");
  auto tag = shown.waits_for.find("add tag ganeti:watcher:autorepair:failover");
  REQUIRE(back != std::string::npos);
  REQUIRE(tag != std::string::npos);
  CHECK(back < tag);
}

} // namespace orderly::repair_advice_test
