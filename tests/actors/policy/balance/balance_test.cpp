// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a round of balancing begins, and what it leaves alone.

#include "tests/actors/policy/balance/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance::balance_test {

TEST_CASE("balancing that is switched off asks nobody anything") {
  rig b;
  b.limits.enabled = false;
  b.read();
  CHECK(b.s.phase == balance_phase::off);
  for (auto i = 0; i < 20; ++i) {
    b.wait(minutes{5});
    CHECK(b.last.actions.empty());
  }
  CHECK(due_at(b.s, b.limits) == never);
  CHECK(b.story.empty());
}

TEST_CASE("the first round begins an interval after the start") {
  rig b;
  CHECK(b.s.phase == balance_phase::resting);
  b.wait(minutes{4});
  CHECK_FALSE(b.said<ask_view>());
  b.wait(minutes{1});
  CHECK(b.said<ask_view>());
}

TEST_CASE("a round asks the view, reads a model, has a plan made, and asks for "
          "permits") {
  rig b;
  b.wait(minutes{5});
  REQUIRE(b.said<ask_view>());
  b.answer_view();
  REQUIRE(b.said<read_figures>());
  CHECK(b.s.phase == balance_phase::reading);
  b.answer_model();
  REQUIRE(b.said<make_plan>());
  CHECK(b.s.phase == balance_phase::planning);
  b.answer_plan({rig::swap_a(), rig::swap_c()});
  CHECK(b.s.phase == balance_phase::moving);
  CHECK(b.count<ask_permit>() == 2);
  auto q = b.said<ask_permit>();
  CHECK(q->leaves == std::vector<node_name>{"n1"});
  CHECK(q->joins == std::vector<node_name>{"n2"});
  CHECK(q->also == std::vector<node_name>{"n1", "n2"});
  CHECK(b.story.back()
        == "round 1: 2 moves; g scores 3.2100 and would score 2.9800");
}

TEST_CASE("only the first wave is carried out, and no more of it than is "
          "allowed") {
  rig b;
  auto later = rig::swap_c();
  later.wave = 1;
  b.begin({rig::swap_a(), later});
  CHECK(b.count<ask_permit>() == 1);
  rig few;
  few.limits.moves_max = 1;
  few.begin({rig::swap_a(), rig::swap_c()});
  CHECK(few.count<ask_permit>() == 1);
  CHECK(few.open("a") != nullptr);
}

TEST_CASE("rounds that find nothing to move are told once") {
  rig b;
  for (auto i = 0; i < 10; ++i) {
    b.begin({});
    CHECK(b.s.phase == balance_phase::resting);
    CHECK(b.s.due == b.now + minutes{5});
  }
  CHECK(b.story == std::vector<std::string>{"nothing to move"});
  CHECK(b.s.text == "nothing to move: g scores 3.2100");
}

TEST_CASE("each thing that holds a round is told once, by name") {
  rig b;
  std::string why;
  auto hold = GENERATE(0, 1, 2, 3, 4);
  auto round = [&] {
    view_news x;
    if (hold == 0)
      x.guard = why = "paused by anna";
    if (hold == 1)
      b.seen.no_right = why = "no right to act: the master is n9";
    if (hold == 2) {
      b.seen.able = false;
      why = "there is no planner here";
    }
    if (hold == 3) {
      b.seen.read_at = b.now - minutes{2};
      why = "the cluster does not answer";
    }
    if (hold == 4) {
      b.seen.picture = nullptr;
      why = "the cluster was not read yet";
    }
    b.feed(looked{});
    if (b.said<ask_view>())
      b.answer_view(x);
    CHECK_FALSE(b.said<read_figures>());
  };
  b.now += minutes{5};
  b.publish();
  round();
  CHECK(b.s.phase == balance_phase::held);
  CHECK(b.s.text == why);
  CHECK(b.s.due == b.now + minutes{1});
  b.now += minutes{1};
  if (hold < 2)
    b.publish();
  round();
  CHECK(b.story == std::vector<std::string>{"held: " + why});
}

TEST_CASE("a view that does not answer holds the round") {
  rig b;
  b.wait(minutes{5});
  b.feed(viewed{b.s.question, false, {}});
  CHECK(b.s.phase == balance_phase::held);
  CHECK(b.s.text == "the view does not answer");
}

TEST_CASE("a model that cannot be read is asked for again with growing "
          "pauses") {
  rig b;
  std::vector<millis> pauses;
  for (auto i = 0; i < 6; ++i) {
    b.now = std::max(b.now, b.s.due);
    b.read();
    b.answer_view();
    b.feed(model_read{b.s.question, false, {}, {}, "the socket is gone"});
    CHECK(b.s.text == "the model could not be read: the socket is gone");
    pauses.push_back(std::chrono::duration_cast<millis>(b.s.due - b.now));
  }
  CHECK(pauses
        == std::vector<millis>{minutes{5}, minutes{10}, minutes{20},
                               minutes{40}, minutes{40}, minutes{40}});
  CHECK(b.story.size() == 1);
  // A plan that came about begins the pauses anew.
  b.now = b.s.due;
  b.read();
  b.answer_view();
  b.answer_model();
  b.answer_plan({});
  CHECK(b.s.failures == 0);
}

TEST_CASE("a node that gives no figures holds the round three times, then it "
          "is left out") {
  rig b;
  for (std::uint32_t i = 1; i < silent_max; ++i) {
    b.now = std::max(b.now, b.s.due);
    b.read();
    b.answer_view();
    b.answer_model({"n3"});
    CHECK(b.s.phase == balance_phase::held);
    CHECK(b.s.text == "n3 gives no figures");
  }
  b.now = b.s.due;
  b.read();
  b.answer_view();
  b.answer_model({"n3"});
  auto order = b.said<make_plan>();
  REQUIRE(order);
  CHECK(order->closed == std::set<node_name>{"n3"});
}

