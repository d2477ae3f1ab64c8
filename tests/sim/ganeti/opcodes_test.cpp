// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/ganeti/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::ganeti_opcodes_test {

using namespace orderly::sim;

namespace {

struct rig : cluster_rig {
  job_id send(const std::vector<opcode>& ops) {
    auto answer = lab.cluster.submit({{{ops, "test", {}}}});
    REQUIRE(answer.ids.size() == 1);
    return answer.ids[0];
  }

  /// Sends it and waits for its end.
  const sim_job& run(const std::vector<opcode>& ops) {
    auto id = send(ops);
    wait(minutes{5});
    const auto& job = *lab.cluster.job(id);
    REQUIRE(is_final(job.status));
    return job;
  }

  bool works(const opcode& op) {
    const auto& job = run({op});
    INFO(job.text);
    CHECK(job.text.empty() == (job.status == job_status::success));
    return job.status == job_status::success;
  }

  void kill(const node_name& name) {
    lab.truth.set_power(name, false);
    lab.cluster.set_offline(name, true);
  }
};

opcode shutdown(const instance_name& name) {
  auto op = on_instance(op_kind::instance_shutdown, name);
  op.flag = true;
  return op;
}

opcode recreate(const instance_name& name, std::vector<node_name> nodes) {
  auto op = on_instance(op_kind::recreate_disks, name);
  op.nodes = std::move(nodes);
  return op;
}

opcode recreate_by(const instance_name& name, const std::string& allocator) {
  auto op = on_instance(op_kind::recreate_disks, name);
  op.allocator = allocator;
  return op;
}

opcode mirror_repair(const instance_name& name) {
  auto op = on_instance(op_kind::replace_disks, name);
  op.flag = true;
  return op;
}

opcode pause(millis span) {
  opcode op;
  op.kind = op_kind::wait;
  op.span = span;
  return op;
}

} // namespace

TEST_CASE("a start needs a living primary in service with memory") {
  rig b;
  CHECK(b.works(shutdown("web5")));
  CHECK(b.inst("web5").admin == admin_state::down);
  CHECK(b.lab.truth.homes("web5").empty());
  b.lab.cluster.set_full("node5", true);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_startup, "web5")));
  CHECK(b.inst("web5").admin == admin_state::down);
  b.lab.cluster.set_full("node5", false);
  b.lab.cluster.set_offline("node5", true);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_startup, "web5")));
  b.lab.cluster.set_offline("node5", false);
  CHECK(b.works(on_instance(op_kind::instance_startup, "web5")));
  CHECK(b.lab.truth.runs_on("web5", "node5"));
}

TEST_CASE("a start waits in vain for a dead mirror that is not offline") {
  rig b;
  CHECK(b.works(shutdown("web4")));
  b.lab.truth.set_power("node5", false);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_startup, "web4")));
  b.lab.cluster.set_offline("node5", true);
  CHECK(b.works(on_instance(op_kind::instance_startup, "web4")));
}

TEST_CASE("a shutdown on an offline node needs the flag and stops nothing") {
  rig b;
  b.lab.cluster.set_offline("node5", true);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_shutdown, "web5")));
  CHECK(b.inst("web5").admin == admin_state::up);
  CHECK(b.works(shutdown("web5")));
  CHECK(b.inst("web5").admin == admin_state::down);
  CHECK(b.lab.truth.runs_on("web5", "node5")); // nobody asked the node
}

TEST_CASE("new disks on named nodes end the data that was there") {
  rig b;
  b.kill("node5");
  CHECK(b.works(shutdown("tmp1")));
  CHECK(b.works(recreate("tmp1", {"node2"})));
  CHECK(b.inst("tmp1").primary == "node2");
  CHECK(b.lab.truth.copies("tmp1") == std::set<node_name>{"node2"});
  REQUIRE(b.lab.truth.losses().size() == 1);
  CHECK(b.lab.truth.losses()[0].alive.empty());
  CHECK(b.works(on_instance(op_kind::instance_reinstall, "tmp1")));
  CHECK(b.works(on_instance(op_kind::instance_startup, "tmp1")));
  CHECK(b.lab.truth.runs_on("tmp1", "node2"));
}

