// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ganeti/ganeti.hpp"
#include "tests/sim/ganeti/rig.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::ganeti_test {

using namespace orderly::sim;

namespace {

struct rig : cluster_rig {
  job_id send(opcode op) { return send(std::vector{std::move(op)}); }

  job_id send(std::vector<opcode> ops) {
    auto answer = lab.cluster.submit({{{std::move(ops), "test", {}}}});
    REQUIRE(answer.outcome == submit_outcome::accepted);
    REQUIRE(answer.ids.size() == 1);
    return answer.ids[0];
  }

  [[nodiscard]] job_status status(job_id id) const {
    return lab.cluster.job(id)->status;
  }
};

} // namespace

TEST_CASE("an unchanged record is one and the same picture") {
  rig b;
  auto first = b.lab.cluster.picture();
  CHECK(b.lab.cluster.picture() == first);
  b.lab.cluster.set_tag(tag_kind::cluster, {}, "x", true);
  auto second = b.lab.cluster.picture();
  CHECK(second != first);
  CHECK(std::count(second->tags.begin(), second->tags.end(), "x") == 1);
  CHECK(std::count(first->tags.begin(), first->tags.end(), "x") == 0);
}

TEST_CASE("a tags job takes its time and then changes the record") {
  rig b;
  auto id = b.send(tagging(op_kind::tags_set, "web1", "a"));
  CHECK(b.status(id) == job_status::queued);
  REQUIRE(b.lab.cluster.picture()->jobs.size() == 1);
  CHECK(b.lab.cluster.picture()->jobs[0].instances
        == std::vector<instance_name>{"web1"});
  b.wait(millis{500});
  CHECK(b.status(id) == job_status::running);
  CHECK(b.inst("web1").tags.empty());
  b.wait(seconds{2});
  CHECK(b.status(id) == job_status::success);
  CHECK(b.inst("web1").tags == std::vector<std::string>{"a"});
  CHECK(b.lab.cluster.picture()->jobs.empty());
}

TEST_CASE("removing a tag that is not there fails, and so does a long one") {
  rig b;
  auto missing = b.send(tagging(op_kind::tags_del, "web1", "a"));
  auto large = b.send(tagging(op_kind::tags_set, "db1", std::string(129, 'x')));
  b.wait(seconds{5});
  CHECK(b.status(missing) == job_status::error);
  CHECK(b.status(large) == job_status::error);
}

TEST_CASE("tags can be read as they were at any earlier time") {
  rig b;
  auto read = [&](instant t) {
    return b.lab.cluster.tags_at(tag_kind::instance, "web1", t);
  };
  auto start = b.t;
  b.wait(seconds{10});
  b.lab.cluster.set_tag(tag_kind::instance, "web1", "a", true);
  b.wait(seconds{10});
  b.lab.cluster.set_tag(tag_kind::instance, "web1", "b", true);
  b.lab.cluster.set_tag(tag_kind::instance, "web1", "a", false);
  CHECK(read(start).empty());
  CHECK(read(start + seconds{15}) == std::vector<std::string>{"a"});
  CHECK(read(b.t) == std::vector<std::string>{"b"});
}

TEST_CASE("jobs that share an instance run one after the other, in order") {
  rig b;
  auto first = b.send(tagging(op_kind::tags_set, "web1", "a"));
  auto second = b.send(tagging(op_kind::tags_set, "web1", "b"));
  auto other = b.send(tagging(op_kind::tags_set, "db1", "c"));
  b.wait(millis{800});
  CHECK(b.status(first) == job_status::running);
  CHECK(b.status(second) == job_status::waiting);
  CHECK(b.status(other) == job_status::running);
  b.wait(seconds{4});
  CHECK(b.status(second) == job_status::success);
  CHECK(b.lab.cluster.job(first)->ended < b.lab.cluster.job(second)->ended);
}

