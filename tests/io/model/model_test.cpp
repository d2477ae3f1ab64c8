// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live model port against recorded answers of a luxid, and monitors that
// answer well, badly or not at all.

#include "actors/planning/model/cluster.hpp"
#include "io/htools/monitors/ask_monitors.hpp"
#include "io/htools/monitors/cpu_report.hpp"
#include "io/model/load.hpp"
#include "io/model/port.hpp"
#include "tests/io/ganeti/fake_luxid.hpp"
#include "tests/io/model/fake_monitors.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

namespace orderly::model_test {

using namespace orderly::io::model;
using io::htools::ask_monitors;
using io::htools::monitor_rules;
using io::htools::read_cpu_report;
using namespace orderly::test;
using nlohmann::json;

namespace {

/// A list with the field "pip", which is 127.0.0.N of nodeN.
json with_addresses(json nodes) {
  nodes["fields"].push_back({{"name", "pip"}});
  for (auto& row : nodes["data"]) {
    auto name = row.at(0).at(1).get<std::string>();
    row.push_back(json::array({0, "127.0.0." + name.substr(4, 1)}));
  }
  return nodes;
}

/// Six nodes: node3 is drained, node6 offline; 17 instances.
json recorded() {
  std::ifstream file{ORDERLY_SOURCE_DIR
                     "/tests/support/planning/data/luxi.json"};
  auto all = json::parse(file);
  all["node"] = with_addresses(all["node"]);
  return all;
}

/// As luxid says it of a node whose daemon does not answer.
void silence(json& all, std::size_t row) {
  for (std::size_t k = 1; k < 8; ++k)
    all["node"]["data"].at(row).at(k) = json::array({2, nullptr});
}

reaction answer_from(const json& all, const std::string& request) {
  auto q = json::parse(request);
  auto method = q.at("method").get<std::string>();
  if (method == "QueryClusterInfo")
    return reply(json{{"success", true}, {"result", all.at(method)}}.dump());
  const auto& found = all.at(q.at("args").at(0).get<std::string>());
  auto names = json::array();
  for (const auto& field : found.at("fields"))
    names.push_back(field.at("name"));
  return reply(
    json{{"success", names == q.at("args").at(1)}, {"result", found}}.dump());
}

/// A cluster to be asked, and what is asked of it.
struct rig {
  json all = recorded();
  fake_monitors monitors;
  fake_luxid luxid{
    [this](const std::string& request) { return answer_from(all, request); }};
  settings rules;

  rig() {
    for (auto n : {1, 2, 3, 4, 5})
      monitors.answers[n] = cpu_report(n);
    rules.cluster.luxi_socket = luxid.path();
    rules.host_ha.monitor_port = monitors.port;
  }

