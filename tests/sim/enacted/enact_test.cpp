// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/differs.hpp"
#include "sim/enacted/enact.hpp"
#include "sim/timelines/draw.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace orderly::enacted_test {

using namespace orderly::sim;
using nlohmann::json;

namespace {

/// A host that dies, all of whose resets are permitted at once.
json dead_host() {
  return json::parse(R"({
    "profile": "recommended",
    "settings": {"max_checks": 3},
    "inputs": {"healthy": false, "activity": "inactive"},
    "run_until": 120,
    "expect": {}})");
}

/// On both. Why rows differ, and are meant to: a name; "-" if it is not known,
/// empty if they do not. How often each was checked is another matter.
std::string differs(const json& x) {
  auto actors = enacted::watch(x);
  auto found = enacted::first_clash(timelines::watch(x), actors);
  if (!found || found->key == "health_checks_started_per_host")
    return {};
  UNSCOPED_INFO(x.dump());
  UNSCOPED_INFO(found->second << " " << found->key << " " << found->kind << " "
                              << found->machine << " " << found->actors);
  const auto* meant
    = enacted::explanation(timelines::timeline_of(x), *found, actors);
  return meant == nullptr ? "-" : meant->name;
}

std::vector<json> kept(const char* file) {
  std::ifstream in{std::string{ORDERLY_SOURCE_DIR} + "/sim/timelines/" + file};
  std::vector<json> result;
  auto suite = json::parse(in);
  for (const auto& x : suite.at("scenarios"))
    if (x.at("kind") == "timeline")
      result.push_back(x);
  return result;
}

/// Of one kind, in which seconds.
std::vector<int> seconds_of(const json& rows, const char* kind) {
  std::vector<int> result;
  for (const auto& row : rows)
    if (row.at(1) == kind)
      result.push_back(row.at(0).get<int>());
  return result;
}

using names = std::map<std::string, std::string>;

} // namespace

TEST_CASE("the kept timelines come out on actors as on the machine alone") {
  names met;
  std::set<std::string> unplayed;
  for (const auto* file : {"host_ha.json", "fleets.json"})
    for (const auto& x : kept(file)) {
      auto id = x.at("id").get<std::string>();
      if (!enacted::why_not_playable(x).empty())
        unplayed.insert(id);
      else if (auto name = differs(x); !name.empty())
        met[id] = name;
    }
  CHECK(unplayed == std::set<std::string>{"F08", "F10"});
  CHECK(json(met)
        == json{{"F02", "crowding"},
                {"F04", "fence lanes"},
                {"F11", "checks of all"},
                {"H44", "rehearsals"}});
}

TEST_CASE("of drawn timelines most are equal on actors and the machine alone") {
  constexpr std::uint64_t count = 40;
  auto played = 0;
  auto equal = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto x = timelines::draw(5, i);
    if (!enacted::why_not_playable(x).empty())
      continue;
    auto name = differs(x);
    CHECK(name != "-");
    ++played;
    equal += name.empty() ? 1 : 0;
  }
  // Or the list of what is meant would hide more than the rest shows.
  CHECK(played > 25);
  CHECK(10 * equal > 6 * played);
}

TEST_CASE("each difference that is meant is met") {
  auto [name, more] = GENERATE(table<std::string, std::string>({
    {"rehearsals", R"({"inputs": {"healthy": true},
      "script": [{"at": 15, "set": {"power": "Unknown"}}]})"},
    {"boots", R"({"inputs": {"enabled": false},
      "script": [{"at": 35, "set": {"enabled": true}}]})"},
    {"acknowledged", R"({"given": {"state": "Fenced"},
      "inputs": {"maintenance": true, "power": "Off"},
      "script": [{"at": 33, "do": "restart"}]})"},
    {"persons", R"({"settings": {"recover_wait": 100},
      "script": [{"at": 95, "set": {"maintenance": true}}]})"},
    {"marks", R"({"script": [{"at": 15, "set": {"power": "Off"}},
      {"at": 95, "set": {"enabled": false}},
      {"at": 97, "set": {"enabled": true}}]})"},
    {"checks of all", R"({"settings": {"recover_wait": 45},
      "inputs": {"t_health": 2}})"},
    {"storm guard", R"({"settings": {"guard_ratio": "0.4"},
      "inputs": {"power": "Off"}})"},
    {"first looks", R"({"given": {"state": "Fencing"},
      "inputs": {"fence": ["fail", "ok"]},
      "script": [{"at": 5, "do": "restart"}]})"},
    {"crowding", R"({"hosts": 4,
      "settings": {"health_conc": 1, "health_pending": 1},
      "inputs": {"t_health": 4}})"},
    {"last looks", R"({"settings": {"max_recover": 2},
      "inputs": {"recover": ["fail", "ok"]},
      "script": [{"at": 85, "set": {"healthy": true}}]})"},
    {"old ground", R"({"inputs": {"recover": "fail", "fence": "fail"},
      "run_until": 400})"},
    {"off is proof", R"({"inputs": {"power": "Off", "fence": "fail"}})"},
    {"fence lanes", R"({"hosts": 3, "settings": {"fence_conc": 1},
      "inputs": {"t_fence": 5, "power": "Off"}})"},
    {"readings", R"({"settings": {"max_checks": 10, "act_cap": 250},
      "inputs": {"activity": "active"}, "run_until": 400,
      "script": [{"at": 175, "set": {"power": "Off"}}]})"},
  }));
  auto x = dead_host();
  x["run_until"] = 300;
  x.merge_patch(json::parse(more));
  CHECK(differs(x) == name);
  CHECK(enacted::differences().size() == 14); // a new one needs a row here
}

