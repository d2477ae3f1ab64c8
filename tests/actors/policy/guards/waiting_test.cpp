// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/waiting.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include <rapidcheck.h>

namespace orderly::guards_waiting_test {

namespace {

constexpr instant t0{hours{470'000}};
constexpr std::uint32_t parallel_max = 4;
constexpr std::uint32_t joins_max = 2;

using names = std::vector<std::string>;

permit_request request(act_kind act, const std::string& instance, names leaves,
                       names joins) {
  permit_request result;
  result.owner = "instance:" + instance;
  result.act = act;
  result.instances = {instance};
  result.leaves = std::move(leaves);
  result.joins = std::move(joins);
  return result;
}

void keep(waiting_list& q, const permit_request& wanted, instant now,
          bool for_place = true) {
  REQUIRE(q.keep(wanted, for_place, now, now + hours{1}));
}

} // namespace

TEST_CASE("what costs most by waiting is called first, of equals who asked "
          "first") {
  waiting_list q;
  keep(q, request(act_kind::rebalance, "e", {"n1"}, {"n2"}), t0);
  keep(q, request(act_kind::fix_storage, "d", {"n1"}, {"n2"}), t0);
  keep(q, request(act_kind::migrate, "c", {"n1"}, {"n2"}), t0);
  keep(q, request(act_kind::failover, "b2", {"n1"}, {"n2"}), t0 + seconds{2});
  keep(q, request(act_kind::failover, "b1", {"n1"}, {"n2"}), t0 + seconds{1});
  auto fence = request(act_kind::fence, "a", {"n1"}, {});
  fence.owner = "node:n1";
  keep(q, fence, t0 + seconds{3}, false);
  CHECK(q.in_order(t0 + seconds{4})
        == names{"node:n1", "instance:b1", "instance:b2", "instance:c",
                 "instance:d", "instance:e"});
}

TEST_CASE("who asks again keeps its place, who asks for something else does "
          "not") {
  waiting_list q;
  auto first = request(act_kind::migrate, "a", {"n1"}, {"n2"});
  auto second = request(act_kind::migrate, "b", {"n1"}, {"n2"});
  keep(q, first, t0);
  keep(q, second, t0 + seconds{1});
  first.joins = {"n3"}; // it has seen a better place
  keep(q, first, t0 + seconds{30});
  CHECK(q.in_order(t0 + minutes{1}) == names{"instance:a", "instance:b"});
  first.act = act_kind::fix_storage;
  keep(q, first, t0 + minutes{1});
  second.act = act_kind::fix_storage;
  keep(q, second, t0 + minutes{2});
  CHECK(q.find("instance:a")->since == t0 + minutes{1});
}

TEST_CASE("who does not ask again in time is forgotten") {
  waiting_list q;
  q.keep(request(act_kind::migrate, "a", {"n1"}, {"n2"}), true, t0,
         t0 + seconds{35});
  CHECK(q.forget_late(t0 + seconds{35}).empty());
  CHECK(q.forget_late(t0 + seconds{36}) == names{"instance:a"});
  CHECK(q.size() == 0);
}

TEST_CASE("there is a bound, and who waits already may ask again beyond it") {
  waiting_list q;
  for (std::size_t i = 0; i < waiting_list::waiting_max; ++i)
    keep(q, request(act_kind::migrate, std::to_string(i), {"n1"}, {"n2"}), t0);
  auto more = request(act_kind::failover, "late", {"n1"}, {"n2"});
  CHECK_FALSE(q.keep(more, true, t0, t0 + seconds{35}));
  CHECK(q.find("instance:late") == nullptr);
  CHECK(q.keep(request(act_kind::migrate, "7", {"n1"}, {"n2"}), true, t0,
               t0 + seconds{35}));
}

TEST_CASE("what can wait lets failovers of the same nodes go first") {
  waiting_list q;
  reservations::table t;
  auto rebuild = request(act_kind::fix_storage, "a", {"n1"}, {"n3"});
  auto failover = request(act_kind::failover, "b", {"n2"}, {"n3"});
  keep(q, failover, t0);
  auto first = q.who_goes_first(t, rebuild, t0);
  CHECK(first.owner == "instance:b");
  CHECK(first.failover);
  CHECK(
    q.who_goes_first(t, request(act_kind::failover, "c", {"n2"}, {"n3"}), t0)
      .owner.empty());
  CHECK(
    q.who_goes_first(t, request(act_kind::fix_storage, "d", {"n8"}, {"n9"}), t0)
      .owner.empty());
  q.forget("instance:b");
  CHECK(q.who_goes_first(t, rebuild, t0).owner.empty());
  reservations::reserve(t, failover, 1, t0);
  CHECK(q.who_goes_first(t, rebuild, t0).owner == "instance:b");
}

TEST_CASE("a failover that a guard holds keeps nobody from anything") {
  waiting_list q;
  keep(q, request(act_kind::failover, "b", {"n2"}, {"n3"}), t0, false);
  CHECK(q.who_goes_first(
           {}, request(act_kind::fix_storage, "a", {"n1"}, {"n3"}), t0)
          .owner.empty());
}

TEST_CASE("who waited too long is overtaken by nothing that can wait itself") {
  waiting_list q;
  auto patient = request(act_kind::reinstall, "a", {}, {"n1", "n2"});
  keep(q, patient, t0);
  auto younger = request(act_kind::migrate, "b", {"n3"}, {"n2"});
  auto late = t0 + waiting_list::overtaken_for_max;
  CHECK(q.who_goes_first({}, younger, late - millis{1}).owner.empty());
  auto first = q.who_goes_first({}, younger, late);
  CHECK(first.owner == "instance:a");
  CHECK_FALSE(first.failover);
  CHECK(q.who_goes_first({}, patient, late).owner.empty()); // not by itself
  CHECK(
    q.who_goes_first({}, request(act_kind::failover, "c", {"n3"}, {"n2"}), late)
      .owner.empty());
  CHECK(
    q.who_goes_first({}, request(act_kind::migrate, "d", {"n5"}, {"n6"}), late)
      .owner.empty());
  // Those who leave a node share it: nothing is won by waiting.
  auto beside = request(act_kind::fix_storage, "e", {"n9"}, {"n8"});
  keep(q, request(act_kind::fix_storage, "f", {"n9"}, {"n7"}), t0);
  CHECK(q.who_goes_first({}, beside, late).owner.empty());
  // Of two who waited too long the older one goes, and waits for nobody.
  keep(q, younger, t0 + seconds{1});
  CHECK(q.who_goes_first({}, patient, late + minutes{1}).owner.empty());
  CHECK(q.who_goes_first({}, younger, late + minutes{1}).owner == "instance:a");
}

TEST_CASE("moves for balance hold nobody back, however long they wait") {
  waiting_list q;
  keep(q, request(act_kind::rebalance, "a", {"n1"}, {"n2"}), t0);
  CHECK(q.who_goes_first({}, request(act_kind::migrate, "b", {"n1"}, {"n2"}),
                         t0 + hours{1} - seconds{1})
          .owner.empty());
}

TEST_CASE("the place of who was called is kept for a moment, against those "
          "who come after it") {
  waiting_list q;
  auto called = request(act_kind::migrate, "a", {"n1"}, {"n2"});
  keep(q, called, t0);
  q.call("instance:a", t0 + seconds{9});
  auto other = request(act_kind::fix_storage, "b", {"n3"}, {"n2"});
  auto fits = [&](const permit_request& wanted, instant at) {
    q.give_up_calls(at);
    return reservations::fits(q.with_called({}, wanted, at), wanted,
                              parallel_max, joins_max)
      .go;
  };
  CHECK_FALSE(fits(other, t0 + seconds{9}));
  CHECK(fits(called, t0 + seconds{9}));
  CHECK(
    fits(request(act_kind::failover, "c", {"n3"}, {"n2"}), t0 + seconds{9}));
  CHECK(fits(other, t0 + seconds{9} + waiting_list::answered_within));
}

namespace {

/// A scheduler in small: who is refused waits, and is called when something
/// ends. Those who are called ask at once.
struct hall {
  reservations::table table;
  waiting_list q;
  instant now = t0;
  std::map<object_id, instant> ends;

  bool granted(const permit_request& wanted) {
    auto go = q.who_goes_first(table, wanted, now).owner.empty()
              && reservations::fits(q.with_called(table, wanted, now), wanted,
                                    parallel_max, joins_max)
                   .go;
    return go;
  }

  void ask(const permit_request& wanted, millis length) {
    if (!granted(wanted)) {
      q.keep(wanted, true, now, now + hours{24});
      return;
    }
    q.forget(wanted.owner);
    reservations::reserve(table, wanted, 1, now);
    ends[wanted.owner] = now + length;
  }

  void end_what_ended(millis length) {
    std::erase_if(ends, [&](const auto& x) {
      if (x.second > now)
        return false;
      reservations::release(table, x.first);
      return true;
    });
    for (const auto& owner : q.in_order(now))
      if (auto wanted = q.find(owner)->what; granted(wanted))
        ask(wanted, length);
  }
};

} // namespace

TEST_CASE("nobody waits for ever, whatever else asks and however often") {
  auto held = rc::check([] {
    hall h;
    // Whatever comes fills one of the two nodes, together with its like. Both
    // at once are hardly ever free of it.
    auto patient
      = request(*rc::gen::element(act_kind::fix_storage, act_kind::reinstall),
                "patient", {}, {"n0", "n1"});
    constexpr auto first = 10;
    for (auto i = 0; i < 300; ++i) {
      h.now += seconds{10};
      auto node = *rc::gen::element<std::string>("n0", "n1");
      h.ask(request(act_kind::migrate, "x" + std::to_string(i), {"n2"}, {node}),
            seconds{*rc::gen::inRange(60, 180)});
      if (i == first)
        h.ask(patient, seconds{60});
      h.end_what_ended(seconds{60});
      if (i > first && h.ends.count(patient.owner) != 0)
        return;
    }
    RC_FAIL("it waits for ever");
  });
  CHECK(held);
}

} // namespace orderly::guards_waiting_test
