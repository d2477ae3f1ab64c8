// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Incidents over HTTP and by the command line: all kinds, and orders about
// what nodes asked for.

#include "tests/io/console/run.hpp"

#include <fmt/format.h>

namespace orderly::http_incidents_test {

using namespace orderly::test;
using nlohmann::json;
using outcome_of = event_order_answer::outcome;

namespace {

const std::string uuid = "5809407a-06c9-41b8-b1bb-d7516df0972b";

event_standing emptied() {
  event_standing x;
  x.uuid = uuid;
  x.node = "node2";
  x.node_uuid = "00000002-0000-4000-8000-000000000000";
  x.action = event_action::evacuate;
  x.original = R"({"status": "evacuate",  "disk": 1e2})";
  x.phase = event_phase::evacuating;
  x.jobs = {7, 8};
  x.ctime = noon - minutes{5};
  x.mtime = noon;
  x.serial_no = 4;
  x.observed = true;
  x.blocked = {{"db1", "plain disks stay"}};
  x.why = "3 to leave node2";
  return x;
}

/// One event, one node in trouble, one instance under repair.
void fill(site& at) {
  at.actors.all.status.events_read = true;
  at.actors.events = {emptied()};
  at.actors.all.instances[0].standing.incident = "i-7";
}

std::string said_to(site& at, const std::string& text) {
  raw_client x{at.socket()};
  x.send(text);
  return x.answer();
}

} // namespace

TEST_CASE("the old paths tell what nodes asked for, and nothing else") {
  site at;
  fill(at);
  CHECK(body_of(at.once(get("/1"))) == "null");
  CHECK(body_of(at.once(get("/1/"))) == "null");
  CHECK(body_of(at.once(get("/1/jobs"))) == "[7,8]");
  CHECK(body_of(at.once(get("/1/evacuated"))) == "[]");
  auto text = body_of(at.once(get("/1/status")));
  // As it came, byte for byte.
  CHECK(contains(text, emptied().original));
  auto all = json::parse(text);
  REQUIRE(all.size() == 1);
  CHECK(all[0]["uuid"] == uuid);
  CHECK(all[0]["node"] == emptied().node_uuid);
  CHECK(all[0]["node-name"] == "node2");
  CHECK(all[0]["repair-status"] == "pending");
  CHECK(all[0]["serial_no"] == 4);
}

TEST_CASE("what was not read from memory yet is not said to be nothing") {
  site at;
  at.actors.all.status.events_read = false;
  for (const auto* path : {"/1/status", "/1/jobs", "/1/evacuated",
                           "/2/incidents", "/2/incidents/u"}) {
    INFO(path);
    CHECK(contains(error_of(at.once(get(path)), "503")["text"], "memory"));
  }
}

TEST_CASE("incidents of all three kinds are listed, and found by their UUID") {
  site at;
  fill(at);
  auto all = json_of(at.once(get("/2/incidents")))["incidents"];
  REQUIRE(all.size() == 3);
  CHECK(all[0]["kind"] == "event");
  CHECK(all[0]["phase"] == "evacuating");
  CHECK(all[0]["blocked"]["db1"] == "plain disks stay");
  CHECK(all[1]["kind"] == "node");
  CHECK(all[1]["node-name"] == "node2");
  CHECK(all[2]["kind"] == "instance");
  CHECK(all[2]["uuid"] == "i-7");
  CHECK(json_of(at.once(get("/2/incidents/" + uuid))) == all[0]);
  CHECK(json_of(at.once(get("/2/incidents/i-7"))) == all[2]);
  error_of(at.once(get("/2/incidents/i-8")), "404");
}

TEST_CASE("an order about an event says whose it is, and for which state") {
  site at;
  fill(at);
  auto path = "/2/incidents/" + uuid;
  CHECK(json_of(said_to(at, post(path + "/cancel", "")))["done"] == true);
  said_to(at, post(path + "/ack", R"({"serial_no": 4})"));
  said_to(at, post(path + "/forget", ""));
  REQUIRE(at.actors.event_orders.size() == 3);
  const auto& all = at.actors.event_orders;
  CHECK(all[0].verb == event_verb::cancel);
  CHECK(all[0].uuid == uuid);
  CHECK_FALSE(all[0].who.empty());
  CHECK_FALSE(all[0].serial_no);
  CHECK(all[1].verb == event_verb::ack);
  CHECK(all[1].serial_no == 4U);
  CHECK(all[2].verb == event_verb::forget);
}

TEST_CASE("to delete an incident is to cancel it") {
  site at;
  fill(at);
  auto path = "/2/incidents/" + uuid;
  auto remove = [](const std::string& target, const std::string& body) {
    auto text = post(target, body);
    return "DELETE" + text.substr(std::string{"POST"}.size());
  };
  CHECK(json_of(said_to(at, remove(path, R"({"serial_no": 7})")))["done"]
        == true);
  REQUIRE(at.actors.event_orders.size() == 1);
  CHECK(at.actors.event_orders[0].verb == event_verb::cancel);
  CHECK(at.actors.event_orders[0].uuid == uuid);
  CHECK(at.actors.event_orders[0].serial_no == 7U);
  // Not over TCP, not all at once, nothing else.
  error_of(at.once(remove(path, "")), "403");
  for (const auto* other : {"/2/incidents", "/2/incidents/", "/2/errands/e-1",
                            "/2/incidents/a/ack", "/2/nodes/n1"})
    CHECK(contains(said_to(at, remove(other, "")), " 40"));
  CHECK(at.actors.event_orders.size() == 1);
}

TEST_CASE("a bad order about an event does nothing") {
  site at;
  auto path = "/2/incidents/" + uuid + "/cancel";
  for (const auto* body :
       {"[]", "{", R"({"serial_no": -1})", R"({"serial_no": "4"})",
        R"({"serial_no": 4, "x": 1})", R"({"serial": 4})"}) {
    INFO(body);
    CHECK(contains(error_of(said_to(at, post(path, body)), "400")["text"],
                   "serial_no"));
  }
  // Not over TCP.
  error_of(at.once(post(path, "")), "403");
  CHECK(at.actors.event_orders.empty());
}

TEST_CASE("what is not done about an event is told by the exit code") {
  site at;
  at.actors.event_result
    = event_order_answer{outcome_of::refused, "it is completed"};
  auto x = orderly_cli(at.socket(), {"cancel", uuid.c_str()});
  CHECK(x.code == io::console::exit_refused);
  CHECK(contains(x.err, "it is completed"));
  at.actors.event_result
    = event_order_answer{outcome_of::unknown, "there is no event u"};
  x = orderly_cli(at.socket(), {"forget", "u"});
  CHECK(x.code == io::console::exit_not_found);
  CHECK(contains(x.err, "there is no event u"));
}

TEST_CASE("the command line lists incidents, shows one, and orders") {
  site at;
  fill(at);
  auto list = orderly_cli(at.socket(), {"incidents"});
  CHECK(list.code == 0);
  INFO(list.out);
  CHECK(contains(list.out, uuid + "  event     node2   evacuate  evacuating"));
  CHECK(contains(list.out, "7, 8"));
  CHECK(contains(list.out, "i-7"));
  auto one = orderly_cli(at.socket(), {"incident", uuid.c_str()});
  CHECK(one.code == 0);
  CHECK(contains(one.out, "db1: plain disks stay"));
  CHECK(contains(one.out, "orderly cancel " + uuid));
  auto json_text
    = orderly_cli(at.socket(), {"--output", "json", "incident", "i-7"});
  CHECK(json::parse(json_text.out)["instance"] == "web1");
  auto done
    = orderly_cli(at.socket(), {"ack", uuid.c_str(), "--serial-no", "4"});
  CHECK(done.code == 0);
  CHECK(contains(done.err, "it is so"));
  REQUIRE(at.actors.event_orders.size() == 1);
  CHECK(at.actors.event_orders[0].serial_no == 4U);
  CHECK(orderly_cli(at.socket(), {"incident"}).code == io::console::exit_usage);
}

TEST_CASE("who speaks for which node is listed, and why one is not heard") {
  site at;
  CHECK(json_of(at.once(get("/2/agents"))) == json::parse(R"(
    {"asked": false, "agents": []})"));
  auto none = orderly_cli(at.socket(), {"agents"});
  CHECK(none.code == 0);
  CHECK(contains(none.out, "No agent was asked yet"));
  agent_row first;
  first.node = "node1";
  first.how = hearing::heard;
  first.key = first.met = "aabb";
  first.asked = first.heard = noon;
  auto other = first;
  other.node = "node2";
  other.how = hearing::unverified;
  other.why = "it is signed by another agent";
  other.tagged = {"ccdd"};
  other.heard = never;
  other.missed = 3;
  auto tagged = first;
  tagged.node = "node3";
  tagged.tagged = {"aabb"};
  at.actors.agents = std::make_shared<const std::vector<agent_row>>(
    std::vector{first, other, tagged});
  auto all = json_of(at.once(get("/2/agents")))["agents"];
  REQUIRE(all.size() == 3);
  CHECK(all[0]["state"] == "heard");
  CHECK(all[0]["met"] == "aabb");
  CHECK(all[1]["state"] == "unverified");
  CHECK(all[1]["heard"] == nullptr);
  CHECK(all[1]["missed"] == 3);
  CHECK(all[2]["tagged"] == json::parse(R"(["aabb"])"));
  auto sheet = orderly_cli(at.socket(), {"--separator", "|", "agents"});
  INFO(sheet.out);
  CHECK(contains(sheet.out, "|0|aabb|first met|\n"));
  CHECK(contains(sheet.out,
                 "node2|unverified||3|aabb|not its tag|it is signed by"));
  CHECK(contains(sheet.out, "|aabb|tag|\n"));
}

TEST_CASE("an event is shown with what a person may do about it by now") {
  struct row {
    event_phase phase;
    const char* way; ///< nullptr: nothing
  };

  for (const auto& r :
       {row{event_phase::noted, "cancel"}, row{event_phase::tagging, nullptr},
        row{event_phase::failing, nullptr}, row{event_phase::completed, "ack"},
        row{event_phase::failed, "ack"},
        row{event_phase::acknowledged, "forget"},
        row{event_phase::canceled, "forget"}}) {
    INFO(to_string(r.phase));
    site at;
    fill(at);
    at.actors.events[0].phase = r.phase;
    auto shown = orderly_cli(at.socket(), {"incident", uuid.c_str()}).out;
    CHECK(contains(shown, "you may") == (r.way != nullptr));
    if (r.way != nullptr)
      CHECK(contains(shown, fmt::format("orderly {} {}", r.way, uuid)));
  }
}

} // namespace orderly::http_incidents_test
