// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who may act, on what, and when. Guards hold new destructive acts only; what
// is spent is on disk before anybody acts on it.

#include "tests/actors/scheduler/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::scheduler_test {

TEST_CASE("without the right to act nobody gets a permit") {
  scheduler_rig b;
  b.on.tell(b.actor, lease{false, b.on.now(), "the master is node9"});
  for (auto act : {act_kind::fence, act_kind::failover, act_kind::record,
                   act_kind::fix_storage}) {
    auto p = b.ask("x", act);
    CHECK_FALSE(p.granted);
    CHECK(p.why == "the master is node9");
    CHECK(p.retry_at > b.on.now());
  }
  // A lease that ran out is none, told or not.
  b.on.tell(b.actor, lease{true, b.on.now() + seconds{5}, "until then"});
  b.on.run_for(seconds{5});
  CHECK_FALSE(b.ask("x", act_kind::record).granted);
}

TEST_CASE("who holds a permit to fail over or reinstall is told on, and nobody "
          "else") {
  scheduler_rig b;
  auto risky = [&b] {
    std::vector<object_id> owners;
    auto answer = b.on.ask<risky_acts>(b.actor, ask_risky_acts{});
    REQUIRE(answer);
    CHECK(answer->known);
    for (const auto& x : answer->acts)
      owners.push_back(x.owner);
    return owners;
  };
  CHECK(risky().empty());
  REQUIRE(b.ask("node3", act_kind::fence).granted);
  REQUIRE(b.ask("web1", act_kind::failover).granted);
  CHECK(risky() == std::vector<object_id>{"instance:web1"});
  b.release("instance:web1");
  CHECK(risky().empty());
}

TEST_CASE("a storm holds fences, resets and failovers and nothing else") {
  scheduler_rig b;
  b.troubled(3);
  for (auto act : {act_kind::fence, act_kind::reset, act_kind::failover}) {
    auto p = b.ask("x", act);
    CHECK_FALSE(p.granted);
    CHECK(p.storm);
    CHECK(p.why == "storm: 3 of 10 nodes are in trouble, limit 2");
  }
  CHECK(b.ask("a", act_kind::record).granted);
  CHECK(b.ask("b", act_kind::fix_storage).granted);
  CHECK(b.disk->count("storm") == 1);
  CHECK(b.seen->guard.storm);
}

TEST_CASE("nodes out of service count neither as nodes nor as trouble") {
  scheduler_rig b;
  // Ten nodes that live, and thirty that are long out of service.
  b.troubled(3);
  for (auto i = 10; i < 40; ++i) {
    node_standing s;
    s.node = "node" + std::to_string(i);
    s.counted = false;
    s.troubled = i % 2 == 0;
    b.on.tell(b.actor, s);
  }
  CHECK(b.ask("x", act_kind::fence).why
        == "storm: 3 of 10 nodes are in trouble, limit 2");
  CHECK(b.seen->guard.nodes == 10);
  CHECK(b.seen->guard.troubled == 3);
}

TEST_CASE("after a storm it must stay calm for a while") {
  scheduler_rig b;
  b.troubled(3);
  b.on.run_for(minutes{10});
  CHECK_FALSE(b.ask("x", act_kind::fence).granted);
  b.troubled(2);
  b.on.run_for(b.on.rules().storm.cooldown - seconds{10});
  CHECK_FALSE(b.ask("x", act_kind::fence).granted);
  b.on.run_for(seconds{20});
  CHECK(b.ask("x", act_kind::fence).granted);
  CHECK(b.disk->count("storm") == 1);
  CHECK(b.disk->count("calm") == 1);
}

TEST_CASE("a fresh trouble waits for its companions to be seen") {
  scheduler_rig b;
  auto q = b.request("node1", act_kind::fence);
  q.since = b.on.now();
  auto p = b.ask(q);
  CHECK_FALSE(p.granted);
  CHECK(p.retry_at == b.on.now() + b.on.rules().storm.settle);
  b.on.run_for(b.on.rules().storm.settle);
  CHECK(b.ask(q).granted);
}

