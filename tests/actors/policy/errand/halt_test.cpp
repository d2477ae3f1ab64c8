// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What keeps an errand from going on.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_halt_test {

namespace {

using Catch::Matchers::Contains;

errand_request epo(std::vector<std::string> names, bool on = false) {
  epo_errand x;
  x.names = std::move(names);
  x.on = on;
  return rig::request(x);
}

errand_request off(std::vector<std::string> names) {
  return rig::request(rig::power(power_verb::off, std::move(names)));
}

} // namespace

TEST_CASE("a step without the right to act waits a minute, and is not done "
          "later") {
  for (bool back : {true, false}) {
    rig b;
    b.begin(off({"n1", "n2"}));
    b.lose_right();
    b.job("n1"); // it was sent before
    CHECK(b.count<give_power>() == 0);
    b.wait(right_within - seconds{10});
    CHECK(b.how("n1") == row_state::running);
    if (back) {
      b.no_right.clear();
      b.wait(right_pause);
      CHECK(b.switched("n1").verb == power_verb::off);
      continue;
    }
    b.wait(seconds{10});
    CHECK(b.how("n1") == row_state::failed);
    CHECK(b.of("n1").text == "not done: the master is n3");
    b.no_right.clear();
    b.wait(hours{1});
    CHECK(b.count<give_power>() == 0);
  }
}

TEST_CASE("a power-off is recorded even if the right to act is away a while") {
  rig b;
  b.begin(off({"n1"}));
  b.job("n1");
  b.lose_right();
  b.switched("n1");
  CHECK(b.count<send_job>() == 0);
  b.wait(minutes{10});
  b.no_right.clear();
  b.wait(untried_pause);
  CHECK(b.job("n1").powered == false);
  CHECK(b.how("n1") == row_state::done);
}

TEST_CASE("a job that did not get into the queue is called back") {
  rig b;
  b.begin(off({"n1"}));
  auto x = b.take<send_job>("n1");
  b.lose_right();
  b.wait(sent_within);
  CHECK(b.how("n1") == row_state::failed);
  CHECK_THAT(b.of("n1").text, Contains("the master is n3"));
  CHECK(b.called_back == std::vector<intent_id>{x.order.intent});
  b.no_right.clear();
  b.feed(job_told{x.at, true, false, ""});
  CHECK(b.todo.empty());
}

TEST_CASE("a job that is in the queue has its own time, and no more") {
  rig b;
  b.begin(off({"n1"}));
  auto x = b.take<send_job>("n1");
  b.wait(minutes{2});
  b.feed(job_queued{x.at});
  b.wait(x.order.deadline);
  CHECK(b.how("n1") == row_state::running);
  b.wait(minutes{1});
  CHECK(b.how("n1") == row_state::failed);
  CHECK(b.called_back.size() == 1);
}

TEST_CASE("a job that our queue kept for an hour is not asked for again") {
  for (const auto& asked : {off({"n1"}), epo({"n1"})}) {
    rig b;
    b.begin(asked);
    auto x = b.take<send_job>("n1");
    b.now += minutes{57};
    b.feed(job_told{x.at, false, true, "not sent while fresh", true});
    CHECK(b.how("n1") == row_state::failed);
    CHECK(b.s.ended != never);
    CHECK(b.todo.empty());
  }
}

TEST_CASE("an epo asks a full queue again for minutes, not for ever") {
  rig b;
  b.add_instance("i1", "n1");
  b.begin(epo({"n1"}));
  for (millis left = minutes{10}; left > millis{0}; left -= untried_pause) {
    b.untried("i1");
    REQUIRE(b.how("i1") == row_state::running);
    b.wait(untried_pause);
  }
  b.wait(minutes{4});
  CHECK(b.count<send_job>() == 1);
  b.now += minutes{1};
  b.untried("i1");
  CHECK(b.how("i1") == row_state::failed);
  CHECK(b.how("n1") == row_state::skipped);
}

TEST_CASE("an errand that stood still for long is not gone on with") {
  rig b;
  b.add_instance("i1", "n1");
  b.add_instance("i2", "n1");
  b.rules.power.concurrency = 1;
  b.begin(epo({"n1", "n2"}));
  b.job("i1");
  b.now += hours{20};
  b.restart();
  // What was under way is asked for, and not begun again.
  auto x = b.take<send_job>("i2");
  CHECK(x.order.ops.empty());
  b.feed(job_told{x.at, false, false, "it was never sent", true});
  CHECK_THAT(b.of("i2").text, Contains("interrupted for 20 h, ask again"));
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.how("n2") == row_state::skipped);
  CHECK(b.s.ended != never);
  CHECK(has_failed(b.s));
  CHECK(b.holds.size() == 2);
  CHECK(b.has_told("errand-interrupted", "20 h"));
  CHECK(b.todo.empty());
}

