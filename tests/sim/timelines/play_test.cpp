// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/conformance.hpp"
#include "sim/timelines/play.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <stdexcept>

namespace orderly::timelines_play_test {

using namespace orderly::sim::timelines;

namespace {

/// A dead host whose reset is refused.
json dead_host() {
  return json::parse(R"({
    "settings": {"max_checks": 3},
    "inputs": {"recover": "fail", "healthy": false, "activity": "inactive"},
    "run_until": 90,
    "expect": {
      "operations": [[20, "activity_check"], [40, "activity_check"],
                     [80, "activity_check"], [80, "recover"],
                     [80, "maintenance_on"], [80, "fence"], [80, "host_down"],
                     [80, "restart_vms"]],
      "final": {"state": "Fenced", "checks": 0, "failures": 0, "errors": 0,
                "recoveries": 0, "vm_ha_view": "Down"}}})");
}

std::vector<std::string> differs(const json& x) {
  std::vector<std::string> result;
  for (const auto& one : play(x))
    result.push_back(one.what);
  return result;
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("the timelines, waits and restarts of host HA come out as written") {
  auto [file, told] = GENERATE(table<std::string, std::string>(
    {{"host_ha", "44 passed"}, {"fleets", "17 passed"}}));
  std::ostringstream out;
  auto path
    = std::string{ORDERLY_SOURCE_DIR} + "/sim/timelines/" + file + ".json";
  auto code = orderly::sim::conformance::run_conformance(path, {}, out);
  INFO(out.str());
  CHECK(code == 0);
  CHECK(out.str().ends_with(told + ", 0 failed, 0 skipped\n"));
}

TEST_CASE("where actors are meant to differ it is told, and what they cannot "
          "play") {
  using orderly::sim::enacted::player;
  auto told_of = [](const char* id, player on) {
    std::ostringstream out;
    orderly::sim::conformance::selection which;
    which.ids = {id};
    which.on = on;
    CHECK(orderly::sim::conformance::run_conformance(
            std::string{ORDERLY_SOURCE_DIR} + "/sim/timelines/fleets.json",
            which, out)
          == 0);
    auto text = out.str();
    return text.substr(0, text.find("1 passed"));
  };
  CHECK(told_of("F10", player::machine).empty());
  CHECK(told_of("F10", player::both).find("not played on actors")
        != std::string::npos);
  CHECK(told_of("F04", player::actors).find("actors differ in")
        != std::string::npos);
  CHECK(told_of("F04", player::machine).empty());
}

TEST_CASE("whatever a timeline expects otherwise is told by its key") {
  auto x = dead_host();
  CHECK(differs(x) == names{});
  x["expect"]["final"]["recoveries"] = 1;
  CHECK(differs(x) == names{"final"});
  x["expect"]["operations"].erase(3);
  CHECK(differs(x) == names{"final", "operations"});
  x = dead_host();
  x["expect"]["transitions"] = json::array();
  x["expect"]["alerts"] = json::array();
  CHECK(differs(x) == names{"alerts", "transitions"});
}

TEST_CASE("of several hosts it is told how many did what in which second") {
  auto x = dead_host();
  x["hosts"] = 2;
  x["expect"] = {{"operation_counts",
                  {{"activity_check", {{"20", 2}, {"40", 2}, {"80", 2}}},
                   {"recover", {{"80", 2}}},
                   {"maintenance_on", {{"80", 2}}},
                   {"fence", {{"80", 2}}},
                   {"host_down", {{"80", 2}}},
                   {"restart_vms", {{"80", 2}}}}},
                 {"final_states", {{"Fenced", 2}}}};
  CHECK(differs(x) == names{});
  x["expect"]["final_states"]["Fenced"] = 1;
  x["expect"]["operation_counts"]["fence"]["80"] = 1;
  CHECK(differs(x) == names{"final_states", "operation_counts"});
}

TEST_CASE("a wrong answer about storages is found") {
  auto looks = json::parse(R"([
    {"now": 500, "heartbeat": 450, "volumes": [], "suspect": 400,
     "last": null, "answer": "inactive"}])");
  CHECK(judge_nfs(looks).size() == 1);
  looks[0]["colour"] = "blue";
  CHECK_THROWS_AS(judge_nfs(looks), std::invalid_argument);
  auto pools = json::parse(R"([{"pools": ["error"], "answer": "inactive"},
                               {"pools": ["active"], "answer": "active"}])");
  CHECK(judge_pools(pools).size() == 1);
  pools[0]["pools"] = {"wet"};
  CHECK_THROWS_AS(judge_pools(pools), std::invalid_argument);
}

