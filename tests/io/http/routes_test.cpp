// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/metrics.hpp"
#include "io/http/page.hpp"
#include "tests/io/http/site.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <fstream>

namespace orderly::http_routes_test {

using namespace orderly::test;
using nlohmann::json;

namespace {

const std::string html = "Accept: text/html,application/xhtml+xml\r\n";

} // namespace

TEST_CASE("the root lists the versions for machines and is a page for people") {
  site at;
  CHECK(body_of(at.once(get("/"))) == "[1]");
  auto page = at.once(get("/", html));
  CHECK(contains(page, "Content-Type: text/html; charset=utf-8\r\n"));
  CHECK(contains(page, "c1.example.com"));
  CHECK(contains(at.once(get("/status.html")), "<!DOCTYPE html>"));
}

TEST_CASE("the page shows what is going on and loads nothing") {
  auto page = io::http::status_page(small_cluster());
  for (const char* part :
       {"node1 is master", "http-equiv=\"refresh\"", "node2", "fenced",
        "power status off, read 11:55:00", "somebody to repair it", "web1",
        "its node node2 is off", "nothing moved in 10 checks", "5m 0s",
        "1 of 2 nodes in trouble; 5 fences"}) {
    INFO(part);
    CHECK(contains(page, part));
  }
  for (const char* part : {"<script", "http://", "https://", "src=", "url("}) {
    INFO(part);
    CHECK_FALSE(contains(page, part));
  }
}

TEST_CASE("the page shows what instances need and what will be done") {
  auto x = small_cluster();
  x.instances.push_back(healthy_instance("calm"));
  auto page = io::http::status_page(x);
  CHECK(contains(page, "<td>failover<br>"));
  CHECK(contains(page, "primary node2 is offline"));
  CHECK(contains(page, "nothing will be done because it takes failover"));
  CHECK_FALSE(contains(page, "calm"));
  x.status.autorepair_mode = repair_mode::off;
  CHECK(contains(io::http::status_page(x), "no, auto-repair is off"));
}

TEST_CASE("names from outside are text on the page, never markup") {
  auto x = small_cluster();
  const std::string evil = "<script>alert(\"1\")</script>&'";
  x.status.cluster = x.status.master = x.status.poll_error = evil;
  x.status.right_to_act.text = x.status.guard.storm_text = evil;
  x.status.guard.storm = true;
  auto& node = x.nodes[1];
  node.name = node.group = node.standing.reason = node.standing.waits_for
    = evil;
  auto& web = x.instances[0];
  web.name = web.primary = web.standing.why = web.standing.permission
    = web.standing.wrong = web.standing.permitted_by = evil;
  x.decisions[0].object = x.decisions[0].why = evil;
  auto page = io::http::status_page(x);
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "\"1\""));
  CHECK(contains(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;"
                       "&amp;&#39;"));
}

TEST_CASE("bytes that are no UTF-8 are replaced in JSON, page and metrics") {
  site at;
  auto& x = at.actors.all;
  const std::string odd = "a\xff\xc0\x80\xed\xa0\x80\x01z";
  x.nodes[0].name = x.status.cluster = x.status.version = odd;
  x.status.nodes_by_phase[odd] = 7;
  x.instances[0].standing.why = odd;
  x.status.counters[odd] = 1;
  CHECK(json_of(at.once(get("/2/nodes")))["nodes"].size() == 2);
  CHECK(json_of(at.once(get("/2/status")))["nodes_by_phase"].size() == 3);
  auto page = body_of(at.once(get("/status.html")));
  CHECK(contains(page, "a\xef\xbf\xbd"));
  CHECK_FALSE(contains(page, "\xff"));
  auto metrics = body_of(at.once(get("/metrics")));
  CHECK_FALSE(contains(metrics, "\xff"));
  CHECK(contains(metrics, "orderly_nodes{state=\"a\xef\xbf\xbd"));
}

