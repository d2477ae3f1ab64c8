// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A pending tag whose id is on another instance, too.

#include "actors/policy/repair/record.hpp"
#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_ids_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

const std::string once = tagged("pending:failover:" + id1 + ":1699990000:");

/// Its home is dead, and somebody asked for a failover once.
rig asked_once() {
  rig b;
  b.kill("n1");
  b.record.tags = {once};
  return b;
}

} // namespace

TEST_CASE("a pending tag whose id another instance bears permits nothing") {
  auto b = asked_once();
  b.shared = {{id1, "i2"}};
  // Nor does a policy: what stands there unfinished comes first.
  if (GENERATE(false, true))
    b.cluster_tags = {tagged("failover")};
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::pending);
  CHECK(b.tags_now() == texts{once.substr(tags::prefix.size())});
  CHECK(says(b.machine.why, "repair " + id1 + " is one of i2"));
  auto shown = b.shown();
  CHECK_FALSE(shown.permitted);
  REQUIRE(shown.remarks.size() == 1);
  CHECK(says(shown.remarks[0], "an id is of one instance"));
}

TEST_CASE("it does not come to life when the other one's tag is gone") {
  auto b = asked_once();
  b.shared = {{id1, "i2"}};
  b.run();
  b.shared.clear();
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().remarks.at(0), "is one of another instance"));
  // Once it is removed the id is forgotten, and another one counts.
  b.record.tags = {tagged("pending:failover:mine:1699990000:")};
  b.run();
  CHECK_FALSE(b.repairs.empty());
  CHECK(b.machine.strange.empty());
}

TEST_CASE("one with an id of its own is worked on beside it") {
  auto b = asked_once();
  b.shared = {{id1, "i2"}};
  b.record.tags.push_back(tagged("pending:failover:mine:1699990001:"));
  b.run();
  REQUIRE_FALSE(b.repairs.empty());
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
  CHECK(b.has_tag(once));
}

TEST_CASE("a repair that was taken up before goes on, whoever copies its tag") {
  auto b = asked_once();
  b.run(false);
  REQUIRE(b.repair_under_way());
  b.shared = {{id1, "i2"}};
  b.look();
  CHECK(b.called_back.empty());
  b.run();
  REQUIRE(b.tags_now().size() == 1);
  CHECK(says(b.tags_now()[0], ":success:"));
}

TEST_CASE("a suspended instance does not forget whose an id is") {
  auto b = asked_once();
  b.shared = {{id1, "i2"}};
  b.cluster_tags = {tagged("suspend")};
  b.run();
  b.shared.clear();
  b.cluster_tags.clear();
  b.run();
  CHECK(b.intents.empty());
}

} // namespace orderly::repair_ids_test
