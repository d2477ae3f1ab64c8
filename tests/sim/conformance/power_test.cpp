// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/conformance.hpp"
#include "sim/conformance/given.hpp"
#include "sim/conformance/helper.hpp"
#include "sim/conformance/power.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace orderly::conformance_power_test {

using namespace orderly::sim;
using namespace orderly::sim::conformance;

namespace {

const instant start = from_ms(1700000000000);

using names = std::vector<std::string>;

json two_nodes() {
  return json::parse(R"({
    "nodes": [{"name": "m", "master": true}, {"name": "n1"}],
    "cluster_ndparams": {"oob_program": "/usr/bin/oob"}})");
}

std::string why_not(const json& given) {
  auto read = read_power_given(given);
  return read ? std::string{} : read.why().text;
}

/// What the named node's program comes to.
std::string program_of(const json& given, const std::string& node) {
  auto read = read_power_given(given);
  if (!read)
    return read.why().text;
  for (const auto& x : read->world.plan.nodes)
    if (x.name == node)
      return x.program.value_or("(unset)");
  return "(no such node)";
}

helper_call call(power_verb verb, const node_name& node, int at_s = 0) {
  auto began = start + seconds{at_s};
  return {"/usr/bin/oob", verb, node, began, began + seconds{1}, true, 0};
}

names what_differs(const json& expect, const power_outcome& got) {
  auto lab = std::make_unique<lab_state>(
    read_power_given(two_nodes())->world.plan, settings{}, start);
  names result;
  for (const auto& one : judge_power(expect, got, *lab))
    result.push_back(one.what);
  return result;
}

names what_differs(const char* expect, const power_outcome& got) {
  return what_differs(json::parse(expect), got);
}

/// Power off of n1, read back.
power_outcome switched_off() {
  power_outcome x;
  x.calls = {call(power_verb::off, "n1"), call(power_verb::status, "n1", 2)};
  x.deeds = {
    {{{"OP_ID", "OP_NODE_SET_PARAMS"}, {"node_name", "n1"}, {"offline", true}},
     false},
    {{{"OP_ID", "OP_OOB_COMMAND"},
      {"command", "power-off"},
      {"node_names", {"n1"}}},
     true},
    {{{"OP_ID", "OP_OOB_COMMAND"},
      {"command", "power-status"},
      {"node_names", {"n1"}}},
     true},
    {{{"OP_ID", "OP_NODE_SET_PARAMS"}, {"node_name", "n1"}, {"powered", false}},
     false}};
  x.powered["n1"] = false;
  return x;
}

scenario power_scenario(const char* argv) {
  scenario x;
  x.id = "T01";
  x.tool = "cli";
  x.given = two_nodes();
  x.when = {{"tool", "cli"}, {"argv", json::parse(argv)}};
  return x;
}

names what_is_wrong(const scenario& x) {
  names result;
  for (const auto& one : play(x, start))
    result.push_back(one.what + ": " + one.got);
  return result;
}

} // namespace

TEST_CASE("a condition about power that is not understood is a fault") {
  auto with = [](const char* key, const json& value) {
    auto given = two_nodes();
    given[key] = value;
    return why_not(given);
  };
  CHECK(why_not(two_nodes()).empty());
  CHECK(with("moon", "full") == "given: key \"moon\" is not understood");
  CHECK(with("helper", {{"power-of", {{"exit", 1}}}})
        == "given.helper.power-of is no command of a helper");
  CHECK(with("helper", {{"power-off", {{"exit", 1}, {"mood", "bad"}}}})
        == "given.helper.power-off: key \"mood\" is not understood");
  CHECK(with("helper_mode", "rwx")
        == "given: key \"helper_mode\" cannot be \"rwx\"");
  CHECK(with("reachable_after", {{"n1", "soon"}})
        == "given: key \"reachable_after\" cannot be {\"n1\":\"soon\"}");
  CHECK(with("settings", {{"power.colour", "red"}})
        == "given: key \"settings\" cannot be {\"power.colour\":\"red\"}");
  CHECK(with("cluster_ndparams", {{"oob_programm", "/x"}})
        == "given: key \"cluster_ndparams\" cannot be {\"oob_programm\":"
           "\"/x\"}");
}