TEST_CASE("version 2 tells status, nodes and instances with RFC 3339 times") {
  site at;
  auto status = json_of(at.once(get("/2/status")));
  CHECK(status["now"] == "2026-03-01T12:00:00.000Z");
  CHECK(status["right_to_act"]["until"] == "2026-03-01T12:00:30.000Z");
  CHECK(status["guard"]["fences_left"] == 5);
  CHECK(status["autorepair_mode"] == "act");
  CHECK(status["repairs_needed"]["failover"] == 1);
  auto nodes = json_of(at.once(get("/2/nodes")))["nodes"];
  CHECK(nodes[0]["since"].is_null());
  CHECK(nodes[0]["proved_down"].is_null());
  CHECK(nodes[1]["phase"] == "fenced");
  CHECK(nodes[1]["proved_down"]["level"] == "power-status");
  auto node = json_of(at.once(get("/2/nodes/node2")));
  CHECK(node == nodes[1]);
  auto web = json_of(at.once(get("/2/instances/web1")));
  CHECK(web["secondaries"] == json::array({"node1"}));
  auto listed = json_of(at.once(get("/2/instances")))["instances"][0];
  for (const auto& [key, value] : listed.items()) {
    INFO(key);
    CHECK(web[key] == value);
  }
}

TEST_CASE("a name is found after decoding, and only as what it is") {
  site at;
  at.actors.all.nodes[0].name = "odd name/%";
  CHECK(json_of(at.once(get("/2/nodes/odd%20name%2f%25")))["name"]
        == "odd name/%");
  auto error = error_of(at.once(get("/2/nodes/web1")), "404");
  CHECK(error["code"] == "not-found");
  CHECK(contains(error["text"], "no node 'web1'"));
  error_of(at.once(get("/2/instances/node2")), "404");
  error_of(at.once(get("/2/nodes/")), "404");
  error_of(at.once(get("/2/nodes/%zz")), "400");
  error_of(at.once(get("/2/nodes/%00")), "400");
}

TEST_CASE("decisions are limited, continued and filtered by object") {
  site at;
  auto seqs = [&at](const std::string& query) {
    std::vector<int> all;
    auto body = json_of(at.once(get("/2/decisions" + query)));
    for (const auto& x : body["decisions"])
      all.push_back(x["seq"].get<int>());
    return all;
  };
  CHECK(seqs("") == std::vector{41, 42});
  CHECK(seqs("?limit=1") == std::vector{42});
  CHECK(seqs("?after=41") == std::vector{42});
  CHECK(seqs("?after=42").empty());
  CHECK(seqs("?object=node2") == std::vector{41});
  CHECK(seqs("?object=instance:web1&limit=5") == std::vector{42});
  CHECK(seqs("?object=node%3Aweb1").empty());
  for (const char* bad :
       {"?limit=0", "?limit=10001", "?limit=x", "?limit=-1", "?after=1x",
        "?limit=", "?limit=1&limit=2", "?speed=1"}) {
    INFO(bad);
    error_of(at.once(get(std::string{"/2/decisions"} + bad)), "400");
  }
}

TEST_CASE("explain tells the object with what was decided about it") {
  site at;
  for (const char* name : {"node2", "node:node2"}) {
    auto x = json_of(at.once(get(std::string{"/2/explain/"} + name)));
    CHECK(x["object"] == name);
    CHECK(x["nodes"][0]["waits_for"] == "somebody to repair it");
    CHECK(x["instances"].empty());
    REQUIRE(x["decisions"].size() == 1);
    CHECK(x["decisions"][0]["object"] == "node:node2");
  }
  error_of(at.once(get("/2/explain/nobody")), "404");
}

