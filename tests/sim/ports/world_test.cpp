// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/ports/rig.hpp"

namespace orderly::ports_world_test {

using namespace orderly::sim;
using namespace orderly::sim::port_test;

TEST_CASE("what a stalled luxid swallowed is done after all") {
  rig b;
  b.fault("luxi stall on");
  auto sent = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  CHECK(sent.outcome == submit_outcome::unknown);
  CHECK(b.lab->cluster.jobs().empty());
  b.fault("luxi stall off");
  CHECK(b.lab->cluster.jobs().size() == 1);
  auto found = b.ask<trail_answer>(b.outside.jobs, trail_query{"intent=a"});
  CHECK(found.jobs.size() == 1);
}

TEST_CASE("whoever still waits when luxid goes on hears the answer") {
  rig b;
  b.fault("luxi stall on");
  auto handle = b.self->request(b.outside.jobs, caf::infinite, one_job("a"));
  b.wait(seconds{2});
  b.fault("luxi stall off");
  b.wait(seconds{2});
  std::optional<submit_answer> result;
  handle.receive([&](submit_answer& x) { result = std::move(x); },
                 [](const caf::error&) { FAIL("the port gave an error"); });
  REQUIRE(result);
  CHECK(result->outcome == submit_outcome::accepted);
  CHECK(result->ids.size() == 1);
}

TEST_CASE("a stalled luxid answers no question") {
  rig b;
  b.fault("luxi stall on");
  auto x = b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}});
  CHECK_FALSE(x.picture);
  CHECK_FALSE(
    b.ask<trail_answer>(b.outside.jobs, trail_query{"intent=a"}).answered);
  CHECK_FALSE(
    b.ask<job_lookup_answer>(b.outside.jobs, job_lookup{{1}}).answered);
}

TEST_CASE("a slow luxid shows the cluster as it was when it was asked") {
  rig b;
  b.fault("luxi slow 8s");
  auto start = b.now();
  auto handle = b.self->request(b.outside.cluster, caf::infinite,
                                read_cluster{seconds{20}});
  b.wait(millis{0}); // now it is asked
  b.wait(seconds{4});
  b.fault("node node2 offline");
  b.wait(seconds{4});
  std::optional<cluster_answer> result;
  handle.receive([&](cluster_answer& x) { result = std::move(x); },
                 [](const caf::error&) { FAIL("the port gave an error"); });
  REQUIRE(result);
  CHECK(b.now() - start == seconds{8});
  REQUIRE(result->picture);
  for (const auto& x : result->picture->nodes)
    CHECK_FALSE(x.offline);
  // Slower than the patience of whoever asks: silence.
  b.fault("luxi slow 30s");
  CHECK_FALSE(
    b.ask<cluster_answer>(b.outside.cluster, read_cluster{seconds{20}})
      .picture);
}

TEST_CASE("a slow luxid takes a job that its sender gave up") {
  rig b;
  b.fault("luxi slow 5m");
  auto sent = b.ask<submit_answer>(b.outside.jobs, one_job("a"));
  CHECK(sent.outcome == submit_outcome::unknown);
  CHECK(b.lab->cluster.jobs().empty());
  b.wait(minutes{5});
  CHECK(b.lab->cluster.jobs().size() == 1);
}

TEST_CASE("a check goes the way from our own node") {
  rig b;
  b.fault("link node2 node3 cut");
  CHECK(b.probe("node3").verdict == health::healthy);
  b.fault("link node1 node3 cut");
  CHECK(b.probe("node3").verdict == health::unhealthy);
  CHECK(b.activity_of("node3", {}).verdict == activity::inactive);
  b.fault("link node1 node3 slow 2s");
  auto start = b.now();
  CHECK(b.probe("node3").verdict == health::healthy);
  CHECK(b.now() - start >= seconds{4});
  b.fault("link node1 node3 slow 10s"); // there and back: too late
  CHECK(b.probe("node3").verdict == health::unhealthy);
}

TEST_CASE("an agent may be silent or lie, and only about its neighbours") {
  rig b;
  b.fault("agents on");
  b.fault("power node2 off");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::inactive);
  b.fault("agent node3 lies-alive");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::active);
  b.fault("agent node3 silent");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::unknown);
  b.fault("power node2 on");
  b.wait(minutes{2});
  b.fault("agent node3 lies-dead");
  CHECK(b.activity_of("node2", {"node3"}).verdict == activity::inactive);
  CHECK(b.activity_of("node2", {"node1"}).verdict == activity::active);
}

TEST_CASE("without a check of the node daemon the monitor decides") {
  rig b;
  b.lab->rules.host_ha.daemon_port = 0;
  CHECK(b.probe("node2").evidence == "1815 monitor answers");
  b.fault("noded node2 down");
  CHECK(b.probe("node2").verdict == health::healthy);
  b.fault("monitor node2 silent");
  auto x = b.probe("node2");
  CHECK(x.verdict == health::unhealthy);
  CHECK(x.evidence == "1815 connection refused");
  CHECK(b.activity_of("node2", {}).verdict == activity::active);
  b.lab->rules.host_ha.monitor_port = 0;
  CHECK(b.probe("node2").verdict == health::unknown);
}

TEST_CASE("swapped controllers show and switch each other's machine") {
  rig b;
  b.fault("bmc swap node2 node3");
  b.fault("power node3 off");
  CHECK(b.power("node2", power_verb::status).state == power_state::off);
  CHECK(b.lab->lies_told["node2"] == 1); // it was on
  CHECK(b.power("node3", power_verb::status).state == power_state::on);
  CHECK(b.power("node3", power_verb::off).done);
  CHECK_FALSE(b.lab->truth.node("node2").powered);
  CHECK(b.lab->power_deeds.back().machine == "node2");
  CHECK(b.lab->misdirected["node2"] == 1);
}

TEST_CASE("a shared controller is one machine's for both") {
  rig b;
  b.fault("bmc share node2 node3");
  CHECK(b.power("node2", power_verb::off).done);
  CHECK_FALSE(b.lab->truth.node("node3").powered);
  CHECK(b.lab->truth.node("node2").powered);
  CHECK(b.power("node3", power_verb::status).state == power_state::off);
  b.fault("bmc own node2");
  CHECK(b.power("node2", power_verb::status).state == power_state::on);
}

} // namespace orderly::ports_world_test
