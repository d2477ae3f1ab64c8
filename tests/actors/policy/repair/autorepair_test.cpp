// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_autorepair_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

TEST_CASE("a failover is followed by a new secondary under the same id, and "
          "one success tag with both jobs remains") {
  auto b = broken();
  b.run();
  REQUIRE(b.repairs.size() == 2);
  CHECK(b.repairs[0].kind == op_kind::instance_failover);
  CHECK(b.repairs[0].target.empty());
  CHECK(b.repairs[1].kind == op_kind::replace_disks);
  CHECK(b.record.primary == "n2");
  CHECK(b.record.secondaries == std::vector<node_name>{"n3"});
  CHECK(b.tags_now()
        == texts{"result:failover:u1:1700000000:success:1001+1002"});
  CHECK(b.machine == state{});
  CHECK(b.given_back == 2);
  CHECK(b.questions[0].leaves == std::vector<node_name>{"n1"});
  CHECK(b.questions[0].joins == std::vector<node_name>{"n2"});
  CHECK(b.questions[1].leaves == std::vector<node_name>{"n1"});
  CHECK(b.questions[1].joins == std::vector<node_name>{"n2"});
  CHECK(b.intents
        == std::set<intent_id>{"u1/i1/1-failover", "u1/i1/2-fix-storage",
                               "u1/i1/3-tag"});
}

TEST_CASE("on external storage the cluster picks the target and one step is "
          "enough") {
  auto b = broken();
  b.record.disks = disk_template::rbd;
  b.record.secondaries.clear();
  b.run();
  REQUIRE(b.repairs.size() == 1);
  CHECK(b.repairs[0].target.empty());
  CHECK(b.questions[0].joins.empty());
  CHECK(b.tags_now() == texts{"result:failover:u1:1700000000:success:1001"});
}

TEST_CASE("an instance marked down on a dead node is failed over, too") {
  auto b = broken();
  b.record.admin = admin_state::down;
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("without a proof that fits and is young enough nothing fails over") {
  auto b = broken();
  auto& proved = b.nodes["n1"].proved_down;
  auto good = *proved;
  SECTION("none") {
    proved.reset();
  }
  SECTION("about another node") {
    proved->node = "n2";
  }
  SECTION("too old") {
    proved->at = b.now - hours{24} - millis{1};
  }
  SECTION("from the future") {
    proved->at = b.now + hours{1};
  }
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.shown().waits_for, "waits for proof that n1 is down: "));
  proved = good;
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("a person's word is good for longer than a reading") {
  auto b = broken();
  b.limits.proof_max_age = minutes{5};
  b.nodes["n1"].proved_down->at = b.now - minutes{6};
  SECTION("a reading of six minutes ago is too old") {
    b.run();
    CHECK(b.intents.empty());
    CHECK(says(b.shown().waits_for, "is too old"));
  }
  SECTION("a word of six minutes ago holds") {
    b.nodes["n1"].proved_down->level = proof_level::operator_word;
    b.run();
    CHECK(b.record.primary == "n2");
  }
}

TEST_CASE("a dead node that is not marked offline is no reason to fail over") {
  auto b = broken();
  b.nodes["n1"].offline = false;
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine == state{});
}

TEST_CASE("without room for a new secondary the repair stays pending and "
          "goes on when there is room") {
  rig b;
  b.cluster_tags = {tagged("fix-storage")};
  b.nodes["n2"].drained = true;
  b.nodes["n3"].offline = true;
  b.nodes["n4"].drained = true;
  b.run();
  CHECK(b.tags_now() == texts{"pending:fix-storage:u1:1700000000:"});
  CHECK(b.repairs.empty());
  CHECK(says(b.shown().waits_for, "no room"));
  b.nodes["n4"].drained = false;
  b.run();
  REQUIRE(b.questions.size() == 1);
  CHECK(b.questions[0].leaves == std::vector<node_name>{"n2"});
  CHECK(b.questions[0].joins == std::vector<node_name>{"n1"});
  CHECK(b.record.secondaries == std::vector<node_name>{"n4"});
  CHECK(b.tags_now() == texts{"result:fix-storage:u1:1700000000:success:1002"});
}