TEST_CASE("unknown paths are 404, wrong methods 405 with what is allowed") {
  site at;
  CHECK(error_of(at.once(get("/3/x")), "404")["code"] == "not-found");
  error_of(at.once(get("/2/nodesx")), "404");
  auto answer = at.once(post("/2/status", ""));
  error_of(answer, "405");
  CHECK(contains(answer, "Allow: GET, HEAD\r\n"));
  answer = at.once(get("/2/pause"));
  error_of(answer, "405");
  CHECK(contains(answer, "Allow: POST\r\n"));
  raw_client x{at.port()};
  x.send("HEAD /2/status HTTP/1.1\r\nHost: x\r\n\r\n");
  CHECK(starts_with(x.answer(true), "HTTP/1.1 200"));
}

TEST_CASE("orders are refused over TCP") {
  site at;
  for (const char* path :
       {"/2/pause", "/2/resume", "/2/instances/web1/repair"}) {
    auto error = error_of(at.once(post(path, "")), "403");
    CHECK(error["code"] == "forbidden");
    CHECK(contains(error["text"], "unix socket"));
  }
  CHECK(at.actors.orders.empty());
  CHECK(at.actors.repairs.empty());
}

TEST_CASE("pause and resume over the unix socket carry who and why") {
  site at;
  auto done = json_of(locally(at, post("/2/pause", R"({"reason":"a move"})")));
  CHECK(done["done"] == true);
  CHECK(done["text"] == "paused");
  json_of(locally(at, post("/2/resume", "")));
  REQUIRE(at.actors.orders.size() == 2);
  CHECK(at.actors.orders[0].pause);
  CHECK(at.actors.orders[0].reason == "a move");
  CHECK_FALSE(at.actors.orders[0].who.empty());
  CHECK_FALSE(at.actors.orders[1].pause);
  for (const char* bad : {"[]", "{", R"({"reason":1})", R"({"reson":"x"})"})
    error_of(locally(at, post("/2/pause", bad)), "400");
  CHECK(at.actors.orders.size() == 2);
  at.actors.pause_result = pause_answer{false, "was not paused"};
  CHECK(error_of(locally(at, post("/2/resume", "")), "409")["text"]
        == "was not paused");
}

TEST_CASE("only root and the daemon's user may pause") {
  io::loop on;
  fake_actors actors;
  io::http::route_rules rules;
  rules.own_uid = 4711;
  auto routes = io::http::make_routes(on, on, actors.backend(), rules);
  auto status_for = [&](std::uint32_t uid) {
    return status_of(on, routes, made_by(uid, "POST", "/2/pause"));
  };
  CHECK(status_for(0) == 200);
  CHECK(status_for(4711) == 200);
  CHECK(status_for(4712) == 403);
  CHECK(actors.orders.size() == 2);
}

TEST_CASE("health means that the view answers in time") {
  site at;
  CHECK(body_of(at.once(get("/healthz"))) == "ok\n");
  CHECK(starts_with(at.once(get("/healthz?probe=1")), "HTTP/1.1 200"));
  site dead;
  dead.actors.silent = true;
  auto answer = dead.once(get("/healthz"));
  CHECK(starts_with(answer, "HTTP/1.1 503"));
  CHECK(contains(answer, "the view does not answer"));
}

TEST_CASE("how fresh a reading must be is as the settings say at each look") {
  std::atomic<millis> limit{minutes{10}};
  io::http::route_rules rules;
  rules.own_uid = ::geteuid();
  rules.reading_max_age = [&] { return limit.load(); };
  rules.audience_now = io::http::always({true, {"x"}});
  site at{{}, rules};
  auto& s = at.actors.all.status;
  s.polled = s.now - seconds{61};
  CHECK(starts_with(at.once(get("/readyz")), "HTTP/1.1 200"));
  limit = seconds{30};
  CHECK(starts_with(at.once(get("/readyz")), "HTTP/1.1 503"));
}