TEST_CASE("the loss of data that a living node holds is noted") {
  rig b;
  CHECK(b.works(shutdown("tmp1")));
  CHECK(b.works(recreate("tmp1", {"node2"})));
  REQUIRE(b.lab.truth.losses().size() == 1);
  CHECK(b.lab.truth.losses()[0].alive == std::set<node_name>{"node5"});
}

TEST_CASE("new disks for an instance marked up need an offline old primary") {
  rig b;
  CHECK_FALSE(b.works(recreate("tmp1", {"node2"})));
  CHECK(b.inst("tmp1").primary == "node5");
  b.kill("node5");
  CHECK(b.works(recreate("tmp1", {"node2"})));
  // The reinstallation is not so careless.
  CHECK_FALSE(b.works(on_instance(op_kind::instance_reinstall, "tmp1")));
}

TEST_CASE("new disks need nodes in service, as many as before, with room") {
  rig b;
  b.kill("node5");
  b.kill("node4");
  CHECK(b.works(shutdown("web4")));
  auto before = b.inst("web4");
  CHECK_FALSE(b.works(recreate("web4", {"node2"})));
  CHECK_FALSE(b.works(recreate("web4", {"node2", "node5"})));
  b.lab.truth.crash("node1");
  CHECK_FALSE(b.works(recreate("web4", {"node2", "node1"})));
  b.lab.cluster.set_full("node3", true);
  CHECK_FALSE(b.works(recreate("web4", {"node2", "node3"})));
  CHECK(b.inst("web4") == before);
  CHECK(b.lab.truth.losses().empty());
  b.lab.cluster.set_full("node3", false);
  CHECK(b.works(recreate("web4", {"node2", "node3"})));
  CHECK(b.inst("web4").primary == "node2");
  CHECK(b.inst("web4").secondaries == std::vector<node_name>{"node3"});
}

TEST_CASE("an allocator's new disks move the record and then fail") {
  rig b;
  b.kill("node5");
  const auto& failed = b.run({recreate_by("tmp1", "hail")});
  CHECK(failed.status == job_status::error);
  CHECK(failed.text.find("mylocks.issuperset") != std::string::npos);
  CHECK(b.inst("tmp1").primary != "node5");
  CHECK(b.lab.truth.losses().empty()); // no disk was made
  b.lab.cluster.set_admin("tmp1", admin_state::down);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_reinstall, "tmp1")));
}

TEST_CASE("where allocators work, they find room or say that there is none") {
  rig b;
  b.lab.cluster.habits.allocator_recreates = true;
  b.kill("node5");
  for (const auto* name : {"node1", "node2", "node3", "node4"})
    b.lab.cluster.set_full(name, true);
  const auto& failed = b.run({recreate_by("tmp1", "hail")});
  CHECK(failed.text.find("insufficient_resources") != std::string::npos);
  CHECK(b.inst("tmp1").primary == "node5");
  b.lab.cluster.set_full("node3", false);
  CHECK(b.works(recreate_by("tmp1", "hail")));
  CHECK(b.inst("tmp1").primary == "node3");
}

TEST_CASE("a faulty mirror is healed in place while both nodes answer") {
  rig b;
  b.lab.truth.degrade("web4", "node5");
  CHECK(to_string(b.lab.cluster.mirror_fault(b.inst("web4")))
        == "disk/0 is degraded on node5");
  CHECK_FALSE(b.works(on_instance(op_kind::instance_failover, "web4")));
  CHECK_FALSE(b.works(on_instance(op_kind::instance_migrate, "web4")));
  b.lab.truth.set_daemon("node5", true);
  CHECK_FALSE(b.works(mirror_repair("web4")));
  b.lab.truth.set_daemon("node5", false);
  CHECK(b.works(mirror_repair("web4")));
  CHECK(b.lab.cluster.mirror_fault(b.inst("web4")).empty());
  CHECK(b.inst("web4").secondaries == std::vector<node_name>{"node5"});
}

