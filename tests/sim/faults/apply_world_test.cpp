// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/faults.hpp"
#include "tests/sim/ganeti/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::faults_apply_world_test {

using namespace orderly::sim;

namespace {

struct rig : cluster_rig {
  std::string play(const std::string& text) {
    auto order = parse_fault(text);
    REQUIRE(order.ok());
    return apply(*order, lab);
  }

  void fault(const std::string& text) {
    INFO(text);
    REQUIRE(play(text).empty());
  }

  job_id send(const opcode& op) {
    return lab.cluster.submit({{job_spec{{op}, "gnt:test", {}}}}).ids.at(0);
  }

  [[nodiscard]] job_status status(job_id id) const {
    return lab.cluster.standings({id}).front().status;
  }
};

} // namespace

TEST_CASE("a link between two nodes is nobody else's") {
  rig b;
  auto& truth = b.lab.truth;
  b.fault("link node2 node3 cut");
  CHECK_FALSE(truth.reaches("node2", "node3"));
  CHECK_FALSE(truth.reaches("node3", "node2"));
  CHECK(truth.reaches("node2", "node4"));
  CHECK(truth.answers("node2"));
  CHECK(truth.troubled().empty()); // we reach both
  b.fault("link node2 node3 heal");
  CHECK(truth.reaches("node2", "node3"));
  CHECK_FALSE(b.play("link node2 node2 cut").empty());
  CHECK_FALSE(b.play("link node2 node9 cut").empty());
}

TEST_CASE("a one-way link brings no reply, a slow one a late reply") {
  rig b;
  auto& truth = b.lab.truth;
  b.fault("link node1 node3 one-way");
  CHECK_FALSE(truth.answers("node3")); // we are on node1
  CHECK(truth.troubled().count("node3") == 1);
  b.fault("link node1 node3 slow 5s");
  CHECK(truth.answers("node3"));
  CHECK(truth.delay_between("node1", "node3") == seconds{10});
  CHECK(truth.troubled().empty());
}

TEST_CASE("jobs see the nodes that the master sees") {
  rig b;
  b.fault("link node1 node3 cut");
  CHECK_FALSE(b.lab.cluster.answers("node3"));
  b.fault("master node2");
  CHECK(b.lab.cluster.answers("node3"));
}

TEST_CASE("a mirror whose link was cut catches up when it heals") {
  rig b;
  auto& truth = b.lab.truth;
  REQUIRE(b.inst("web2").primary == "node2");
  REQUIRE(b.inst("web2").secondaries.front() == "node3");
  b.fault("link node2 node3 cut");
  CHECK_FALSE(truth.in_step("web2"));
  CHECK(to_string(b.lab.cluster.mirror_fault(b.inst("web2")))
        == "disk/0 is degraded on node2");
  b.fault("link node2 node3 heal");
  CHECK(truth.in_step("web2"));
  CHECK_FALSE(truth.diverged("web2"));
  CHECK(b.lab.cluster.mirror_fault(b.inst("web2")).empty());
}

TEST_CASE("a failover after a peaceful death leaves nothing diverged") {
  rig b;
  auto& truth = b.lab.truth;
  b.fault("power node2 off");
  b.fault("node node2 offline");
  auto id = b.send(on_instance(op_kind::instance_failover, "web2"));
  b.wait(minutes{2});
  REQUIRE(b.status(id) == job_status::success);
  b.fault("node node2 returned");
  b.wait(minutes{2});
  CHECK_FALSE(truth.diverged("web2"));
  CHECK(truth.in_step("web2"));
}

TEST_CASE("writes on both sides of a cut diverge, and stay so") {
  rig b;
  auto& truth = b.lab.truth;
  b.fault("link node2 node3 cut");
  b.fault("power node2 off");
  b.fault("node node2 offline");
  auto id = b.send(on_instance(op_kind::instance_failover, "web2"));
  b.wait(minutes{2});
  REQUIRE(b.status(id) == job_status::success);
  CHECK_FALSE(truth.diverged("web2")); // nobody has seen both yet
  b.fault("link node2 node3 heal");
  b.fault("node node2 returned");
  b.wait(minutes{2});
  CHECK(truth.diverged("web2"));
  CHECK(to_string(b.lab.cluster.mirror_fault(b.inst("web2")))
        == "disk/0 is degraded on node3");
  CHECK(truth.overwritings().empty());
  // A replacement in place keeps the primary's copy, whoever asked for it.
  auto op = on_instance(op_kind::replace_disks, "web2");
  op.flag = true;
  id = b.send(op);
  b.wait(minutes{3});
  REQUIRE(b.status(id) == job_status::success);
  CHECK_FALSE(truth.diverged("web2"));
  REQUIRE(truth.overwritings().size() == 1);
  CHECK(truth.overwritings().front().where == "node2");
}