TEST_CASE("ready means the right to act and a fresh reading") {
  auto answer = [](auto change) {
    site at;
    change(at.actors.all.status);
    return at.once(get("/readyz"));
  };
  CHECK(starts_with(answer([](status_row&) {}), "HTTP/1.1 200"));
  auto none = answer([](status_row& s) {
    s.right_to_act.held = false;
    s.right_to_act.text = "node7 is master";
  });
  CHECK(starts_with(none, "HTTP/1.1 503"));
  CHECK(contains(none, "node7 is master"));
  auto over = answer([](status_row& s) { s.right_to_act.until = s.now; });
  CHECK(starts_with(over, "HTTP/1.1 503"));
  auto stale = answer([](status_row& s) { s.polled = s.now - seconds{61}; });
  CHECK(starts_with(stale, "HTTP/1.1 503"));
  CHECK(contains(stale, "61 s old"));
  auto unread = answer([](status_row& s) { s.polled = never; });
  CHECK(contains(unread, "never read"));
}

TEST_CASE("metrics carry the status under fixed names") {
  auto status = small_cluster().status;
  status.counters["repairs_ended{type=migrate,result=success}"] = 4;
  status.counters["jobs_submitted_by_kind{kind=tags-set}"] = 3;
  auto text = io::http::metrics_text(status);
  for (const char* line :
       {"orderly_build_info{version=\"9.8.7\"} 1\n",
        "orderly_master 1\n",
        "orderly_nodes{state=\"fenced\"} 1\n",
        "orderly_instances{health=\"needs-repair\"} 1\n",
        "orderly_guard_state{guard=\"storm\"} 0\n",
        "orderly_guard_state{guard=\"budget\"} 0\n",
        "orderly_paused 0\n",
        "orderly_budget_remaining{action=\"fence\"} 5\n",
        "orderly_fence_attempts_total{result=\"confirmed\"} 1\n",
        "orderly_fence_attempts_total{result=\"unconfirmed\"} 0\n",
        "orderly_jobs_submitted_total 0\n",
        "orderly_jobs_failed_total 2\n",
        "orderly_autorepair_mode{mode=\"act\"} 1\n",
        "orderly_autorepair_mode{mode=\"off\"} 0\n",
        "orderly_repairs_needed{type=\"failover\"} 1\n",
        "orderly_repairs_needed{type=\"none\"} 0\n",
        "orderly_repairs_started_total{type=\"migrate\"} 0\n",
        "orderly_repairs_ended_total{type=\"migrate\",result=\"success\"} 4\n",
        "orderly_repairs_ended_total{type=\"reinstall\",result=\"enoperm\"} "
        "0\n",
        "orderly_jobs_submitted_by_kind_total{kind=\"tags-set\"} 3\n",
        "orderly_alerts_total 0\n"}) {
    INFO(line);
    CHECK(contains(text, line));
  }
}

TEST_CASE("counters with impossible names are left out of the metrics") {
  auto x = small_cluster().status;
  x.counters = {{"two words", 1}, {"a{b", 1},       {"a{1x=2}", 1},
                {"", 1},          {"orderly_x", 5}, {"y{l=\"v\"}", 6}};
  auto text = io::http::metrics_text(x);
  CHECK_FALSE(contains(text, "two words"));
  CHECK_FALSE(contains(text, "1x"));
  CHECK(contains(text, "orderly_x_total 5\n"));
  CHECK(contains(text, "orderly_y_total{l=\"v\"} 6\n"));
}

TEST_CASE("promtool finds nothing wrong with the metrics") {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    WARN("promtool is not installed, nothing was checked");
    return;
  }
  site at;
  at.actors.all.status.counters["repairs_started{type=migrate}"] = 1;
  at.actors.all.status.counters["jobs_submitted_by_kind{kind=wait}"] = 1;
  at.actors.all.status.counters["alerts{object=\"a\\b\nc\"}"] = 3;
  scratch_folder folder;
  std::ofstream{folder.path("metrics")} << body_of(at.once(get("/metrics")));
  auto command = "promtool check metrics < " + folder.path("metrics") + " > "
                 + folder.path("said") + " 2>&1";
  auto code = std::system(command.c_str());
  std::ifstream said{folder.path("said")};
  INFO(std::string(std::istreambuf_iterator<char>{said}, {}));
  CHECK(code == 0);
}

} // namespace orderly::http_routes_test