TEST_CASE("what the budget has given out is not given again after a restart") {
  scheduler_rig b{with(2)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  b.on.run_for(minutes{10});
  CHECK(b.ask("node2", act_kind::reset).granted);
  auto p = b.ask("node3", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "budget: 2 of 2 fences used this hour");
  b.restart();
  p = b.ask("node3", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "budget: 2 of 2 fences used this hour");
  CHECK(b.ask("web1", act_kind::failover).granted); // has its own
  b.on.run_for(minutes{50});                        // the first is an hour old
  CHECK(b.ask("node3", act_kind::fence).granted);
  CHECK_FALSE(b.ask("node4", act_kind::fence).granted);
}

TEST_CASE("a permit is granted after its price is on disk and not before") {
  scheduler_rig b;
  b.disk->writes.answer = [&](const journal_batch& batch) {
    b.disk->write(batch);
    return says(journal_ack{true, {}}, seconds{3});
  };
  auto answer = b.on.ask<permit>(b.actor, b.request("node1", act_kind::fence));
  b.on.run_for(millis{2999});
  CHECK_FALSE(answer);
  b.on.run_for(millis{1});
  REQUIRE(answer);
  CHECK(answer->granted);
  CHECK(b.disk->states.at("scheduler").text("fences") != "");
}

TEST_CASE("a price that could not be written is no permit, now or when asked "
          "again") {
  scheduler_rig b{with(1)};
  auto write = b.disk->writes.answer;
  b.disk->writes.answer = [](const journal_batch&) {
    return says(journal_ack{false, "input/output error"});
  };
  auto q = b.request("node1", act_kind::fence);
  auto first = b.on.ask<permit>(b.actor, q);
  b.on.run_for(seconds{31});
  REQUIRE(first);
  CHECK_FALSE(first->granted);
  CHECK(first->why == "the journal does not answer");
  CHECK(first->retry_at > b.on.now() - seconds{10});
  auto second = b.on.ask<permit>(b.actor, q);
  b.on.run_for(seconds{31});
  REQUIRE(second);
  CHECK_FALSE(second->granted);
  // Nobody acted: it costs nothing, and nothing is reserved.
  b.disk->writes.answer = write;
  b.on.run_for(minutes{1});
  CHECK(b.seen->guard.permits_out == 0);
  CHECK(b.ask("node2", act_kind::fence).granted);
}

TEST_CASE("a pause holds destructive acts by name until it is lifted") {
  scheduler_rig b;
  CHECK(b.pause(true).done);
  auto p = b.ask("node1", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "paused by ann: works on the roof");
  CHECK(b.ask("node2", act_kind::record).granted);
  CHECK_FALSE(b.pause(true).done);
  CHECK(b.pause(false).done);
  CHECK(b.ask("node1", act_kind::fence).granted);
}

TEST_CASE("that it is paused already is said only once the pause is on disk") {
  scheduler_rig b{with(0)};
  auto writes = b.disk->writes.answer;
  b.disk->writes.answer
    = [](const journal_batch&) { return reply<journal_ack>{}; };
  pause_order order{true, "ann", "works on the roof"};
  CHECK_FALSE(b.on.ask<pause_answer>(b.actor, order));
  CHECK_FALSE(b.on.ask<pause_answer>(b.actor, order));
  b.disk->writes.answer = writes;
  b.restart();
  CHECK_FALSE(b.pause(false).done); // nobody was told that it was
}

TEST_CASE("a pause outlives the daemon") {
  scheduler_rig b;
  b.pause(true);
  b.restart();
  auto p = b.ask("node1", act_kind::fence);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "paused by ann: works on the roof");
  CHECK(b.seen->guard.paused);
}

TEST_CASE("an instance or a filling node is held by one workflow alone") {
  scheduler_rig b;
  auto q = b.request("web1", act_kind::failover);
  q.joins = {"node2"};
  CHECK(b.ask(q).granted);
  CHECK(b.ask(q).granted); // the same again
  auto other = b.request("node3", act_kind::record);
  other.instances = {"web1"};
  auto p = b.ask(other);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "instance web1 is held by instance:web1");
  // Unlike a failover: those may fill a node together.
  auto filling = b.request("web2", act_kind::failover);
  filling.act = act_kind::migrate;
  filling.joins = {"node2"};
  p = b.ask(filling);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "lets failovers that concern the same nodes go first");
  b.release("instance:web1");
  CHECK(b.ask(other).granted);
  CHECK(b.ask(filling).granted);
}

TEST_CASE("a mirror is rebuilt after the failovers of the same trouble") {
  scheduler_rig b;
  auto rebuild = b.request("web9", act_kind::fix_storage);
  rebuild.leaves = {"node1"};
  rebuild.joins = {"node9"};
  rebuild.since = b.on.now();
  auto p = b.ask(rebuild);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "lets failovers that concern the same nodes go first");
  CHECK(p.retry_at == b.on.now() + seconds{5});
  auto failover = b.request("web1", act_kind::failover);
  failover.leaves = {"node1"};
  failover.joins = {"node2"};
  CHECK(b.ask(failover).granted);
  b.on.run_for(seconds{10});
  p = b.ask(rebuild);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "lets failovers that concern the same nodes go first");
  b.release("instance:web1");
  CHECK(b.ask(rebuild).granted);
}

TEST_CASE("a failover that found no place is not overtaken") {
  scheduler_rig b;
  auto held = b.request("node2", act_kind::record);
  CHECK(b.ask(held).granted); // node2 is being left
  auto failover = b.request("web1", act_kind::failover);
  failover.joins = {"node2", "node3"};
  CHECK_FALSE(b.wait(failover).granted);
  auto rebuild = b.request("web9", act_kind::fix_storage);
  rebuild.leaves = {"node1"};
  rebuild.joins = {"node3"};
  auto p = b.ask(rebuild);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "lets failovers that concern the same nodes go first");
  // It is not remembered for ever.
  b.on.run_for(minutes{1});
  CHECK(b.ask(rebuild).granted);
}

