// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves of a round: checked before they are sent, given up when something
// more urgent comes, each one's failure its own.

#include "tests/actors/policy/balance/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::balance::balance_moves_test {

namespace {

/// What is sent for `a`, or why not.
std::string fate(rig& b) {
  b.grant("a");
  if (auto job = b.said<submit>())
    return "sent";
  CHECK(b.said<give_back_permit>());
  auto row = b.said<tell>();
  return row ? row->text : "nothing said";
}

} // namespace

TEST_CASE("a move with a permit is told with its reason and sent once") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  auto job = b.said<submit>();
  REQUIRE(job);
  CHECK(job->intent.starts_with("balance-1-"));
  CHECK(job->intent.ends_with("-a"));
  CHECK(job->ops == rig::swap_a().ops);
  CHECK(b.story.back()
        == "a moves a from n1 to n2: score 3.2100 -> 2.9800, reserved_mem_cv "
           "-0.0310");
  b.grant("a");
  CHECK(b.last.actions.empty());
}

TEST_CASE("sentences tell a mirror's move from a move of both") {
  auto mirror = rig::move_of("a", {"n1", "n2"}, {"n1", "n3"});
  CHECK(sentence_of(mirror).starts_with(
    "moves the mirror of a from n2 to n3: score"));
  CHECK(left_by(mirror) == std::vector<node_name>{"n2"});
  CHECK(filled_by(mirror) == std::vector<node_name>{"n3"});
  auto both = rig::move_of("a", {"n1", "n2"}, {"n3", "n4"});
  CHECK(sentence_of(both).starts_with(
    "moves a from n1 and n2 to n3 and n4: score"));
  CHECK(left_by(both) == std::vector<node_name>{"n1", "n2"});
  auto alone = rig::move_of("a", {"n1", ""}, {"n3", ""});
  CHECK(sentence_of(alone).starts_with("moves a from n1 to n3: score"));
  CHECK(filled_by(alone) == std::vector<node_name>{"n3"});
  auto half = rig::move_of("a", {"n1", "n2"}, {"n2", "n3"});
  CHECK(left_by(half) == std::vector<node_name>{"n1"});
  CHECK(filled_by(half) == std::vector<node_name>{"n3", "n2"});
  CHECK(nodes_of(half) == std::vector<node_name>{"n1", "n2", "n3"});
}

TEST_CASE("a move is sent as long as the newest picture is as it was planned") {
  rig b;
  b.begin({rig::swap_a()});
  b.publish();
  CHECK(fate(b) == "sent");
}

TEST_CASE("a move that is not right any more is dropped, and says why") {
  rig b;
  b.begin({rig::swap_a()});
  std::string why;
  SECTION("moved by a person") {
    b.instance("a").primary = "n2";
    b.instance("a").secondaries = {"n1"};
    why = "a is not where it was";
  }
  SECTION("stopped by a person") {
    b.instance("a").admin = admin_state::down;
    why = "a is down now";
  }
  SECTION("removed") {
    std::erase_if(b.cluster.instances,
                  [](const auto& x) { return x.name == "a"; });
    why = "a is gone";
  }
  SECTION("its target is drained") {
    b.node("n2").drained = true;
    why = "n2 is drained";
  }
  SECTION("its target left the cluster") {
    std::erase_if(b.cluster.nodes,
                  [](const auto& x) { return x.name == "n2"; });
    why = "n2 is gone";
  }
  SECTION("somebody works on it") {
    running_job job;
    job.id = 31;
    job.instances = {"a"};
    b.cluster.jobs = {job};
    why = "job 31 works on it";
  }
  SECTION("somebody works on its target") {
    running_job job;
    job.id = 31;
    job.nodes = {"n2"};
    b.cluster.jobs = {job};
    why = "n2 job 31 works there";
  }
  SECTION("an instance came to its target") {
    b.add("d", "n2", "n5");
    why = "d came to n2";
  }
  SECTION("an instance left its node") {
    b.instance("b").primary = "n5";
    why = "b left n1";
  }
  SECTION("it was suspended") {
    b.instance("a").tags = {"ganeti:watcher:autorepair:suspend"};
    why = "suspended for ever by tag ganeti:watcher:autorepair:suspend on "
          "instance a";
  }
  b.publish();
  CHECK(fate(b) == "is not moved: " + why);
  CHECK(b.s.open.empty());
  CHECK(b.s.waits.empty());
}

