// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the tags of an instance make the machine do and leave alone.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_marks_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("enoperm is written once, kept while nothing changes, replaced when "
          "the policy is stronger and removed when all is well") {
  rig b;
  b.kill("n1");
  b.cluster_tags = {tagged("fix-storage")};
  b.run();
  b.run();
  CHECK(b.intents.size() == 1);
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000000:enoperm:"});
  SECTION("stronger policy") {
    b.cluster_tags = {tagged("failover")};
    b.run(false);
    REQUIRE(b.tags_now().size() == 1);
    CHECK(b.tags_now()[0].rfind("pending:failover:", 0) == 0);
  }
  SECTION("healthy again") {
    b.nodes["n1"].offline = false;
    b.run();
    CHECK(b.tags_now().empty());
    CHECK(b.machine == state{});
  }
  SECTION("after a loss of our own state") {
    b.machine = {};
    b.run();
    CHECK(b.intents.size() == 1);
  }
}

TEST_CASE("a repair that needs more than its pending tag allows ends as "
          "enoperm under its own id, once") {
  rig b;
  b.kill("n1");
  b.record.tags = {tagged("pending:fix-storage:" + id1 + ":1699990000:")};
  b.cluster_tags = {tagged("fix-storage")};
  b.run();
  b.run();
  CHECK(b.tags_now()
        == texts{"result:fix-storage:" + id1 + ":1700000000:enoperm:"});
  CHECK(b.intents.size() == 1);
  b.cluster_tags = {tagged("failover")};
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("several pendings are a queue by time") {
  rig b;
  b.kill("n1");
  b.record.tags = {tagged("pending:failover:" + id2 + ":1699995000:"),
                   tagged("pending:fix-storage:" + id1 + ":1699990000:")};
  b.run();
  CHECK(b.tags_now()
        == texts{"result:failover:" + id2 + ":1700000000:success:1002+1003"});
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a pending tag that a result of the same id has ended is removed "
          "and never acted upon") {
  rig b;
  b.kill("n1");
  auto pending = "pending:failover:" + id1 + ":1699990000:101";
  auto end = "result:failover:" + id1 + ":1699991000:success:101";
  b.record.tags = {tagged(pending), tagged(end)};
  b.run();
  CHECK(b.repairs.empty());
  CHECK(b.tags_now() == texts{end});
}

TEST_CASE("a pending tag of the repair that failed does not outlive the "
          "failure tag, those of others do") {
  rig b;
  b.kill("n1");
  auto own = tagged("pending:failover:" + id1 + ":1699990000:");
  auto other = tagged("pending:failover:" + id2 + ":1699990001:");
  auto end = tagged("result:failover:" + id1 + ":1699991000:failure:101");
  b.record.tags = {own, other, end};
  b.run();
  CHECK(b.record.tags == texts{other, end});
  CHECK(b.repairs.empty());
  std::erase(b.record.tags, end);
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("of two copies of a pending tag the one with more jobs counts") {
  rig b;
  b.nodes["n2"].offline = true;
  b.record.tags = {tagged("pending:failover:" + id1 + ":1699990000:"),
                   tagged("pending:failover:" + id1 + ":1699990000:101")};
  b.run();
  CHECK(b.tags_now()
        == texts{"result:failover:" + id1 + ":1700000000:success:101+1002"});
}

TEST_CASE("only the newest success tag is kept") {
  auto b = broken();
  b.record.tags = {tagged("result:migrate:a:1600000000:success:1"),
                   tagged("result:migrate:b:1600000001:success:2"), "mine"};
  b.run();
  CHECK(b.tags_now()
        == texts{"result:failover:u1:1700000000:success:1001+1002"});
  CHECK(std::count(b.record.tags.begin(), b.record.tags.end(), "mine") == 1);
}

TEST_CASE("the tag of a repair is replaced in one job, first added, then "
          "removed") {
  auto b = failing_over();
  b.execute(b.under_way->ops);
  b.nodes["n1"].offline = false; // back, so that one step is enough
  b.end_job(job_phase::ended, job_status::success);
  b.look();
  REQUIRE(b.under_way);
  const auto& ops = b.under_way->ops;
  REQUIRE(ops.size() == 2);
  CHECK(ops[0].kind == op_kind::tags_set);
  CHECK(ops[1].kind == op_kind::tags_del);
  CHECK(ops[1].tags == texts{tagged("pending:failover:u1:1700000000:")});
}

TEST_CASE("a suspended instance is left alone, whatever its tags") {
  auto own = GENERATE(texts{}, texts{tagged("pending:failover:a:1600000000:")},
                      texts{tagged("suspend:1600000000")},
                      texts{tagged("result:migrate:a:1600000000:enoperm:")});
  rig b;
  b.kill("n1");
  b.record.tags = own;
  b.record.tags.push_back(tagged("suspend:1700003600"));
  auto before = b.record.tags;
  b.cluster_tags = {tagged("failover")};
  b.run();
  CHECK(b.record.tags == before);
  CHECK(b.intents.empty());
  CHECK(says(b.shown().permission, "suspended until 2023-11-14 23:13:20 UTC"));
  b.now += hours{1};
  b.run();
  CHECK(b.record.primary == "n2");
  CHECK(b.tags_now().size() == 1);
}

TEST_CASE("a suspension lets a running repair job end and stops what follows") {
  auto b = failing_over();
  b.record.tags.push_back(tagged("suspend"));
  b.execute(b.under_way->ops);
  b.end_job(job_phase::ended, job_status::success);
  auto before = b.record.tags;
  b.run();
  CHECK(b.record.tags == before);
  CHECK(b.machine.phase == phase::pending);
  CHECK(b.repairs.size() == 1);
  std::erase(b.record.tags, tagged("suspend"));
  b.run();
  CHECK(b.tags_now()
        == texts{"result:failover:u1:1700000000:success:1001+1002"});
}

TEST_CASE("an expired suspension is removed even if nothing needs repair") {
  rig b;
  b.record.tags = {tagged("suspend:1600000000"), tagged("failover")};
  b.run();
  CHECK(b.tags_now() == texts{"failover"});
  CHECK(b.intents.size() == 1);
  CHECK(b.machine == state{});
}

TEST_CASE("a pending tag that a job replaces takes no repair with it") {
  rig b;
  b.cluster_tags = {tagged("fix-storage")};
  b.kill("n2");
  b.nodes["n3"].drained = true;
  b.nodes["n4"].drained = true;
  b.run();
  REQUIRE(b.machine.repair == "u1");
  auto tags = std::exchange(b.record.tags, {});
  b.foreign_job = 77;
  b.look();
  CHECK(b.machine.repair == "u1");
  CHECK(says(b.shown().waits_for, "job 77"));
  b.record.tags = tags;
  b.foreign_job.reset();
  b.look();
  CHECK(b.machine.repair == "u1");
  CHECK(b.machine.phase == phase::pending);
}

TEST_CASE("a pending tag that a person removed takes its repair with it") {
  rig b;
  b.cluster_tags = {tagged("fix-storage")};
  b.kill("n2");
  b.nodes["n3"].drained = true;
  b.nodes["n4"].drained = true;
  b.run();
  REQUIRE(b.machine.repair == "u1");
  b.record.tags.clear();
  b.cluster_tags.clear();
  b.run();
  CHECK(b.tags_now().empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(b.machine.repair.empty());
}

} // namespace orderly::repair_marks_test