TEST_CASE("the same permit asked for twice is paid for once") {
  scheduler_rig b{with(2)};
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK(b.ask("node1", act_kind::fence).granted);
  CHECK(b.ask("node2", act_kind::fence).granted);
  CHECK_FALSE(b.ask("node3", act_kind::fence).granted);
}

TEST_CASE(
  "one more try of what was begun is held by a pause, by settings, by a "
  "storm and by a lost right, and by nothing else") {
  scheduler_rig b{with(1)};
  auto q = b.request("node1", act_kind::fence);
  auto first = b.ask(q);
  CHECK(first.granted);
  SECTION("a storm, which may be our own link's") {
    b.troubled(9);
    auto p = b.ask(q);
    CHECK_FALSE(p.granted);
    CHECK(p.storm);
  }
  SECTION("a budget that was set to none") {
    auto none = with(0);
    b.on.ctx()->replace(std::make_shared<const settings>(none));
    CHECK_FALSE(b.ask(q).granted);
  }
  SECTION("neither settle nor budget") {
    q.since = b.on.now();
    auto p = b.ask(q);
    CHECK(p.granted);
    CHECK(p.id == first.id);
    CHECK(b.disk->states.at("scheduler").text("fences").find('+')
          == std::string::npos);
    CHECK_FALSE(b.ask("node2", act_kind::fence).granted);
  }
  SECTION("a pause, until it is lifted") {
    b.pause(true);
    auto p = b.ask(q);
    CHECK_FALSE(p.granted);
    CHECK(p.why == "paused by ann: works on the roof");
    CHECK(b.seen->guard.permits_out == 1); // it is still under way
    b.pause(false);
    CHECK(b.ask(q).granted);
  }
  SECTION("the right to act") {
    b.on.tell(b.actor, lease{false, b.on.now(), "the master is node9"});
    CHECK(b.ask(q).why == "the master is node9");
    b.give_right();
    CHECK(b.ask(q).granted);
  }
  SECTION("settings that only observe") {
    auto s = b.on.rules();
    s.host_ha.enabled = false;
    b.on.change(s);
    CHECK_FALSE(b.ask(q).granted);
  }
}

TEST_CASE("what is tried again and again is not taken back") {
  scheduler_rig b;
  auto q = b.request("node1", act_kind::fence);
  CHECK(b.ask(q).granted);
  b.on.run_for(b.on.rules().rounds.permit_max_age - minutes{1});
  CHECK(b.ask(q).granted);
  b.on.run_for(minutes{3});
  CHECK(b.seen->guard.permits_out == 1);
}

TEST_CASE(
  "what was resumed after a restart is held by a pause when it is tried "
  "again") {
  scheduler_rig b;
  auto q = b.request("node1", act_kind::fence);
  q.resumed = true;
  CHECK(b.ask(q).granted);
  q.resumed = false;
  b.pause(true);
  CHECK(b.ask(q).why == "paused by ann: works on the roof");
  b.pause(false);
  CHECK(b.ask(q).granted);
  CHECK(b.seen->guard.fences_left == b.on.rules().budget.fences_per_hour_max);
}

TEST_CASE("what was under way before a restart goes on against all guards") {
  scheduler_rig b{with(0)};
  b.pause(true);
  b.troubled(9);
  b.on.tell(b.actor, lease{});
  auto q = b.request("node1", act_kind::fence);
  CHECK_FALSE(b.ask(q).granted);
  q.resumed = true;
  CHECK(b.ask(q).granted);
  // And it is reserved, against the others.
  b.give_right();
  auto p = b.ask("node1", act_kind::record);
  CHECK_FALSE(p.granted);
  CHECK(b.seen->guard.permits_out == 1);
}

TEST_CASE("before the journal was read nothing is granted") {
  scheduler_rig b;
  b.disk->reads.answer
    = [](const journal_read&) { return reply<journal_contents>{}; };
  b.restart();
  auto p = b.ask("node1", act_kind::record);
  CHECK_FALSE(p.granted);
  CHECK(p.why == "starting");
}

TEST_CASE("a permit that nobody gave back is taken back in the end") {
  scheduler_rig b;
  auto q = b.request("web1", act_kind::failover);
  CHECK(b.ask(q).granted);
  auto other = b.request("node3", act_kind::record);
  other.instances = {"web1"};
  b.on.run_for(b.on.rules().rounds.permit_max_age - minutes{1});
  CHECK_FALSE(b.ask(other).granted);
  b.on.run_for(minutes{3});
  CHECK(b.ask(other).granted);
}

} // namespace orderly::scheduler_test
