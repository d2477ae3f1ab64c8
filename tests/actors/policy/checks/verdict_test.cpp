// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/verdict.hpp"

#include <catch2/catch.hpp>

namespace orderly::checks_verdict_test {

using namespace orderly::checks;

namespace {

const auto every_reply
  = {reply::good, reply::bad, reply::refused, reply::silent, reply::untried};

sighting judge(reply daemon, reply monitor) {
  return judge_health("node1", {{check_kind::daemon, daemon, "1811 x"},
                                {check_kind::monitor, monitor, "1815 y"}});
}

activity_answer judge(std::initializer_list<reply> replies) {
  std::vector<finding> all;
  for (auto x : replies)
    all.push_back({check_kind::daemon, x, "1 x"});
  return judge_activity("node1", all);
}

} // namespace

TEST_CASE("the node daemon decides health, whatever the monitor says") {
  for (auto monitor : every_reply) {
    CHECK(judge(reply::good, monitor).verdict == health::healthy);
    CHECK(judge(reply::bad, monitor).verdict == health::unhealthy);
    CHECK(judge(reply::refused, monitor).verdict == health::unhealthy);
    CHECK(judge(reply::silent, monitor).verdict == health::unhealthy);
    CHECK(judge(reply::untried, monitor).verdict == health::unknown);
  }
}

TEST_CASE("evidence names every check") {
  auto got = judge(reply::refused, reply::silent);
  CHECK(got.node == "node1");
  CHECK(got.evidence == "1811 x, 1815 y");
  CHECK(judge(reply::silent, reply::good).evidence
        == "1811 x, 1815 y: its monitor lives, its node daemon is broken");
}

TEST_CASE("without a daemon check the monitor decides") {
  auto alone = [](reply x) {
    return judge_health("node1", {{check_kind::monitor, x, "1815"}}).verdict;
  };
  CHECK(alone(reply::good) == health::healthy);
  CHECK(alone(reply::bad) == health::unhealthy);
  CHECK(alone(reply::untried) == health::unknown);
}

TEST_CASE("without any check health is unknown") {
  auto got = judge_health("node1", {});
  CHECK(got.verdict == health::unknown);
  CHECK(got.evidence.find("no check is switched on") != std::string::npos);
}

TEST_CASE("any sign of life makes a node active") {
  for (auto sign : {reply::good, reply::bad, reply::refused}) {
    CHECK(judge({reply::silent, reply::untried, sign}).verdict
          == activity::active);
    CHECK(judge({sign}).verdict == activity::active);
  }
}

TEST_CASE("a node is inactive only if somebody looked") {
  CHECK(judge({reply::silent, reply::silent}).verdict == activity::inactive);
  CHECK(judge({reply::silent, reply::untried}).verdict == activity::inactive);
  CHECK(judge({reply::untried, reply::untried}).verdict == activity::unknown);
  CHECK(judge({}).verdict == activity::unknown);
}

TEST_CASE("port 0 switches a check off") {
  settings knobs;
  CHECK(health_checks(knobs).size() == 2);
  CHECK(activity_checks(knobs).size() == 3);
  knobs.host_ha.monitor_port = 0;
  REQUIRE(health_checks(knobs).size() == 1);
  CHECK(health_checks(knobs).front().port == 1811);
  knobs.host_ha.daemon_port = 0;
  CHECK(health_checks(knobs).empty());
  REQUIRE(activity_checks(knobs).size() == 1);
  CHECK(activity_checks(knobs).front().port == 22);
}

} // namespace orderly::checks_verdict_test