TEST_CASE("a boot starts what ran on the node if it is set to") {
  rig b;
  auto& truth = b.lab.truth;
  b.fault("power node2 off");
  b.fault("power node2 on");
  b.wait(minutes{2});
  CHECK(truth.node("node2").running.empty());
  truth.start("db2", "node2");
  b.fault("autostart node2 on");
  b.fault("power node2 off");
  b.fault("power node2 on");
  b.wait(seconds{30});
  CHECK(truth.node("node2").running.empty()); // it boots
  b.wait(minutes{2});
  CHECK(truth.runs_on("db2", "node2"));
  CHECK(truth.autostarted().at("db2").node == "node2");
}

TEST_CASE("a boot cannot open a mirror that is open elsewhere") {
  rig b;
  b.fault("autostart node2 on");
  b.fault("power node2 off");
  b.fault("node node2 offline");
  b.send(on_instance(op_kind::instance_failover, "web2"));
  b.wait(minutes{2});
  REQUIRE(b.lab.truth.runs_on("web2", "node3"));
  b.fault("power node2 on");
  b.wait(minutes{2});
  CHECK_FALSE(b.lab.truth.runs_on("web2", "node2"));
  CHECK(b.lab.truth.runs_on("db2", "node2"));
}

TEST_CASE("a stalled luxid does late what it was asked, in order") {
  rig b;
  b.fault("luxi stall on");
  std::string done;
  b.lab.cluster.hold([&] { done += "a"; });
  b.lab.cluster.hold([&] { done += "b"; });
  b.wait(minutes{5});
  CHECK(done.empty());
  b.fault("luxi stall off");
  CHECK(done == "ab");
  b.fault("luxi stall on");
  b.fault("luxi stall off");
  CHECK(done == "ab"); // once
}

TEST_CASE("jobs that ran when the master went away end as errors") {
  rig b;
  auto runs = b.send(on_instance(op_kind::instance_migrate, "web2"));
  b.wait(seconds{2});
  REQUIRE(b.status(runs) == job_status::running);
  auto queued = b.send(on_instance(op_kind::instance_migrate, "web3"));
  REQUIRE(b.status(queued) == job_status::queued);
  b.fault("queue interrupt");
  CHECK(b.status(runs) == job_status::error);
  CHECK(b.lab.cluster.job(runs)->text.find("interrupted") != std::string::npos);
  b.wait(minutes{2});
  CHECK(b.status(queued) == job_status::success);
}

TEST_CASE("jobs that no other node knew of are lost with the master") {
  rig b;
  auto older = b.send(on_instance(op_kind::instance_migrate, "web2"));
  auto newer = b.send(on_instance(op_kind::instance_migrate, "web4"));
  b.fault("queue lose");
  CHECK(b.status(newer) == job_status::lost);
  b.wait(minutes{2});
  CHECK(b.status(older) == job_status::success);
  CHECK(b.lab.truth.runs_on("web4", "node4")); // it never went away
  CHECK(b.lab.cluster.find("gnt:test").jobs.size() == 1);
}

TEST_CASE("a torn picture is whole again at the next look") {
  rig b;
  auto& cluster = b.lab.cluster;
  cluster.picture();
  b.fault("picture torn-nodes");
  b.fault("node node2 offline");
  b.fault("instance db3 down");
  auto find = [](const cluster_picture& x, const std::string& name) {
    for (const auto& node : x->nodes)
      if (node.name == name)
        return node;
    return node_record{};
  };
  auto torn = cluster.picture();
  CHECK_FALSE(find(torn, "node2").offline);
  CHECK(torn->instances == cluster.record().instances);
  CHECK(find(cluster.picture(), "node2").offline);
}

TEST_CASE("a lost journal takes nothing more, and is gone at the next start") {
  rig b;
  auto& disk = b.lab.journal;
  auto write = [&](std::uint64_t seq, const std::string& what) {
    journal_entry e;
    e.seq = seq;
    e.object = "node:node2";
    e.code = what;
    e.state = fields{{{"phase", what}}};
    return disk.commit({{e}});
  };
  auto at = lab_epoch + minutes{1};
  CHECK(write(1, "suspect").durable);
  CHECK(disk.read({}).adopted == never);
  b.fault("journal backup");
  CHECK(write(2, "fenced").durable);
  b.fault("journal lost");
  CHECK(disk.replaced());
  CHECK_FALSE(write(3, "ineligible").durable);
  CHECK(disk.read({}).lost);
  disk.open(at);
  CHECK(disk.read({}).last_seq == 0);
  CHECK(disk.states().empty());
  CHECK(disk.entries().size() == 2); // all that ever was, for the laws
  CHECK(disk.read({}).adopted == at);
  b.fault("journal restore");
  disk.open(at);
  CHECK(disk.read({}).last_seq == 1);
  REQUIRE(disk.read({}).recent.size() == 1);
  CHECK(disk.read({}).recent.front().code == "suspect");
  CHECK_FALSE(disk.replaced());
}