TEST_CASE("events of ours count only where resolutions do") {
  auto x = dead_host();
  x["inputs"]["fence"] = {"fail", "ok"};
  x["expect"] = {{"events", {{10, "E.HEALTH_FAILED"}}}};
  CHECK(differs(x) == names{});
  x["profile"] = "recommended";
  CHECK(differs(x) == names{"events"});
}

TEST_CASE("the seed's ratio is exceeded by more than its share only") {
  auto x = dead_host();
  x["inputs"]["activity"] = {"inactive", "inactive", "active"};
  x["expect"] = {{"final",
                  {{"state", "Degraded"},
                   {"vm_ha_view", "Alert"},
                   {"checks", 0},
                   {"failures", 0},
                   {"errors", 0},
                   {"recoveries", 0}}}};
  CHECK(differs(x) == names{});
  x["settings"]["ratio"] = "0.6";
  CHECK(differs(x) == names{"final"});
}

TEST_CASE("what a timeline says that is not understood is refused by name") {
  auto x = dead_host();
  std::string word;
  SECTION("a setting") {
    x["settings"]["speed"] = 1;
    word = "speed";
  }
  SECTION("an input") {
    x["inputs"]["weather"] = "fine";
    word = "weather";
  }
  SECTION("an empty list") {
    x["inputs"]["fence"] = json::array();
    word = "fence";
  }
  SECTION("a state") {
    x["given"]["state"] = "Sleeping";
    word = "Sleeping";
  }
  SECTION("a counter") {
    x["given"]["counters"]["naps"] = 1;
    word = "naps";
  }
  SECTION("a step") {
    x["script"] = json::parse(R"([{"at": 1, "do": "panic"}])");
    word = "panic";
  }
  SECTION("an expectation") {
    x["expect"]["mood"] = "good";
    word = "mood";
  }
  SECTION("no hosts") {
    x["hosts"] = 0;
    word = "hosts";
  }
  SECTION("a host that is not there") {
    x["hosts"] = 2;
    x["script"] = json::parse(R"([{"at": 1, "host": 3, "set": {}}])");
    word = "host";
  }
  SECTION("a power") {
    x["inputs"]["power"] = "dim";
    word = "dim";
  }
  std::string why;
  try {
    play(x);
  } catch (const std::invalid_argument& e) {
    why = e.what();
  }
  CHECK(why.find(word) != std::string::npos);
}

TEST_CASE("a wrong wait, a wrong view and a wrong action are found") {
  auto waits = json::parse(R"([{"base": 10, "cap": 60, "n": 3, "seconds": 40},
                               {"base": 10, "cap": 60, "n": 4, "seconds": 80}])");
  CHECK(judge_backoff(waits).size() == 1);
  auto views = json::parse(R"([
    {"state": "Fenced", "host": "Down", "vm_alive": false},
    {"state": "Fencing", "host": "Down", "vm_alive": false},
    {"state": "Disabled", "host": "Up", "vm_alive": null}])");
  CHECK(judge_views(views).size() == 2);
  for (const auto* wrong : {"nothing", "dispatch", "keep, deadline unchanged",
                            "finish pending VM restart and disconnect steps"}) {
    json x{{"state", "Checking"}, {"action", wrong}};
    CHECK(judge_restarts(json::array({x})).size() == 1);
  }
  json right{{"state", "Checking"}, {"action", "to Suspect, sample discarded"}};
  CHECK(judge_restarts(json::array({right})).empty());
  right["action"] = "sing";
  CHECK_THROWS_AS(judge_restarts(json::array({right})), std::invalid_argument);
}

} // namespace orderly::timelines_play_test
