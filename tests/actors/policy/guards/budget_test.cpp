// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/budget.hpp"

#include <catch2/catch.hpp>

namespace orderly::budget::guards_budget_test {

namespace {

constexpr instant t0{hours{470'000}};
const rules usual{2, 3};

} // namespace

TEST_CASE("fences and resets share a budget, failovers have their own") {
  auto s = spend(spend({}, act_kind::fence, t0), act_kind::reset, t0);
  CHECK(s.fences.size() == 2);
  for (auto act : {act_kind::fence, act_kind::reset}) {
    auto a = may_act(s, act, usual, t0);
    CHECK_FALSE(a.go);
    CHECK(a.why == "budget: 2 of 2 fences used this hour");
    CHECK(a.retry_at == t0 + hours{1});
  }
  CHECK(may_act(s, act_kind::failover, usual, t0).go);
}

TEST_CASE("what destroys nothing is free") {
  for (auto act :
       {act_kind::migrate, act_kind::fix_storage, act_kind::record}) {
    CHECK(may_act({}, act, rules{0, 0}, t0).go);
    CHECK(spend({}, act, t0) == state{});
  }
}

TEST_CASE("the hour slides") {
  auto s = spend({}, act_kind::fence, t0);
  s = spend(s, act_kind::fence, t0 + minutes{50});
  auto held = may_act(s, act_kind::fence, usual, t0 + minutes{59});
  CHECK_FALSE(held.go);
  CHECK(held.retry_at == t0 + hours{1});
  CHECK(may_act(s, act_kind::fence, usual, held.retry_at).go);
  s = spend(s, act_kind::fence, held.retry_at);
  CHECK(s.fences.size() == 2);
  CHECK(may_act(s, act_kind::fence, usual, held.retry_at).retry_at
        == t0 + minutes{110});
}

TEST_CASE("a lowered limit waits until enough acts have left the hour") {
  state s;
  for (int i = 0; i < 5; ++i)
    s = spend(s, act_kind::failover, t0 + minutes{i});
  auto a = may_act(s, act_kind::failover, usual, t0 + minutes{10});
  CHECK_FALSE(a.go);
  CHECK(a.why == "budget: 5 of 3 failovers used this hour");
  CHECK(a.retry_at == t0 + minutes{62});
  CHECK(may_act(s, act_kind::failover, usual, a.retry_at).go);
}

TEST_CASE("a limit of none permits nothing and does not ask all the time") {
  auto a = may_act({}, act_kind::fence, rules{0, 0}, t0);
  CHECK_FALSE(a.go);
  CHECK(a.retry_at == t0 + hours{1});
}

TEST_CASE("the window never holds more than the limit") {
  state s;
  rules r{6, 400};
  std::uint32_t granted = 0;
  for (int i = 0; i < 600; ++i) {
    auto now = t0 + seconds{10 * i};
    auto a = may_act(s, act_kind::fence, r, now);
    if (a.go) {
      s = spend(s, act_kind::fence, now);
      ++granted;
    } else {
      REQUIRE(a.retry_at > now);
    }
    REQUIRE(s.fences.size() <= 6);
  }
  CHECK(granted == 12);
}

TEST_CASE("an act that nobody carried out is given back, once") {
  auto s
    = spend(spend({}, act_kind::fence, t0), act_kind::reset, t0 + millis{1});
  s = spend(s, act_kind::failover, t0);
  auto less = give_back(s, act_kind::fence, t0);
  CHECK(less.fences == std::deque<instant>{t0 + millis{1}});
  CHECK(less.failovers == s.failovers);
  CHECK(give_back(less, act_kind::fence, t0) == less);
  CHECK(give_back(less, act_kind::record, t0) == less);
  CHECK(give_back(less, act_kind::failover, t0).failovers.empty());
}

TEST_CASE("the journal gives the acts back") {
  auto s
    = spend(spend({}, act_kind::fence, t0), act_kind::fence, t0 + millis{1});
  CHECK(to_text(s.fences) == "@1692000000000+@1692000000001");
  CHECK(from_text(to_text(s.fences)) == s.fences);
  CHECK(to_text({}).empty());
  CHECK(from_text("").empty());
}

TEST_CASE("damaged text loses only the damaged words") {
  std::deque<instant> both{from_ms(5), from_ms(7)};
  CHECK(from_text("7+5") == both);
  CHECK(from_text("5+x+7") == both);
  CHECK(from_text("+5++7+") == both);
  CHECK(from_text("5+7z+7+99999999999999999999999") == both);
}

TEST_CASE("acts that are not yet, because the calendar was set back, leave the "
          "window within an hour") {
  state s;
  s.fences = {t0 - minutes{10}, t0 + hours{9}};
  date(s, t0, false, {});
  CHECK(s.fences == std::deque<instant>{t0 - minutes{10}, t0});
  CHECK_FALSE(may_act(s, act_kind::fence, usual, t0).go);
  CHECK(may_act(s, act_kind::fence, usual, t0 + hours{1}).go);
}

TEST_CASE("acts do not leave the window because the calendar was set ahead") {
  state s;
  s.fences = {t0 - hours{2} - minutes{10}, t0 - seconds{1}};
  date(s, t0, false, {hours{2}, t0 - seconds{5}});
  CHECK(s.fences == std::deque<instant>{t0 - minutes{10}, t0 - seconds{1}});
}

TEST_CASE(
  "of acts from before this machine was started the last was just now") {
  for (auto shift : {-hours{9}, hours{9}}) {
    state s;
    s.fences = {t0 + shift - minutes{10}, t0 + shift};
    date(s, t0, true, {});
    CHECK(s.fences == std::deque<instant>{t0 - minutes{10}, t0});
  }
  state none;
  date(none, t0, true, {});
  CHECK(none.fences.empty());
}

} // namespace orderly::budget::guards_budget_test