TEST_CASE("an errand that nobody watched over for long is not gone on with") {
  rig b;
  b.begin(off({"n1"}));
  b.now += minutes{30};
  SECTION("nobody watched") {
    b.unwatched = minutes{11};
    b.restart();
    CHECK_THAT(b.s.interrupted, Contains("interrupted for 11 min, ask again"));
  }
  SECTION("nobody watched for so long that its own steps are older") {
    b.unwatched = hours{2};
    b.restart();
    CHECK_THAT(b.s.interrupted, Contains("interrupted for 30 min, ask again"));
  }
  SECTION("a step that took long, and a restart that did not") {
    b.unwatched = minutes{9};
    b.restart();
    CHECK(b.s.interrupted.empty());
  }
}

TEST_CASE("an errand that an older journal calls open is not gone on with") {
  rig b;
  b.begin(off({"n1", "n2"}));
  b.now += minutes{1};
  b.restart(b.now); // somebody had a backup taken, after it began
  // What was sent before is asked for, and nothing is begun.
  CHECK(b.take<send_job>("n1").order.ops.empty());
  CHECK(b.take<send_job>("n2").order.ops.empty());
  CHECK(b.has_told("errand-interrupted", "put back from a backup"));
}

TEST_CASE("an errand that began after an older journal was taken goes on") {
  rig b;
  b.now += minutes{1};
  auto taken = b.now - seconds{30};
  b.begin(off({"n1"}));
  b.restart(taken);
  b.node("n1").offline = true; // as is read then
  CHECK(b.job("n1").offline == true);
  CHECK(b.switched("n1").verb == power_verb::off);
}

TEST_CASE("an errand that was away for less than an hour goes on") {
  rig b;
  b.begin(off({"n1", "n2"}));
  b.now += idle_max - seconds{1};
  b.restart();
  b.node("n1").offline = true; // as is read then
  CHECK(b.job("n1").offline == true);
  CHECK(b.switched("n1").verb == power_verb::off);
}

TEST_CASE("what was switched is recorded, however late, once it was read "
          "again") {
  rig b;
  b.begin(off({"n1", "n2"}));
  b.job("n1");
  b.switched("n1");
  b.job("n2");
  b.now += hours{20};
  b.restart();
  CHECK(b.report("n1", power_state::off).verb == power_verb::status);
  CHECK(b.job("n1").powered == false);
  CHECK(b.how("n1") == row_state::done);
  // The command may have been given; it is not given now.
  CHECK(b.report("n2", power_state::off).verb == power_verb::status);
  CHECK(b.job("n2").powered == false);
  CHECK(b.how("n2") == row_state::done);
  CHECK(b.s.ended != never);
}

TEST_CASE("what reads otherwise after a restart is not recorded off") {
  for (auto seen : {power_state::on, power_state::unknown}) {
    rig b;
    b.begin(off({"n1"}));
    b.job("n1");
    b.switched("n1");
    b.restart();
    b.report("n1", seen, seen == power_state::on);
    CHECK(b.how("n1") == row_state::failed);
    CHECK(b.count<send_job>() == 0);
    CHECK(b.count<give_power>() == 0); // nor is it commanded again
    CHECK(b.s.ended != never);
  }
}

TEST_CASE("a stop is honoured across a restart: the power is read, not "
          "commanded") {
  for (auto seen : {power_state::off, power_state::on, power_state::unknown}) {
    rig b;
    b.begin(off({"n1"}));
    b.job("n1");
    b.feed(stopped{"eve"});
    b.restart();
    b.report("n1", seen, seen != power_state::unknown);
    CHECK(b.count<give_power>() == 0);
    if (seen == power_state::off) {
      CHECK(b.job("n1").powered == false);
      CHECK(b.how("n1") == row_state::done);
    } else {
      CHECK(b.how("n1") == row_state::skipped);
      CHECK(b.of("n1").text == "stopped by eve before power-off");
    }
    CHECK(b.s.ended != never);
  }
}

TEST_CASE("a stop is honoured across a restart: jobs are asked for, not "
          "sent") {
  for (bool was_done : {true, false}) {
    rig b;
    b.begin(off({"n1"}));
    b.feed(stopped{"eve"});
    b.restart();
    if (was_done) {
      auto x = b.take<send_job>("n1");
      CHECK(x.order.ops.empty());
      b.feed(job_told{x.at, true, false, ""});
      CHECK_THAT(b.of("n1").text, Contains("stopped by eve before power"));
    } else {
      b.never_sent("n1");
      CHECK(b.of("n1").text == "stopped by eve before mark-offline");
    }
    CHECK(b.how("n1") == row_state::skipped);
    CHECK(b.todo.empty());
    CHECK(b.s.ended != never);
  }
}

