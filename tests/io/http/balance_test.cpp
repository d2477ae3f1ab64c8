// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balancing over HTTP: how it stands, a plan to look at, and what comes next.

#include "tests/io/http/balance_sample.hpp"

namespace orderly::http_balance_test {

using namespace orderly::test;
using nlohmann::json;

namespace {

std::string ask_plan(const site& at, const std::string& body = "") {
  return locally(at, post("/2/balance/plan", body));
}

json next(const site& at) {
  return json_of(at.once(get("/2/plan")));
}

/// The rows of that kind, as "object state".
std::vector<std::string> rows(const json& x, const std::string& what) {
  std::vector<std::string> all;
  for (const auto& row : x["acts"])
    if (row["what"] == what)
      all.push_back(row["object"].get<std::string>() + " "
                    + row["state"].get<std::string>());
  return all;
}

/// A cluster in which nothing is wrong.
void make_well(site& at) {
  at.actors.all.instances = {healthy_instance("web1")};
  at.actors.all.nodes.resize(1);
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("the balance sheet is told with its plan, moves and reasons") {
  site at;
  auto sheet = sample_sheet();
  sheet.open = {{sample_move("web2", 0), 17, "job 17 is running"}};
  answer_with(at, sheet);
  auto x = json_of(at.once(get("/2/balance")));
  CHECK(x["phase"] == "resting");
  CHECK(x["text"] == "the next round begins in five minutes");
  CHECK(x["enabled"] == true);
  CHECK(x["round"] == 7);
  CHECK(x["next_round"] == "2026-03-01T12:05:00.000Z");
  CHECK(x["asked"] == 2);
  CHECK(x["plan"] == 2);
  CHECK(x["planned_at"] == "2026-03-01T11:59:57.000Z");
  CHECK(x["remarks"] == json(sheet.remarks));
  CHECK(x["closed"]["node2"] == "it is in trouble");
  CHECK(x["fixed"]["web9"] == "a job of somebody else works on it");
  CHECK(x["open"][0]["instance"] == "web2");
  CHECK(x["open"][0]["job"] == 17);
  CHECK(x["open"][0]["stage"] == "job 17 is running");
  const auto& plan = x["planned"];
  CHECK(plan["planned"] == true);
  REQUIRE(plan["moves"].size() == 2);
  const auto& move = plan["moves"][0];
  CHECK(move["instance"] == "web1");
  CHECK(move["from"] == json({{"primary", "node1"}, {"secondary", "node2"}}));
  CHECK(move["to"] == json({{"primary", "node3"}, {"secondary", "node1"}}));
  CHECK(move["path"] == "node1:node2 => node3:node1");
  CHECK(contains(move["steps"][0], "web1"));
  CHECK(move["level"] == 0);
  CHECK(move["score"] == 1.5);
  CHECK(move["gain"] == 0.25);
  CHECK(move["cost"] == 1);
  CHECK(move["why"] == "reserved_mem_cv -0.25");
  CHECK(plan["groups"]
        == json::array({{{"group", "default"},
                         {"before", 2.0},
                         {"after", 1.5},
                         {"steps", 2},
                         {"cut", true}}}));
  CHECK(plan["explained"]["mail1"] == "it stays: no other node is better");
  REQUIRE(at.actors.balance_queries.size() == 1);
  CHECK_FALSE(at.actors.balance_queries[0].plan_now);
}

TEST_CASE("before the first plan there is none in the sheet") {
  site at;
  balance_sheet sheet;
  sheet.planned_at = never;
  sheet.next_round = never;
  answer_with(at, sheet);
  auto x = json_of(at.once(get("/2/balance")));
  CHECK(x["phase"] == "off");
  CHECK(x["planned"].is_null());
  CHECK(x["planned_at"].is_null());
  CHECK(x["next_round"].is_null());
}

TEST_CASE("a plan is asked for with the instances to explain") {
  site at;
  answer_with(at, sample_sheet());
  auto x = json_of(ask_plan(at, R"({"explain": ["web1"]})"));
  CHECK(x["asked"] == 2);
  REQUIRE(at.actors.balance_queries.size() == 1);
  CHECK(at.actors.balance_queries[0].plan_now);
  CHECK(at.actors.balance_queries[0].explained
        == std::set<instance_name>{"web1"});
  json_of(ask_plan(at));
  json_of(ask_plan(at, R"({"explain": []})"));
  REQUIRE(at.actors.balance_queries.size() == 3);
  CHECK(at.actors.balance_queries[1].plan_now);
  CHECK(at.actors.balance_queries[2].explained.empty());
}

TEST_CASE("an instance to explain that there is not is named, and none asked") {
  site at;
  auto error = error_of(ask_plan(at, R"({"explain": ["web2"]})"), "404");
  CHECK(error["text"]
        == "there is no instance 'web2' in the last reading of the cluster; "
           "did you mean 'web1'?");
  CHECK(at.actors.balance_queries.empty());
}

TEST_CASE("the order for a plan must be just so") {
  site at;
  for (const char* bad :
       {"[]", "{", R"({"explain": "web1"})", R"({"explain": [1]})",
        R"({"explan": []})", R"({"explain": [], "explain": []})"}) {
    INFO(bad);
    error_of(ask_plan(at, bad), "400");
  }
  error_of(at.once(post("/2/balance/plan", "")), "403");
  error_of(at.once(get("/2/balance/plan")), "405");
  error_of(at.once(post("/2/balance", "")), "405");
  error_of(at.once(post("/2/plan", "")), "405");
  CHECK(at.actors.balance_queries.empty());
}

TEST_CASE("a balancer that does not answer is an error like any other") {
  site at;
  answer_with(at, fault{fault_kind::timed_out, "orderlyd is starting"});
  for (const char* path : {"/2/balance", "/2/plan"})
    CHECK(error_of(at.once(get(path)), "504")["text"]
          == "orderlyd is starting");
  error_of(ask_plan(at), "504");
  // The other metrics are there all the same.
  auto text = at.once(get("/metrics"));
  CHECK(contains(text, "orderly_master 1"));
  CHECK_FALSE(contains(text, "orderly_balance_round"));
}

TEST_CASE("nothing to do is said so") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.planned.moves.clear();
  answer_with(at, sheet);
  auto x = next(at);
  CHECK(x["something"] == false);
  CHECK(x["acts"].empty());
  CHECK(x["holds"] == "");
  CHECK(x["balance"]["note"] == "");
}

TEST_CASE("what waits for the spent budget is something to do") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.planned.moves.clear();
  answer_with(at, sheet);
  auto& guard = at.actors.all.status.guard;
  guard.budget = true;
  guard.budget_text = "budget: 6 of 6 fences used this hour: node:node3 waits";
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(x["guard"]["budget"] == true);
  CHECK(x["guard"]["budget_text"] == guard.budget_text);
}

TEST_CASE("moves that can run at once are due, later ones are not listed") {
  site at;
  make_well(at);
  answer_with(at, sample_sheet());
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "balance") == lines{"web1 due"});
  CHECK(starts_with(x["acts"][0]["act"], "node1:node2 => node3:node1: "));
  CHECK(x["acts"][0]["why"]
        == "takes 0.25000000 off the score of its group: reserved_mem_cv "
           "-0.25");
}

