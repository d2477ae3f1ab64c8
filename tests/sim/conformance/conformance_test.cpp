// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/conformance.hpp"
#include "sim/conformance/match.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace orderly::conformance_test {

using namespace orderly::sim::conformance;

namespace {

const std::string prefix = "ganeti:watcher:autorepair:";
const instant start = from_ms(1700000000000);

/// drbd on n1 and n2, n1 offline, failover allowed, as most scenarios are.
scenario broken_drbd() {
  scenario x;
  x.id = "T01";
  x.tool = "harep";
  x.given = json::parse(R"({
    "cluster_tags": ["ganeti:watcher:autorepair:failover"],
    "groups": [{"name": "g1", "tags": []}],
    "nodes": [{"name": "n1", "offline": true}, {"name": "n2"},
              {"name": "n3"}, {"name": "n4"}],
    "instances": [{"name": "i1", "primary": "n1", "secondary": "n2",
                   "disk_template": "drbd", "tags": []}]})");
  x.when = {{"tool", "harep"}, {"args", json::array()}};
  x.expect = json::parse(R"({
    "exit": 0,
    "tags": {"instance:i1":
      ["ganeti:watcher:autorepair:pending:failover:{U1}:{now}:{J1}"]},
    "jobs": [{"label": "J1", "ops": [{"OP_ID": "OP_INSTANCE_FAILOVER",
              "instance_name": "i1", "ignore_consistency": false}]}],
    "states": {"i1": "pending"}})");
  return x;
}

std::vector<std::string> what_differs(const scenario& x) {
  std::vector<std::string> result;
  for (const auto& one : play(x, start))
    result.push_back(one.what);
  return result;
}

using names = std::vector<std::string>;

std::string why_not(const std::string& text) {
  auto read = read_suite(text, "s.json");
  return read ? "" : read.why().text;
}

} // namespace

TEST_CASE("a fault of a suite names file, scenario and key") {
  CHECK(why_not("{") == "s.json: it is no JSON");
  CHECK(why_not("{}") == "s.json: key \"scenarios\" is missing, or no list");
  CHECK(why_not(R"({"scenarios": [{}]})")
        == "s.json: scenario 1: key \"id\" is missing");
  CHECK(why_not(R"({"scenarios": [{"id": "A"}]})")
        == "s.json: scenario 1 (A): key \"when.tool\" is missing, and so is "
           "\"kind\"");
  CHECK(why_not(R"({"scenarios": [{"id": "A", "given": 1}]})")
        == "s.json: scenario 1 (A): key \"given\" is no object");
  CHECK(why_not(R"({"scenarios": [{"id": "A", "kind": "k"},
                                  {"id": "A", "kind": "k"}]})")
        == "s.json: two scenarios have the id A");
}

TEST_CASE("a suite brings its clock and tells tool or kind") {
  auto all = read_suite(R"({"about": {"clock": 5}, "scenarios": [
    {"id": "A", "profile": "p", "title": "t", "when": {"tool": "maintd"}},
    {"id": "B", "kind": "timeline"}]})",
                        "s.json");
  REQUIRE(all);
  CHECK(all->clock == from_ms(5000));
  REQUIRE(all->scenarios.size() == 2);
  CHECK(all->scenarios[0].tool == "maintd");
  CHECK(all->scenarios[0].profile == "p");
  CHECK(all->scenarios[1].tool == "timeline");
}

TEST_CASE("scenarios are chosen by patterns of ids and profiles") {
  scenario x;
  x.id = "H12";
  x.profile = "agree";
  CHECK(selected({}, x));
  CHECK(selected({{"M01", "H*"}, {}}, x));
  CHECK(selected({{"H1?"}, {"a*"}}, x));
  CHECK_FALSE(selected({{"H1"}, {}}, x));
  CHECK_FALSE(selected({{}, {"design"}}, x));
  CHECK(like("*a*b", "xxaxxab"));
  CHECK_FALSE(like("*a*b", "xxaxxba"));
}

TEST_CASE("a blank is filled once and means the same ever after") {
  const std::string id = "11111111-1111-4111-8111-111111111111";
  const std::string other = "22222222-2222-4222-8222-222222222222";
  blanks with;
  with.began = from_ms(10000);
  with.ended = from_ms(12900);
  CHECK(fits("a:{U1}:{now}", "a:" + id + ":12", with, false));
  CHECK(with.filled.at("U1") == id);
  CHECK_FALSE(fits("{U1}", other, with, false));
  CHECK_FALSE(fits("{U2}", id, with, false)); // two ids are two
  CHECK(fits("{U2}", other, with, false));
  CHECK_FALSE(fits("{now}", "13", with, false));
  CHECK_FALSE(fits("{now}", "9", with, false));
  with.filled["J1"] = "7";
  CHECK(fits("x+{J1}", "x+7", with, false));
  CHECK_FALSE(fits("x+{J1}", "x+8", with, false));
  CHECK(fits("x*", "xyz", with, true));
  CHECK_FALSE(fits("x*", "xyz", with, false));
  with.old_ids.insert("33333333-3333-4333-8333-333333333333");
  CHECK_FALSE(
    fits("{U3}", "33333333-3333-4333-8333-333333333333", with, false));
}

