// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly balance` and `orderly plan`, run against a made-up balancer.

#include "tests/io/console/run.hpp"
#include "tests/io/http/balance_sample.hpp"

#include <deque>

namespace orderly::console_balance_test {

using namespace orderly::test;
using namespace orderly::io::console;

namespace {

/// Somebody who types a command, perhaps at a terminal.
struct typist {
  bool terminal = false;
  std::vector<millis> rests;

  outcome type(const site& at, std::vector<std::string> words) {
    auto socket = at.socket();
    std::vector<const char*> all{"orderly", "--socket", socket.c_str()};
    for (const auto& word : words)
      all.push_back(word.c_str());
    auto line
      = parse_command_line(static_cast<int>(all.size()), all.data(), "1.2.3");
    INFO(line.text);
    REQUIRE(line.line);
    std::ostringstream out;
    std::ostringstream err;
    surroundings with{out, err, "1.2.3", [] { return noon; },
                      [] { return false; }};
    with.watched = terminal;
    with.rest = [this](millis span) { rests.push_back(span); };
    auto code = run(*line.line, with);
    return {code, out.str(), err.str()};
  }
};

/// Answers in turn; the last answer stays.
void script(site& at, std::deque<result<balance_sheet>> answers) {
  at.actors.balancer = [answers](const balance_query&) mutable {
    auto x = answers.front();
    if (answers.size() > 1)
      answers.pop_front();
    return x;
  };
}

balance_sheet not_ready() {
  auto x = sample_sheet();
  x.asked = 3;
  return x;
}

balance_sheet ready() {
  auto x = not_ready();
  x.plan = 3;
  return x;
}

void make_well(site& at) {
  at.actors.all.instances = {healthy_instance("web1")};
  at.actors.all.nodes.resize(1);
}

} // namespace

TEST_CASE("orderly balance shows how it stands, and asks for no plan") {
  site at;
  auto sheet = sample_sheet();
  sheet.open = {{sample_move("web2", 0), 17, "job 17 is running"}};
  answer_with(at, sheet);
  typist anna;
  auto x = anna.type(at, {"balance"});
  CHECK(x.code == 0);
  CHECK(x.err.empty());
  CHECK(x.out
        == "balancing   resting\n"
           "why         the next round begins in five minutes\n"
           "enabled     yes\n"
           "round       7\n"
           "next round  2026-03-01T12:05:00.000Z (in 5m 0s)\n"
           "last plan   2026-03-01T11:59:57.000Z (3s ago)\n"
           "remark      no load data: the monitor of node2 does not answer "
           "in time\n"
           "\n"
           "INSTANCE  MOVE                        JOB  STAGE\n"
           "web2      node1:node2 => node3:node1  17   job 17 is running\n"
           "\n"
           "GROUP    SCORE       AFTER       STEPS  NOTE\n"
           "default  2.00000000  1.50000000  2      the search was cut short: "
           "there may be more\n"
           "\n"
           "LEFT ALONE  NAME   WHY\n"
           "node        node2  it is in trouble\n"
           "instance    web9   a job of somebody else works on it\n");
  REQUIRE(at.actors.balance_queries.size() == 1);
  CHECK_FALSE(at.actors.balance_queries[0].plan_now);
}

TEST_CASE("a dry run asks for a plan, waits for it and prints it") {
  site at;
  script(at, {not_ready(), not_ready(), ready()});
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run", "--explain", "web1"});
  CHECK(x.code == 0);
  CHECK(x.out
        == "LEVEL  INSTANCE  MOVE                        GAIN        COST  "
           "WHY\n"
           "0      web1      node1:node2 => node3:node1  0.25000000  1.00  "
           "reserved_mem_cv -0.25\n"
           "1      db1       node1:node2 => node3:node1  0.25000000  1.00  "
           "reserved_mem_cv -0.25\n"
           "\n"
           "INSTANCE  EXPLANATION\n"
           "mail1     it stays: no other node is better\n"
           "\n"
           "GROUP    SCORE       AFTER       STEPS  NOTE\n"
           "default  2.00000000  1.50000000  2      the search was cut short: "
           "there may be more\n"
           "\n"
           "LEFT ALONE  NAME   WHY\n"
           "node        node2  it is in trouble\n"
           "instance    web9   a job of somebody else works on it\n");
  CHECK(x.err
        == "orderly: no load data: the monitor of node2 does not answer "
           "in time\n");
  CHECK(anna.rests == std::vector<millis>{millis{300}, millis{300}});
  REQUIRE(at.actors.balance_queries.size() == 3);
  CHECK(at.actors.balance_queries[0].plan_now);
  CHECK(at.actors.balance_queries[0].explained
        == std::set<instance_name>{"web1"});
  CHECK_FALSE(at.actors.balance_queries[2].plan_now);
}

TEST_CASE("a dry run as JSON is one object") {
  site at;
  script(at, {not_ready(), ready()});
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run", "--output", "json"});
  CHECK(x.code == 0);
  auto all = nlohmann::json::parse(x.out);
  CHECK(all["plan"] == 3);
  CHECK(all["planned"]["moves"].size() == 2);
}

TEST_CASE("a terminal is shown that the plan is being made, for a while") {
  site at;
  script(at, {not_ready(), not_ready(), ready()});
  typist anna;
  anna.terminal = true;
  auto x = anna.type(at, {"balance", "--dry-run"});
  CHECK(starts_with(x.err, "\rasks all nodes and plans: 0 s\x1b[K"
                           "\rasks all nodes and plans: 0 s\x1b[K\r\x1b[K"));
}

TEST_CASE("a plan without moves is a plan, and it is said") {
  site at;
  auto sheet = ready();
  sheet.planned.moves.clear();
  sheet.remarks.clear();
  script(at, {sheet});
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run"});
  CHECK(x.code == 0);
  CHECK(starts_with(x.out, "LEVEL  INSTANCE  MOVE  GAIN  COST  WHY\n\n"));
  CHECK(x.err == "orderly: nothing to move: no step gains enough\n");
}

TEST_CASE("without a plan the dry run fails and says why") {
  site at;
  auto sheet = ready();
  sheet.planned = {};
  sheet.planned.text = "/run/luxi: cannot connect: No such file or directory";
  sheet.remarks.clear();
  script(at, {sheet});
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run"});
  CHECK(x.code == 1);
  CHECK(x.out.empty());
  CHECK(x.err
        == "orderly: there is no plan: /run/luxi: cannot connect: No such "
           "file or directory\n");
}

TEST_CASE("a plan that never comes is waited for ten minutes") {
  site at;
  script(at, {not_ready()});
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run"});
  CHECK(x.code == exit_timed_out);
  CHECK(anna.rests.size() == 2000);
  CHECK(x.err == "orderly: no plan after ten minutes of waiting\n");
}

TEST_CASE("a daemon that is away for a while is waited for, one anew is not") {
  site at;
  fault away{fault_kind::timed_out, "orderlyd is starting"};
  script(at, {not_ready(), away, away, ready()});
  typist anna;
  CHECK(anna.type(at, {"balance", "--dry-run"}).code == 0);
  script(at, {not_ready(), balance_sheet{}});
  auto x = anna.type(at, {"balance", "--dry-run"});
  CHECK(x.code == exit_failed);
  CHECK(contains(x.err, "orderlyd began anew meanwhile"));
  script(at, {not_ready(), away});
  CHECK(anna.type(at, {"balance", "--dry-run"}).code == exit_timed_out);
}

TEST_CASE("an instance to explain that there is not ends a dry run with 4") {
  site at;
  typist anna;
  auto x = anna.type(at, {"balance", "--dry-run", "--explain", "nosuch"});
  CHECK(x.code == exit_not_found);
  CHECK(contains(x.err, "there is no instance 'nosuch'"));
}

TEST_CASE("explanations go with a dry run only, one name each") {
  CHECK(parsed({"balance", "--explain", "web1"}).code == exit_usage);
  auto x = parsed(
    {"balance", "--dry-run", "--explain", "web1", "--explain", "web2"});
  REQUIRE(x.line);
  CHECK(x.line->explained == std::vector<std::string>{"web1", "web2"});
}

TEST_CASE("the plan ends with 10 if there is something and with 0 if not") {
  site at;
  make_well(at);
  script(at, {sample_sheet(), not_ready(), ready()});
  typist anna;
  auto x = anna.type(at, {"plan"});
  CHECK(x.code == exit_something);
  CHECK(starts_with(x.out, "WHAT     OBJECT  STATE  ACT"));
  CHECK(
    contains(x.out, "balance  web1    due    node1:node2 => node3:node1: "));
  auto idle = ready();
  idle.planned.moves.clear();
  script(at, {idle});
  x = anna.type(at, {"plan"});
  CHECK(x.code == 0);
  CHECK(x.out == "WHAT  OBJECT  STATE  ACT  WHY\n");
  CHECK(x.err.empty());
}

TEST_CASE("the plan is of a model that was read for it") {
  site at;
  make_well(at);
  auto old = sample_sheet();
  old.planned.moves.clear();
  script(at, {old, not_ready(), ready()});
  typist anna;
  CHECK(anna.type(at, {"plan"}).code == exit_something);
  REQUIRE(at.actors.balance_queries.size() == 4);
  CHECK(at.actors.balance_queries[1].plan_now);
}

TEST_CASE("with balancing off the plan asks for none and says so in a line") {
  site at;
  make_well(at);
  auto sheet = sample_sheet();
  sheet.enabled = false;
  script(at, {sheet});
  typist anna;
  auto x = anna.type(at, {"plan"});
  CHECK(x.code == 0);
  CHECK(x.err
        == "orderly: balancing is off (balance.enabled): no move is counted; "
           "'orderly balance --dry-run' shows what it would do\n");
  CHECK(at.actors.balance_queries.size() == 1);
}

TEST_CASE("the plan as JSON is one object") {
  site at;
  auto sheet = sample_sheet();
  sheet.enabled = false;
  script(at, {sheet});
  typist anna;
  auto x = anna.type(at, {"plan", "--output", "json"});
  CHECK(nlohmann::json::parse(x.out)["something"] == false);
}

TEST_CASE("what holds everything is said with the plan") {
  site at;
  make_well(at);
  at.actors.all.status.guard.paused = true;
  at.actors.all.status.guard.paused_by = "anna";
  script(at, {ready()});
  typist anna;
  auto x = anna.type(at, {"plan"});
  CHECK(x.code == exit_something); // what is held is still to come
  CHECK(x.err == "orderly: nothing is begun because it is paused by anna\n");
  CHECK(contains(x.out, "balance  web1    held "));
}

TEST_CASE("who waits for the spent budget is told, and the plan ends with 10") {
  site at;
  make_well(at);
  auto& guard = at.actors.all.status.guard;
  guard.budget = true;
  guard.budget_text = "budget: 6 of 6 fences used this hour: node:node3 waits";
  auto idle = ready();
  idle.planned.moves.clear();
  script(at, {idle});
  typist anna;
  auto x = anna.type(at, {"plan"});
  CHECK(x.code == exit_something);
  CHECK(x.err == "orderly: " + guard.budget_text + "\n");
}

TEST_CASE("the help of both names examples and exit codes") {
  for (const char* verb : {"balance", "plan"}) {
    auto text = parsed({verb, "--help"}).text;
    INFO(text);
    CHECK(contains(text, "Examples:\n  orderly " + std::string{verb}));
    CHECK(contains(text, "Exit codes: 0 "));
  }
  auto all = parsed({"--help"}).text;
  CHECK(contains(all, "  balance "));
  CHECK(contains(all, "  plan "));
  CHECK(contains(all, "10 'plan'\nhas something to do"));
}

} // namespace orderly::console_balance_test