TEST_CASE("with balancing off its moves do not count, and that is said") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.enabled = false;
  sheet.phase = balance_phase::off;
  answer_with(at, sheet);
  auto x = next(at);
  CHECK(x["something"] == false);
  CHECK(x["acts"].empty());
  CHECK(contains(x["balance"]["note"], "balancing is off (balance.enabled)"));
}

TEST_CASE("a plan that is missing or failed is said, and no move counts") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.planned_at = never;
  answer_with(at, sheet);
  CHECK(contains(next(at)["balance"]["note"], "no plan of balancing was made"));
  CHECK(next(at)["something"] == false);
  sheet = sample_sheet();
  sheet.planned = {};
  sheet.planned.text = "luxid is away";
  answer_with(at, sheet);
  CHECK(next(at)["balance"]["note"]
        == "there is no plan of balancing: luxid is away");
}

TEST_CASE("what balancing has under way counts, and once") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.phase = balance_phase::moving;
  sheet.open = {{sample_move("web1", 0), 17, "job 17 is running"}};
  answer_with(at, sheet);
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "balance") == lines{"web1 under-way"});
  CHECK(x["acts"][0]["why"] == "job 17 is running");
}

TEST_CASE("a move that was made already is not due once more") {
  site at;
  make_well(at);
  at.actors.all.instances[0].primary = "node3";
  at.actors.all.instances[0].secondaries = {"node1"};
  answer_with(at, sample_sheet());
  CHECK(next(at)["something"] == false);
}

TEST_CASE("held moves are listed with what holds them") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.phase = balance_phase::held;
  sheet.text = "node2 is in trouble";
  answer_with(at, sheet);
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "balance") == lines{"web1 held"});
  CHECK(starts_with(x["acts"][0]["why"],
                    "not yet, because node2 is in trouble; it takes "));
  sheet.phase = balance_phase::resting;
  answer_with(at, sheet);
  at.actors.all.status.guard.paused = true;
  at.actors.all.status.guard.paused_by = "anna";
  x = next(at);
  CHECK(rows(x, "balance") == lines{"web1 held"});
  CHECK(x["holds"] == "it is paused by anna");
}