TEST_CASE("a node's own program goes before its group's and the cluster's") {
  auto given = two_nodes();
  CHECK(program_of(given, "n1") == "/usr/bin/oob");
  given["group_ndparams"] = {{"g1", {{"oob_program", "/g"}}}};
  CHECK(program_of(given, "n1") == "/g");
  given["nodes"][1]["ndparams"] = {{"oob_program", "/n"}};
  CHECK(program_of(given, "n1") == "/n");
  given["nodes"][1]["ndparams"] = {{"oob_program", "!"}};
  CHECK(program_of(given, "n1") == "!");
  given["nodes"][1]["ndparams"] = {{"oob_program", ""}};
  CHECK(program_of(given, "n1").empty());
  given["nodes"][1]["ndparams"] = {{"spindle_count", 2}};
  CHECK(program_of(given, "n1") == "/g");
  given.erase("group_ndparams");
  given["groups"] = {{{"name", "g1"}, {"ndparams", {{"oob_program", "/g2"}}}}};
  CHECK(program_of(given, "n1") == "/g2");
}

TEST_CASE("a machine is at first what is recorded, offline or not") {
  auto given = two_nodes();
  given["nodes"].push_back({{"name", "n2"}, {"offline", true}});
  given["nodes"].push_back({{"name", "n3"}, {"powered", false}});
  lab_state lab{read_power_given(given)->world.plan, settings{}, start};
  CHECK(lab.truth.node("n2").powered);
  CHECK(lab.cluster.node("n2")->powered);
  CHECK(lab.cluster.node("n2")->offline);
  CHECK_FALSE(lab.truth.node("n3").powered);
  CHECK_FALSE(lab.cluster.node("n3")->powered);
}

TEST_CASE("a helper answers by program, command and node, then by list") {
  helper_script x;
  REQUIRE(x.read(json::parse(R"({
    "power-off": {"exit": 1, "stderr": "bmc gone"},
    "power-on": [{"exit": 1}, {"exit": 0}],
    "power-status": {"n1": {"powered": false}, "n2": {"signal": 9}},
    "health": {"n1": [["PS", "OK"]]},
    "/opt/oob": {"power-off": {"n1": {"delay": 61}}}})"))
            .empty());
  auto off = x.next("/usr/bin/oob", power_verb::off, "n1");
  CHECK(off.exit == 1);
  CHECK(off.err == "bmc gone");
  CHECK(x.next("/opt/oob", power_verb::off, "n1").takes == seconds{61});
  CHECK(x.next("/opt/oob", power_verb::off, "n2").exit == 1);
  CHECK(x.next("", power_verb::on, "n1").exit == 1);
  CHECK(x.next("", power_verb::on, "n2").exit == 0);
  CHECK(x.next("", power_verb::on, "n2").exit == 0);
  CHECK(x.next("", power_verb::status, "n1").out == R"({"powered":false})");
  CHECK(x.next("", power_verb::status, "n2").signal == 9);
  CHECK_FALSE(x.next("", power_verb::status, "n3").out);
  CHECK(x.next("", power_verb::health, "n1").out == R"([["PS","OK"]])");
  CHECK(x.next("", power_verb::cycle, "n1").exit == 0);
}

TEST_CASE("a run is told as the live port would see it") {
  helper_answer x;
  CHECK(outcome_of(x, power_verb::off, seconds{60}, true).out.empty());
  CHECK(outcome_of(x, power_verb::status, seconds{60}, false).out
        == R"({"powered": false})");
  x.takes = seconds{60};
  CHECK_FALSE(outcome_of(x, power_verb::off, seconds{60}, true).timed_out);
  x.takes = seconds{61};
  CHECK(outcome_of(x, power_verb::off, seconds{60}, true).timed_out);
  x = {};
  x.signal = 9;
  CHECK(outcome_of(x, power_verb::off, seconds{60}, true).exit_code == -1);
  CHECK(outcome_of(x, power_verb::off, seconds{60}, true).signal == 9);
}