TEST_CASE("a failover off a silent node that is not offline fails after 36 s") {
  rig b;
  REQUIRE(b.inst("web5").primary == "node5");
  b.lab.truth.set_power("node5", false);
  auto id = b.send(on_instance(op_kind::instance_failover, "web5"));
  b.wait(seconds{35});
  CHECK(b.status(id) == job_status::running);
  b.wait(seconds{2});
  CHECK(b.status(id) == job_status::error);
  CHECK(b.lab.cluster.job(id)->text
        == "Disk 0 is degraded on target node, aborting failover");
  CHECK(b.inst("web5").primary == "node5");
}

TEST_CASE("whoever ignores consistency says that the old home is down") {
  rig b;
  REQUIRE(b.inst("web5").primary == "node5");
  b.lab.truth.set_management("node5", true);
  auto op = on_instance(op_kind::instance_failover, "web5");
  op.ignore_consistency = true;
  auto id = b.send(op);
  b.wait(minutes{1});
  CHECK(b.status(id) == job_status::success);
  CHECK(b.lab.truth.doubles() == std::set<instance_name>{"web5"});
}

TEST_CASE("disks are activated where their home answers") {
  rig b;
  auto cut = GENERATE(false, true);
  b.lab.truth.set_management("node5", cut);
  opcode ask = on_instance(op_kind::activate_disks, "web5");
  auto move = on_instance(op_kind::instance_failover, "web5");
  move.ignore_consistency = true;
  auto id = b.send({ask, move});
  b.wait(minutes{2});
  CHECK(b.status(id) == (cut ? job_status::error : job_status::success));
  CHECK(b.lab.truth.doubles().empty());
}

TEST_CASE("disks are activated with their mirror only while it is in step") {
  rig b;
  auto ask = on_instance(op_kind::activate_disks, "web5");
  ask.flag = GENERATE(false, true);
  b.lab.truth.degrade("web5", b.inst("web5").secondaries.at(0));
  auto id = b.send(ask);
  b.wait(minutes{1});
  CHECK(b.status(id) == (ask.flag ? job_status::error : job_status::success));
}

TEST_CASE("a failover off an offline node restarts the instance elsewhere") {
  rig b;
  b.lab.truth.set_power("node5", false);
  auto op = on_node(op_kind::node_set_offline, "node5");
  op.flag = true;
  auto offline = b.send(op);
  b.wait(seconds{3});
  REQUIRE(b.status(offline) == job_status::success);
  CHECK(b.lab.cluster.node("node5")->offline);
  CHECK_FALSE(b.lab.cluster.node("node5")->powered);
  auto mirror = b.inst("web5").secondaries.at(0);
  auto web = b.send(on_instance(op_kind::instance_failover, "web5"));
  auto db = b.send(on_instance(op_kind::instance_failover, "db5"));
  auto tmp = b.send(on_instance(op_kind::instance_failover, "tmp1"));
  b.wait(seconds{20});
  CHECK(b.status(web) == job_status::success);
  CHECK(b.inst("web5").primary == mirror);
  CHECK(b.inst("web5").secondaries == std::vector<node_name>{"node5"});
  CHECK(b.lab.truth.runs_on("web5", mirror));
  CHECK(b.status(db) == job_status::success);
  CHECK(b.lab.truth.runs_on("db5", b.inst("db5").primary));
  CHECK(b.inst("db5").primary != "node5");
  CHECK(b.status(tmp) == job_status::error); // plain disks stay where they are
}

TEST_CASE("a failover off an offline node that lives makes a double") {
  rig b;
  b.lab.cluster.set_offline("node5", true);
  auto id = b.send(on_instance(op_kind::instance_failover, "web5"));
  b.wait(seconds{10});
  CHECK(b.status(id) == job_status::success);
  CHECK(b.lab.truth.doubles() == std::set<instance_name>{"web5"});
}

TEST_CASE("a failover between living nodes stops the instance first") {
  rig b;
  auto id = b.send(on_instance(op_kind::instance_failover, "web5"));
  b.wait(seconds{10});
  CHECK(b.status(id) == job_status::success);
  CHECK(b.lab.truth.doubles().empty());
  CHECK(b.lab.truth.homes("web5")
        == std::set<node_name>{b.inst("web5").primary});
}