TEST_CASE("a new mirror heals a faulty one and needs room for its disks") {
  rig b;
  b.lab.truth.degrade("web4", "node5");
  for (const auto* name : {"node1", "node2", "node3"})
    b.lab.cluster.set_full(name, true);
  const auto& failed = b.run({on_instance(op_kind::replace_disks, "web4")});
  CHECK(failed.text.find("insufficient_resources") != std::string::npos);
  b.lab.cluster.set_full("node2", false);
  CHECK(b.works(on_instance(op_kind::replace_disks, "web4")));
  CHECK(b.inst("web4").secondaries == std::vector<node_name>{"node2"});
  CHECK(b.lab.truth.faulty_mirror("web4").empty());
  CHECK(b.lab.truth.copies("web4") == std::set<node_name>{"node4", "node2"});
}

TEST_CASE("a mirror can leave a drained or offline secondary") {
  for (auto drained : {true, false}) {
    rig b;
    if (drained)
      b.lab.cluster.set_drained("node5", true);
    else
      b.kill("node5");
    CHECK(b.works(on_instance(op_kind::replace_disks, "web4")));
    CHECK(b.inst("web4").secondaries != std::vector<node_name>{"node5"});
  }
}

TEST_CASE("an instance migrates off a drained node, and onto none") {
  rig b;
  b.lab.cluster.set_drained("node4", true);
  CHECK(b.works(on_instance(op_kind::instance_migrate, "web4")));
  CHECK(b.lab.truth.runs_on("web4", "node5"));
  const auto& back = b.run({on_instance(op_kind::instance_migrate, "web4")});
  CHECK(back.text == "Can't use drained node node4");
  b.kill("node5");
  CHECK_FALSE(b.works(on_instance(op_kind::instance_failover, "web4")));
  b.lab.cluster.habits.drained_targets = true;
  CHECK(b.works(on_instance(op_kind::instance_failover, "web4")));
  CHECK(b.lab.truth.runs_on("web4", "node4"));
}

TEST_CASE("a move needs memory where it goes") {
  rig b;
  b.lab.cluster.set_full("node5", true);
  CHECK_FALSE(b.works(on_instance(op_kind::instance_migrate, "web4")));
  CHECK_FALSE(b.works(on_instance(op_kind::instance_failover, "web4")));
  // Stopped, it takes none.
  CHECK(b.works(shutdown("web4")));
  CHECK(b.works(on_instance(op_kind::instance_failover, "web4")));
}

TEST_CASE("a wait holds no lock, so a tag passes before the repair") {
  rig b;
  auto repair = b.send(
    {pause(seconds{10}), on_instance(op_kind::instance_failover, "web5")});
  b.wait(seconds{1});
  CHECK(b.lab.cluster.job(repair)->status == job_status::running);
  auto tag = b.send({tagging("web5", "a")});
  b.wait(seconds{4});
  CHECK(b.lab.cluster.job(tag)->status == job_status::success);
  CHECK_FALSE(is_final(b.lab.cluster.job(repair)->status));
  b.wait(seconds{7});
  auto late = b.send({tagging("web5", "b")});
  b.wait(millis{200});
  CHECK(b.lab.cluster.job(late)->status == job_status::waiting);
  b.wait(seconds{20});
  CHECK(b.lab.cluster.job(repair)->status == job_status::success);
  CHECK(b.lab.cluster.job(repair)->ended < b.lab.cluster.job(late)->ended);
}

TEST_CASE("between two opcodes a job lets go of its locks") {
  rig b;
  auto both = b.send({tagging("web5", "a"), tagging("web5", "c")});
  auto other = b.send({tagging("web5", "b")});
  b.wait(seconds{10});
  CHECK(b.lab.cluster.job(other)->ended < b.lab.cluster.job(both)->ended);
}

