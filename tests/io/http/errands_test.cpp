// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands over HTTP: who may have them, and what answers mean.

#include "io/http/metrics.hpp"
#include "io/http/page.hpp"
#include "io/json/errand_json.hpp"
#include "io/json/render.hpp"
#include "tests/io/http/site.hpp"

namespace orderly::http_errands_test {

using namespace orderly::test;
using nlohmann::json;

namespace {

constexpr auto body = R"({"power":{"command":"power-off","nodes":["node2"]},)"
                      R"("reason":"fan","count":1})";

errand_sheet taken() {
  errand_sheet x;
  x.id = "power-12";
  x.kind = errand_kind::power_off;
  x.who = "bob";
  x.began = noon;
  errand_row row;
  row.object = "node2";
  row.kind = row_kind::node;
  x.rows = {row};
  return x;
}

errand_sheet refused(const std::string& text, refused_for kind) {
  errand_sheet x;
  x.refusal = text;
  x.refusal_kind = kind;
  return x;
}

} // namespace

TEST_CASE("an errand goes to the desk with the name of who asked") {
  site at;
  at.actors.desk = [](const auto&) { return taken(); };
  auto x = json_of(locally(at, post("/2/errands", body)));
  CHECK(x["id"] == "power-12");
  CHECK(x["rows"][0]["object"] == "node2");
  CHECK(x["rows"][0]["state"] == "waiting");
  CHECK(x["ended"] == nullptr);
  REQUIRE(at.actors.errand_words.size() == 1);
  const auto& wanted = std::get<errand_request>(at.actors.errand_words[0]);
  CHECK(std::get<power_errand>(wanted.what).verb == power_verb::off);
  CHECK(wanted.reason == "fan");
  CHECK(wanted.count == 1U);
  CHECK_FALSE(wanted.who.empty());
}

TEST_CASE(
  "the switches of host HA are read and turned at a path of their own") {
  site at;
  at.actors.desk = [](const auto&) { return taken(); };
  locally(at, get("/2/ha"));
  locally(at, post("/2/ha", R"({"ha":{"action":"disable","scope":"group",)"
                            R"("names":["rack7"]},"reason":"cables"})"));
  REQUIRE(at.actors.errand_words.size() == 2);
  auto wanted = [&](std::size_t i) {
    return std::get<ha_errand>(
      std::get<errand_request>(at.actors.errand_words[i]).what);
  };
  CHECK(wanted(0).action == ha_action::list);
  CHECK(wanted(1).action == ha_action::disable);
  CHECK(wanted(1).scope == ha_scope::group);
  CHECK(wanted(1).names == std::vector<std::string>{"rack7"});
  for (const char* bad : {body, R"({"ha":{"action":"fly"}})",
                          R"({"ha":{"action":"list","scope":"rack"}})"})
    error_of(locally(at, post("/2/ha", bad)), "400");
  CHECK(at.actors.errand_words.size() == 2);
}

TEST_CASE("errands are for the unix socket only") {
  site at;
  at.actors.desk = [](const auto&) { return taken(); };
  for (const auto& text :
       {post("/2/errands", body), get("/2/errands"), get("/2/ha"),
        post("/2/ha", body), get("/2/errands/power-12"),
        post("/2/errands/power-12/stop", "")}) {
    auto error = error_of(at.once(text), "403");
    CHECK(contains(error["text"], "unix socket"));
  }
  CHECK(at.actors.errand_words.empty());
}

TEST_CASE("errands are for root and the user of orderlyd only") {
  std::vector<io::http::errand_word> words;
  io::http::backend to;
  to.errand = [&](io::http::errand_word x, auto) { words.push_back(x); };
  to.errands = [](auto done) { done(errand_list_answer{}); };
  io::loop on;
  io::http::route_rules rules;
  rules.own_uid = 990;
  auto handle = io::http::make_routes(on, on, to, rules);
  auto status_for = [&](std::uint32_t uid, const char* method,
                        const char* target, const char* text) {
    return status_of(on, handle, made_by(uid, method, target, text));
  };
  CHECK(status_for(1000, "POST", "/2/errands", body) == 403);
  CHECK(status_for(1000, "POST", "/2/errands/a/stop", "") == 403);
  CHECK(status_for(1000, "GET", "/2/errands/a", "") == 403);
  CHECK(status_for(1000, "GET", "/2/errands", "") == 403);
  CHECK(words.empty());
  CHECK(status_for(990, "GET", "/2/errands", "") == 200);
  status_for(990, "POST", "/2/errands", body);
  status_for(0, "POST", "/2/errands/a/stop", "");
  CHECK(words.size() == 2);
}

TEST_CASE("a body that is not just so never reaches the desk") {
  site at;
  at.actors.desk = [](const auto&) { return taken(); };
  for (const char* bad :
       {"", "{}", "[]", "{",
        R"({"power":{"command":"power-off"},"who":"root"})",
        R"({"power":{"command":"power-off","nodes":[""]}})"}) {
    auto error = error_of(locally(at, post("/2/errands", bad)), "400");
    CHECK(contains(error["text"], "the body cannot be taken: "));
  }
  CHECK(at.actors.errand_words.empty());
}

TEST_CASE("a refusal of the desk is told by its kind") {
  site at;
  errand_sheet next;
  at.actors.desk = [&](const auto&) { return next; };
  next = refused("Please provide at least one node", refused_for::usage);
  CHECK(error_of(locally(at, post("/2/errands", body)), "400")["text"]
        == next.refusal);
  next = refused("there is no node 'node2'", refused_for::not_found);
  CHECK(error_of(locally(at, post("/2/errands", body)), "404")["text"]
        == next.refusal);
  next = refused("Operating on the master node is not allowed",
                 refused_for::state);
  auto error = error_of(locally(at, post("/2/errands", body)), "409");
  CHECK(error["text"] == next.refusal);
  CHECK(error["code"] == "refused");
}

TEST_CASE("no answer of the desk is not taken for a refusal") {
  site at;
  at.actors.desk = [](const auto&) -> result<errand_sheet> {
    return fault{fault_kind::unknown_outcome, "it may or may not be taken"};
  };
  auto error = error_of(locally(at, post("/2/errands", body)), "500");
  CHECK(error["code"] == "outcome-unknown");
  CHECK(error["text"] == "it may or may not be taken");
}

TEST_CASE("an errand can be asked for again, and stopped in one's name") {
  site at;
  at.actors.desk = [](const io::http::errand_word& x) {
    auto sheet = taken();
    if (const auto* q = std::get_if<errand_query>(&x))
      sheet.found = q->id == "power-12";
    return sheet;
  };
  CHECK(json_of(locally(at, get("/2/errands/power-12")))["kind"]
        == "power-off");
  auto error = error_of(locally(at, get("/2/errands/power-13")), "404");
  CHECK(contains(error["text"], "there is no errand 'power-13'"));
  json_of(locally(at, post("/2/errands/power-12/stop", "")));
  const auto& stop = std::get<errand_stop>(at.actors.errand_words.back());
  CHECK(stop.id == "power-12");
  CHECK_FALSE(stop.who.empty());
  error_of(locally(at, post("/2/errands/power-12/stop", "{}")), "400");
  error_of(locally(at, get("/2/errands/" + std::string(101, 'x'))), "404");
  CHECK(at.actors.errand_words.size() == 3);
}

TEST_CASE("the list of errands comes without rows, as the desk gives it") {
  site at;
  auto one = taken();
  one.rows.clear();
  auto two = one;
  two.id = "power-13";
  at.actors.errand_list = errand_list_answer{{one, two}};
  auto x = json_of(locally(at, get("/2/errands")));
  REQUIRE(x["errands"].size() == 2);
  CHECK(x["errands"][1]["id"] == "power-13");
  CHECK(x["errands"][0]["rows"].empty());
}

TEST_CASE("errands are begun by POST, looked at by GET, stopped by POST") {
  site at;
  auto refused_way = [&](const std::string& text) {
    auto answer = locally(at, text);
    INFO(answer);
    CHECK(starts_with(answer, "HTTP/1.1 405 "));
    auto from = answer.find("Allow: ") + 7;
    return answer.substr(from, answer.find("\r\n", from) - from);
  };
  CHECK(refused_way("PUT /2/errands HTTP/1.1\r\nHost: x\r\n"
                    "Content-Length: 0\r\n\r\n")
        == "GET, HEAD, POST");
  CHECK(refused_way(get("/2/errands/power-12/stop")) == "POST");
  CHECK(refused_way(post("/2/errands/power-12", "")) == "GET, HEAD");
}

TEST_CASE("a node tells what the rehearsal of its power control gave") {
  site at;
  auto& row = at.actors.all.nodes[0];
  row.power_levels = 2;
  row.standing.held = "emergency power-off by bob";
  row.standing.power_control = {protection::unproven, "bmc gone", noon,
                                power_state::on, "recorded off, is on"};
  auto x = json_of(at.once(get("/2/nodes")))["nodes"][0];
  CHECK(x["power_control"] == true);
  CHECK(x["power_levels"] == 2);
  CHECK(x["held"] == "emergency power-off by bob");
  CHECK(x["vm_ha"] == json{{"host", "Up"}, {"alive", true}});
  CHECK(x["rehearsal"]
        == json{{"result", "unprotected"},
                {"why", "bmc gone"},
                {"at", "2026-03-01T12:00:00.000Z"},
                {"seen", "on"},
                {"mismatch", "recorded off, is on"}});
}

TEST_CASE("protection and mismatches are metrics, with zeros where none are") {
  auto all = small_cluster();
  auto& s = all.status;
  auto quiet = io::http::metrics_text(s);
  CHECK(contains(quiet, "orderly_nodes_by_protection{result=\"protected\"} 0"));
  CHECK(contains(quiet, "orderly_power_mismatches 0"));
  CHECK_FALSE(contains(quiet, "orderly_power_mismatch{"));
  s.nodes_by_protection = {{"protected", 3}, {"unprotected", 1}};
  s.power_mismatches = {{"node\"2", "recorded off, is on"}};
  auto text = io::http::metrics_text(s);
  CHECK(contains(text, "orderly_nodes_by_protection{result=\"protected\"} 3"));
  CHECK(
    contains(text, "orderly_nodes_by_protection{result=\"unprotected\"} 1"));
  CHECK(contains(text, "orderly_nodes_by_protection{result=\"none\"} 0"));
  CHECK(contains(text, "orderly_power_mismatches 1"));
  CHECK(contains(text, "orderly_power_mismatch{node=\"node\\\"2\",how="
                       "\"recorded off, is on\"} 1"));
}

TEST_CASE("the status page shows who is unprotected and what differs") {
  auto all = small_cluster();
  all.status.nodes_by_protection = {{"protected", 1}, {"unprotected", 1}};
  all.status.power_mismatches = {{"node2", "recorded off, is on"}};
  all.nodes[1].standing.power_control
    = {protection::unproven, "x", noon, power_state::on, "<recorded off>"};
  auto page = io::http::status_page(all);
  CHECK(contains(page, "1 protected"));
  CHECK(contains(page, "1 unprotected"));
  CHECK(contains(page, "1 not as recorded"));
  CHECK(contains(page, "unprotected <span class=\"bad\">&lt;recorded off&gt;"));
}

} // namespace orderly::http_errands_test
