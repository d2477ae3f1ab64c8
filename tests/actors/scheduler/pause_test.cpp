// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// An order counts once it is on disk, and a journal that was damaged pauses.

#include "tests/actors/scheduler/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::scheduler_pause_test {

namespace {

const pause_order stop_order{true, "ann", "works on the roof"};
const pause_order go_order{false, "ann", ""};

/// What is written lies still until it is told to go on.
struct slow_disk {
  explicit slow_disk(scheduler_rig& b) : rig(b), works(b.disk->writes.answer) {
    b.disk->writes.answer = [](const journal_batch&) {
      return says(journal_ack{false, "database or disk is full"});
    };
  }

  void mend() {
    rig.disk->writes.answer = works;
    rig.on.run_for(minutes{1});
  }

  scheduler_rig& rig;
  decltype(paper{}.writes.answer) works;
};

void damage(scheduler_rig& b, instant at) {
  auto whole = b.disk->reads.answer;
  b.disk->reads.answer = [&b, at](const journal_read&) {
    auto found = b.disk->contents();
    found.damaged = at;
    return says(found);
  };
}

} // namespace

TEST_CASE("a resume that is not on disk has no effect, and later none either") {
  scheduler_rig b;
  CHECK(b.pause(true).done);
  slow_disk disk{b};
  auto answer = b.on.ask<pause_answer>(b.actor, go_order);
  b.on.run_for(minutes{1});
  CHECK_FALSE(answer);
  CHECK_FALSE(b.ask("node1", act_kind::fence).granted);
  CHECK(b.seen->guard.paused);
  disk.mend();
  REQUIRE(answer);
  CHECK_FALSE(answer->done);
  CHECK(answer->text.find("took too long") != std::string::npos);
  CHECK(b.seen->guard.paused);
  CHECK_FALSE(b.ask("node1", act_kind::fence).granted);
  CHECK(b.disk->contents().states.at("scheduler:pause").number("paused") == 1);
  CHECK(b.pause(false).done);
  CHECK(b.ask("node1", act_kind::fence).granted);
}

TEST_CASE("a pause that is not on disk holds already, and is not said to") {
  scheduler_rig b;
  slow_disk disk{b};
  auto answer = b.on.ask<pause_answer>(b.actor, stop_order);
  b.on.run_for(seconds{10});
  CHECK_FALSE(answer);
  auto p = b.ask("node1", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "paused by ann: works on the roof");
  CHECK_FALSE(b.seen->guard.paused);
  disk.mend();
  REQUIRE(answer);
  CHECK(answer->done);
  CHECK(b.seen->guard.paused);
}

TEST_CASE("a pause that never got to disk is gone after a restart") {
  scheduler_rig b;
  {
    slow_disk disk{b};
    auto answer = b.on.ask<pause_answer>(b.actor, stop_order);
    b.on.run_for(seconds{10});
    CHECK_FALSE(answer);
    b.disk->writes.answer = disk.works;
  }
  b.restart();
  CHECK(b.ask("node1", act_kind::fence).granted);
}

TEST_CASE("orders are taken one after the other, as they came") {
  scheduler_rig b;
  slow_disk disk{b};
  auto first = b.on.ask<pause_answer>(b.actor, stop_order);
  auto second = b.on.ask<pause_answer>(b.actor, go_order);
  auto third = b.on.ask<pause_answer>(b.actor, stop_order);
  disk.mend();
  REQUIRE(third);
  CHECK(first->done);
  CHECK(second->done);
  CHECK(third->done);
  CHECK(b.seen->guard.paused);
}

TEST_CASE("more orders than can wait are refused at once") {
  scheduler_rig b;
  slow_disk disk{b};
  std::vector<pending<pause_answer>> waiting;
  for (int i = 0; i < 64; ++i)
    waiting.push_back(b.on.ask<pause_answer>(b.actor, stop_order));
  auto one_more = b.on.ask<pause_answer>(b.actor, stop_order);
  REQUIRE(one_more);
  CHECK_FALSE(one_more->done);
  CHECK_FALSE(waiting.back());
}

TEST_CASE("after damage to the journal all that destroys waits for a person") {
  scheduler_rig b;
  auto at = b.on.now();
  damage(b, at);
  b.restart();
  auto p = b.ask("node1", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK_THAT(p.why, Catch::Contains("its journal was damaged"));
  CHECK(b.ask("node2", act_kind::record).granted);
  CHECK(b.pause(false).done);
  CHECK(b.ask("node1", act_kind::fence).granted);
  b.restart(); // who resumed has answered for this damage
  CHECK(b.ask("node3", act_kind::fence).granted);
  damage(b, at + hours{1});
  b.restart();
  CHECK_FALSE(b.ask("node4", act_kind::fence).granted);
}

TEST_CASE("a pause for damage shows before it is on disk") {
  scheduler_rig b;
  damage(b, b.on.now());
  slow_disk disk{b};
  b.restart();
  CHECK(b.seen->guard.paused);
  CHECK_THAT(b.seen->guard.paused_by, Catch::Contains("its journal was"));
  disk.mend();
  CHECK(b.seen->guard.paused);
  CHECK(b.pause(false).done);
  CHECK_FALSE(b.seen->guard.paused);
}

TEST_CASE("nothing is shown of the guards before the journal was read") {
  scheduler_rig b;
  CHECK(b.pause(true).done);
  auto reads = b.disk->reads.answer;
  b.disk->reads.answer
    = [](const journal_read&) { return says(journal_contents{}); };
  b.seen->guard = guard_standing{};
  b.seen->right = lease{};
  b.restart();
  CHECK_FALSE(b.seen->right.held);
  b.disk->reads.answer = reads;
  b.on.run_for(minutes{1});
  CHECK(b.seen->right.held);
  CHECK(b.seen->guard.paused);
}

} // namespace orderly::scheduler_pause_test
