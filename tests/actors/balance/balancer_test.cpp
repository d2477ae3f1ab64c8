// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The balancer's rounds: recorded before sent, given up for what is urgent,
// each question with a deadline.

#include "tests/actors/balance/balancer_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance_balancer_test {

namespace {

/// Up to the moment at which the job of `a` was sent.
void begin_round(balancer_rig& b) {
  b.plan.moves = {balancer_rig::swap("a", "n1", "n2")};
  b.run(minutes{6});
  REQUIRE(b.jobs->orders.size() == 1);
}

} // namespace

TEST_CASE("a balancer that is switched off reads no model and plans nothing") {
  balancer_rig b{false};
  b.run(hours{3});
  CHECK(b.models->reads.asked.empty());
  CHECK(b.planner->plans.asked.empty());
  CHECK(b.disk->entries.empty());
  CHECK(b.sheet().phase == balance_phase::off);
}

TEST_CASE("a move is recorded before its job is sent, as one job of its own "
          "workflow") {
  balancer_rig b;
  begin_round(b);
  const auto& order = b.jobs->orders[0];
  CHECK(order.owner == "balance:a");
  CHECK(order.intent.starts_with("balance-1-"));
  CHECK(order.ops == b.plan.moves[0].ops);
  CHECK(order.deadline == b.on.rules().cluster.job_deadline);
  CHECK(order.send_before <= b.on.now() + b.on.rules().cluster.picture_max_age);
  CHECK(b.disk->states.at("balance").text("move0.intent") == order.intent);
  CHECK(b.told("moves a from n1 to n2: score 3.2100 -> 2.9800, "
               "reserved_mem_cv -0.0310"));
  CHECK(b.seen->guard.permits_out == 1);
  b.end(order.intent, job_status::success);
  CHECK(b.seen->guard.permits_out == 0);
  CHECK_FALSE(b.disk->states.at("balance").has("move0"));
}

TEST_CASE("without a record no job is sent") {
  balancer_rig b;
  b.plan.moves = {balancer_rig::swap("a", "n1", "n2")};
  auto write = b.disk->writes.answer;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    for (const auto& x : batch.entries)
      if (x.code == "move")
        return reply<journal_ack>{};
    return write(batch);
  };
  b.run(minutes{7});
  CHECK(b.told("round 1: 1 move; g scores 3.2100"));
  CHECK(b.jobs->orders.empty());
}

TEST_CASE("what changes while a move is being recorded still stops it") {
  balancer_rig b;
  b.plan.moves = {balancer_rig::swap("a", "n1", "n2")};
  auto write = b.disk->writes.answer;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    auto answer = write(batch);
    for (const auto& x : batch.entries)
      if (x.code == "move")
        answer.after = seconds{30};
    return answer;
  };
  b.run(minutes{5});
  b.cluster.nodes[1].drained = true;
  b.run(minutes{1});
  CHECK(b.jobs->orders.empty());
  CHECK(b.told("is not moved: n2 is drained"));
  CHECK(b.seen->guard.permits_out == 0);
}

TEST_CASE("the question for a plan carries the settings and what is left "
          "alone") {
  balancer_rig b;
  b.cluster.nodes[3].offline = true;
  b.seen->answer.status.autorepair_mode = repair_mode::act;
  b.seen->answer.instances[1].standing.phase = repair_phase::pending;
  b.run(minutes{6});
  REQUIRE(b.planner->plans.asked.size() == 1);
  const auto& q = b.planner->plans.asked[0];
  CHECK(q.closed == std::set<node_name>{"n1", "n2", "n4"});
  CHECK(q.fixed == std::set<instance_name>{"b"});
  CHECK(q.threshold == b.on.rules().balance.threshold);
  CHECK(q.move_cost == b.on.rules().balance.move_cost);
  CHECK(q.disk_moves);
  CHECK(q.deadline == b.on.rules().balance.search_limit);
  CHECK(q.model != nullptr);
  CHECK(q.picture != nullptr);
}

TEST_CASE("a node in trouble calls back what was sent, at once") {
  balancer_rig b;
  begin_round(b);
  b.stand("n2", true);
  CHECK(b.jobs->withdrawn == std::vector<intent_id>{b.jobs->orders[0].intent});
  b.end(b.jobs->orders[0].intent, job_status::canceled);
  CHECK(b.told("job 7 was called back: n1 is left to what n2 may need: it is "
               "in trouble; what it had done by then stays"));
  b.plan.moves.clear();
  b.run(minutes{6});
  REQUIRE(b.planner->plans.asked.size() >= 2);
  CHECK(b.planner->plans.asked.back().closed.count("n2") == 1);
}

