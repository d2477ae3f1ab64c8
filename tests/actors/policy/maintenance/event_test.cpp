// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/event.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

namespace {

using sight = event_report::sight;
using act = event_action;
using p = event_phase;

constexpr const char* reseat = R"({"status":"live-repair","command":"reseat"})";

} // namespace

TEST_CASE("a live-repair runs its command and tags only what succeeded") {
  life x{act::live_repair, reseat};
  x.read();
  REQUIRE(x.sent.size() == 1);
  CHECK(x.s.phase == p::repairing);
  CHECK(x.last() == op_kind::repair_command);
  CHECK(x.sent[0].command == "reseat");
  CHECK(x.sent[0].once);
  CHECK(x.sent[0].ops[0].input == reseat);
  x.end(job_status::success);
  CHECK(x.s.phase == p::tagging);
  CHECK(x.last() == op_kind::tags_set);
  CHECK(x.sent.back().ops[0].tags
        == std::vector<std::string>{"maintd:repairready:U"});
  x.end(job_status::success);
  CHECK(x.s.phase == p::completed);
}

TEST_CASE("a failed command is a failure, and nothing more is sent") {
  life x{act::live_repair, reseat};
  x.read();
  x.end(job_status::error, "exited with exit code 1");
  CHECK(x.s.phase == p::failing);
  CHECK(x.s.reason.find("exit code 1") != std::string::npos);
  x.end(job_status::success);
  CHECK(x.s.phase == p::failed);
  CHECK(x.s.tag == "maintd:repairfailed:U");
  CHECK(x.alerts.size() == 1);
  x.node().tags = {x.s.tag};
  auto count = x.sent.size();
  for (int i = 0; i < 5; ++i) {
    x.report(sight::shown);
    x.read();
  }
  CHECK(x.sent.size() == count);
}

TEST_CASE("a live-repair without a good command fails and runs nothing") {
  for (const auto* original : {R"({"status":"live-repair"})",
                               R"({"status":"live-repair","command":"../x"})",
                               R"({"status":"live-repair","command":7})"}) {
    life x{act::live_repair, original};
    x.read();
    CHECK(x.s.phase == p::failing);
    REQUIRE(x.sent.size() == 1);
    CHECK(x.last() == op_kind::tags_set);
  }
}

TEST_CASE("an evacuation drains, moves, marks offline, and then tags") {
  life x{act::evacuate};
  x.add("i1", "n1", "n2");
  x.read();
  CHECK(x.last() == op_kind::node_set_drained);
  x.end(job_status::success);
  x.node().drained = true;
  x.read();
  CHECK(x.s.phase == p::evacuating);
  CHECK(x.plans == 1);
  x.plan({{"i1", {{false, "n2"}, {true, "n3"}}}});
  REQUIRE(x.last() == op_kind::instance_migrate);
  CHECK_FALSE(x.sent.back().ops[0].flag); // no failover in disguise
  x.end(job_status::success);
  x.instance("i1").primary = "n2";
  x.instance("i1").secondaries = {"n1"};
  x.read();
  REQUIRE(x.last() == op_kind::replace_disks);
  CHECK(x.sent.back().ops[0].target == "n3");
  x.end(job_status::success);
  x.instance("i1").secondaries = {"n3"};
  x.read();
  CHECK(x.s.phase == p::closing);
  REQUIRE(x.last() == op_kind::node_modify);
  CHECK(x.sent.back().ops[0].offline == true);
  x.end(job_status::success);
  CHECK(x.s.phase == p::closing);
  x.node().offline = true;
  x.read();
  CHECK(x.s.phase == p::tagging);
  x.end(job_status::success);
  CHECK(x.s.phase == p::tagging); // it is looked at once more
  x.read();
  CHECK(x.s.phase == p::completed);
}

TEST_CASE("the node is not marked offline while anything is on it") {
  life x{act::evacuate};
  x.read();
  x.end(job_status::success);
  x.node().drained = true;
  x.read();
  REQUIRE(x.last() == op_kind::node_modify);
  x.add("late", "n1", "n2");
  x.seen.picture = std::make_shared<const cluster_record>(x.record);
  CHECK(!objection(x.s, x.sent.back().intent, x.seen, x.limits, x.now).empty());
}

