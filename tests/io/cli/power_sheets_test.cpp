// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Sheets of errands as people see them.

#include "actors/policy/errand/nodes_hit.hpp"
#include "io/cli/power_options.hpp"
#include "io/cli/power_sheets.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::cli_power_sheets_test {

using namespace orderly::power;

namespace {

errand_request request(const std::vector<std::string>& args) {
  auto x = read_command(args);
  REQUIRE(x.text.empty());
  return x.chosen.wanted;
}

errand_row node(const std::string& name, row_state state,
                const std::string& text = "") {
  errand_row x;
  x.object = name;
  x.kind = row_kind::node;
  x.state = state;
  x.text = text;
  x.power_control = state != row_state::unsupported;
  return x;
}

errand_row reading(const std::string& name, power_state power) {
  auto x = node(name, row_state::done);
  x.power = power;
  return x;
}

errand_sheet sheet(std::vector<errand_row> rows) {
  errand_sheet x;
  x.id = "power-1";
  x.began = from_ms(1000);
  x.ended = from_ms(2000);
  x.rows = std::move(rows);
  return x;
}

void check(const printed& got, const std::string& out, const std::string& err,
           int code) {
  CHECK(got.out == out);
  CHECK(got.err == err);
  CHECK(got.code == code);
}

constexpr auto failure = "OOB program execution failed (bmc gone)";

} // namespace

TEST_CASE("power status is a table in natural order") {
  auto x = sheet({reading("node10", power_state::off),
                  reading("node2", power_state::on),
                  reading("node1.example.com", power_state::unknown)});
  check(print(x, request({"power", "status"})),
        "Node               Status\n"
        "node1.example.com  unknown\n"
        "node2              on\n"
        "node10             off\n",
        "", 0);
}

TEST_CASE("a status that could not be read is unknown, with its reason once") {
  auto x = sheet(
    {node("n1", row_state::failed, failure), reading("n2", power_state::off)});
  auto wanted = request({"power", "status", "n1", "n2"});
  const char* table = "Node  Status\n"
                      "n1    unknown\n"
                      "n2    off\n";
  check(print(x, wanted), table,
        "Node n1: OOB program execution failed (bmc gone)\n", 1);
  x.remarks = {"Power state of node 'n1' could not be read: OOB program "
               "execution failed (bmc gone)"};
  check(print(x, wanted), table, x.remarks[0] + "\n", 1);
}

TEST_CASE("a node without power control is an error only if it was named") {
  auto x = sheet(
    {reading("n1", power_state::on), node("n2", row_state::unsupported)});
  const char* table = "Node  Status\n"
                      "n1    on\n";
  check(print(x, request({"power", "status"})), table, "", 0);
  check(print(x, request({"power", "status", "n1", "n2"})), table,
        "Node n2 does not support OOB commands\n", 1);
  check(print(x, request({"health", "n2", "n1"})),
        "Node  Status\nn1    (nothing to report)\n",
        "Node n2 does not support OOB commands\n", 1);
}

TEST_CASE("an action says invoked, or why not") {
  auto x = sheet({node("n1", row_state::done),
                  node("n2", row_state::failed, failure),
                  node("n3", row_state::skipped, "it was stopped by bob")});
  x.failed = true;
  check(print(x, request({"power", "off", "n1", "n2", "n3"})),
        "Node  Status\n"
        "n1    invoked\n"
        "n2    OOB program execution failed (bmc gone)\n"
        "n3    skipped: it was stopped by bob\n",
        "", 1);
}

TEST_CASE("what is to be said of a row that is done goes beside the table") {
  auto x = sheet({node("n1", row_state::done, "it was on already")});
  check(print(x, request({"power", "on", "n1"})),
        "Node  Status\nn1    invoked\n", "Node n1: it was on already\n", 0);
}