TEST_CASE("patterns are paired with texts so that all of them fit") {
  blanks with;
  with.filled["J1"] = "1";
  auto yes = [](blanks&) { return true; };
  // The greedy choice for {J9} would leave nothing for {J1}.
  CHECK(pair_up({"{J9}", "{J1}"}, {"1", "2"}, true, with, yes));
  CHECK_FALSE(pair_up({"{J1}"}, {"1", "2"}, true, with, yes));
  CHECK(pair_up({"{J1}"}, {"1", "2"}, false, with, yes));
  CHECK_FALSE(pair_up({"{J1}", "{J1}"}, {"1", "2"}, false, with, yes));
}

TEST_CASE("a world that cannot be understood is a fault that names the key") {
  auto why = [](const char* text) {
    auto read = read_world(json::parse(text));
    return read ? std::string{} : read.why().text;
  };
  CHECK(why("{}") == "given.nodes is missing or empty");
  CHECK(why(R"({"nodes": [{"name": "n1", "colour": 1}]})")
        == "given.nodes[0]: key \"colour\" is not understood");
  CHECK(why(R"({"nodes": [{"name": "n1", "offline": "yes"}]})")
        == "given.nodes[0]: key \"offline\" cannot be \"yes\"");
  CHECK(why(R"({"nodes": [{"name": "n1"}], "moon": "full"})")
        == "given: key \"moon\" is not understood");
  CHECK(why(R"({"nodes": [{"name": "n1"}], "jobs": {"7": "happy"}})")
        == "given.jobs: \"7\" is no id, or its status is none");
  CHECK(why(R"({"nodes": [{"name": "n1"}],
                "instances": [{"name": "i1", "primary": "n9"}]})")
        == "given: instance i1 is on node n9, which is none");
  CHECK(why(R"({"nodes": [{"name": "n1"}], "jobs": {"7": "running"}})") == "");
}

TEST_CASE("a scenario that is met leaves no difference") {
  CHECK(what_differs(broken_drbd()) == names{});
}

TEST_CASE("each thing that differs from a scenario is told") {
  auto x = broken_drbd();
  x.expect["exit"] = 1;
  CHECK(what_differs(x) == names{"exit"});
  x = broken_drbd();
  x.expect["states"]["i1"] = "healthy";
  CHECK(what_differs(x) == names{"states i1"});
  x = broken_drbd();
  x.expect["tags"]["instance:i1"] = json::array();
  CHECK(what_differs(x) == names{"tags instance:i1"});
  x = broken_drbd();
  x.expect["jobs"] = json::array();
  CHECK(what_differs(x) == names{"jobs"});
  x = broken_drbd();
  x.expect["jobs"][0]["ops"][0]["ignore_consistency"] = true;
  CHECK(what_differs(x) == names{"jobs"});
  x = broken_drbd();
  x.expect["stderr_contains"] = {"bang"};
  CHECK(what_differs(x) == names{"stderr_contains"});
  x = broken_drbd();
  x.expect["tags_none_match"] = {{"instance:i1", {"*:pending:*"}}};
  CHECK(what_differs(x) == names{"tags_none_match instance:i1"});
}

TEST_CASE("tags of an object that is not there are no empty list") {
  for (auto* key :
       {"tags", "tags_contain", "tags_none_match", "tags_all_match"})
    for (auto* object : {"instance:i9", "group:g9", "node:n9", "clusters"}) {
      auto x = broken_drbd();
      x.expect = {{key, {{object, json::array()}}}};
      CHECK(what_differs(x) == names{std::string{key} + " " + object});
    }
  auto x = broken_drbd();
  x.expect = {{"tags", {"instance:i1"}}};
  CHECK(what_differs(x) == names{"tags"});
  x.expect = {{"tags", {{"nodegroup:g1", json::array()}}},
              {"tags_none_match", {{"cluster", {"*:pending:*"}}}}};
  CHECK(what_differs(x) == names{});
}

TEST_CASE("a key of expect that is not understood fails its scenario") {
  auto x = broken_drbd();
  x.expect["weather"] = "fine";
  CHECK(what_differs(x) == names{"key \"weather\" of expect"});
}

TEST_CASE("a scenario whose tool is not built fails and says so") {
  auto x = broken_drbd();
  x.tool = "hroller"; // no such tool is planned
  auto found = play(x, start);
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "tool");
  CHECK(found[0].got == "it is not built yet");
}