  [[nodiscard]] model_answer read(bool load = true,
                                  millis limit = seconds{10}) const {
    return read_now({load, limit}, rules);
  }
};

const planning::node_spec& node(const model_answer& x, const char* name) {
  for (const auto& n : x.model->nodes)
    if (n.name == std::string{name} + ".gnt.test")
      return n;
  FAIL("no node " << name);
  return x.model->nodes.front();
}

double cpu_of(const model_answer& x, const std::string& name) {
  for (const auto& i : x.model->instances)
    if (i.name == name + ".gnt.test")
      return i.use[planning::load_cpu];
  FAIL("no instance " << name);
  return 0;
}

planning::instance_spec instance(const char* name, int primary,
                                 std::int64_t vcpus) {
  planning::instance_spec x;
  x.name = name;
  x.primary = primary;
  x.vcpus = vcpus;
  return x;
}

} // namespace

TEST_CASE("the model is the cluster as luxid says, without a load unasked") {
  rig b;
  auto x = b.read(false);
  REQUIRE(x.model);
  CHECK(x.model->nodes.size() == 6);
  CHECK(x.model->instances.size() == 17);
  CHECK(x.model->groups.size() == 2);
  CHECK(x.silent.empty());
  CHECK(x.text.empty());
  CHECK_FALSE(x.loaded);
  CHECK(x.load_text.empty());
  CHECK(cpu_of(x, "inst1") == 1);
  CHECK(node(x, "node3").offline); // drained
  CHECK(node(x, "node6").offline);
  CHECK(b.monitors.requests().empty());
}

TEST_CASE("a node in service without figures is silent, and offline there") {
  rig b;
  silence(b.all, 1);
  auto x = b.read(false);
  REQUIRE(x.model);
  CHECK(x.silent == std::vector<node_name>{"node2.gnt.test"});
  CHECK(node(x, "node2").offline);
  CHECK_FALSE(node(x, "node1").offline);
  CHECK(x.model->nodes.size() == 6);
  CHECK(x.model->instances.size() == 17);
}

TEST_CASE("each instance gets its part of the load of its node") {
  rig b;
  auto x = b.read();
  REQUIRE(x.model);
  CHECK(x.load_text.empty());
  CHECK(x.loaded);
  std::map<int, double> sums;
  for (const auto& i : x.model->instances)
    if (planning::is_online(i))
      sums[i.primary] += i.use[planning::load_cpu];
  // Node N says that N of its CPUs are busy.
  for (auto n : {0, 1, 2, 3, 4})
    CHECK(sums[n] == Approx(n + 1));
  for (const auto& i : x.model->instances)
    for (auto part :
         {planning::load_memory, planning::load_disk, planning::load_net})
      CHECK(i.use[part] == 1);
  for (const auto& request : b.monitors.requests())
    CHECK(request == "GET /1/report/default/cpu-avg-load HTTP/1.1");
}

TEST_CASE("without the report of one node the whole load is dropped") {
  auto check = [](const std::string& answer, const std::string& why) {
    rig b;
    b.monitors.answers[4] = answer;
    auto x = b.read();
    REQUIRE(x.model);
    CHECK_FALSE(x.loaded);
    CHECK(x.load_text == "the monitor of node4.gnt.test " + why);
    for (const auto& i : x.model->instances)
      CHECK(i.use == planning::load{1, 1, 1, 1});
  };
  check("HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n",
        "answers HTTP 500");
  check("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]",
        "gives no report of the CPU load: it is no object");
  check("", "cannot be asked: end of stream");
}

TEST_CASE(
  "a monitor that accepts and is silent costs the load, not the model") {
  rig b;
  b.monitors.answers.erase(2);
  auto begun = std::chrono::steady_clock::now();
  auto x = b.read(true, millis{900});
  CHECK(std::chrono::steady_clock::now() - begun < millis{900});
  REQUIRE(x.model);
  CHECK_FALSE(x.loaded);
  CHECK(x.load_text
        == "the monitor of node2.gnt.test was not waited for: the time is up");
}

TEST_CASE("of many monitors that fail a few are named") {
  rig b;
  b.monitors.answers.clear();
  for (auto n : {1, 2, 3, 4, 5})
    b.monitors.answers[n] = "HTTP/1.1 404 Not Found\r\ncontent-length: "
                            "0\r\n\r\n";
  auto of = [](int n) {
    return fmt::format("of node{}.gnt.test answers HTTP 404", n);
  };
  CHECK(b.read().load_text
        == "the monitor " + of(1) + "; that " + of(2) + "; that " + of(3)
             + "; and 2 more");
}

TEST_CASE("monitors are not asked where the settings say so") {
  rig b;
  b.rules.host_ha.monitor_port = 0;
  auto x = b.read();
  CHECK(x.model);
  CHECK(x.load_text
        == "no monitor is asked, because host_ha.monitor_port is 0");
  CHECK(b.monitors.requests().empty());
}

TEST_CASE("a silent node's monitor is not asked and not missed") {
  rig b;
  silence(b.all, 1);
  b.monitors.answers.erase(2);
  auto x = b.read();
  REQUIRE(x.model);
  CHECK(x.load_text.empty());
  CHECK(x.loaded);
}

TEST_CASE("the time limit is for all questions to luxid together") {
  json all = recorded();
  fake_luxid slow{[&](const std::string& request) {
    auto x = answer_from(all, request);
    x.delay = millis{300};
    return x;
  }};
  settings rules;
  rules.cluster.luxi_socket = slow.path();
  auto begun = std::chrono::steady_clock::now();
  auto x = read_now({false, millis{500}}, rules);
  auto took = std::chrono::steady_clock::now() - begun;
  CHECK_FALSE(x.model);
  CHECK(x.text
        == slow.path() + ": cannot read the answer: no answer within 0.5 s");
  CHECK(took >= millis{490});
  CHECK(took < millis{800});
}

TEST_CASE(
  "a luxid that accepts nobody is waited for no longer than the limit") {
  fake_luxid deaf{[](const std::string&) { return reply("{}"); }, 0, false};
  settings rules;
  rules.cluster.luxi_socket = deaf.path();
  auto begun = std::chrono::steady_clock::now();
  // The first ones find a place in its line.
  for (auto i = 0; i < 3; ++i)
    CHECK_FALSE(read_now({false, millis{200}}, rules).model);
  CHECK(std::chrono::steady_clock::now() - begun < millis{1500});
}

TEST_CASE("a luxid that is not there is named") {
  settings rules;
  rules.cluster.luxi_socket = "/nonexistent/socket";
  auto x = read_now({false, seconds{5}}, rules);
  CHECK_FALSE(x.model);
  CHECK(x.text
        == "/nonexistent/socket: cannot connect: No such file or directory");
}

TEST_CASE("as an actor it answers what it reads") {
  rig b;
  caf::actor_system_config config;
  caf::actor_system system{config};
  auto port = spawn_model_port(system, b.rules);
  caf::scoped_actor self{system};
  model_answer got;
  self->request(port, seconds{10}, read_model{true, seconds{5}})
    .receive([&](const model_answer& x) { got = x; },
             [](const caf::error&) { FAIL("no answer"); });
  REQUIRE(got.model);
  CHECK(got.loaded);
  self->send_exit(port, caf::exit_reason::user_shutdown);
}

TEST_CASE("no more monitors are asked at once than allowed, and all of them") {
  fake_monitors monitors;
  monitors.pause = millis{10};
  std::vector<io::htools::live_node> nodes;
  for (auto n = 1; n <= 20; ++n) {
    monitors.answers[n] = cpu_report(n);
    nodes.push_back({fmt::format("n{}", n), fmt::format("127.0.0.{}", n)});
  }
  nodes.push_back({"everywhere", "0.0.0.0"});
  nodes.push_back({"nowhere", "node7"});
  monitor_rules rules{monitors.port, seconds{10}, seconds{5}, 3};
  auto found = ask_monitors(nodes, rules);
  CHECK(monitors.most_at_once == 3);
  REQUIRE(found.size() == 22);
  CHECK(*read_cpu_report(*found.at("n7")) == 7);
  CHECK(found.at("everywhere").why().text
        == "cannot be asked: '0.0.0.0' is not the IP address of a node");
  CHECK(found.at("nowhere").why().text
        == "cannot be asked: 'node7' is not the IP address of a node");
}

TEST_CASE("a report is taken only if it is one") {
  auto text = [](const std::string& load) {
    return R"({"name":"cpu-avg-load","data":{"cpu_total":)" + load + "}}";
  };
  CHECK(*read_cpu_report(text("3.25")) == 3.25);
  CHECK(*read_cpu_report(text("2")) == 2);
  CHECK(*read_cpu_report(text("0")) == 0);
  for (const auto* bad : {"-1", "1e9", "null", "\"3\"", "[]", "1e999"})
    CHECK_FALSE(read_cpu_report(text(bad)).ok());
  for (const auto* bad :
       {"", "[1]", "{}", R"({"name":"drbd","data":{"cpu_total":1}})",
        R"({"name":"cpu-avg-load","data":null})",
        R"({"name":"cpu-avg-load","data":{}})"})
    CHECK_FALSE(read_cpu_report(bad).ok());
}

TEST_CASE("what a monitor says is quoted in a few harmless bytes") {
  for (const auto& text : {"{\"\xc2\x9b" + std::string(200'000, 'A') + "\x01",
                           "{\"" + std::string(200'000, 'A') + "\":1}"}) {
    auto wrong = read_cpu_report(text);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.why().text.size() < 400);
    CHECK(wrong.why().text.find("\xc2\x9b") == std::string::npos);
  }
}

TEST_CASE("what nobody knows the load of gets the average") {
  planning::cluster c;
  for (const char* name : {"busy", "idle", "silent", "empty"}) {
    c.nodes.emplace_back();
    c.nodes.back().name = name;
  }
  c.instances = {instance("a", 0, 2), instance("b", 0, 4), instance("c", 1, 2),
                 instance("d", 2, 4), instance("e", -1, 1)};
  auto down = instance("down", 3, 2);
  down.status = planning::instance_status::admin_offline;
  c.instances.push_back(down);
  CHECK(nodes_in_use(c) == std::vector<node_name>{"busy", "idle", "silent"});
  share_load(c, {{"busy", 3}, {"idle", 1}, {"empty", 1}});
  std::vector<double> cpu;
  for (const auto& i : c.instances)
    cpu.push_back(i.use[planning::load_cpu]);
  // Of one vcpu: 0.5 on busy and on idle, 4 / 8 on average.
  CHECK(cpu == std::vector<double>{1, 2, 1, 2, 0.5, 1});
}

TEST_CASE("without any load known the instances keep what they had") {
  planning::cluster c;
  c.nodes.resize(1);
  c.instances = {instance("a", 0, 2)};
  share_load(c, {});
  CHECK(c.instances.front().use == planning::load{1, 1, 1, 1});
}

} // namespace orderly::model_test