TEST_CASE("a repair that is permitted is due, with the step that is next") {
  site at;
  auto& web = at.actors.all.instances[0].standing;
  web.allowed = {false, repair_type::failover};
  web.waits_for = "";
  web.next = "failover of web1";
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "repair") == lines{"web1 due"});
  CHECK(x["acts"][0]["act"] == "failover of web1");
  CHECK(x["acts"][0]["why"] == "primary node2 is offline");
  web.waits_for = "node2 to be fenced";
  CHECK(rows(next(at), "repair") == lines{"web1 waits"});
  CHECK(next(at)["something"] == true);
  web.waits_for = "";
  at.actors.all.status.guard.storm = true;
  CHECK(rows(next(at), "repair") == lines{"web1 held"});
  CHECK(next(at)["something"] == true);
  web.phase = repair_phase::pending;
  CHECK(rows(next(at), "repair") == lines{"web1 under-way"});
  CHECK(next(at)["something"] == true);
}

TEST_CASE("a repair that nobody permits is not in the plan") {
  site at;
  auto x = next(at);
  CHECK(x["something"] == false);
  CHECK(rows(x, "repair").empty());
}

TEST_CASE("resets and fences are under way or waited for") {
  site at;
  make_well(at);
  at.actors.all.status.host_ha = true;
  auto& node = at.actors.all.nodes[0];
  auto row = [&](ha_phase phase) {
    node.standing.phase = phase;
    auto x = next(at);
    return x["acts"].empty() ? std::string{"none"}
                             : x["acts"][0]["what"].get<std::string>() + " "
                                 + x["acts"][0]["state"].get<std::string>();
  };
  CHECK(row(ha_phase::fencing) == "fence under-way");
  CHECK(row(ha_phase::recovering) == "reset under-way");
  for (auto phase : {ha_phase::suspect, ha_phase::checking, ha_phase::degraded})
    CHECK(row(phase) == "treat waits");
  for (auto phase : {ha_phase::available, ha_phase::fenced, ha_phase::recovered,
                     ha_phase::disabled, ha_phase::ineligible})
    CHECK(row(phase) == "none");
  at.actors.all.status.guard.paused = true;
  CHECK(row(ha_phase::degraded) == "treat held");
  at.actors.all.status.host_ha = false; // it is only watched
  CHECK(row(ha_phase::degraded) == "none");
}

TEST_CASE("a fence that waits for leave is a fence, and counts") {
  site at;
  make_well(at);
  auto& node = at.actors.all.nodes[0];
  node.standing.phase = ha_phase::suspect;
  node.standing.wants = act_kind::fence;
  node.standing.waits_for = "a permit to fence; held: settle";
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "fence") == lines{"node1 waits"});
  CHECK(contains(x["acts"][0]["why"], "waits for: a permit to fence; held"));
  auto& guard = at.actors.all.status.guard;
  guard.fences_left = 0; // nobody was refused for it yet
  CHECK(rows(next(at), "fence") == lines{"node1 waits"});
  guard.budget = true;
  CHECK(rows(next(at), "fence") == lines{"node1 held"});
  node.standing.wants = act_kind::reset;
  CHECK(rows(next(at), "reset") == lines{"node1 held"});
}

TEST_CASE("what a person ordered is in the plan until it is done") {
  site at;
  make_well(at);
  auto& node = at.actors.all.nodes[0];
  accepted_order order;
  order.who = "root";
  order.why = "new memory";
  order.errand = "power-12";
  node.ordered = order;
  auto x = next(at);
  CHECK(x["something"] == true);
  CHECK(rows(x, "order") == lines{"node1 waits"});
  CHECK(x["acts"][0]["act"] == "power-off");
  CHECK(x["acts"][0]["why"]
        == "root asked for it (power-12: new memory); waits for its turn");
  node.ordered->running = true;
  node.ordered->step = "mark-offline";
  CHECK(rows(next(at), "order") == lines{"node1 under-way"});
  node.ordered.reset();
  CHECK(next(at)["something"] == false);
}

TEST_CASE("balancing has its metrics") {
  site at;
  auto sheet = sample_sheet();
  sheet.open = {{sample_move("web2", 0), 17, "job 17 is running"}};
  answer_with(at, sheet);
  at.actors.all.status.counters["balance_moves{result=success}"] = 5;
  auto text = at.once(get("/metrics"));
  for (const char* line :
       {"orderly_balance_phase{phase=\"resting\"} 1\n",
        "orderly_balance_phase{phase=\"moving\"} 0\n",
        "orderly_balance_round 7\n", "orderly_balance_open_moves 1\n",
        "orderly_balance_score{group=\"default\"} 2\n",
        "orderly_balance_score_planned{group=\"default\"} 1.5\n",
        "orderly_balance_moves_total{result=\"success\"} 5\n",
        "orderly_balance_moves_total{result=\"failure\"} 0\n",
        "orderly_balance_moves_total{result=\"dropped\"} 0\n"}) {
    INFO(line);
    CHECK(contains(text, line));
  }
}

} // namespace orderly::http_balance_test
