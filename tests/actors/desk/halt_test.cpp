// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the power desk does not do: act without the right, or late.

#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_halt_test {

using Catch::Matchers::Contains;

TEST_CASE("a power-on waits for what the scheduler says relies on the node "
          "being off, and tells of it") {
  desk_rig b;
  b.read();
  permit_request failover;
  failover.act = act_kind::failover;
  failover.owner = "instance:i1";
  failover.instances = {"i1"};
  failover.leaves = {"n1"};
  b.world->risky.acts = {failover};
  auto id = b.ask(power(power_verb::on, {"n1"})).id;
  b.run_for(seconds{10});
  CHECK(b.world->commands("n1", power_verb::on) == 0);
  CHECK(b.world->held.back().rising.count("n1") == 1);
  REQUIRE(b.seen->ordered.count("n1") == 1);
  CHECK_FALSE(b.seen->ordered["n1"].running);
  CHECK_THAT(b.seen->ordered["n1"].waits_for, Contains("i1"));
  b.world->risky.acts.clear();
  b.run_for(seconds{10});
  CHECK(b.world->commands("n1", power_verb::on) == 1);
  CHECK(b.world->held.back().rising.empty());
  CHECK(b.sheet(id).ended != never);
}

TEST_CASE("who is not the master takes no errand that acts, and says so") {
  desk_rig b;
  b.is_master = false;
  b.read();
  auto sheet = b.ask(power(power_verb::off, {"n3"}));
  CHECK(sheet.refusal_kind == refused_for::state);
  CHECK_THAT(sheet.refusal, Contains("the master is n3"));
  CHECK(b.ask(power(power_verb::status, {"n3"})).refusal.empty());
  b.is_master = true;
  b.read();
  CHECK(b.ask(power(power_verb::off, {"n3"})).refusal.empty());
}

TEST_CASE("a right to act that nobody confirmed for long is none") {
  desk_rig b;
  b.read();
  b.theatre.run_for(b.theatre.rules().leader.lease + seconds{1});
  auto sheet = b.ask(power(power_verb::off, {"n3"}));
  CHECK(sheet.refusal_kind == refused_for::state);
  CHECK_THAT(sheet.refusal, Contains("has not confirmed"));
  b.read();
  CHECK(b.ask(power(power_verb::off, {"n3"})).refusal.empty());
}

TEST_CASE("an errand that lost the right to act does nothing when it is "
          "back") {
  desk_rig b;
  b.read();
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.is_master = false;
  b.read();
  b.run_for(minutes{3});
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK_THAT(sheet.rows.at(0).text, Contains("the master is n3"));
  b.is_master = true;
  b.run_for(minutes{5});
  CHECK(b.world->orders.empty());
}

TEST_CASE("a job that our own queue never tells of is called back") {
  desk_rig b;
  b.read();
  b.world->job_time = hours{3};
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.theatre.run_for(errand::sent_within);
  b.read();
  CHECK(b.sheet(id).failed);
  CHECK(b.world->withdrawn.size() == 1);
}

TEST_CASE("an epo that a day went over is not gone on with, and its holds "
          "stay") {
  desk_rig b;
  b.read();
  auto id = b.ask(epo(false)).id;
  b.theatre.run_for(millis{1500});
  auto sent = b.world->sent.size();
  b.crash();
  b.theatre.run_for(hours{20});
  b.boot();
  b.read();
  b.run_for(seconds{20});
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK(sheet.failed);
  CHECK(b.world->sent.size() == sent);
  CHECK(b.world->orders.empty());
  CHECK(b.world->held.back().nodes.size() == 2);
  CHECK(b.book->count("errand-interrupted") == 1);
}

TEST_CASE("a stop is honoured across a crash anywhere in an epo") {
  for (int turn = 0; turn < 24; ++turn) {
    CAPTURE(turn);
    desk_rig b;
    b.read();
    auto id = b.ask(epo(false)).id;
    for (int i = 0; i < turn; ++i) {
      b.theatre.run_for(millis{250});
      b.read();
    }
    b.end(id, "eve");
    b.crash();
    auto orders = b.world->orders.size();
    auto sent = b.world->sent.size();
    b.boot();
    b.read();
    b.run_for(seconds{20});
    CHECK(b.sheet(id).ended != never);
    for (auto i = orders; i < b.world->orders.size(); ++i)
      CHECK(b.world->orders[i].verb == power_verb::status);
    for (auto i = sent; i < b.world->sent.size(); ++i)
      CHECK(b.world->sent[i].ops.at(0).powered == false); // what was switched
  }
}