TEST_CASE("a failed row makes the exit code 1 even if the sheet forgot") {
  auto x = sheet({node("n1", row_state::failed, failure)});
  for (const char* action : {"on", "off", "cycle", "status"})
    CHECK(print(x, request({"power", action, "n1"})).code == 1);
  CHECK(print(x, request({"epo", "n1"})).code == 1);
  CHECK(print(x, request({"verify"})).code == 1);
}

TEST_CASE("health lists each item and names the node once") {
  auto first = node("n1", row_state::done);
  first.items = {{"PS", "OK"}, {"FAN 1", "WARNING"}, {"Temp", "CRITICAL"}};
  auto x = sheet({first, node("n2", row_state::failed, failure)});
  x.remarks = {"Item 'FAN 1' on node 'n1' has status 'WARNING'"};
  check(print(x, request({"health", "n1", "n2"})),
        "Node  Status\n"
        "n1    PS=OK\n"
        "      FAN 1=WARNING\n"
        "      Temp=CRITICAL\n"
        "n2    OOB program execution failed (bmc gone)\n",
        "Item 'FAN 1' on node 'n1' has status 'WARNING'\n", 1);
}

TEST_CASE("node info has the form of the design and what orderly knows") {
  auto x = node("node1.example.com", row_state::done);
  x.record.emplace();
  x.record->name = x.object;
  x.record->address = "192.168.1.1";
  x.record->group = "default";
  x.record->powered = false;
  x.primaries = {"inst10", "inst2"};
  x.secondaries = {"inst4"};
  x.wish = {power_state::off, "bob", "new fan", from_ms(1), {}};
  x.power_check = {protection::proven, "power status off", from_ms(1),
                   power_state::off, ""};
  check(print(sheet({x}), request({"node", "info"})),
        "Node name: node1.example.com\n"
        "  primary ip: 192.168.1.1\n"
        "  master candidate: True\n"
        "  drained: False\n"
        "  offline: False\n"
        "  powered: False\n"
        "  primary for instances:\n"
        "    - inst2\n"
        "    - inst10\n"
        "  secondary for instances:\n"
        "    - inst4\n"
        "  group: default\n"
        "  protection: protected (power status off)\n"
        "  power wish: off, by bob: new fan\n",
        "", 0);
}

TEST_CASE("node info leaves powered out without power control") {
  auto x = node("n1", row_state::done);
  x.record.emplace();
  x.power_control = false;
  auto text = print(sheet({x, x}), request({"node", "info"})).out;
  CHECK(text.find("powered:") == std::string::npos);
  CHECK(text.find("protection: none") != std::string::npos);
  CHECK(text.find("\n\nNode name: n1\n") != std::string::npos);
}

TEST_CASE("a change of the record is told item by item") {
  auto wanted = request({"node", "modify", "--powered=yes", "--offline=no",
                         "--oob-program=", "n1"});
  check(print(sheet({node("n1", row_state::done)}), wanted),
        "Modified node n1\n"
        " - powered -> True\n"
        " - offline -> False\n"
        " - oob_program -> (none)\n",
        "", 0);
  check(print(sheet({node("n1", row_state::failed, "job 7 failed")}), wanted),
        "", "Node n1: job 7 failed\n", 1);
}

TEST_CASE("an emergency power-off accounts for every row in its order") {
  auto web = node("web1", row_state::done);
  web.kind = row_kind::instance;
  auto db = node("db1", row_state::failed, "job 9 failed");
  db.kind = row_kind::instance;
  auto x = sheet({web, db, node("n1", row_state::skipped, "db1 is not down"),
                  node("n2", row_state::unsupported)});
  x.failed = true;
  x.remarks
    = {"Please investigate and stop instances manually before continuing"};
  check(print(x, request({"epo", "n1", "n2"})),
        "Kind      Name  Result\n"
        "instance  web1  done\n"
        "instance  db1   FAILED: job 9 failed\n"
        "node      n1    skipped: db1 is not down\n"
        "node      n2    Node n2 does not support OOB commands\n"
        "2 instances: 1 done, 1 failed; 2 nodes: 1 unsupported, 1 skipped\n",
        x.remarks[0] + "\n", 1);
}

