// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The simulated power port beyond one honest switch: health, levels, files of
// helpers; and the watcher behind the cluster port.

#include "tests/sim/ports/rig.hpp"

namespace orderly::ports_power_test {

using namespace orderly::sim;
using namespace orderly::sim::port_test;

namespace {

power_answer by(rig& b, const node_name& node, power_verb verb,
                const std::string& program) {
  return b.ask<power_answer>(
    b.outside.power,
    power_request{node, verb, helper_path(program), seconds{60}});
}

std::string wrong_with(rig& b, const std::string& program) {
  auto answer = b.ask<program_answer>(b.outside.power,
                                      program_question{helper_path(program)});
  CHECK(answer.program == helper_path(program));
  return answer.wrong;
}

} // namespace

TEST_CASE("a controller tells the health of its parts") {
  rig b;
  auto x = b.power("node2", power_verb::health);
  CHECK(x.done);
  CHECK(x.state == power_state::unknown);
  REQUIRE(x.items.size() == 2);
  CHECK(x.items[0] == health_item{"PSU 1", "OK"});
  b.fault("health node2 critical");
  x = b.power("node2", power_verb::health);
  CHECK(x.items[1] == health_item{"FAN 1 RPM", "CRITICAL"});
  CHECK(b.power("node3", power_verb::health).items[1].status == "OK");
  b.fault("bmc node2 garbage");
  x = b.power("node2", power_verb::health);
  CHECK_FALSE(x.done);
  CHECK(x.items.empty());
}

TEST_CASE("each helper program of a node has its own controller") {
  rig b;
  b.fault("bmc node2@oob-a hang");
  b.fault("bmc node2@oob-b lies-on");
  CHECK_FALSE(by(b, "node2", power_verb::status, "oob-a").done);
  CHECK(by(b, "node3", power_verb::status, "oob-a").done);
  CHECK(by(b, "node2", power_verb::off, "oob-b").done);
  CHECK_FALSE(b.lab->truth.node("node2").powered);
  CHECK(by(b, "node2", power_verb::status, "oob-b").state == power_state::on);
  CHECK(by(b, "node2", power_verb::status, "oob-c").state == power_state::off);
  CHECK(b.lab->power_deeds.back().program == helper_path("oob-c"));
  b.fault("node node2 returned");
  CHECK(by(b, "node2", power_verb::status, "oob-a").state == power_state::on);
}

TEST_CASE("a helper whose file is wrong is refused and says why") {
  rig b;
  CHECK(wrong_with(b, "oob-a").empty());
  for (const auto* what :
       {"missing", "not-executable", "not-a-file", "writable"}) {
    b.fault("helper oob-a " + std::string{what});
    auto wrong = wrong_with(b, "oob-a");
    CHECK(wrong.find("/usr/lib/orderly/oob-a") != std::string::npos);
    auto x = by(b, "node2", power_verb::off, "oob-a");
    CHECK_FALSE(x.done);
    CHECK(x.text.find(wrong) != std::string::npos);
  }
  CHECK(b.lab->truth.node("node2").powered);
  CHECK(wrong_with(b, "oob-b").empty());
  b.fault("helper oob-a fine");
  CHECK(by(b, "node2", power_verb::status, "oob-a").done);
}

TEST_CASE("the watcher starts what does not run, unless it sits still") {
  rig b;
  b.fault("watcher on");
  b.fault("instance web2 crash");
  auto runs = [&] {
    b.wait(minutes{6});
    b.lab->advance(b.now());
    return b.lab->truth.runs_on("web2", "node2");
  };
  SECTION("it starts it") {
    CHECK(runs());
  }
  SECTION("paused it does not, until its time is over") {
    auto answer = b.ask<watcher_answer>(
      b.outside.cluster, pause_watcher{b.now() + minutes{10}, seconds{5}});
    CHECK(answer.done);
    CHECK_FALSE(runs());
    CHECK_FALSE(b.lab->cluster.open().size() > 0);
    CHECK(runs());
  }
  SECTION("not what is wanted down") {
    b.fault("instance web2 down");
    CHECK_FALSE(runs());
  }
  SECTION("not on a node that is offline") {
    b.fault("node node2 offline");
    CHECK_FALSE(runs());
  }
  SECTION("while luxi is down it cannot be told") {
    b.fault("luxi down");
    auto answer = b.ask<watcher_answer>(
      b.outside.cluster, pause_watcher{b.now() + minutes{10}, seconds{5}});
    CHECK_FALSE(answer.done);
    CHECK_FALSE(answer.text.empty());
  }
}

TEST_CASE("without its habit there is no watcher") {
  rig b;
  b.fault("instance web2 crash");
  b.wait(minutes{30});
  b.lab->advance(b.now());
  CHECK_FALSE(b.lab->truth.runs_on("web2", "node2"));
}

} // namespace orderly::ports_power_test