TEST_CASE("a silent node that is known to be in trouble holds nothing") {
  rig b;
  b.seen.troubled["n3"] = "is in trouble (suspect)";
  b.wait(minutes{5});
  b.answer_view();
  b.answer_model({"n3"});
  auto order = b.said<make_plan>();
  REQUIRE(order);
  CHECK(order->closed.count("n3") == 1);
}

TEST_CASE("answers that come late, or twice, change nothing") {
  rig b;
  b.wait(minutes{5});
  auto question = b.s.question;
  b.answer_view();
  b.feed(viewed{question, true, {"paused by anna", {}, {}}});
  CHECK(b.s.phase == balance_phase::reading);
  b.feed(model_read{question, true, {}, {}, {}});
  CHECK(b.s.phase == balance_phase::reading);
  b.feed(planned{b.s.question, rig::plan_of({rig::swap_a()})});
  CHECK(b.s.phase == balance_phase::reading);
  CHECK(b.last.actions.empty());
}

TEST_CASE("nodes out of service, in trouble, held or at work are closed") {
  rig b;
  b.node("n1").offline = true;
  for (const auto* name : {"a", "b"}) // nobody waits for them
    b.instance(name).admin = admin_state::down;
  b.node("n2").drained = true;
  b.node("n3").vm_capable = false;
  b.seen.troubled["n4"] = "is held: power-1 by anna";
  running_job job;
  job.id = 17;
  job.nodes = {"n5"};
  b.cluster.jobs = {job};
  b.publish();
  auto t = taboo_of(b.s, b.seen, b.now);
  CHECK(t.closed
        == std::map<node_name, std::string>{{"n1", "is offline"},
                                            {"n2", "is drained"},
                                            {"n3", "takes no instances"},
                                            {"n4", "is held: power-1 by anna"},
                                            {"n5", "job 17 works there"}});
  CHECK(t.fixed.count("c") == 0);
}

TEST_CASE("an instance at which somebody works stays, and so do its nodes") {
  rig b;
  running_job job;
  job.id = 9;
  job.instances = {"a"};
  job.reason = "incident=x intent=x/1-migrate";
  b.cluster.jobs = {job};
  b.publish();
  auto t = taboo_of(b.s, b.seen, b.now);
  CHECK(t.fixed
        == std::map<instance_name, std::string>{{"a", "job 9 works on it"}});
  CHECK(t.closed.count("n1") == 1);
  CHECK(t.closed.count("n2") == 1);
  CHECK(taboo_of(b.s, b.seen, b.now, true).fixed.empty());
}

TEST_CASE("tags that suspend, wait for or failed a repair keep an instance "
          "where it is") {
  const std::string prefix = "ganeti:watcher:autorepair:";
  rig b;
  b.instance("a").tags = {prefix + "suspend"};
  b.instance("b").tags = {prefix + "pending:migrate:id:1700000000:"};
  b.instance("c").tags
    = {prefix + "result:migrate:id:1700000000:failure:7", prefix + "migrate"};
  b.publish();
  auto t = taboo_of(b.s, b.seen, b.now);
  CHECK(t.fixed.size() == 3);
  CHECK(t.closed.empty());
}

TEST_CASE("the nearest word about suspension counts") {
  const std::string prefix = "ganeti:watcher:autorepair:";
  rig b;
  b.cluster.tags = {prefix + "suspend"};
  b.instance("a").tags = {prefix + "migrate"};
  b.publish();
  auto t = taboo_of(b.s, b.seen, b.now);
  CHECK(t.fixed.count("a") == 0);
  CHECK(t.fixed.count("b") == 1);
  CHECK(t.fixed.count("c") == 1);
  b.cluster.groups[0].tags = {prefix + "failover"};
  b.publish();
  CHECK(taboo_of(b.s, b.seen, b.now).fixed.empty());
}

TEST_CASE("an instance that is being repaired stays, with its nodes; one that "
          "is only broken stays alone") {
  rig b;
  b.wait(minutes{5});
  view_news x;
  x.repairs["a"] = {"is being repaired: primary n1 is offline", true};
  x.repairs["c"] = {"is not in order: secondary n4 is offline", false};
  b.answer_view(x);
  b.answer_model();
  auto order = b.said<make_plan>();
  REQUIRE(order);
  CHECK(order->fixed == std::set<instance_name>{"a", "c"});
  CHECK(order->closed == std::set<node_name>{"n1", "n2"});
}

TEST_CASE("the sheet says what is left alone, and when the next round is") {
  rig b;
  b.node("n6").offline = true;
  b.read();
  auto sheet = sheet_of(b.s, b.seen, b.limits, b.now);
  CHECK(sheet.phase == balance_phase::resting);
  CHECK(sheet.enabled);
  CHECK(sheet.next_round == b.s.due);
  CHECK(sheet.closed.at("n6") == "is offline");
  b.begin({rig::swap_a()});
  sheet = sheet_of(b.s, b.seen, b.limits, b.now);
  CHECK(sheet.phase == balance_phase::moving);
  CHECK(sheet.round == 1);
  CHECK(sheet.next_round == never);
  REQUIRE(sheet.open.size() == 1);
  CHECK(sheet.open[0].text == "asks for a permit");
}

TEST_CASE("switched off in the middle of a question nothing comes of the "
          "answer") {
  rig b;
  b.wait(minutes{5});
  b.answer_view();
  b.limits.enabled = false;
  b.answer_model();
  CHECK(b.s.phase == balance_phase::off);
  CHECK_FALSE(b.said<make_plan>());
}

} // namespace orderly::balance::balance_test