TEST_CASE("after a restart without the right to act a job is asked for, and "
          "sent when the right is back") {
  rig b;
  b.begin(off({"n1"}));
  auto before = b.take<send_job>("n1").order;
  b.lose_right();
  b.restart();
  b.never_sent("n1");
  b.no_right.clear();
  b.wait(right_pause);
  auto after = b.take<send_job>("n1").order;
  CHECK(after.ops == before.ops);
  CHECK(after.intent == before.intent);
}

TEST_CASE("a person's wish that a crash lost is given with the command again") {
  for (auto known : {power_state::off, power_state::on, power_state::unknown}) {
    rig b;
    b.begin(off({"n1"}));
    b.job("n1");
    b.restart();
    b.wishes.clear();
    if (known != power_state::unknown)
      b.wishes["n1"].wanted = known;
    b.report("n1", power_state::off); // the reading
    CHECK(b.count<give_power>() == (known == power_state::off ? 0 : 1));
    if (known != power_state::off)
      CHECK(b.switched("n1").verb == power_verb::off);
    b.job("n1");
    CHECK(b.how("n1") == row_state::done);
  }
}

TEST_CASE("what was commanded before a restart is not commanded again at a "
          "node in service, or after long") {
  for (auto seen : {power_state::on, power_state::unknown}) {
    for (bool in_service : {true, false}) {
      rig b;
      b.begin(off({"n1"}));
      b.job("n1");
      b.wishes["n1"] = {power_state::off, "bob", "", b.now, {}};
      b.now += in_service ? seconds{30} : seconds{660};
      b.node("n1").offline = !in_service;
      b.restart();
      b.report("n1", seen, seen != power_state::unknown);
      CHECK(b.count<give_power>() == 0);
      CHECK(b.how("n1") == row_state::failed);
      CHECK_THAT(b.of("n1").text,
                 Contains(in_service ? "in service" : "11 min ago")
                   && Contains("orderly power off n1"));
      CHECK(b.has_told("errand-interrupted", "not switched again"));
    }
  }
}

TEST_CASE("a power-on of a node in service is given again after a restart") {
  rig b;
  b.begin(b.request(b.power(power_verb::on, {"n1"})));
  b.wishes["n1"] = {power_state::on, "bob", "", b.now, {}};
  b.restart();
  b.report("n1", power_state::off);
  CHECK(b.switched("n1").verb == power_verb::on);
}

TEST_CASE("after a restart a reading tells whether a node is marked, not the "
          "end of the job") {
  for (bool marked : {true, false}) {
    rig b;
    b.begin(off({"n1"}));
    b.now += seconds{10};
    b.read_at = b.now;
    b.restart();
    b.job("n1");
    CHECK_FALSE(b.node("n1").offline); // nobody says so
    CHECK(b.count<give_power>() == 0);
    CHECK(b.looks == 1);
    b.node("n1").offline = marked;
    b.read_at = b.now + seconds{1};
    b.wait(seconds{10});
    if (marked) {
      CHECK(b.switched("n1").verb == power_verb::off);
    } else {
      CHECK(b.how("n1") == row_state::failed);
      CHECK_THAT(b.of("n1").text, Contains("back into service"));
    }
  }
}

TEST_CASE("who stops a confirm-off takes the word back and waits no longer") {
  rig b;
  b.begin(rig::request(confirm_errand{"n1"}));
  auto word = b.take<give_word>("n1");
  b.feed(stopped{"eve"});
  auto back = b.take<take_word_back>("n1");
  CHECK(back.word.node == "n1");
  CHECK(b.how("n1") == row_state::running);
  b.feed(word_taken_back{back.at, true});
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.of("n1").text == "stopped by eve before confirm");
  CHECK(b.s.ended != never);
  b.feed(word_told{word.at, true, "taken"}); // nobody listens any more
  CHECK(b.how("n1") == row_state::skipped);
}

TEST_CASE("a word that is believed before it could be taken back counts") {
  rig b;
  b.begin(rig::request(confirm_errand{"n1"}));
  auto word = b.take<give_word>("n1");
  b.feed(stopped{"eve"});
  auto back = b.take<take_word_back>("n1");
  b.feed(word_taken_back{back.at, false});
  CHECK(b.how("n1") == row_state::running);
  b.feed(word_told{word.at, true, "taken"});
  CHECK(b.how("n1") == row_state::done);
}

} // namespace orderly::errand::errand_halt_test