TEST_CASE("a timeline begins in the middle of any state, on actors too") {
  auto given = GENERATE(
    R"({"state": "Available"})", R"({"state": "Ineligible"})",
    R"({"state": "Suspect", "since": -7})",
    R"({"state": "Suspect",
        "counters": {"checks": 2, "failures": 1, "errors": 1}})",
    R"({"state": "Suspect", "since": -4000})",
    R"({"state": "Suspect", "counters": {"recoveries": 1}})",
    R"({"state": "Suspect", "counters": {"recoveries": 3}})",
    R"({"state": "Checking", "counters": {"checks": 1, "failures": 1}})",
    R"({"state": "Degraded", "since": -100})", R"({"state": "Recovering"})",
    R"({"state": "Recovering", "counters": {"recoveries": 2}})",
    R"({"state": "Recovered", "since": -20, "counters": {"recoveries": 1}})",
    R"({"state": "Fencing"})", R"({"state": "Fenced"})");
  auto x = dead_host();
  x["given"] = json::parse(given);
  x["settings"]["recover_wait"] = 50;
  x["settings"]["max_recover"] = 3;
  CHECK(differs(x).empty());
}

TEST_CASE("what no actor can bring about in the beginning is refused") {
  auto x = dead_host();
  SECTION("a window after a reset") {
    x["given"] = json::parse(
      R"({"state": "Suspect", "counters": {"recoveries": 1, "checks": 2}})");
  }
  SECTION("counters of one that is well") {
    x["given"]
      = json::parse(R"({"state": "Available", "counters": {"recoveries": 1}})");
  }
  CHECK_THROWS_AS(enacted::watch(x), std::invalid_argument);
}

TEST_CASE("a daemon that was frozen commands nothing once it is thawed") {
  // Its reset fails, and the next try is due while it is frozen.
  auto x = dead_host();
  x["settings"]["max_recover"] = 2;
  x["inputs"]["recover"] = {"fail", "ok"};
  x["run_until"] = 200;
  auto did = enacted::watch(x).at("operations");
  CHECK(seconds_of(did, "recover") == std::vector<int>{80, 90});
  x["script"] = json::parse(R"([{"at": 85, "do": "handoff"}])");
  did = enacted::watch(x).at("operations");
  // Nothing is permitted in the first 20 s of the other one.
  CHECK(seconds_of(did, "recover") == std::vector<int>{80, 105});
}

TEST_CASE("a restart finds what was under way on actors as in the machine") {
  const auto* step = GENERATE("restart", "handoff");
  // Waiting for an activity check, in one, in a reset, in the wait after it.
  auto at = GENERATE(25, 42, 90, 150);
  auto x = dead_host();
  x["settings"]["recover_wait"] = 100;
  x["inputs"]["t_recover"] = 30;
  x["inputs"]["t_activity"] = 5;
  x["run_until"] = 300;
  x["script"] = {{{"at", at}, {"do", step}}};
  CHECK(differs(x).empty());
}

TEST_CASE("the first row that only one of two has is found, and is not meant") {
  auto x = dead_host();
  auto machine = timelines::watch(x);
  auto actors = machine;
  CHECK_FALSE(enacted::first_clash(machine, actors));
  actors["transition_counts"]["Available>Suspect"] = {{"11", 1}};
  actors["operation_counts"]["recover"]["80"] = 2;
  auto found = enacted::first_clash(machine, actors);
  REQUIRE(found);
  CHECK(found->second == 10);
  CHECK(found->kind == "Available>Suspect");
  CHECK(found->machine == 1);
  CHECK(found->actors == 0);
  CHECK(enacted::explanation(timelines::timeline_of(x), *found, actors)
        == nullptr);
}

} // namespace orderly::enacted_test