TEST_CASE(
  "a move in the queue that is none of ours is called back, whoever sent "
  "it") {
  balancer_rig b;
  begin_round(b);
  auto own = b.jobs->orders[0].intent;
  auto in_queue = [&](job_id id, const std::string& intent) {
    running_job job;
    job.id = id;
    job.instances = {"b"};
    job.reason = trail_text("r", intent);
    b.cluster.jobs.push_back(job);
  };
  in_queue(7, own);
  in_queue(8, "balance-1-1600000000-b");
  in_queue(9, "4711/b/1-fix-storage");
  b.read();
  CHECK(b.jobs->withdrawn == std::vector<intent_id>{"balance-1-1600000000-b"});
}

TEST_CASE("a pause, a storm and the lack of the right to act hold the rounds "
          "by name") {
  balancer_rig b;
  std::string why;
  SECTION("pause") {
    b.seen->answer.status.guard.paused = true;
    b.seen->answer.status.guard.paused_by = "anna: the roof";
    why = "paused by anna: the roof";
  }
  SECTION("storm") {
    b.seen->answer.status.guard.storm = true;
    b.seen->answer.status.guard.storm_text
      = "3 of 5 nodes are in trouble, limit 2";
    why = "a storm: 3 of 5 nodes are in trouble, limit 2";
  }
  SECTION("another master") {
    b.is_master = false;
    why = "no right to act: the master is n9";
  }
  b.run(minutes{20});
  CHECK(b.planner->plans.asked.empty());
  CHECK(b.sheet().phase == balance_phase::held);
  CHECK(b.sheet().text == why);
  CHECK(b.told("held: " + why));
  CHECK(b.disk->count("held") == 1);
}

TEST_CASE("the scheduler has the last word about a pause") {
  balancer_rig b;
  b.plan.moves = {balancer_rig::swap("a", "n1", "n2")};
  // The view is late: it does not know of the pause.
  auto done = b.on.ask<pause_answer>(b.permits, pause_order{true, "anna", ""});
  REQUIRE(done);
  b.run(minutes{6});
  CHECK(b.jobs->orders.empty());
  CHECK(b.told("is not moved: paused by anna"));
}

TEST_CASE(
  "a model port that never answers ends the round, and is asked again") {
  balancer_rig b;
  b.models->reads.answer
    = [](const read_model&) { return reply<model_answer>{}; };
  b.run(minutes{5});
  CHECK(b.sheet().phase == balance_phase::reading);
  b.run(minutes{5});
  CHECK(b.sheet().text == "the model could not be read: no answer in time");
  b.models->reads.answer
    = [](const read_model&) { return says(balancer_rig::figures()); };
  b.run(minutes{10});
  CHECK_FALSE(b.planner->plans.asked.empty());
}

TEST_CASE("a planner that never answers ends the round") {
  balancer_rig b;
  b.planner->plans.answer
    = [](const plan_question&) { return reply<plan_answer>{}; };
  b.run(minutes{6});
  CHECK(b.sheet().text == "there is no plan: the planner does not answer");
  CHECK(b.sheet().phase == balance_phase::held);
}

TEST_CASE("after a restart the queue is asked what became of a move, and it is "
          "reserved again") {
  balancer_rig b;
  begin_round(b);
  auto intent = b.jobs->orders[0].intent;
  b.restart();
  REQUIRE(b.jobs->orders.size() == 2);
  CHECK(b.jobs->orders[1].intent == intent);
  CHECK(b.jobs->orders[1].ops.empty());
  permit_request repair;
  repair.owner = instance_object("a");
  repair.instances = {"a"};
  b.run(seconds{2}); // until jobs of before have their places
  auto no = b.on.ask<permit>(b.permits, repair);
  REQUIRE(no);
  CHECK(no->why == "instance a is held by balance:a");
  b.end(intent, job_status::success);
  auto yes = b.on.ask<permit>(b.permits, repair);
  REQUIRE(yes);
  CHECK(yes->granted);
  b.run(minutes{4});
  CHECK(b.jobs->orders.size() == 2); // what is new settles first
}

TEST_CASE("a failed move waits over a restart") {
  balancer_rig b;
  begin_round(b);
  b.end(b.jobs->orders[0].intent, job_status::error, "pre-migration failed");
  b.restart();
  b.plan.moves.clear();
  b.run(minutes{6});
  REQUIRE(b.planner->plans.asked.size() == 2);
  CHECK(b.planner->plans.asked[1].fixed == std::set<instance_name>{"a"});
}