TEST_CASE(
  "evacuate-failover fails over whatever the mirror is, where no home is "
  "asked") {
  life x{act::evacuate_failover};
  x.limits.debounce_failover = 1;
  x.limits.ask_home = false;
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  CHECK(x.plans == 1);
  x.plan({{"i1", {{false, "n2"}}}});
  CHECK(x.sent.back().ops.back().kind == op_kind::instance_failover);
  CHECK(x.sent.back().ops.back().ignore_consistency);
}

TEST_CASE("what runs fails over only after its home has answered the job") {
  life x{act::evacuate_failover};
  x.limits.debounce_failover = 1;
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  auto up = GENERATE(true, false);
  x.instance("i1").admin = up ? admin_state::up : admin_state::down;
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  const auto& ops = x.sent.back().ops;
  REQUIRE(ops.size() == 2U);
  // A migration of what is stopped is a failover to Ganeti.
  CHECK(ops.back().kind
        == (up ? op_kind::instance_failover : op_kind::instance_migrate));
  CHECK(ops.back().flag == !up);
  CHECK_FALSE(ops.back().ignore_consistency);
  CHECK(ops.front().kind == op_kind::activate_disks);
  CHECK(ops.front().instance == "i1");
  // Ganeti asks after the copies of what is stopped only if its disks are open.
  CHECK(ops.front().flag == !up);
}

TEST_CASE("on the master it fails at once, with what to type") {
  life x{act::evacuate};
  x.record.master = "n1";
  x.read();
  CHECK(x.s.phase == p::failing);
  CHECK(x.s.reason.find("gnt-cluster master-failover") != std::string::npos);
  CHECK(x.last() == op_kind::tags_set);
}

TEST_CASE("it needs as many reports as its debounce before it begins") {
  life x{act::evacuate_failover};
  x.limits.debounce_failover = 3;
  x.read();
  x.report(sight::shown);
  CHECK(x.sent.empty());
  x.report(sight::unknown);
  CHECK(x.sent.empty());
  x.report(sight::shown);
  CHECK(x.sent.size() == 1);
}

TEST_CASE("one run of a script is one report, however often it is asked for") {
  life x{act::evacuate_failover};
  x.limits.debounce_failover = 2;
  x.limits.interval = seconds{30};
  x.read();
  auto first = x.now;
  for (auto after : {seconds{0}, seconds{1}, seconds{2}}) {
    x.now = first + after;
    x.report(sight::shown);
    CHECK(x.sent.empty());
  }
  x.now = first + seconds{30};
  x.report(sight::shown);
  CHECK(x.sent.size() == 1);
}

TEST_CASE("noted and gone is dropped; silence drops nothing") {
  life x{act::evacuate};
  x.seen.turn = false;
  x.read();
  for (int i = 0; i < 10; ++i)
    x.report(sight::unknown);
  CHECK(x.s.phase == p::noted);
  x.report(sight::absent);
  CHECK(x.s.phase == p::forgotten);
  CHECK(x.sent.empty());
}

TEST_CASE("what was begun is ended, whatever is reported meanwhile") {
  life x{act::evacuate};
  x.read();
  REQUIRE(x.s.phase == p::draining);
  for (int i = 0; i < 5; ++i)
    x.report(sight::absent);
  CHECK(x.s.phase == p::draining);
}

TEST_CASE("nothing begins that is held, observed, old, or not its turn") {
  auto begins = [](auto change) {
    life x{act::evacuate};
    change(x);
    x.read();
    return !x.sent.empty();
  };
  CHECK(begins([](life&) {}));
  CHECK(!begins([](life& x) { x.limits.mode = repair_mode::observe; }));
  CHECK(!begins([](life& x) { x.seen.held = "a crowd"; }));
  CHECK(!begins([](life& x) { x.seen.no_right = "not master"; }));
  CHECK(!begins([](life& x) { x.seen.turn = false; }));
  CHECK(!begins([](life& x) { x.now += hours{1}; }));
}

TEST_CASE("only what cannot move is left: it fails and says what") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.add("i2", "n1", "", disk_template::plain);
  x.read();
  x.plan({{"i1", {{false, "n2"}, {true, "n3"}}}});
  CHECK(x.s.blocked.count("i2") == 1);
  CHECK(x.s.phase == p::evacuating);
  x.end(job_status::success);
  x.instance("i1").primary = "n2";
  x.instance("i1").secondaries = {"n1"};
  x.read();
  x.end(job_status::success);
  x.instance("i1").secondaries = {"n3"};
  x.read();
  CHECK(x.s.phase == p::failing);
  CHECK(x.s.reason.find("i2") != std::string::npos);
}