TEST_CASE("a failover of a stopped instance only moves the record, and fails "
          "where its home is silent") {
  auto ignores = GENERATE(true, false);
  rig b;
  b.lab.cluster.set_admin("web5", admin_state::down);
  b.lab.truth.stop_everywhere("web5");
  b.lab.truth.set_power("node5", false);
  auto op = on_instance(op_kind::instance_failover, "web5");
  op.ignore_consistency = ignores;
  auto id = b.send(op);
  b.wait(minutes{1});
  CHECK(b.status(id) == (ignores ? job_status::success : job_status::error));
  CHECK((b.inst("web5").primary == "node5") != ignores);
  CHECK(b.lab.truth.homes("web5").empty());
}

TEST_CASE(
  "a new mirror goes to an online spare node, or fails for want of it") {
  rig b;
  auto mirror = b.inst("web5").secondaries.at(0);
  b.lab.cluster.set_offline(mirror, true);
  auto id = b.send(on_instance(op_kind::replace_disks, "web5"));
  b.wait(seconds{70});
  REQUIRE(b.status(id) == job_status::success);
  auto fresh = b.inst("web5").secondaries.at(0);
  CHECK(fresh != mirror);
  CHECK(fresh != "node5");
  for (const auto& n : b.lab.cluster.record().nodes)
    if (n.name != "node5" && n.name != fresh)
      b.lab.cluster.set_offline(n.name, true);
  auto late = b.send(on_instance(op_kind::replace_disks, "web5"));
  b.wait(seconds{70});
  CHECK(b.status(late) == job_status::error);
  CHECK(b.lab.cluster.job(late)->text.find("insufficient_resources")
        != std::string::npos);
}

TEST_CASE("a migration needs both nodes and never makes a double") {
  rig b;
  auto good = b.send(on_instance(op_kind::instance_migrate, "web5"));
  b.wait(seconds{40});
  CHECK(b.status(good) == job_status::success);
  CHECK(b.lab.truth.homes("web5")
        == std::set<node_name>{b.inst("web5").primary});
  b.lab.truth.crash("node2");
  auto bad = b.send(on_instance(op_kind::instance_migrate, "web2"));
  b.wait(seconds{40});
  CHECK(b.status(bad) == job_status::error);
}

TEST_CASE("the master cannot be marked offline by a job") {
  rig b;
  auto id = b.send(on_node(op_kind::node_set_offline, "node1"));
  b.wait(seconds{3});
  CHECK(b.status(id) == job_status::error);
  CHECK_FALSE(b.lab.cluster.node("node1")->offline);
}

TEST_CASE("a lost job says running for ever and leaves its locks") {
  rig b;
  b.lab.cluster.habits.lose_per_mille = 1000;
  auto lost = b.send(tagging(op_kind::tags_set, "web1", "a"));
  b.wait(seconds{5});
  b.lab.cluster.habits.lose_per_mille = 0;
  auto next = b.send(tagging(op_kind::tags_set, "web1", "b"));
  b.wait(hours{1});
  CHECK(b.status(lost) == job_status::running);
  CHECK(b.lab.cluster.job(lost)->dead);
  CHECK(b.status(next) == job_status::success);
  CHECK(b.lab.cluster.picture()->jobs.size() == 1);
}

TEST_CASE("jobs that the dice doom fail and change nothing") {
  rig b;
  b.lab.cluster.habits.fail_per_mille = 1000;
  auto id = b.send(tagging(op_kind::tags_set, "web1", "a"));
  b.wait(seconds{5});
  CHECK(b.status(id) == job_status::error);
  CHECK_FALSE(b.lab.cluster.job(id)->text.empty());
  CHECK(b.inst("web1").tags.empty());
}