TEST_CASE("an errand that was refused prints why and nothing else") {
  errand_sheet x;
  x.refusal = "Operating on the master node m is not allowed for power-off";
  x.refusal_kind = refused_for::state;
  check(print(x, request({"power", "off", "m"})), "", x.refusal + "\n", 1);
  x = {};
  x.found = false;
  x.id = "power-9";
  check(print(x, request({"power", "off", "m"})), "",
        "there is no errand power-9\n", 1);
}

TEST_CASE("text from helpers cannot steer the terminal or break the table") {
  auto x = sheet({node("n1", row_state::failed, "a\x1b[31m\nb\xc2\x9bz\x7f")});
  x.remarks = {"one\ntwo"};
  check(print(x, request({"power", "on", "n1"})),
        "Node  Status\nn1    a [31m b z\n", "one two\n", 1);
}

TEST_CASE("the question before a power-off lists nodes and instances") {
  auto first = node("node10", row_state::waiting);
  first.primaries = {"web2", "web1"};
  auto x = sheet({first, node("node2", row_state::waiting),
                  node("node3", row_state::unsupported)});
  CHECK(question(x, request({"power", "off", "node10", "node2", "node3"}))
        == "Power off 2 nodes, with 2 instances on them:\n"
           "  node2   no instances\n"
           "  node10  instances: web1, web2\n"
           "Left alone:\n"
           "  node3: does not support OOB commands\n"
           "They are marked offline first. What runs there is cut off.\n"
           "Go on with these 2 nodes? [y/N]: ");
  auto bare = question(sheet({first}), request({"power", "cycle", "node10"}));
  CHECK(bare.starts_with("Power-cycle 1 node, with 2 instances on it:\n"));
  CHECK(bare.ends_with("Go on with this node? [y/N]: "));
  CHECK(bare.find("offline") == std::string::npos);
}

TEST_CASE("the question before an emergency power-off tells what stops") {
  auto web = node("web1", row_state::waiting);
  web.kind = row_kind::instance;
  auto host = node("n1", row_state::waiting);
  host.primaries = {"web1"};
  auto master = node("m", row_state::skipped, "it is the master");
  auto x = sheet({web, host, master});
  x.remarks = {"Running on without a mirror: db1"};
  CHECK(question(x, request({"epo", "--all"}))
        == "Emergency power-off of 1 node, with 1 instance on it:\n"
           "  n1  instances: web1\n"
           "1 instance will be shut down: web1\n"
           "Left alone:\n"
           "  m: it is the master\n"
           "Running on without a mirror: db1\n"
           "Their instances are shut down first, and remembered as wanted up; "
           "then the nodes are marked offline and switched off.\n"
           "Go on with this node? [y/N]: ");
}

TEST_CASE("a node that stays on and loses an instance is asked about too") {
  auto web = node("web1", row_state::waiting);
  web.kind = row_kind::instance;
  auto master = node("m", row_state::skipped, "it is the master");
  master.primaries = {"web1"};
  master.master = true;
  auto x = sheet({web, master, node("n2", row_state::unsupported)});
  REQUIRE(nodes_hit(x).size() == 1);
  CHECK(nodes_hit(x)[0]->object == "m");
  CHECK(
    question(x, request({"epo", "--all"}))
      .find("  m  instances: web1; is the master; stays as it is, only they "
            "are shut down\n")
    != std::string::npos);
}

TEST_CASE("progress counts what has ended, by kind") {
  auto web = node("web1", row_state::done);
  web.kind = row_kind::instance;
  auto x = sheet(
    {web, node("n1", row_state::failed), node("n2", row_state::running)});
  x.doing = "power-off of n2";
  CHECK(progress(x)
        == "1 of 1 instance, 1 of 2 nodes: 1 done, 1 failed; power-off of n2");
}

} // namespace orderly::cli_power_sheets_test