TEST_CASE("the live check judges the file, under the name it was given") {
  helper_files x;
  CHECK(x.why_not("/usr/bin/oob").empty());
  x.set("", {.exists = false});
  CHECK(x.why_not("/usr/bin/oob").find("/usr/bin/oob: No such file")
        != std::string::npos);
  x.set("/opt/oob", {});
  CHECK(x.why_not("/opt/oob").empty());
  x.set("/opt/oob", {.regular = false});
  CHECK(x.why_not("/opt/oob").find("/opt/oob") != std::string::npos);
  x.set("/opt/oob", {.mode = 0644});
  CHECK(x.why_not("/opt/oob").find("/opt/oob is not executable")
        != std::string::npos);
  x.set("/opt/oob", {.mode = 0777});
  CHECK(x.why_not("/opt/oob").find("writable") != std::string::npos);
}

TEST_CASE("acts are compared one by one, what is read back is not") {
  auto got = switched_off();
  auto off = R"({"helper_calls": [["/usr/bin/oob", "power-off", "n1"]]})";
  CHECK(what_differs(off, got) == names{});
  CHECK(what_differs(R"({"helper_calls": []})", got) == names{"helper_calls"});
  CHECK(what_differs(R"({"helper_calls": [
          ["/usr/bin/oob", "power-off", "n1"],
          ["/usr/bin/oob", "power-status", "n1"]]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"helper_calls": [
          ["/usr/bin/oob", "power-off", "n1"],
          ["/usr/bin/oob", "power-status", "n2"]]})",
                     got)
        == names{"helper_calls"});
  got.calls.push_back(call(power_verb::off, "n2"));
  CHECK(what_differs(off, got) == names{"helper_calls"});
  CHECK(what_differs(R"({"helper_calls": [
          ["/usr/bin/oob", "power-off", "n2"],
          ["/usr/bin/oob", "power-off", "n1"]]})",
                     got)
        == names{"helper_calls"});
  CHECK(what_differs(R"({"helper_calls_contain": [["*", "power-off", "n2"]],
                         "helper_calls_lack": [["*", "power-on"]]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"helper_calls_contain": [["*", "power-on", "n2"]],
                         "helper_calls_lack": [["*", "power-status"]]})",
                     got)
        == names{"helper_calls_contain", "helper_calls_lack"});
}

TEST_CASE("a command that reads must read what is expected and no more") {
  power_outcome got;
  got.is_reading = true;
  got.calls = {call(power_verb::status, "n2"), call(power_verb::status, "n1")};
  CHECK(what_differs(R"({"helper_calls": [
          ["/usr/bin/oob", "power-status", "n1"],
          ["/usr/bin/oob", "power-status", "n2"]]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"helper_calls": []})", got) == names{"helper_calls"});
  CHECK(what_differs(R"({"helper_calls": [
          ["/usr/bin/oob", "power-status", "n1"]]})",
                     got)
        == names{"helper_calls"});
}

TEST_CASE("pauses lie between the end of an act and the next one's start") {
  power_outcome got;
  got.calls = {call(power_verb::on, "n1"), call(power_verb::status, "n1", 1),
               call(power_verb::on, "n2", 6)};
  CHECK(what_differs(R"({"pauses_s": [5]})", got) == names{});
  CHECK(what_differs(R"({"pauses_s": [[0, 6]]})", got) == names{});
  CHECK(what_differs(R"({"pauses_s": [6]})", got) == names{"pauses_s"});
  CHECK(what_differs(R"({"pauses_s": [[0, 4]]})", got) == names{"pauses_s"});
  CHECK(what_differs(R"({"pauses_s": []})", got) == names{"pauses_s"});
}

TEST_CASE("steps must come in the order expected") {
  auto got = switched_off();
  CHECK(what_differs(R"({"op_order": [["OP_NODE_SET_PARAMS", "n1"],
                                      ["OP_OOB_COMMAND", "power-off"]]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"op_order": [["OP_OOB_COMMAND", "power-off", "n1"],
                                      ["OP_NODE_SET_PARAMS", "*"]]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"op_order": [["OP_OOB_COMMAND", "power-status"],
                                      ["OP_OOB_COMMAND", "power-off"]]})",
                     got)
        == names{"op_order"});
  CHECK(what_differs(R"({"op_order": [["OP_OOB_COMMAND", "power-off", "n2"]]})",
                     got)
        == names{"op_order"});
}