TEST_CASE("a suspension with a time is waited for, one without blocks") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.instance("i1").tags = {"ganeti:watcher:autorepair:suspend:"
                           + std::to_string(to_unix(x.now) + 60)};
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  CHECK(x.s.phase == p::evacuating);
  CHECK(x.sent.empty());
  x.instance("i1").tags = {"ganeti:watcher:autorepair:suspend"};
  x.read();
  CHECK(x.s.phase == p::failing);
}

TEST_CASE("no move goes to a node that is closed by now") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.around.closed["n2"] = "is in trouble";
  x.plan({{"i1", {{false, "n2"}}}});
  CHECK(x.sent.empty());
  x.around.closed.clear();
  x.node(1).drained = true;
  x.read();
  CHECK(x.sent.empty());
}

TEST_CASE("a move that waits in the queue is judged again before it leaves") {
  life x{act::evacuate};
  x.send_move();
  auto intent = x.sent[0].intent;
  CHECK(objection(x.s, intent, x.seen, x.limits, x.now).empty());
  x.instance("i1").primary = "n2";
  x.instance("i1").secondaries = {"n1"};
  x.seen.picture = std::make_shared<const cluster_record>(x.record);
  CHECK(!objection(x.s, intent, x.seen, x.limits, x.now).empty());
}

TEST_CASE("a worse event calls back what is queued and takes over") {
  life x{act::evacuate};
  x.send_move();
  x.seen.turn = false;
  x.read();
  CHECK(x.withdrawn.size() == 1);
  x.end(job_status::canceled);
  CHECK(x.s.phase == p::evacuating);
  x.read();
  CHECK(x.sent.size() == 1);
}

TEST_CASE("after the first failed job queued ones are called back") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.add("i2", "n1", "n3");
  x.read();
  x.plan({{"i1", {{false, "n2"}}}, {"i2", {{false, "n3"}}}});
  REQUIRE(x.sent.size() == 2);
  x.end(x.sent[0].intent, job_status::error, "broken");
  CHECK(x.s.phase == p::failing);
  CHECK(x.withdrawn == std::vector<intent_id>{x.sent[1].intent});
  CHECK(x.sent.size() == 2); // no tag while a job may run
  x.end(x.sent[1].intent, job_status::success);
  REQUIRE(x.sent.size() == 3);
  CHECK(x.last() == op_kind::tags_set);
}

TEST_CASE("a tag that cannot be written is written again, and told of") {
  life x{act::live_repair, reseat};
  x.read();
  x.end(job_status::success);
  for (int i = 0; i < 3; ++i) {
    x.end(job_status::error, "Too many tags");
    CHECK(x.s.phase == p::tagging);
    x.now += hours{1};
    x.read();
  }
  CHECK(x.alerts.size() == 1);
  x.end(job_status::success);
  CHECK(x.s.phase == p::completed);
}

TEST_CASE("failed is forgotten with its tag, also while it is reported") {
  life x{act::live_repair, R"({"status":"live-repair"})"};
  x.read();
  x.end(job_status::success);
  REQUIRE(x.s.phase == p::failed);
  x.node().tags = {x.s.tag};
  x.read();
  x.report(sight::shown);
  CHECK(x.s.phase == p::failed);
  auto tags = std::exchange(x.node().tags, {});
  x.read();
  CHECK(x.s.phase == p::failed);
  x.node().tags = tags; // it was there all the time
  x.read();
  x.node().tags.clear();
  x.read();
  CHECK(x.s.phase == p::failed);
  x.read();
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("a node that is removed ends its events") {
  life x{act::evacuate};
  x.read();
  x.record.nodes.erase(x.record.nodes.begin());
  x.read();
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("another machine under the node's name is another node") {
  life x{act::evacuate};
  x.read();
  x.node().uuid = "uuid-other";
  x.read();
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("no intent comes twice") {
  life x{act::live_repair, reseat};
  x.read();
  x.end(job_status::success);
  for (int i = 0; i < 4; ++i) {
    x.end(job_status::error);
    x.now += hours{1};
    x.read();
  }
  std::set<intent_id> all;
  for (const auto& one : x.sent)
    CHECK(all.insert(one.intent).second);
}

} // namespace orderly::maintenance_test