TEST_CASE("the other moves of the round do not spoil a move") {
  rig b;
  b.begin({rig::swap_a(), rig::move_of("c", {"n3", "n4"}, {"n5", "n4"})});
  b.grant("c");
  b.job(b.open("c")->intent, job_phase::ended);
  // It is where it should be, and nobody counts it as a stranger.
  b.instance("c").primary = "n5";
  b.publish();
  CHECK(fate(b) == "sent");
}

TEST_CASE("a permit that something holds is asked for again, so often and no "
          "more") {
  rig b;
  b.begin({rig::swap_a()});
  for (std::uint32_t i = 1; i < permit_tries_max; ++i) {
    b.refuse("a", "node n2 is used by instance:x", true);
    REQUIRE(b.open("a") != nullptr);
    CHECK(due_at(b.s, b.limits) == b.now + seconds{5});
    b.wait(seconds{5});
    CHECK(b.count<ask_permit>() == 1);
  }
  b.refuse("a", "node n2 is used by instance:x", true);
  CHECK(b.s.open.empty());
  CHECK(b.s.phase == balance_phase::resting);
  CHECK(b.s.waits.empty());
}

TEST_CASE("a move that waits for a permit asks when it is called") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.refuse("a", "node n2 is used by instance:x", true);
  b.feed(permit_called{object_of("c")}); // that one was not refused
  CHECK(b.count<ask_permit>() == 0);
  b.feed(permit_called{object_of("a")});
  CHECK(b.count<ask_permit>() == 1);
}

TEST_CASE("a guard's refusal drops a move at once") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.refuse("a", "paused by anna", false);
  CHECK(b.open("a") == nullptr);
  CHECK(b.open("c") != nullptr);
  b.refuse("c", "paused by anna", false);
  CHECK(b.story.back() == "round 1 ended: 0 moved, 0 failed, 2 dropped");
  CHECK(b.s.due == b.now + minutes{5});
}

TEST_CASE("what waits is dropped and what was sent is called back when a node "
          "gets into trouble") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  auto intent = b.open("a")->intent;
  b.seen.troubled["n2"] = "is in trouble (suspect)";
  b.seen.troubled["n4"] = "is in trouble (suspect)";
  b.feed(looked{});
  auto back = b.said<withdraw>();
  REQUIRE(back);
  CHECK(back->intent == intent);
  CHECK(b.open("c") == nullptr);
  CHECK(b.said<give_back_permit>()->instance == "c");
  b.feed(looked{});
  CHECK_FALSE(b.said<withdraw>()); // once
  b.job(intent, job_phase::ended, job_status::canceled);
  CHECK(b.said<give_back_permit>()->instance == "a");
  CHECK(b.s.waits.empty());
  CHECK(b.s.phase == balance_phase::resting);
}

TEST_CASE("a repair that wants the instance calls its move back") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.read();
  REQUIRE(b.said<ask_view>());
  view_news x;
  x.repairs["a"] = {"is not in order: disk/0 is degraded", true};
  b.answer_view(x);
  CHECK(b.said<withdraw>());
}

TEST_CASE("jobs of others near a move that was sent do not call it back") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  running_job job;
  job.id = 31;
  job.nodes = {"n2"};
  b.cluster.jobs = {job};
  b.read();
  CHECK_FALSE(b.said<withdraw>());
}

TEST_CASE("a failed move makes its instance wait, longer each time, and stops "
          "no other") {
  rig b;
  std::vector<millis> pauses;
  for (auto i = 0; i < 3; ++i) {
    b.now = std::max(b.now, b.s.due);
    if (auto w = b.s.waits.find("a"); w != b.s.waits.end())
      b.now = std::max(b.now, w->second.until);
    b.read();
    b.answer_view();
    b.answer_model();
    CHECK(b.said<make_plan>()->fixed.count("a") == 0);
    b.answer_plan({rig::swap_a(), rig::swap_c()});
    b.grant("a");
    b.grant("c");
    b.job(b.open("a")->intent, job_phase::ended, job_status::error,
          "pre-migration failed");
    pauses.push_back(
      std::chrono::duration_cast<millis>(b.s.waits.at("a").until - b.now));
    CHECK(taboo_of(b.s, b.seen, b.now).fixed.count("a") == 1);
    REQUIRE(b.open("c") != nullptr);
    b.job(b.open("c")->intent, job_phase::ended);
  }
  CHECK(pauses == std::vector<millis>{minutes{10}, minutes{20}, minutes{40}});
  // What goes well once is forgiven.
  b.now = b.s.waits.at("a").until;
  b.read();
  b.answer_view();
  b.answer_model();
  b.answer_plan({rig::swap_a()});
  b.grant("a");
  b.job(b.open("a")->intent, job_phase::ended);
  CHECK(b.s.waits.empty());
}

