// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An emergency power-off looks again before it switches off.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_gate_test {

namespace {

using Catch::Matchers::Contains;

errand_request epo(std::vector<std::string> names) {
  epo_errand x;
  x.names = std::move(names);
  return rig::request(x);
}

running_job job_about(std::vector<instance_name> instances,
                      std::vector<node_name> nodes) {
  running_job x;
  x.id = 77;
  x.instances = std::move(instances);
  x.nodes = std::move(nodes);
  return x;
}

} // namespace

TEST_CASE("no node goes off before a reading begun after the last instance "
          "was down") {
  rig b;
  b.add_instance("i1", "n1");
  b.read_at = b.now;
  b.begin(epo({"n1"}));
  b.wait(seconds{30});
  b.read_at = b.now - seconds{1}; // while it still ran
  b.job("i1");
  CHECK(awaits_reading(b.s, b.look()));
  CHECK(b.looks == 1);
  CHECK(b.how("n1") == row_state::waiting);
  b.feed(woken{});
  CHECK(b.count<send_job>() == 0);
  b.read_at = b.now + millis{1};
  b.feed(woken{});
  CHECK_FALSE(awaits_reading(b.s, b.look()));
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("an instance that arrives during an epo is shut down before its "
          "node goes off") {
  rig b;
  b.add_instance("i1", "n1");
  b.add_instance("i2", "n3", {"n1"});
  b.begin(epo({"n1", "n2"}));
  b.cluster.instances[1].primary = "n1";
  b.cluster.instances[1].secondaries = {"n3"};
  b.job("i1");
  CHECK(b.how("n1") == row_state::waiting);
  CHECK(b.how("n2") == row_state::waiting);
  CHECK(b.s.rows.size() == 4);
  CHECK(b.has_remark("i2 came to n1"));
  CHECK(b.has_told("errand-late", "i2 came to n1"));
  CHECK(due_at(b.s, b.look(), b.now) > b.now);
  b.restart(); // it is part of the plan from now on
  CHECK(b.job("i2").kind == op_kind::instance_shutdown);
  CHECK(b.job("n1").offline == true);
  CHECK(b.job("n2").offline == true);
}

TEST_CASE("an instance that arrives and does not stop keeps all nodes on") {
  rig b;
  b.read_at = b.now;
  b.begin(epo({"n1"}));
  b.add_instance("i1", "n1");
  b.read_at.reset();
  b.feed(woken{});
  auto x = b.take<send_job>("i1");
  b.feed(job_queued{x.at});
  b.now += clear_within; // that is no wait for empty nodes any more
  CHECK(due_at(b.s, b.look(), b.now) > b.now);
  b.feed(job_told{x.at, false, false, "it refuses"});
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(has_failed(b.s));
}

TEST_CASE("one who is started again after his turn is shut down again") {
  rig b;
  b.rules.power.concurrency = 1;
  b.add_instance("i1", "n1");
  b.add_instance("i2", "n1");
  b.begin(epo({"n1"}));
  b.cluster.instances[1].admin = admin_state::down;
  b.job("i1");
  CHECK(b.how("i2") == row_state::skipped);
  CHECK(b.count<send_job>() == 1); // n1 is marked
  rig c;
  c.read_at = c.now;
  c.add_instance("i1", "n1");
  c.begin(epo({"n1"}));
  auto x = c.take<send_job>("i1");
  c.feed(job_told{x.at, false, true, "full", true});
  c.cluster.instances[0].admin = admin_state::down;
  c.wait(untried_pause);
  CHECK(c.how("i1") == row_state::skipped);
  c.cluster.instances[0].admin = admin_state::up;
  c.read_at.reset();
  c.feed(woken{});
  CHECK(c.s.rows.size() == 3);
  CHECK(c.job("i1").kind == op_kind::instance_shutdown);
}

TEST_CASE("an epo waits for open jobs that may bring an instance to its "
          "nodes") {
  for (auto job : {job_about({}, {"n1"}), job_about({"i2"}, {})}) {
    rig b;
    b.add_instance("i1", "n1");
    b.add_instance("i2", "n3", {"n1"});
    b.cluster.jobs = {job};
    b.begin(epo({"n1"}));
    b.job("i1");
    CHECK(b.count<send_job>() == 0);
    b.wait(clear_within - seconds{1});
    CHECK(b.how("n1") == row_state::waiting);
    b.cluster.jobs.clear();
    b.feed(woken{});
    CHECK(b.job("n1").offline == true);
  }
}

TEST_CASE("jobs about others, and its own, do not keep an epo waiting") {
  rig b;
  b.add_instance("i1", "n1");
  b.add_instance("i2", "n3", {"n2"});
  auto own = job_about({"i1"}, {"n1"});
  own.reason = trail_text("power-7", "power-7/0/0/0");
  b.cluster.jobs = {job_about({"i2"}, {"n2", "n3"}), own};
  b.begin(epo({"n1"}));
  b.job("i1");
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("a repair without a mirror may end anywhere: an epo waits for it") {
  rig b;
  b.add_instance("i1", "n3");
  b.cluster.instances[0].disks = disk_template::rbd;
  b.cluster.jobs = {job_about({"i1"}, {})};
  b.begin(epo({"n1"}));
  CHECK(b.count<send_job>() == 1); // a person's job is about n3
  b.cluster.jobs[0].reason = trail_text("abc", "abc/1");
  b.begin(epo({"n2"}));
  CHECK(b.how("n2") == row_state::waiting);
}

TEST_CASE("a node that is on its way goes off while others are left on") {
  rig b;
  b.rules.power.concurrency = 1;
  b.begin(epo({"n1", "n2"}));
  b.job("n1");
  b.cluster.jobs = {job_about({}, {"n2"})};
  auto command = b.take<give_power>("n1");
  b.feed(woken{});
  REQUIRE(awaits_reading(b.s, b.look()));
  b.wait(clear_within);
  CHECK(b.how("n2") == row_state::skipped);
  CHECK_FALSE(awaits_reading(b.s, b.look()));
  CHECK(due_at(b.s, b.look(), b.now) == never);
  power_report r;
  r.confirmed = true;
  r.state = power_state::off;
  b.feed(power_told{command.at, r});
  CHECK(b.job("n1").powered == false);
  CHECK(b.s.ended != never);
}

TEST_CASE("nodes that do not become empty in time stay on, and the reason is "
          "told") {
  rig b;
  b.cluster.jobs = {job_about({}, {"n1"})};
  b.begin(epo({"n1", "n2"}));
  b.wait(clear_within);
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.how("n2") == row_state::skipped);
  CHECK_THAT(b.of("n1").text, Contains("job 77"));
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
  CHECK(b.holds.empty());
}

TEST_CASE("no node goes off before Ganeti's watcher rests") {
  for (bool obeys : {true, false}) {
    rig b;
    b.add_instance("i1", "n1");
    b.watcher_awake = "luxid does not answer";
    b.begin(epo({"n1"}));
    b.job("i1");
    CHECK(awaits_reading(b.s, b.look()));
    b.wait(clear_within - seconds{1});
    CHECK(b.how("n1") == row_state::waiting);
    if (obeys) {
      b.watcher_awake.clear();
      b.feed(woken{});
      CHECK(b.job("n1").offline == true);
      continue;
    }
    b.wait(seconds{1});
    CHECK(b.how("n1") == row_state::skipped);
    CHECK_THAT(b.of("n1").text, Contains("luxid does not answer")
                                  && Contains("gnt-cluster watcher pause"));
    CHECK(b.count<give_power>() == 0);
  }
}

TEST_CASE("what comes to a node before its mark is set is shut down first") {
  rig b;
  b.begin(epo({"n1"}));
  SECTION("while the mark is tried again") {
    b.untried("n1");
    b.add_instance("i1", "n1");
    b.wait(untried_pause);
  }
  SECTION("while the mark waits for the journal") {
    auto x = b.take<send_job>("n1");
    CHECK(against_job(b.s, x.at, b.look()).empty());
    b.add_instance("i1", "n1");
    CHECK_THAT(against_job(b.s, x.at, b.look()), Contains("i1 came to n1"));
    b.feed(job_told{x.at, false, true, "withdrawn", true});
    b.wait(untried_pause);
  }
  CHECK(b.how("n1") == row_state::waiting);
  CHECK(b.job("i1").kind == op_kind::instance_shutdown);
  CHECK(b.job("n1").offline == true);
  b.switched("n1");
}

TEST_CASE("a mark is taken back if something came to the node before it") {
  rig b;
  b.node("n1").serial_no = 7;
  b.node("n1").drained = true;
  b.begin(epo({"n1"}));
  b.node("n1").serial_no = 9;
  SECTION("by the reading after it") {
    b.add_instance("i1", "n1");
    b.job("n1");
  }
  SECTION("by one from right before the command") {
    b.job("n1");
    auto x = b.take<give_power>("n1");
    CHECK(against_command(b.s, x.at, b.look()).empty());
    b.add_instance("i1", "n1");
    CHECK_THAT(against_command(b.s, x.at, b.look()),
               Contains("i1 came to it before it was marked offline"));
    power_report report;
    report.held_back = true;
    b.feed(power_told{x.at, report});
  }
  CHECK(b.count<give_power>() == 0);
  auto back = b.take<send_job>("n1");
  CHECK(back.order.ops.at(0).kind == op_kind::node_set_drained);
  b.feed(job_told{back.at, true, false, ""});
  b.node("n1").serial_no = 11;
  CHECK(b.job("i1").kind == op_kind::instance_shutdown);
  auto again = b.take<send_job>("n1");
  CHECK(again.order.ops.at(0).offline == true);
  CHECK(again.order.intent != back.order.intent);
  b.feed(job_told{again.at, true, false, ""});
  b.node("n1").serial_no = 13;
  CHECK(b.switched("n1").verb == power_verb::off);
}

TEST_CASE("a node whose mark cannot be taken back stays on") {
  rig b;
  b.node("n1").serial_no = 7;
  b.begin(epo({"n1"}));
  b.add_instance("i1", "n1");
  b.job("n1");
  b.job("n1", false, "it does not report its version");
  CHECK(b.how("n1") == row_state::failed);
  CHECK_THAT(b.of("n1").text,
             Contains("i1 came to it") && Contains("orderly epo --on n1"));
  CHECK(b.count<give_power>() == 0);
  CHECK(b.holds.count("n1") == 1);
}

} // namespace orderly::errand::errand_gate_test
