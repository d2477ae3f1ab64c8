// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/ports/rig.hpp"

namespace orderly::ports_test {

using namespace orderly::sim;
using namespace orderly::sim::port_test;

TEST_CASE("a healthy node is seen at once, a dead one when time is over") {
  rig b;
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
  rig b;
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
  rig b;
  b.fault("uplink cut");
  CHECK(b.probe("node2").verdict == health::unhealthy);
  CHECK(b.probe("node3").verdict == health::unhealthy);
  CHECK(b.probe("node1").verdict == health::healthy);
}

TEST_CASE("with agents activity is what storage shows, unknown unwitnessed") {
  rig b;
  b.fault("agents on");
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

TEST_CASE("without agents activity is what answers us, as on live ports") {
  rig b;
  CHECK(b.activity_of("node2", {"node3"}).evidence
        == "1811 accepts connections");
  b.fault("noded node2 down");
  auto x = b.activity_of("node2", {"node3"});
  CHECK(x.verdict == activity::active);
  CHECK(x.evidence == "1811 connection refused");
  // Its storage moves, but nobody tells us.
  b.fault("network node2 cut");
  auto start = b.now();
  x = b.activity_of("node2", {"node3"});
  CHECK(x.verdict == activity::inactive);
  CHECK(x.evidence
        == "1811 no answer within 60 s, 1815 no answer within 60 s, "
           "22 no answer within 60 s");
  CHECK(b.now() - start >= seconds{60});
  x = b.activity_of("node9", {"node3"});
  CHECK(x.verdict == activity::unknown);
  CHECK(x.evidence.starts_with("1811 not tried: \"node9\" is not the IP"));
}

TEST_CASE("an honest controller does what it is told and says how it is") {
  rig b;
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
  rig b;
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
  rig b;
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
  rig b;
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
  rig b;
  b.fault("bmc node2 dies-with-node");
  CHECK(b.power("node2", power_verb::status).state == power_state::on);
  b.fault("power node2 off");
  auto x = b.power("node2", power_verb::status);
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
}

TEST_CASE("a node without a helper program has no power control") {
  rig b;
  auto x = b.ask<power_answer>(
    b.outside.power,
    power_request{"node2", power_verb::status, "", seconds{60}});
  CHECK_FALSE(x.done);
  CHECK(x.state == power_state::unknown);
}

TEST_CASE("the cluster is read, or is silent while luxi is down") {
  rig b;
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

} // namespace orderly::ports_test