TEST_CASE("an instance that our own repair brings along is not cut off") {
  desk_rig b;
  auto& i1 = b.world->cluster.instances[0];
  i1.primary = "n3";
  i1.secondaries = {"n1"};
  running_job job;
  job.id = 9;
  job.instances = {"i1"};
  b.world->cluster.jobs = {job}; // its failover to n1
  b.read();
  auto id = b.ask(epo(false)).id;
  b.run_for(seconds{30});
  CHECK(b.world->orders.empty());
  i1.primary = "n1";
  i1.secondaries = {"n3"};
  b.world->cluster.jobs.clear();
  b.run_for(seconds{15});
  CHECK(b.world->jobs_of(op_kind::instance_shutdown, "i1") == 1);
  CHECK(b.world->power["n1"] == power_state::off);
  CHECK_FALSE(b.sheet(id).failed);
}

TEST_CASE("a word is waited for as long as the node's keeper may take") {
  desk_rig b;
  b.world->word_time = errand::word_within;
  b.read();
  auto id = b.ask(request(confirm_errand{"n1"})).id;
  b.theatre.run_for(minutes{11});
  CHECK_THAT(b.sheet(id).rows.at(0).text, Contains("up to 12 min"));
  b.theatre.run_for(minutes{2});
  CHECK(b.sheet(id).rows.at(0).text == "taken");
}

TEST_CASE("a confirm-off that is stopped ends at once, unless it is believed") {
  for (bool believed : {true, false}) {
    desk_rig b;
    b.world->word_time = errand::word_within;
    b.world->word_believed = believed;
    b.read();
    auto id = b.ask(request(confirm_errand{"n1"})).id;
    b.theatre.run_for(minutes{1});
    b.end(id, "eve");
    REQUIRE(b.world->words.size() == 2);
    CHECK(b.world->words.back().taken_back);
    CHECK((b.sheet(id).ended != never) == !believed);
    b.theatre.run_for(minutes{12});
    CHECK(b.sheet(id).rows.at(0).state
          == (believed ? row_state::done : row_state::skipped));
  }
}

TEST_CASE("each direction in which the watcher does not obey is told") {
  desk_rig b;
  b.read();
  b.world->watcher_obeys = false;
  b.ask(epo(false));
  b.run_for(minutes{9});
  CHECK(b.alerts() == 1);
  b.run_for(
    minutes{3}); // it waits for the watcher no longer, and ends its holds
  REQUIRE(b.world->held.back().nodes.empty());
  CHECK(b.alerts() == 2);
}

TEST_CASE("a stop takes the queued mark back, and the next one may come") {
  desk_rig b;
  b.read();
  b.world->job_time = minutes{2};
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.theatre.run_for(seconds{1});
  b.end(id, "eve");
  REQUIRE(b.world->withdrawn.size() == 1);
  CHECK(b.world->withdrawn[0] == b.world->sent.at(0).intent);
  // It ends as Ganeti tells it.
  auto& job = b.world->jobs.at(b.world->withdrawn[0]);
  job.phase = job_phase::ended;
  job.status = job_status::canceled;
  b.run_for(minutes{3});
  auto sheet = b.sheet(id);
  CHECK(sheet.ended != never);
  CHECK(sheet.rows.at(0).text == "stopped by eve before mark-offline");
  CHECK(b.world->orders.empty());
}

TEST_CASE("a stop takes a power-off back that waits at the switch") {
  desk_rig b;
  b.read();
  b.world->switch_time = minutes{5};
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.run_for(seconds{10});
  REQUIRE(b.world->orders.size() == 1);
  b.end(id, "eve");
  REQUIRE(b.world->taken_back.size() == 1);
  CHECK(b.world->taken_back[0].node == "n3");
  CHECK(b.world->taken_back[0].intent == b.world->orders[0].intent);
}

TEST_CASE("a stop is confirmed when it is on disk, also to who asks for it "
          "again") {
  desk_rig b;
  b.read();
  b.world->job_time = minutes{2};
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.book->writes.answer = [&b](const journal_batch& batch) {
    b.book->write(batch);
    return says(journal_ack{true, {}}, seconds{5});
  };
  auto first = b.theatre.ask<errand_sheet>(b.desk, errand_stop{id, "eve"});
  auto again = b.theatre.ask<errand_sheet>(b.desk, errand_stop{id, "ann"});
  b.theatre.run_for(seconds{4});
  CHECK_FALSE(first);
  CHECK_FALSE(again);
  b.theatre.run_for(seconds{10});
  CHECK(first);
  CHECK(again);
  CHECK(b.book->count("errand-stop") == 1);
}

TEST_CASE("orders are told to who is asked about their nodes, until they are "
          "done") {
  desk_rig b;
  b.read();
  auto id = b.ask(power(power_verb::off, {"n3"})).id;
  b.theatre.settle();
  REQUIRE(b.seen->ordered.count("n3") == 1);
  CHECK(b.seen->ordered["n3"].errand == id);
  CHECK(b.seen->ordered["n3"].who == "bob");
  b.run_for(minutes{1});
  CHECK(b.sheet(id).ended != never);
  CHECK(b.seen->ordered.empty());
}

} // namespace orderly::desk_halt_test
