// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults.hpp"
#include "sim/ports.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch.hpp>

#include <optional>

using namespace orderly;
using namespace orderly::sim;

namespace {

struct test_config : caf::actor_system_config {
  test_config() { set("scheduler.policy", caf::atom("testing")); }
};

/// The ports alone, asked by the test; time stands still in between.
struct bench {
  bench() : sys(cfg), self(sys) {
    outside = spawn_sim_ports(sys, lab);
    coordinator().run();
  }

  ~bench() {
    stop_ports(outside);
    outside = {};
    coordinator().run();
    coordinator().clock().cancel_all();
  }

  caf::scheduler::test_coordinator& coordinator() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler());
  }

  instant now() { return lab->wall(coordinator().clock().now()); }

  void fault(const std::string& text) {
    auto order = parse_fault(text);
    REQUIRE(order.ok());
    REQUIRE(apply(*order, *lab).empty());
  }

  /// Asks and lets time pass until the answer is there.
  template <class Answer, class Port, class Request>
  Answer ask(const Port& port, Request rq) {
    auto handle = self->request(port, caf::infinite, std::move(rq));
    coordinator().run();
    while (self->mailbox().empty()) {
      REQUIRE(coordinator().clock().trigger_timeout());
      coordinator().run();
    }
    std::optional<Answer> result;
    handle.receive([&](Answer& x) { result = std::move(x); },
                   [](const caf::error&) { FAIL("a port gave an error"); });
    return *result;
  }

  void wait(millis d) {
    coordinator().clock().advance_time(d);
    coordinator().run();
  }

  sighting probe(const node_name& name) {
    return ask<sighting>(outside.probes,
                         probe_request{name, name, seconds{10}});
  }

  activity_answer activity_of(const node_name& name,
                              std::vector<node_name> neighbours) {
    return ask<activity_answer>(
      outside.probes,
      activity_request{name, name, std::move(neighbours), now(), seconds{60}});
  }

  power_answer power(const node_name& name, power_verb verb) {
    return ask<power_answer>(
      outside.power, power_request{name, verb, sim_oob_program, seconds{60}});
  }

  journal_ack write(const std::string& why) {
    journal_entry e;
    e.seq = ++seq;
    e.object = "node:node2";
    e.code = "suspect";
    e.why = why;
    e.state = fields{{{"phase", why}}};
    return ask<journal_ack>(outside.journal, journal_batch{{e}});
  }

  test_config cfg;
  caf::actor_system sys;
  caf::scoped_actor self;
  lab_pointer lab = std::make_shared<lab_state>(*plan_named("small-3n", 1));
  ports outside;
  std::uint64_t seq = 0;
};

opcode tagging(const instance_name& name, const std::string& tag) {
  opcode op;
  op.kind = op_kind::tags_set;
  op.tags_on = tag_kind::instance;
  op.tag_object = name;
  op.tags = {tag};
  return op;
}

job_submission one_job(const std::string& tag) {
  return {{{{tagging("web1", tag)}, trail_text("inc", tag)}}};
}

} // namespace

TEST_CASE("a healthy node is seen at once, a dead one when time is over") {
  bench b;
  auto start = b.now();
  CHECK(b.probe("node2").verdict == health::healthy);
  CHECK(b.now() - start < seconds{1});
  b.fault("power node2 off");
  start = b.now();
  auto x = b.probe("node2");
  CHECK(x.verdict == health::unhealthy);
  CHECK(x.evidence == "1811 gives no answer");
  CHECK(b.now() - start >= seconds{10});
  CHECK(x.at == b.now());
}

TEST_CASE("a killed node daemon refuses at once, behind a cut it is silent") {
  bench b;
  b.fault("noded node2 down");
  auto start = b.now();
  auto x = b.probe("node2");
  CHECK(x.verdict == health::unhealthy);
  CHECK(x.evidence == "1811 refused");
  CHECK(b.now() - start < seconds{1});
  b.fault("network node2 cut");
  CHECK(b.probe("node2").evidence == "1811 gives no answer");
}

TEST_CASE("with our own link cut every other node is silent") {
  bench b;
  b.fault("uplink cut");
  CHECK(b.probe("node2").verdict == health::unhealthy);
  CHECK(b.probe("node3").verdict == health::unhealthy);
  CHECK(b.probe("node1").verdict == health::healthy);
}