TEST_CASE("no need is ever a reinstall while a copy of the data is on a node "
          "that is only drained") {
  for (auto disks : {disk_template::plain, disk_template::file,
                     disk_template::drbd, disk_template::rbd}) {
    for (auto mirror_offline : {false, true}) {
      rig b;
      b.record.disks = disks;
      b.nodes["n1"].drained = true;
      b.nodes["n1"].vm_capable = false;
      b.nodes["n2"].drained = true;
      b.nodes["n2"].offline = mirror_offline;
      auto wants = needed(b.seen());
      CAPTURE(to_string(disks), mirror_offline);
      CHECK(wants.broken);
      CHECK(wants.type != tags::repair_type::reinstall);
      CHECK(wants.type != tags::repair_type::failover);
    }
  }
}

TEST_CASE("a drained secondary of a dead primary still takes over") {
  auto b = broken();
  b.nodes["n2"].drained = true;
  CHECK(needed(b.seen()).type == tags::repair_type::failover);
}

TEST_CASE("switched off it does nothing and says what it would do") {
  auto b = broken();
  b.limits.enabled = false;
  b.run();
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.machine.why, "would fail over: primary n1 is offline"));
  CHECK(b.story.empty());
}

TEST_CASE("somebody else's job on the instance is waited for") {
  auto b = broken();
  b.foreign_job = 77;
  b.run();
  CHECK(b.intents.empty());
  CHECK(says(b.shown().waits_for, "job 77"));
  b.foreign_job.reset();
  b.run();
  CHECK(b.record.primary == "n2");
}

TEST_CASE("the standing names the missing tag exactly") {
  rig b;
  b.kill("n1");
  b.run();
  auto shown = b.shown();
  CHECK(shown.phase == repair_phase::needs_repair);
  CHECK(shown.waits_for
        == "add tag ganeti:watcher:autorepair:failover to instance i1, group "
           "g1 or the cluster");
  CHECK(says(shown.permission, "not enabled"));
  CHECK(shown.primary == "n1");
}

TEST_CASE("a drained primary is left by live migration, then its mirror") {
  rig b;
  b.nodes["n1"].drained = true;
  b.cluster_tags = {tagged("migrate")};
  b.run();
  REQUIRE(b.repairs.size() == 2);
  CHECK(b.repairs[0].kind == op_kind::instance_migrate);
  CHECK(b.repairs[1].kind == op_kind::replace_disks);
  CHECK(b.tags_now()
        == texts{"result:migrate:u1:1700000000:success:1001+1002"});
}

TEST_CASE("a stopped instance on a drained node is moved as it is") {
  rig b;
  b.nodes["n1"].drained = true;
  b.record.admin = admin_state::down;
  b.cluster_tags = {tagged("reinstall")};
  b.run();
  REQUIRE(b.repairs.size() == 3);
  CHECK(b.repairs[1].kind == op_kind::instance_migrate);
  CHECK(b.repairs[1].flag);
  CHECK(b.record.admin == admin_state::down);
}

TEST_CASE("the job that moves a stopped instance opens its disks first, which "
          "fails where its home is offline or its copies are not in step") {
  rig b;
  b.nodes["n1"].drained = true;
  b.record.admin = GENERATE(admin_state::up, admin_state::down);
  b.record.disks = GENERATE(disk_template::drbd, disk_template::rbd);
  b.cluster_tags = {tagged("migrate")};
  b.run(false);
  auto opens = b.record.admin == admin_state::down;
  REQUIRE(b.repairs.size() == (opens ? 2 : 1));
  CHECK(b.repairs.back().kind == op_kind::instance_migrate);
  CHECK((b.repairs[0].kind == op_kind::activate_disks) == opens);
  CHECK(b.repairs[0].flag == opens);
}

} // namespace orderly::repair_autorepair_test