TEST_CASE("each end of a job means what it says") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  auto intent = b.open("a")->intent;
  auto waits = true;
  SECTION("overdue") {
    b.job(intent, job_phase::overdue);
    waits = false; // it may still end well, and keeps us off as long as it runs
  }
  SECTION("lost") {
    b.job(intent, job_phase::ended, job_status::lost);
  }
  SECTION("canceled by a person") {
    b.job(intent, job_phase::ended, job_status::canceled);
  }
  SECTION("refused by the queue") {
    b.job(intent, job_phase::refused, job_status::lost, "no such node");
  }
  SECTION("never sent") {
    job_event e;
    e.intent = intent;
    e.phase = job_phase::refused;
    e.untried = true;
    b.feed(e);
    waits = false;
  }
  CHECK(b.s.waits.count("a") == (waits ? 1U : 0U));
  CHECK(b.s.open.empty());
  CHECK(b.said<give_back_permit>());
}

TEST_CASE("a round that moved something is followed at once, by a picture that "
          "shows it") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.now += seconds{20};
  b.job(b.open("a")->intent, job_phase::ended);
  CHECK(b.s.phase == balance_phase::resting);
  b.feed(looked{}); // the picture is from before the end
  CHECK_FALSE(b.said<ask_view>());
  b.read();
  CHECK(b.said<ask_view>());
}

TEST_CASE("what was asked for the sake of a move begins no round when it has "
          "ended") {
  rig b;
  b.begin({rig::swap_a()});
  b.grant("a");
  b.read();
  REQUIRE(b.said<ask_view>());
  b.job(b.open("a")->intent, job_phase::ended);
  b.answer_view(); // the picture does not show the move yet
  CHECK_FALSE(b.said<read_figures>());
  b.read();
  CHECK(b.said<ask_view>());
}

TEST_CASE("rounds do not follow each other without a pause for ever") {
  rig b;
  b.wait(minutes{5});
  std::uint32_t rounds = 0;
  while (b.said<ask_view>() && rounds < 1000) {
    ++rounds;
    b.answer_view();
    b.answer_model();
    b.answer_plan({rig::swap_a()});
    b.grant("a");
    b.job(b.open("a")->intent, job_phase::ended);
    b.read();
  }
  CHECK(rounds == rounds_in_a_row_max);
  b.wait(minutes{5});
  CHECK(b.said<ask_view>());
}

TEST_CASE("switched off in the middle of a round what waits is dropped and "
          "what was sent is called back") {
  rig b;
  b.begin({rig::swap_a(), rig::swap_c()});
  b.grant("a");
  b.limits.enabled = false;
  b.feed(looked{});
  CHECK(b.said<withdraw>());
  CHECK(b.open("c") == nullptr);
  b.job(b.open("a")->intent, job_phase::ended);
  b.read();
  CHECK(b.s.phase == balance_phase::off);
}

TEST_CASE("once moves that copy disks are forbidden none leaves that was "
          "planned before") {
  rig b;
  auto mirror = rig::move_of("c", {"n3", "n4"}, {"n3", "n2"});
  b.begin({rig::swap_a(), mirror});
  REQUIRE(b.open("c") != nullptr);
  b.limits.disk_moves = false;
  b.feed(looked{});
  CHECK(b.open("c") == nullptr);
  CHECK(fate(b) == "sent"); // the other one only swaps home and mirror
}

TEST_CASE("a permit for a move that is gone is given back") {
  rig b;
  b.begin({rig::swap_a()});
  b.limits.enabled = false;
  b.feed(looked{});
  b.grant("a");
  CHECK(b.said<give_back_permit>());
  CHECK_FALSE(b.said<submit>());
}

} // namespace orderly::balance::balance_moves_test