TEST_CASE("activity is what storage shows, and unknown without a witness") {
  bench b;
  b.fault("network node2 cut");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::active);
  b.fault("storage node2 cut");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::inactive);
  CHECK(b.activity_of("node2", {}).verdict == activity::unknown);
  CHECK(b.activity_of("node2", {"node2"}).verdict == activity::unknown);
  b.fault("crash node3");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::unknown);
  CHECK(b.activity_of("node2", {"node3", "node1"}).verdict
        == activity::inactive);
}

TEST_CASE("an honest controller does what it is told and says how it is") {
  bench b;
  CHECK(b.power("node2", power_verb::status).state == power_state::on);
  CHECK(b.power("node2", power_verb::off).done);
  CHECK_FALSE(b.lab->truth.node("node2").powered);
  auto x = b.power("node2", power_verb::status);
  CHECK(x.done);
  CHECK(x.state == power_state::off);
  CHECK_FALSE(b.power("node2", power_verb::cycle).done); // off: no cycle
  CHECK(b.power("node2", power_verb::on).done);
  CHECK(b.power("node2", power_verb::cycle).done);
  CHECK(b.lab->truth.node("node2").powered);
}

TEST_CASE("a hanging controller answers with the design's words at the limit") {
  bench b;
  b.fault("bmc node2 hang");
  auto start = b.now();
  auto x = b.power("node2", power_verb::status);
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
  CHECK(x.text
        == "OOB program execution timeout exceeded, OOB program execution "
           "aborted");
  CHECK(b.now() - start >= seconds{60});
  b.fault("bmc node2 slow 61s");
  CHECK(b.power("node2", power_verb::status).state == power_state::unknown);
  b.fault("bmc node2 slow 20s");
  CHECK(b.power("node2", power_verb::status).state == power_state::on);
}

TEST_CASE("a failing or babbling controller gives no state") {
  bench b;
  b.fault("bmc node2 fail");
  auto x = b.power("node2", power_verb::off);
  CHECK_FALSE(x.done);
  CHECK(x.text.find("OOB program execution failed (") == 0);
  CHECK(b.lab->truth.node("node2").powered);
  b.fault("bmc node2 garbage");
  x = b.power("node2", power_verb::status);
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
}

TEST_CASE("a lying controller lies, and the lie is counted") {
  bench b;
  b.fault("bmc node2 lies-off");
  CHECK(b.power("node2", power_verb::off).done);
  CHECK(b.lab->truth.node("node2").powered);
  CHECK(b.power("node2", power_verb::status).state == power_state::off);
  CHECK(b.lab->lies_told["node2"] == 1);
  CHECK(b.lab->power_deeds.back().lie);
  b.fault("bmc node3 lies-on");
  b.fault("power node3 off");
  CHECK(b.power("node3", power_verb::status).state == power_state::on);
  CHECK(b.lab->lies_told.count("node3") == 0); // the harmless kind of lie
}

TEST_CASE("a controller without feed never says off") {
  bench b;
  b.fault("bmc node2 dies-with-node");
  CHECK(b.power("node2", power_verb::status).state == power_state::on);
  b.fault("power node2 off");
  auto x = b.power("node2", power_verb::status);
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
}

TEST_CASE("a node without a helper program has no power control") {
  bench b;
  auto x = b.ask<power_answer>(
    b.outside.power,
    power_request{"node2", power_verb::status, "", seconds{60}});
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
}

TEST_CASE("the cluster is read, or is silent while luxi is down") {
  bench b;
  auto x = b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}});
  REQUIRE(x.picture);
  CHECK(x.is_master);
  CHECK(x.picture->nodes.size() == 3);
  CHECK(b.lab->cluster.reads().size() == 1);
  b.fault("luxi down");
  auto start = b.now();
  x = b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}});
  CHECK_FALSE(x.picture);
  CHECK_FALSE(x.text.empty());
  CHECK(b.now() - start >= seconds{20});
  b.fault("luxi up");
  b.fault("master node2");
  x = b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}});
  REQUIRE(x.picture);
  CHECK_FALSE(x.is_master);
}