TEST_CASE("without a backup no journal is restored") {
  rig b;
  CHECK_FALSE(b.play("journal restore").empty());
}

TEST_CASE("nodes and instances come, go and change their names") {
  rig b;
  auto& cluster = b.lab.cluster;
  b.fault("add-node node6");
  REQUIRE(cluster.node("node6"));
  CHECK(cluster.answers("node6"));
  auto first = cluster.node("node6")->uuid;
  CHECK_FALSE(b.play("add-node node6").empty());
  CHECK_FALSE(b.play("remove-node node1").empty()); // the master
  CHECK_FALSE(b.play("remove-node node2").empty()); // it has instances
  b.fault("remove-node node6");
  CHECK_FALSE(cluster.node("node6"));
  b.fault("power node6 off");
  CHECK_FALSE(b.play("add-node node6").empty()); // it is dead
  b.fault("power node6 on");
  b.wait(minutes{2});
  b.fault("add-node node6"); // again
  CHECK(cluster.node("node6")->uuid != first);
  b.fault("add-instance db9 node6");
  CHECK(b.lab.truth.runs_on("db9", "node6"));
  auto itself = cluster.instance("db9")->uuid;
  CHECK_FALSE(b.play("rename-instance db9 db10").empty()); // it runs
  b.fault("instance db9 stop");
  b.fault("rename-instance db9 db10");
  CHECK_FALSE(cluster.instance("db9"));
  CHECK(cluster.instance("db10")->uuid == itself);
  b.fault("instance db10 start");
  CHECK(b.lab.truth.runs_on("db10", "node6"));
  CHECK(b.lab.truth.homes("db9").empty());
  b.fault("add-instance db9 node6");
  CHECK(cluster.instance("db9")->uuid != itself);
  b.fault("remove-instance db10");
  CHECK(b.lab.truth.homes("db10").empty());
  CHECK_FALSE(b.play("remove-instance db10").empty());
}

TEST_CASE("an instance gets another name only while it is stopped and its home "
          "is in service") {
  rig b;
  b.fault("instance web2 down"); // it runs on
  CHECK_FALSE(b.play("rename-instance web2 web9").empty());
  b.fault("instance web2 stop");
  b.fault("node node2 offline");
  CHECK_FALSE(b.play("rename-instance web2 web9").empty());
  b.fault("node node2 online");
  b.fault("noded node2 down");
  CHECK_FALSE(b.play("rename-instance web2 web9").empty());
  b.fault("noded node2 up");
  b.fault("rename-instance web2 web9");
}

TEST_CASE("what is wrong with a mirror stays so under another name") {
  rig b;
  const auto& truth = b.lab.truth;
  b.fault("mirror web2 faulty");
  b.fault("tag instance:web2 add x");
  b.fault("node node3 offline");
  b.fault("power node3 off");
  auto since = truth.faulty_since("web2");
  auto behind = truth.behind_since("web2", "node3");
  auto where = truth.copies("web2");
  REQUIRE(behind != never);
  b.fault("instance web2 stop");
  b.fault("rename-instance web2 shop");
  CHECK(truth.faulty_mirror("shop") == "node3");
  CHECK(truth.faulty_since("shop") == since);
  CHECK(truth.behind_since("shop", "node3") == behind);
  CHECK(truth.copies("shop") == where);
  CHECK_FALSE(truth.in_step("shop"));
  CHECK(truth.faulty_mirror("web2").empty());
  CHECK(truth.copies("web2").empty());
  CHECK(b.lab.cluster.wanted_up("shop").size() == 1);
  CHECK(b.lab.cluster.wanted_up("web2").empty());
}

TEST_CASE("an instance on which a job works is not taken away") {
  rig b;
  b.send(on_instance(op_kind::instance_migrate, "web2"));
  CHECK_FALSE(b.play("remove-instance web2").empty());
  b.fault("instance web2 stop");
  CHECK_FALSE(b.play("rename-instance web2 web9").empty());
}

} // namespace orderly::faults_apply_world_test