TEST_CASE("a job from before stands still until it is ended") {
  rig b;
  CHECK(b.lab.cluster.place_job(7, job_status::running,
                                {{tagging("web5", "a")}, "by harep", {}}));
  CHECK_FALSE(b.lab.cluster.place_job(7, job_status::success));
  auto behind = b.send({tagging("web5", "b")});
  b.wait(hours{1});
  CHECK(b.lab.cluster.job(7)->status == job_status::running);
  CHECK(b.lab.cluster.job(behind)->status == job_status::waiting);
  CHECK_FALSE(b.lab.cluster.archive(7));
  CHECK(b.lab.cluster.end_job(7, job_status::canceled));
  CHECK_FALSE(b.lab.cluster.end_job(7, job_status::success));
  b.wait(minutes{1});
  CHECK(b.lab.cluster.job(behind)->status == job_status::success);
  CHECK(b.inst("web5").tags == std::vector<std::string>{"b"});
}

TEST_CASE("the next job id can be set, used ids are passed over") {
  rig b;
  b.lab.cluster.place_job(1001, job_status::success);
  b.lab.cluster.set_next_job(1000);
  CHECK(b.send({tagging("web5", "a")}) == 1000);
  CHECK(b.send({tagging("web5", "b")}) == 1002);
}

TEST_CASE("an archived job is lost to readers and to searches") {
  rig b;
  auto id = b.run({tagging("web5", "a")}).id;
  REQUIRE(b.lab.cluster.find("test").jobs.size() == 1);
  CHECK(b.lab.cluster.archive_all("web4") == 0);
  CHECK(b.lab.cluster.archive_all("web5") == 1);
  CHECK(b.lab.cluster.find("test").jobs.empty());
  CHECK(b.lab.cluster.standings({id}).at(0).status == job_status::lost);
  CHECK(b.lab.cluster.job(id)->status == job_status::success);
}

TEST_CASE("what is foretold befalls the next repairs, and no tag") {
  rig b;
  b.lab.cluster.foretell("web5", job_fate::error, 2);
  b.lab.cluster.foretell("web4", job_fate::canceled, 1);
  CHECK(b.works(tagging("web5", "a")));
  for (int i = 0; i < 2; ++i)
    CHECK_FALSE(b.works(on_instance(op_kind::instance_migrate, "web5")));
  CHECK(b.works(on_instance(op_kind::instance_migrate, "web5")));
  CHECK(b.run({on_instance(op_kind::instance_migrate, "web4")}).status
        == job_status::canceled);
  CHECK(b.lab.truth.runs_on("web4", "node4"));
}

TEST_CASE("with quick habits a reinstallation takes a few milliseconds") {
  rig b;
  b.lab.cluster.habits = quick_habits();
  b.kill("node5");
  auto id = b.send({shutdown("tmp1"), recreate_by("tmp1", "hail"),
                    on_instance(op_kind::instance_reinstall, "tmp1"),
                    on_instance(op_kind::instance_startup, "tmp1")});
  b.wait(millis{10});
  CHECK(b.lab.cluster.job(id)->status == job_status::success);
  CHECK_FALSE(b.lab.truth.homes("tmp1").empty());
}

TEST_CASE("tags with foreign characters, and too many of them, are refused") {
  rig b;
  CHECK_FALSE(b.works(tagging("web5", "a b")));
  CHECK_FALSE(b.works(tagging("web5", "")));
  CHECK(b.works(tagging("web5", "a_b.c+d*e/f:g@h-i")));
  for (int i = 0; i < 4096; ++i)
    b.lab.cluster.set_tag(tag_kind::instance, "web5", std::to_string(i), true);
  CHECK_FALSE(b.works(tagging("web5", "one-more")));
}

TEST_CASE("an offline node of a plan begins without power") {
  auto plan = *plan_named("small-5n", 1);
  plan.nodes[4].offline = true;
  plan.nodes[3].drained = true;
  plan.nodes[2].vm_capable = false;
  lab_state lab{plan};
  CHECK(lab.cluster.node("node5")->offline);
  CHECK_FALSE(lab.truth.node("node5").powered);
  CHECK(lab.truth.homes("web5").empty());
  CHECK(lab.cluster.node("node4")->drained);
  CHECK_FALSE(lab.cluster.node("node3")->vm_capable);
}

} // namespace orderly::ganeti_opcodes_test