TEST_CASE("a submitted job is watched to its end") {
  bench b;
  auto sent = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  REQUIRE(sent.outcome == submit_outcome::accepted);
  auto id = sent.ids.at(0);
  auto status = job_status::queued;
  for (int i = 0; i < 5 && !is_final(status); ++i) {
    auto x
      = b.ask<job_state>(b.outside.jobs, job_watch{id, status, seconds{20}});
    REQUIRE(x.answered);
    CHECK(x.status != status);
    status = x.status;
  }
  CHECK(status == job_status::success);
  CHECK(b.lab->cluster.instance("web1")->tags == std::vector<std::string>{"a"});
  auto found = b.ask<trail_answer>(b.outside.jobs, trail_query{"intent=a"});
  REQUIRE(found.jobs.size() == 1);
  CHECK(found.jobs[0].id == id);
}

TEST_CASE("a watch without news is answered when its time is over") {
  bench b;
  b.fault("jobs lose 1000");
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("a")).ids.at(0);
  b.wait(seconds{10});
  auto start = b.now();
  auto x = b.ask<job_state>(b.outside.jobs,
                            job_watch{id, job_status::running, seconds{20}});
  CHECK(x.answered);
  CHECK(x.status == job_status::running);
  CHECK(b.now() - start >= seconds{20});
}

TEST_CASE("a job that nobody knows is lost") {
  bench b;
  auto x = b.ask<job_state>(b.outside.jobs,
                            job_watch{77, job_status::queued, seconds{20}});
  CHECK(x.answered);
  CHECK(x.status == job_status::lost);
}

TEST_CASE("with luxi down a job is never in the queue and never answered") {
  bench b;
  b.fault("luxi down");
  auto unknown = 0;
  for (int i = 0; i < 12; ++i) {
    auto x = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
    CHECK(x.outcome != submit_outcome::accepted);
    CHECK_FALSE(x.text.empty());
    unknown += x.outcome == submit_outcome::unknown ? 1 : 0;
  }
  CHECK(unknown > 0);
  CHECK(unknown < 12);
  CHECK(b.lab->cluster.jobs().empty());
  CHECK_FALSE(b.ask<trail_answer>(b.outside.jobs, trail_query{"x"}).answered);
  CHECK_FALSE(b.ask<job_state>(b.outside.jobs,
                               job_watch{1, job_status::queued, seconds{20}})
                .answered);
}

TEST_CASE("a waiting job can be canceled through the port") {
  bench b;
  b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("b")).ids.at(0);
  auto x = b.ask<job_state>(b.outside.jobs, job_cancel{id});
  CHECK(x.answered);
  CHECK(x.status == job_status::canceled);
}

TEST_CASE("what the journal acknowledged is read back, states replaced") {
  bench b;
  std::vector<std::string> seen;
  b.lab->journal.on_durable(
    [&](const journal_entry& e) { seen.push_back(e.why); });
  CHECK(b.write("first").durable);
  CHECK(b.write("second").durable);
  CHECK(seen == std::vector<std::string>{"first", "second"});
  auto x = b.ask<journal_contents>(b.outside.journal, journal_read{1});
  REQUIRE(x.readable);
  CHECK(x.last_seq == 2);
  REQUIRE(x.recent.size() == 1);
  CHECK(x.recent[0].why == "second");
  CHECK(x.states.at("node:node2").text("phase") == "second");
}

TEST_CASE("a failed write may be there or not, and is never acknowledged") {
  bench b;
  b.fault("journal fail");
  for (int i = 0; i < 40; ++i)
    CHECK_FALSE(b.write("x").durable);
  CHECK_FALSE(
    b.ask<journal_contents>(b.outside.journal, journal_read{}).readable);
  b.fault("journal ok");
  auto x = b.ask<journal_contents>(b.outside.journal, journal_read{});
  REQUIRE(x.readable);
  CHECK(x.recent.size() > 5);
  CHECK(x.recent.size() < 35);
  CHECK(b.lab->journal.failed() == 40);
}

TEST_CASE("a slow disk takes seconds, but it does write") {
  bench b;
  b.fault("journal slow");
  auto start = b.now();
  CHECK(b.write("x").durable);
  CHECK(b.now() - start >= seconds{2});
}

TEST_CASE("jobs go on while nobody asks") {
  bench b;
  auto id = b.ask<submit_answer>(b.outside.jobs, one_job("a")).ids.at(0);
  b.wait(millis{100});
  b.wait(seconds{5});
  CHECK(b.lab->cluster.job(id)->status == job_status::success);
}
