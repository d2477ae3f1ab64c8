// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was asked for in another time, of another machine, or for one in another
// state is not done.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_dates_test {

namespace {

using Catch::Matchers::Contains;

errand_request off(std::vector<std::string> names) {
  return rig::request(rig::power(power_verb::off, std::move(names)));
}

} // namespace

TEST_CASE("what was written down and not begun in time is not begun later") {
  for (auto away : {taken_within, taken_within + millis{1}}) {
    rig b;
    b.write_down(off({"n1"}));
    b.now += away;
    b.restart();
    auto late = away > taken_within;
    CHECK(b.has_told("errand-interrupted", "not begun in time") == late);
    CHECK((b.s.ended != never) == late);
    CHECK(b.todo.empty() == late);
  }
}

TEST_CASE("an errand of which nobody knows how old it is is not gone on with") {
  rig b;
  b.aged = true;
  b.begin(off({"n1", "n2"}));
  b.restart();
  CHECK(b.has_told("errand-interrupted", "how long ago it was asked for"));
  CHECK(b.take<send_job>("n1").order.ops.empty());
}

TEST_CASE("an errand whose times are not yet is not gone on with") {
  rig b;
  b.now += hours{48};
  b.begin(off({"n1", "n2"}));
  b.now -= hours{5};
  b.restart();
  CHECK(b.has_told("errand-interrupted", "how long ago it was asked for"));
  CHECK(b.take<send_job>("n1").order.ops.empty());
}

TEST_CASE("a step of the calendar by seconds interrupts no errand") {
  rig b;
  b.begin(off({"n1"}));
  b.now -= seconds{40};
  b.restart();
  CHECK(b.told.empty());
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("times that are not yet become now, and what is due comes no later") {
  auto now = from_ms(10'000'000);
  state s;
  s.began = now - minutes{1};
  s.last_start = now + minutes{20};
  s.rows.resize(2);
  s.rows[0].moved = now + minutes{30};
  s.rows[0].due = now + minutes{31};
  date(s, now, false, {});
  CHECK(s.undated);
  CHECK(s.began == now - minutes{1});
  CHECK(s.last_start == now);
  CHECK(s.rows[0].moved == now);
  CHECK(s.rows[0].due == now + minutes{1});
  CHECK(s.rows[1].due == never);
  CHECK(s.rows[1].moved == never);
}

TEST_CASE("what has come to pass by the calendar is left as it is") {
  auto now = from_ms(10'000'000);
  state s;
  s.began = s.last_answer = now - minutes{9};
  s.rows.resize(1);
  s.rows[0].moved = now;
  s.rows[0].until = now + minutes{3};
  auto before = s.rows;
  date(s, now, false, {});
  CHECK_FALSE(s.undated);
  CHECK(s.rows == before);
}

TEST_CASE("nothing is older because the calendar was set ahead") {
  auto now = from_ms(50'000'000);
  state s;
  s.began = now - hours{2} - seconds{9};
  s.rows.resize(2);
  s.rows[0].moved = now - hours{2} - seconds{4};
  s.rows[0].until = now - hours{2} + minutes{3};
  s.rows[1].moved = now - seconds{1}; // it was written since
  date(s, now, false, {hours{2}, now - seconds{2}});
  CHECK_FALSE(s.undated);
  CHECK(s.began == now - seconds{9});
  CHECK(s.rows[0].moved == now - seconds{4});
  CHECK(s.rows[0].until == now + minutes{3});
  CHECK(s.rows[1].moved == now - seconds{1});
}

TEST_CASE("another machine under the name of the one that was meant is left "
          "alone") {
  rig b;
  b.node("n1").uuid = "of-then";
  b.begin(off({"n1"}));
  b.job("n1");
  auto x = b.take<give_power>("n1");
  CHECK(against_command(b.s, x.at, b.look()).empty());
  b.node("n1").uuid = "of-another";
  CHECK_THAT(against_command(b.s, x.at, b.look()),
             Contains("not in the cluster any more"));
}

TEST_CASE("another machine under the name of one that waits for its turn is "
          "not marked offline") {
  rig b;
  b.rules.power.concurrency = 1;
  b.node("n2").uuid = "of-then";
  b.begin(off({"n1", "n2"}));
  b.job("n1");
  b.node("n2").uuid = "of-another";
  b.switched("n1");
  b.job("n1");
  CHECK(b.how("n2") == row_state::failed);
  CHECK_THAT(b.of("n2").text, Contains("not in the cluster any more"));
}

TEST_CASE(
  "a node that was out of service when its power-off was asked for, and "
  "was returned before its turn, stays on") {
  for (bool returned : {true, false}) {
    rig b;
    b.rules.power.concurrency = 1;
    b.node("n2").offline = true;
    b.begin(off({"n1", "n2"}));
    b.job("n1");
    b.node("n2").offline = !returned;
    b.switched("n1");
    b.job("n1");
    CHECK((b.how("n2") == row_state::failed) == returned);
    if (returned)
      CHECK_THAT(b.of("n2").text, Contains("back into service"));
    else
      CHECK(b.switched("n2").verb == power_verb::off);
  }
}

TEST_CASE("after a restart only whether a word counts already is asked") {
  rig b;
  auto given = b.now;
  b.begin(rig::request(confirm_errand{"n1"}));
  CHECK(b.take<give_word>("n1").word.until == given + word_within);
  b.now += seconds{20};
  b.restart();
  CHECK(b.take<give_word>("n1").word.until == given);
}

} // namespace orderly::errand::errand_dates_test
