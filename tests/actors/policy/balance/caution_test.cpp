// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balancing gives way: to what a trouble may need, and to doubt.

#include "tests/actors/policy/balance/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance::balance_caution_test {

namespace {

/// Up to the plan, which is asked for with these nodes closed.
std::set<node_name> closed_for(rig& b, view_news x = {}) {
  b.wait(minutes{5});
  b.answer_view(std::move(x));
  b.answer_model();
  auto order = b.said<make_plan>();
  REQUIRE(order);
  return order->closed;
}

} // namespace

TEST_CASE("while a node is in trouble its whole group is left alone") {
  rig b;
  b.node("n6").group = "other";
  b.seen.unwell = {"n1"};
  CHECK(closed_for(b) == std::set<node_name>{"n1", "n2", "n3", "n4", "n5"});
}

TEST_CASE("a move that waits is dropped, and one that was sent is withdrawn, "
          "when a node of the group gets into trouble") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  REQUIRE(b.open("a")->stage == stage::sent);
  b.seen.unwell = {"n6"};
  b.read();
  CHECK(b.said<withdraw>());
  CHECK(b.open("c") == nullptr);
  CHECK(b.story.back()
        == "c is not moved: n3 is left to what n6 may need: it is in trouble");
}

TEST_CASE("an offline node closes its group until its instances have left, or "
          "nobody means to start them") {
  rig b;
  b.node("n1").offline = true;
  CHECK(closed_for(b).count("n5") == 1);
  rig hopeless;
  hopeless.node("n1").offline = true;
  view_news x;
  x.repairs["a"] = {"no repair helps", false};
  x.repairs["b"] = {"no repair helps", false};
  CHECK(closed_for(hopeless, x) == std::set<node_name>{"n1"});
  rig left;
  left.node("n1").offline = true;
  for (const auto* name : {"a", "b"}) {
    left.instance(name).primary = "n2";
    left.instance(name).secondaries = {"n1"};
  }
  CHECK(closed_for(left) == std::set<node_name>{"n1"});
}

TEST_CASE("a model without the load is waited for a while, and then used") {
  rig b;
  b.wait(minutes{5});
  for (auto i = 0; i < 5; ++i) {
    b.answer_view();
    b.feed(model_read{b.s.question, true, {}, {}, {}, "n3 gives no report"});
    if (b.said<make_plan>()) {
      CHECK(i + 1 == static_cast<int>(silent_max));
      return;
    }
    CHECK(b.s.phase == balance_phase::held);
    CHECK(b.s.text == "no load data: n3 gives no report");
    b.wait(minutes{1});
  }
  FAIL("it was waited for without end");
}

TEST_CASE("a job that takes too long is told as such, and is no failure to "
          "wait for") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.job(b.open("a")->intent, job_phase::overdue);
  CHECK(b.s.waits.empty());
  CHECK(b.story[b.story.size() - 2]
        == "a job 7 has not ended by its deadline: its nodes are left alone "
           "until it does; see gnt-job info 7");
}

TEST_CASE("what was withdrawn before a restart is withdrawn again") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  auto intent = b.open("a")->intent;
  b.node("n1").drained = true;
  b.read();
  REQUIRE(b.open("a")->withdrawn);
  b.s = from_fields(to_fields(b.s));
  b.read();
  REQUIRE(b.said<withdraw>());
  CHECK(b.said<withdraw>()->intent == intent);
}

TEST_CASE("a round without moves says what was left alone") {
  rig b;
  b.node("n2").drained = true;
  b.begin({});
  CHECK(b.s.text
        == "nothing to move: g scores 3.2100; left alone: 1 node (n2 is "
           "drained)");
}

} // namespace orderly::balance::balance_caution_test