TEST_CASE("a plan can be asked for with balancing off, and is only shown") {
  balancer_rig b{false};
  b.plan.moves = {balancer_rig::swap("a", "n1", "n2")};
  b.plan.explained["c"] = "no gain";
  auto first = b.sheet(true, {"c", "nobody", "a"});
  CHECK(first.asked == 1);
  b.on.settle();
  auto ready = b.sheet();
  CHECK(ready.plan == 1);
  CHECK(ready.planned.moves == b.plan.moves);
  CHECK(ready.planned.explained.at("c") == "no gain");
  CHECK(ready.planned.explained.at("nobody")
        == "there is no such instance in the cluster");
  b.run(hours{1});
  CHECK(b.jobs->orders.empty());
  CHECK(b.models->reads.asked.size() == 1);
}

TEST_CASE("who is left alone is explained by that") {
  balancer_rig b{false};
  b.cluster.instances[0].tags = {"ganeti:watcher:autorepair:suspend"};
  b.read();
  b.sheet(true, {"a"});
  auto sheet = b.sheet();
  CHECK(sheet.planned.explained.at("a").starts_with(
    "it stays: suspended for ever by tag"));
  CHECK(sheet.fixed.count("a") == 1);
}

TEST_CASE("plans that are asked for while one is made come one after the "
          "other") {
  balancer_rig b{false};
  b.models->reads.answer = [](const read_model&) {
    return says(balancer_rig::figures(), seconds{4});
  };
  CHECK(b.sheet(true).asked == 1);
  CHECK(b.sheet(true).asked == 2);
  CHECK(b.sheet(true).asked == 3);
  b.on.run_for(seconds{4});
  CHECK(b.sheet().plan == 1);
  b.on.run_for(seconds{4});
  CHECK(b.sheet().plan == 3);
  CHECK(b.planner->plans.asked.size() == 2);
}

TEST_CASE("a plan that cannot be made says why") {
  balancer_rig b{false};
  b.models->reads.answer = [](const read_model&) {
    model_answer none;
    none.text = "the socket is gone";
    return says(none);
  };
  b.sheet(true);
  auto sheet = b.sheet();
  CHECK(sheet.plan == sheet.asked);
  CHECK_FALSE(sheet.planned.planned);
  CHECK(sheet.planned.text
        == "the model could not be read: the socket is gone");
}

TEST_CASE("a round does not take away the plan that somebody looks at") {
  balancer_rig b;
  b.run(minutes{4} + seconds{55});
  b.plan.explained["c"] = "no gain";
  b.sheet(true, {"c"});
  CHECK(b.sheet().planned.explained.size() == 1);
  b.plan.explained.clear();
  b.run(seconds{30}); // a round planned meanwhile
  CHECK(b.planner->plans.asked.size() == 2);
  CHECK(b.sheet().planned.explained.size() == 1);
}

TEST_CASE("only a repair that somebody means to do keeps nodes closed") {
  auto up_to = [](repair_type x) { return repair_leave{false, x}; };
  auto closed_with = [](repair_mode mode, const repair_leave& allowed) {
    balancer_rig b;
    b.seen->answer.status.autorepair_mode = mode;
    auto& broken = b.seen->answer.instances[2].standing; // c, on n3 and n4
    broken.phase = repair_phase::needs_repair;
    broken.broken = true;
    broken.needed = repair_type::failover;
    broken.allowed = allowed;
    broken.next = "failover of c";
    b.run(minutes{6});
    REQUIRE_FALSE(b.planner->plans.asked.empty());
    return b.planner->plans.asked.back().closed;
  };
  CHECK(closed_with(repair_mode::act, up_to(repair_type::reinstall))
        == std::set<node_name>{"n3", "n4"});
  CHECK(closed_with(repair_mode::act, up_to(repair_type::failover))
        == std::set<node_name>{"n3", "n4"});
  CHECK(closed_with(repair_mode::act, up_to(repair_type::migrate)).empty());
  CHECK(closed_with(repair_mode::act, {}).empty());
  CHECK(closed_with(repair_mode::act, {true, {}}).empty());
  CHECK(
    closed_with(repair_mode::observe, up_to(repair_type::failover)).empty());
  CHECK(closed_with(repair_mode::off, up_to(repair_type::failover)).empty());
}

} // namespace orderly::balance_balancer_test