TEST_CASE("a drained queue refuses and keeps nothing") {
  rig b;
  b.lab.cluster.habits.drained = true;
  auto answer = b.lab.cluster.submit(
    {{{{tagging(op_kind::tags_set, "web1", "a")}, "", {}}}});
  CHECK(answer.outcome == submit_outcome::refused);
  CHECK_FALSE(answer.text.empty());
  CHECK(b.lab.cluster.jobs().empty());
}

TEST_CASE("with replies dropped the sender never knows, the trail does") {
  rig b;
  b.lab.cluster.habits.drop_replies = true;
  std::size_t found = 0;
  constexpr std::size_t sent = 40;
  for (std::size_t i = 0; i < sent; ++i) {
    auto reason = trail_text("inc", "intent-" + std::to_string(i) + "x");
    auto answer = b.lab.cluster.submit(
      {{{{tagging(op_kind::tags_set, "web1", "a")}, reason, {}}}});
    CHECK(answer.outcome == submit_outcome::unknown);
    CHECK(answer.ids.empty());
    auto needle = "intent-" + std::to_string(i) + "x";
    found += b.lab.cluster.find(needle).jobs.size();
  }
  CHECK(found > 0);
  CHECK(found < sent);
}

TEST_CASE("only a job that has not started can be canceled") {
  rig b;
  auto first = b.send(tagging(op_kind::tags_set, "web1", "a"));
  auto second = b.send(tagging(op_kind::tags_set, "web1", "b"));
  b.wait(millis{500});
  CHECK_FALSE(b.lab.cluster.cancel(first));
  CHECK(b.lab.cluster.cancel(second));
  CHECK_FALSE(b.lab.cluster.cancel(99));
  b.wait(seconds{5});
  CHECK(b.status(second) == job_status::canceled);
  CHECK(b.inst("web1").tags == std::vector<std::string>{"a"});
}

TEST_CASE("no more jobs run at once than there are places") {
  rig b;
  b.lab.cluster.habits.running_max = 2;
  for (const auto* name : {"web1", "web2", "web3", "web4"})
    b.send(tagging(op_kind::tags_set, name, "a"));
  b.wait(millis{500});
  auto running = 0;
  for (const auto& x : b.lab.cluster.jobs())
    running += x.status == job_status::running ? 1 : 0;
  CHECK(running == 2);
  b.wait(seconds{10});
  CHECK(b.lab.cluster.open().empty());
}

TEST_CASE("slowed down, everything takes that much longer") {
  rig b;
  b.lab.cluster.habits.factor = 10;
  auto id = b.send(tagging(op_kind::tags_set, "web1", "a"));
  b.wait(seconds{9});
  CHECK(b.status(id) == job_status::running);
  b.wait(seconds{8});
  CHECK(b.status(id) == job_status::success);
}

TEST_CASE("the opcodes of one job run in order and stop at the first failure") {
  rig b;
  auto answer
    = b.lab.cluster.submit({{{{tagging(op_kind::tags_set, "web1", "a"),
                               tagging(op_kind::tags_del, "web1", "nope"),
                               tagging(op_kind::tags_set, "web1", "c")},
                              "test",
                              {}}}});
  b.wait(seconds{10});
  CHECK(b.status(answer.ids.at(0)) == job_status::error);
  CHECK(b.inst("web1").tags == std::vector<std::string>{"a"});
}

TEST_CASE("the same seed gives the same queue") {
  auto play = [] {
    rig b;
    b.lab.cluster.habits.fail_per_mille = 300;
    b.lab.cluster.habits.lose_per_mille = 200;
    for (int i = 0; i < 30; ++i) {
      b.send(on_instance(op_kind::instance_failover,
                         "web" + std::to_string(1 + i % 5)));
      b.wait(seconds{3});
    }
    b.wait(minutes{10});
    std::string trace;
    for (const auto& x : b.lab.cluster.jobs())
      trace
        += std::to_string(to_ms(x.ended)) + to_string(x.status) + x.text + "\n";
    return trace;
  };
  CHECK(play() == play());
}

} // namespace orderly::ganeti_test