TEST_CASE("of jobs it counts what is done, not how it is parcelled") {
  auto got = switched_off();
  auto jobs = json::parse(R"({"jobs": [{"ops": [
    {"OP_ID": "OP_NODE_SET_PARAMS", "node_name": "n1", "offline": true,
     "force": false},
    {"OP_ID": "OP_OOB_COMMAND", "node_names": ["n1"],
     "command": "power-off"}]}]})");
  CHECK(what_differs(jobs, got) == names{});
  CHECK(what_differs(R"({"jobs": []})", got) == names{"jobs"});
  got.deeds.push_back(got.deeds[0]);
  CHECK(what_differs(jobs, got) == names{"jobs"});
  CHECK(what_differs(R"({"must_ops": ["OP_OOB_COMMAND"],
                         "forbid_ops": ["OP_INSTANCE_STARTUP"]})",
                     got)
        == names{});
  CHECK(what_differs(R"({"must_ops": ["OP_INSTANCE_STARTUP"],
                         "forbid_ops": ["OP_OOB_COMMAND"]})",
                     got)
        == names{"must_ops", "forbid_ops"});
}

TEST_CASE("nodes, instances and texts are compared as they are left") {
  auto got = switched_off();
  got.out = "n1  invoked\n";
  journal_entry row;
  row.kind = entry_kind::note;
  row.why = "a note";
  got.entries.push_back(row);
  row.kind = entry_kind::alert;
  row.why = "an alert";
  got.entries.push_back(row);
  got.job_texts = {"job text"};
  CHECK(what_differs(R"({"nodes": {"n1": {"powered": false, "is_on": true}},
          "output_contains": ["invoked", "an alert", "job text"],
          "output_lacks": "a note", "log_contains": "a note",
          "log_lacks": ["invoked"], "exit": 0})",
                     got)
        == names{});
  CHECK(what_differs(R"({"nodes": {"n1": {"powered": true, "colour": 1},
                                   "n9": {"offline": false}},
          "instances": {"i9": {"running": false}}, "weather": 1,
          "output_lacks": ["invoked"], "log_contains": ["invoked"],
          "exit": 1, "job_status": "success"})",
                     got)
        == names{"key \"weather\" of expect", "exit", "job_status",
                 "output_lacks", "log_contains", "nodes n1 colour",
                 "nodes n1 powered", "nodes n9 offline",
                 "instances i9 running"});
}

TEST_CASE("a command that orderly has not, or a step too many, is told") {
  auto x = power_scenario(R"(["gnt-node", "evacuate", "n1"])");
  CHECK(what_is_wrong(x) == names{"tool: it is not built yet"});
  x = power_scenario(R"(["gnt-node", "power", "status"])");
  x.when["moon"] = "full";
  CHECK(what_is_wrong(x)
        == names{"when: when: key \"moon\" is not understood"});
  x.tool = "opcode";
  x.when = {{"op", {{"OP_ID", "OP_NODE_EVACUATE"}}}};
  CHECK(what_is_wrong(x) == names{"tool: it is not built yet"});
  x.when = {{"op", {{"OP_ID", "OP_OOB_COMMAND"}, {"command", "explode"}}}};
  CHECK(what_is_wrong(x)
        == names{"when: when.op: key \"command\" cannot be \"explode\""});
}

TEST_CASE("what a person asks goes the whole way to a machine and back") {
  auto x = power_scenario(R"(["gnt-node", "power", "--force", "off", "n1"])");
  x.expect = json::parse(R"({"exit": 0,
    "helper_calls": [["/usr/bin/oob", "power-off", "n1"]],
    "nodes": {"n1": {"powered": false, "offline": true, "is_on": false}}})");
  CHECK(what_is_wrong(x) == names{});
  x.expect = json::parse(R"({"exit": 3})");
  CHECK(what_is_wrong(x) == names{"exit: 0"});
}

TEST_CASE("our own suite about power control is met") {
  std::ostringstream out;
  auto path = std::string{ORDERLY_SOURCE_DIR} + "/sim/conformance/oob.json";
  auto code = run_conformance(path, {}, out);
  INFO(out.str());
  CHECK(code == 0);
}

} // namespace orderly::conformance_power_test
