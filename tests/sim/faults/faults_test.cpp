// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/faults.hpp"

#include <catch2/catch.hpp>

namespace orderly::faults_test {

using namespace orderly::sim;

namespace {

std::string play(lab_state& lab, const std::string& text) {
  auto order = parse_fault(text);
  REQUIRE(order.ok());
  return apply(*order, lab);
}

} // namespace

TEST_CASE("every verb reads back what it writes") {
  for (const auto* text : {"power node3 off",
                           "power node3 on",
                           "crash node2",
                           "network node2 cut",
                           "storage node2 heal",
                           "bmc node3 lies-off",
                           "bmc node3 slow 61s",
                           "bmc node3 slow 250ms",
                           "bmc node3 dies-with-node",
                           "bmc node3@oob-pdu hang",
                           "health node3 warning",
                           "helper oob-pdu missing",
                           "watcher on",
                           "luxi down",
                           "luxi drop-replies on",
                           "queue drain off",
                           "jobs fail 50",
                           "jobs lose 1000",
                           "job-durations x10",
                           "tag cluster add a:b",
                           "tag group:g1 del x",
                           "tag instance:web1 add y",
                           "node node2 offline",
                           "node node2 undrained",
                           "node node2 returned",
                           "room node2 full",
                           "mirror web1 faulty",
                           "archive all",
                           "fail-next web1 error",
                           "fail-next web1 lost 3",
                           "instance web1 down",
                           "instance web1 crash",
                           "instance web1 start",
                           "uplink cut",
                           "journal slow",
                           "daemon kill",
                           "noded node2 down",
                           "master node2",
                           "agents on",
                           "agent node2 lies-dead",
                           "monitor node2 silent",
                           "autostart node2 on",
                           "link node2 node3 cut",
                           "link node2 node3 one-way",
                           "link node2 node3 slow 250ms",
                           "bmc swap node2 node3",
                           "bmc share node2 node3",
                           "bmc own node2",
                           "luxi stall on",
                           "luxi slow 90s",
                           "queue interrupt",
                           "queue lose",
                           "queue lose 3",
                           "clock step +90s",
                           "clock step -1500ms",
                           "suspend 600s",
                           "picture torn-nodes",
                           "journal lost",
                           "journal backup",
                           "journal restore",
                           "set-live budget.fences_per_hour_max 2",
                           "add-node node9",
                           "remove-node node9",
                           "add-instance db9 node2",
                           "remove-instance db9",
                           "rename-instance db9 db10"}) {
    INFO(text);
    auto order = parse_fault(text);
    REQUIRE(order.ok());
    CHECK(render(*order) == text);
    auto again = parse_fault(render(*order));
    REQUIRE(again.ok());
    CHECK(*again == *order);
  }
}

TEST_CASE("a mistyped fault is explained with the list of verbs") {
  for (const auto* text : {"",
                           "explode node3",
                           "power",
                           "power node3",
                           "power node3 maybe",
                           "power node3 off now",
                           "bmc node3 slow",
                           "bmc node3 slow soon",
                           "bmc node3 slow 5d",
                           "bmc node3 ok 5s",
                           "jobs fail",
                           "jobs fail 1001",
                           "jobs fail -1",
                           "jobs eat 5",
                           "job-durations 10",
                           "job-durations x0",
                           "tag web1 add x",
                           "tag cluster add",
                           "luxi drop-replies",
                           "queue on",
                           "crash",
                           "room node2",
                           "mirror web1",
                           "archive",
                           "fail-next web1",
                           "link node2 cut",
                           "link node2 node3",
                           "link node2 node3 slow",
                           "clock step 90s",
                           "clock step +soon",
                           "suspend",
                           "luxi slow on",
                           "bmc swap node2",
                           "set-live budget.fences_per_hour_max",
                           "fail-next web1 error 0",
                           "fail-next web1 error many",
                           "jobs fail 99999999999999999999"}) {
    INFO(text);
    auto order = parse_fault(text);
    REQUIRE_FALSE(order.ok());
    CHECK(order.why().kind == fault_kind::bad_input);
    CHECK(order.why().text.find("'" + std::string{text} + "'")
          != std::string::npos);
    CHECK(order.why().text.find("power NODE off|on") != std::string::npos);
  }
}

TEST_CASE("a fault on something that does not exist changes nothing") {
  lab_state lab{*plan_named("small-3n", 1)};
  auto world_before = lab.truth.version();
  auto queue_before = lab.cluster.version();
  for (const auto* text :
       {"power node9 off", "instance nope stop", "tag group:nope add x",
        "node node9 offline", "master node9"})
    CHECK_FALSE(play(lab, text).empty());
  CHECK(lab.truth.version() == world_before);
  CHECK(lab.cluster.version() == queue_before);
}

TEST_CASE("faults do to the world what they say") {
  lab_state lab{*plan_named("small-3n", 1)};
  CHECK(play(lab, "power node3 off").empty());
  CHECK_FALSE(lab.truth.node("node3").powered);
  CHECK_FALSE(play(lab, "crash node3").empty()); // no power, no kernel
  CHECK(play(lab, "crash node2").empty());
  CHECK(lab.truth.node("node2").crashed);
  play(lab, "storage node2 cut");
  CHECK(lab.truth.node("node2").storage_cut);
  play(lab, "network node2 cut");
  CHECK(lab.truth.node("node2").management_cut);
  play(lab, "noded node2 down");
  CHECK(lab.truth.node("node2").daemon_down);
  play(lab, "bmc node2 slow 61s");
  CHECK(lab.truth.node("node2").bmc.what == controller::slow);
  CHECK(lab.truth.node("node2").bmc.delay == seconds{61});
  play(lab, "uplink cut");
  CHECK(lab.truth.uplink_cut());
}

TEST_CASE("faults do to Ganeti and the daemon what they say") {
  lab_state lab{*plan_named("small-3n", 1)};
  play(lab, "luxi down");
  CHECK(lab.cluster.habits.luxi_down);
  play(lab, "luxi drop-replies on");
  CHECK(lab.cluster.habits.drop_replies);
  play(lab, "queue drain on");
  CHECK(lab.cluster.habits.drained);
  play(lab, "jobs fail 12");
  CHECK(lab.cluster.habits.fail_per_mille == 12);
  play(lab, "jobs lose 13");
  CHECK(lab.cluster.habits.lose_per_mille == 13);
  play(lab, "job-durations x4");
  CHECK(lab.cluster.habits.factor == 4);
  play(lab, "tag instance:web1 add hello");
  CHECK(lab.cluster.instance("web1")->tags
        == std::vector<std::string>{"hello"});
  play(lab, "tag instance:web1 del hello");
  CHECK(lab.cluster.instance("web1")->tags.empty());
  play(lab, "node node2 offline");
  CHECK(lab.cluster.node("node2")->offline);
  play(lab, "node node2 drained");
  CHECK(lab.cluster.node("node2")->drained);
  play(lab, "instance web1 stop");
  CHECK(lab.cluster.instance("web1")->admin == admin_state::down);
  CHECK(lab.truth.homes("web1").empty());
  play(lab, "instance db1 crash");
  CHECK(lab.cluster.instance("db1")->admin == admin_state::up);
  CHECK(lab.truth.homes("db1").empty());
  play(lab, "journal fail");
  CHECK(lab.journal.mood == disk_mood::fail);
  play(lab, "daemon kill");
  CHECK_FALSE(lab.daemon_wanted);
  play(lab, "master node2");
  CHECK(lab.cluster.record().master == "node2");
}

TEST_CASE("faults do to repairs what they say") {
  lab_state lab{*plan_named("small-3n", 1)};
  play(lab, "room node2 full");
  CHECK(lab.cluster.room("node2").memory_mib == 0);
  CHECK(lab.cluster.room("node2").disk_mib == 0);
  play(lab, "room node2 free");
  CHECK(lab.cluster.room("node2").memory_mib > 0);
  play(lab, "mirror web1 faulty");
  CHECK(lab.truth.faulty_mirror("web1") == "node2");
  CHECK_FALSE(play(lab, "mirror db1 faulty").empty()); // it has none
  play(lab, "mirror web1 healed");
  CHECK(lab.truth.faulty_mirror("web1").empty());
  play(lab, "instance web1 down");
  CHECK(lab.cluster.instance("web1")->admin == admin_state::down);
  CHECK(lab.truth.runs_on("web1", "node1")); // only the record says so
  REQUIRE(lab.cluster.place_job(7, job_status::success));
  play(lab, "archive all");
  CHECK(lab.cluster.standings({7}).at(0).status == job_status::lost);
  for (const auto* text : {"room node9 full", "mirror nope faulty",
                           "archive nope", "fail-next nope error"})
    CHECK_FALSE(play(lab, text).empty());
}

TEST_CASE("a node that is returned works again in every way") {
  lab_state lab{*plan_named("small-3n", 1)};
  for (const auto* text :
       {"bmc node2 hang", "network node2 cut", "storage node2 cut",
        "noded node2 down", "crash node2", "node node2 offline",
        "node node2 drained", "node node2 returned"})
    CHECK(play(lab, text).empty());
  CHECK(lab.truth.alive("node2"));
  lab.advance(lab.epoch_wall + world::boot_time);
  CHECK(lab.truth.answers("node2"));
  CHECK_FALSE(lab.truth.node("node2").storage_cut);
  CHECK(lab.truth.node("node2").bmc.what == controller::ok);
  CHECK_FALSE(lab.cluster.node("node2")->offline);
  CHECK_FALSE(lab.cluster.node("node2")->drained);
}

TEST_CASE("a controller on the node's feed dies with it, another does not") {
  lab_state lab{*plan_named("small-3n", 1)};
  play(lab, "bmc node2 dies-with-node");
  play(lab, "power node2 off");
  play(lab, "power node3 off");
  CHECK_FALSE(lab.truth.node("node2").fed);
  CHECK(lab.truth.node("node3").fed);
  play(lab, "power node2 on");
  CHECK(lab.truth.node("node2").fed);
  CHECK(lab.truth.node("node2").powered);
}

TEST_CASE("what is done is told in the words of the order") {
  lab_state lab{*plan_named("small-3n", 1)};
  std::vector<std::string> told;
  lab.truth.on_event([&](const std::string& x) { told.push_back(x); });
  for (const auto* text : {"power node3 off", "luxi down", "uplink cut",
                           "tag cluster add x", "daemon kill"})
    play(lab, text);
  CHECK(told
        == std::vector<std::string>{"power node3 off", "luxi down",
                                    "uplink cut", "tag cluster add x",
                                    "daemon kill"});
}

} // namespace orderly::faults_test
