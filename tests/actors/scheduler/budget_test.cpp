// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The hourly budget as a guard: what it costs, what comes back, and that it
// does not hold anything back in silence.

#include "tests/actors/scheduler/rig.hpp"

namespace orderly::scheduler_budget_test {

TEST_CASE("what destroyed nothing costs nothing, also after a restart") {
  scheduler_rig b{with(1)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK_FALSE(b.ask("node2", act_kind::fence).granted);
  b.on.tell(b.actor, permit_release{node_object("node1"), true});
  CHECK(b.seen->guard.fences_left == 1);
  CHECK(b.disk->states.at("scheduler").text("fences").empty());
  b.restart();
  CHECK(b.ask("node2", act_kind::fence).granted);
  // What was used stays spent, told twice or not.
  b.release(node_object("node2"));
  b.on.tell(b.actor, permit_release{node_object("node2"), true});
  CHECK_FALSE(b.ask("node3", act_kind::fence).granted);
}

TEST_CASE("what is out still costs until its end is told") {
  scheduler_rig b{with(1)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  b.on.tell(b.actor, permit_release{node_object("node1"), false, true});
  CHECK(b.seen->guard.fences_left == 0);
  CHECK_FALSE(b.ask("node2", act_kind::fence).granted);
  // The same act asks once more right before it leaves: it is paid for.
  CHECK(b.ask("node1", act_kind::fence).granted);
  b.on.tell(b.actor, permit_release{node_object("node1"), true});
  CHECK(b.seen->guard.fences_left == 1);
  CHECK(b.ask("node2", act_kind::fence).granted);
}

TEST_CASE("a share is given back to the budget that it came from") {
  settings s;
  s.budget.fences_per_hour_max = 1;
  s.budget.failovers_per_hour_max = 1;
  scheduler_rig b{s};
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK(b.ask("web1", act_kind::failover).granted);
  b.on.tell(b.actor, permit_release{instance_object("web1"), true});
  CHECK_FALSE(b.ask("node2", act_kind::fence).granted);
  CHECK(b.ask("web2", act_kind::failover).granted);
}

TEST_CASE(
  "a spent budget is told once while it holds something back, and shown "
  "until nothing waits for it") {
  scheduler_rig b{with(1)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK_FALSE(b.seen->guard.budget); // spent, and nobody wants more
  CHECK(b.ask("node2", act_kind::fence).spent);
  CHECK(b.seen->guard.budget);
  CHECK(b.seen->guard.budget_text
        == "budget: 1 of 1 fences used this hour: node:node2 waits");
  CHECK(b.ask("node3", act_kind::reset).spent);
  CHECK(b.ask("node2", act_kind::fence).spent);
  CHECK(b.seen->guard.budget_text
        == "budget: 1 of 1 fences used this hour: node:node2, node:node3 wait");
  CHECK(b.disk->count("budget") == 1);
  b.on.run_for(hours{1});
  CHECK(b.ask("node2", act_kind::fence).granted);
  b.on.run_for(minutes{2}); // node3 did not ask again
  CHECK_FALSE(b.seen->guard.budget);
  CHECK(b.disk->count("budget") == 1);
  CHECK(b.disk->count("budget-free") == 1);
}

TEST_CASE("a node that came back waits for no budget") {
  scheduler_rig b{with(1)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK(b.ask("node2", act_kind::fence).spent);
  CHECK(b.seen->guard.budget);
  b.troubled(0);
  CHECK_FALSE(b.seen->guard.budget);
}

TEST_CASE("what a storm or a pause holds back does not wait for the budget") {
  scheduler_rig b{with(0)};
  CHECK(b.ask("node2", act_kind::fence).spent);
  b.pause(true);
  CHECK_FALSE(b.ask("node2", act_kind::fence).spent);
  CHECK_FALSE(b.seen->guard.budget);
}

TEST_CASE("a permit that is given back before its price is on disk was not "
          "used, and is not handed out") {
  scheduler_rig b{with(1)};
  auto writes = b.disk->writes.answer;
  b.disk->writes.answer = [writes](const journal_batch& batch) {
    auto answer = writes(batch);
    answer.after = seconds{5};
    return answer;
  };
  auto answer = b.on.ask<permit>(b.actor, b.request("node1", act_kind::fence));
  CHECK_FALSE(answer);
  b.release(node_object("node1"));
  CHECK(b.seen->guard.fences_left == 1);
  b.on.run_for(seconds{30});
  REQUIRE(answer);
  CHECK_FALSE(answer->granted);
  CHECK(b.disk->states.at("scheduler").text("fences").empty());
}

} // namespace orderly::scheduler_budget_test