TEST_CASE("a wrong command line ends a run before anything is done") {
  auto x = broken_drbd();
  x.when["args"] = {"web1"};
  x.expect = {{"exit", 1},
              {"jobs", json::array()},
              {"tags", {{"instance:i1", json::array()}}},
              {"stderr_contains", "doesn't take any arguments"}};
  CHECK(what_differs(x) == names{});
}

TEST_CASE("between runs jobs end, tags go and nodes return") {
  auto x = broken_drbd();
  x.when["runs"] = 2;
  x.when["between"] = {"run-jobs"};
  // The failover has worked; the new secondary is the dead node.
  x.expect = json::parse(R"({
    "exit": 0,
    "tags": {"instance:i1":
      ["ganeti:watcher:autorepair:pending:failover:{U1}:{now}:{J1}+{J2}"]},
    "must_ops": ["OP_INSTANCE_FAILOVER", "OP_INSTANCE_REPLACE_DISKS"],
    "states": {"i1": "pending"}})");
  CHECK(what_differs(x) == names{});
  x.when["between"]
    = {{{"step", "finish-job"}, {"job", "J1"}, {"status", "error"}}};
  x.expect = json::parse(R"({
    "tags_contain": {"instance:i1":
      ["ganeti:watcher:autorepair:result:failover:{U1}:{now}:failure:{J1}"]},
    "states": {"i1": "failed"}})");
  CHECK(what_differs(x) == names{});
  x.when["between"] = {{{"step", "dance"}}};
  auto found = play(x, start);
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "when.between");
  CHECK(found[0].got == "step {\"step\":\"dance\"}: it is not understood");
}

TEST_CASE("a dry run changes nothing and shows what it would do") {
  auto x = broken_drbd();
  x.when["args"] = {"--dry-run"};
  x.expect = {{"exit", 0},
              {"jobs", json::array()},
              {"tags", {{"instance:i1", json::array()}}},
              {"output_contains",
               {"jobs: [[", "OP_INSTANCE_FAILOVER",
                ">>> Adding the following tag to i1", "Pending repair: 1"}}};
  CHECK(what_differs(x) == names{});
}

TEST_CASE("the exit code is compared whatever the command line says") {
  auto x = broken_drbd();
  for (auto& [args, code] :
       std::vector<std::pair<json, int>>{{json::array(), 0},
                                         {{"--dry-run"}, 0},
                                         {{"--dry-run", "--output=json"}, 0},
                                         {{"--help"}, 0},
                                         {{"--dry-run", "web1"}, 1},
                                         {{"--job-delay=soon"}, 1},
                                         {{"--no-such"}, 2}}) {
    CAPTURE(args.dump());
    x.when["args"] = args;
    for (auto other : {0, 1, 2}) {
      x.expect = {{"exit", other}};
      CHECK(what_differs(x) == (other == code ? names{} : names{"exit"}));
    }
  }
}

TEST_CASE("the counts come last and the exit code says whether all is well") {
  scratch_folder folder;
  auto path = folder.path("suite.json");
  auto x = broken_drbd();
  json good{{"id", "A1"},
            {"profile", "p"},
            {"given", x.given},
            {"when", x.when},
            {"expect", x.expect}};
  auto bad = good;
  bad["id"] = "A2";
  bad["expect"]["exit"] = 9;
  auto odd = good;
  odd["id"] = "A3";
  odd["expect"]["jobs"] = {1};
  std::ofstream{path} << json{{"scenarios", {good, bad, odd}}};
  std::ostringstream out;
  CHECK(run_conformance(path, {}, out) == 1);
  CHECK(out.str().find("A2 (p) failed") != std::string::npos);
  CHECK(out.str().find("\n1 passed, 2 failed, 0 skipped\n")
        != std::string::npos);
  std::ostringstream one;
  CHECK(run_conformance(path, {{"A1"}, {}}, one) == 0);
  CHECK(one.str() == "1 passed, 0 failed, 2 skipped\n");
  std::ostringstream misspelt;
  CHECK(run_conformance(path, {{"B*"}, {}}, misspelt) == 2);
  CHECK(misspelt.str()
        == "0 passed, 0 failed, 3 skipped\n" + path
             + ": no id is like --only and no profile like --profile at once, "
               "nothing was played\n");
  CHECK(run_conformance(path, {{"A1"}, {"q"}}, misspelt) == 2);
  auto empty = folder.path("empty.json");
  std::ofstream{empty} << R"({"scenarios": []})";
  CHECK(run_conformance(empty, {}, misspelt) == 2);
  std::ostringstream none;
  CHECK(run_conformance(folder.path("no.json"), {}, none) == 2);
}

} // namespace orderly::conformance_test
