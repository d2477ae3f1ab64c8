// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A once-off repair, asked for over the unix socket.

#include "tests/io/http/site.hpp"

namespace orderly::http_repair_test {

using namespace orderly::test;

namespace {

std::string ask_for(const site& at, const std::string& name,
                    const std::string& body = R"({"type":"failover"})") {
  return locally(at, post("/2/instances/" + name + "/repair", body));
}

} // namespace

TEST_CASE("a once-off repair carries the instance, the type and who") {
  site at;
  auto x = json_of(ask_for(at, "web1"));
  CHECK(x["done"] == true);
  CHECK(x["instance"] == "web1");
  CHECK(x["type"] == "failover");
  CHECK(x["repair"] == "0f3a");
  CHECK(x["text"] == "the pending tag is written");
  CHECK(x["note"] == "");
  REQUIRE(at.actors.repairs.size() == 1);
  CHECK(at.actors.repairs[0].instance == "web1");
  CHECK(at.actors.repairs[0].type == repair_type::failover);
  CHECK_FALSE(at.actors.repairs[0].who.empty());
}

TEST_CASE("a repair of an unknown instance names it and those near") {
  site at;
  auto error = error_of(ask_for(at, "wbe1"), "404");
  CHECK(error["text"]
        == "there is no instance 'wbe1' in the last reading of the cluster; "
           "did you mean 'web1'?");
  CHECK_FALSE(
    contains(error_of(ask_for(at, "quite-another"), "404")["text"], "mean"));
  CHECK(at.actors.repairs.empty());
}

TEST_CASE("a first label is enough for a repair if it means one only") {
  site at;
  auto& all = at.actors.all.instances;
  all[0].name = "web1.a.example";
  json_of(ask_for(at, "web1"));
  REQUIRE(at.actors.repairs.size() == 1);
  CHECK(at.actors.repairs[0].instance == "web1.a.example");
  all.push_back(healthy_instance("web1.b.example"));
  auto error = error_of(ask_for(at, "web1"), "404");
  CHECK(contains(error["text"], "'web1.a.example' or 'web1.b.example'"));
  CHECK(at.actors.repairs.size() == 1);
}

TEST_CASE("a repair of an unknown type names the four that there are") {
  site at;
  auto error = error_of(ask_for(at, "web1", R"({"type":"reboot"})"), "400");
  CHECK(error["text"]
        == "there is no repair type 'reboot', it must be one of fix-storage, "
           "migrate, failover, reinstall");
  for (const char* bad : {"", "{}", "[]", "{", R"({"type":1})",
                          R"({"type":"failover","speed":"fast"})"}) {
    INFO(bad);
    auto text = error_of(ask_for(at, "web1", bad), "400")["text"];
    CHECK(contains(text, R"({"type": "failover"})"));
  }
  CHECK(at.actors.repairs.empty());
}

TEST_CASE("an order that says a thing twice is refused, and the thing named") {
  site at;
  auto refused = [&](const std::string& path, const std::string& body) {
    return error_of(locally(at, post(path, body)), "400")["text"];
  };
  CHECK(contains(refused("/2/instances/web1/repair",
                         R"({"type":"migrate","type":"reinstall"})"),
                 "'type' is there twice"));
  for (const auto* path : {"/2/pause", "/2/resume"})
    CHECK(contains(refused(path, R"({"reason":"a","reason":"b"})"),
                   "'reason' is there twice"));
  CHECK(contains(
    refused("/2/incidents/x/cancel", R"({"serial_no":4,"serial_no":5})"),
    "'serial_no' is there twice"));
  CHECK(contains(refused("/2/balance/plan", R"({"explain":[],"explain":[]})"),
                 "'explain' is there twice"));
  for (const auto* path : {"/2/errands", "/2/ha"})
    CHECK(contains(refused(path, R"({"verify":{},"dry":true,"dry":false})"),
                   "'dry' is there twice"));
  CHECK(at.actors.repairs.empty());
  CHECK(at.actors.orders.empty());
}

TEST_CASE(
  "without the right to act no repair is begun, and who has it is told") {
  site at;
  at.actors.all.status.right_to_act = {false, never, "node7 is master"};
  at.actors.all.status.master = "node7";
  auto error = error_of(ask_for(at, "web1"), "409");
  CHECK(error["code"] == "no-right-to-act");
  CHECK(error["text"]
        == "nothing was done: this orderlyd has no right to act: node7 is "
           "master; ask the orderlyd on the master, node7");
  CHECK(at.actors.repairs.empty());
}

TEST_CASE("a repair that is refused or not answered is told with the reason") {
  site at;
  at.actors.repair_result = repair_answer{false, "", "web1 is suspended"};
  auto error = error_of(ask_for(at, "web1"), "409");
  CHECK(error["code"] == "refused");
  CHECK(error["text"] == "web1 is suspended");
  at.actors.repair_result = fault{fault_kind::timed_out, "too busy"};
  CHECK(error_of(ask_for(at, "web1"), "504")["text"] == "too busy");
}

TEST_CASE("where auto-repair does not act a repair says who will") {
  site at;
  at.actors.all.status.autorepair_mode = repair_mode::observe;
  auto note = json_of(ask_for(at, "web1"))["note"];
  CHECK(contains(note, "only observes"));
  CHECK(contains(note, "by another tool"));
  at.actors.all.status.autorepair_mode = repair_mode::off;
  note = json_of(ask_for(at, "web1"))["note"];
  CHECK(contains(note, "autorepair.enabled"));
  CHECK(contains(note, "orderly harep"));
  CHECK(at.actors.repairs.size() == 2);
}

TEST_CASE("a repair is a POST by root or the daemon's user") {
  site at;
  auto answer = at.once(get("/2/instances/web1/repair"));
  error_of(answer, "405");
  CHECK(contains(answer, "Allow: POST\r\n"));
  error_of(at.once(post("/2/instances/web1", "")), "405");
  error_of(locally(at, post("/2/instances//repair", "{}")), "405");
  io::loop on;
  fake_actors actors;
  io::http::route_rules rules;
  rules.own_uid = 4711;
  auto routes = io::http::make_routes(on, on, actors.backend(), rules);
  auto status_for = [&](std::uint32_t uid) {
    return status_of(on, routes,
                     made_by(uid, "POST", "/2/instances/web1/repair",
                             R"({"type":"migrate"})"));
  };
  CHECK(status_for(0) == 200);
  CHECK(status_for(4711) == 200);
  CHECK(status_for(4712) == 403);
  CHECK(actors.repairs.size() == 2);
}

} // namespace orderly::http_repair_test
