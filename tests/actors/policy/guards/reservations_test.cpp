// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/reservations.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::reservations::guards_reservations_test {

namespace {

constexpr instant t0{hours{470'000}};

permit_request request(const char* owner, std::vector<std::string> instances,
                       std::vector<std::string> leaves = {},
                       std::vector<std::string> joins = {}) {
  permit_request result;
  result.owner = owner;
  result.act = act_kind::failover;
  result.instances = std::move(instances);
  result.leaves = std::move(leaves);
  result.joins = std::move(joins);
  return result;
}

table with(const permit_request& held) {
  table t;
  reserve(t, held, 1, t0);
  return t;
}

} // namespace

TEST_CASE("an instance is worked on by one owner only") {
  auto t = with(request("node:node3", {"web1", "web2"}));
  auto a = fits(t, request("instance:web1", {"web1"}), 50);
  CHECK_FALSE(a.go);
  CHECK(a.why == "instance web1 is held by node:node3");
  CHECK(fits(t, request("instance:web3", {"web3"}), 50).go);
}

TEST_CASE("those who leave a node share it") {
  auto t = with(request("instance:web1", {"web1"}, {"n1"}));
  CHECK(fits(t, request("instance:web2", {"web2"}, {"n1"}), 50).go);
}

TEST_CASE("whose job may wait for no lock of ours shares none of its nodes") {
  auto move = [](const char* owner, const char* from, const char* to) {
    auto x = request(owner, {owner}, {from}, {to});
    x.act = act_kind::evacuate;
    return x;
  };
  auto alone = move("a", "n1", "n2");
  alone.alone = true;
  auto held = with(alone);
  CHECK_FALSE(fits(held, move("b", "n1", "n3"), 50).go);
  CHECK_FALSE(fits(held, move("b", "n3", "n2"), 50).go);
  CHECK(fits(held, move("b", "n3", "n4"), 50).go);
  auto mirror = move("b", "n3", "n4");
  mirror.also = {"n1"};
  CHECK_FALSE(fits(held, mirror, 50).go);
  CHECK(fits(with(mirror), move("c", "n1", "n5"), 50).go);
  CHECK_FALSE(fits(with(move("b", "n1", "n3")), alone, 50).go);
  auto round = move("b", "n1", "n3");
  round.act = act_kind::rebalance;
  CHECK_FALSE(fits(with(round), alone, 50).go);
  // A node that is dead is fenced, and left by what it ran.
  auto dead = request("node:n1", {}, {"n1"});
  dead.act = act_kind::fence;
  CHECK(fits(held, dead, 50).go);
}

TEST_CASE("no node is left by one and filled by another") {
  auto leaving = with(request("instance:web1", {"web1"}, {"n1"}, {"n2"}));
  auto a = fits(leaving, request("instance:b", {"b"}, {}, {"n1"}), 50);
  CHECK_FALSE(a.go);
  CHECK(a.why == "node n1 is being left by instance:web1");
  auto onward = request("instance:b", {"b"}, {"n2"});
  onward.act = act_kind::migrate;
  a = fits(leaving, onward, 50);
  CHECK_FALSE(a.go);
  CHECK(a.why == "node n2 is being filled by instance:web1");
}

TEST_CASE("what a dead node ran waits for nobody who fills it") {
  auto filling = request("instance:web1", {"web1"}, {}, {"n2"});
  filling.act = act_kind::fix_storage;
  auto t = with(filling);
  for (auto act : {act_kind::failover, act_kind::reinstall, act_kind::fence}) {
    auto wanted = request("instance:b", {"b"}, {"n2"}, {"n3"});
    wanted.act = act;
    CHECK(fits(t, wanted, 50).go);
  }
}

TEST_CASE("equal acts fill a node together, up to the limit") {
  auto t = with(request("instance:web1", {"web1"}, {"n1"}, {"n2"}));
  auto b = request("instance:b", {"b"}, {"n1"}, {"n2"});
  CHECK(fits(t, b, 50, 2).go);
  auto a = fits(t, b, 50, 1);
  CHECK_FALSE(a.go);
  CHECK(a.why == "node n2 is being filled by 1 jobs, limit 1");
}

TEST_CASE("a failover does not fill a node beside a rebuilding mirror") {
  auto t = with(request("instance:web1", {"web1"}, {"n1"}, {"n2"}));
  auto b = request("instance:b", {"b"}, {"n1"}, {"n2"});
  b.act = act_kind::fix_storage;
  auto a = fits(t, b, 50, 9);
  CHECK_FALSE(a.go);
  CHECK(a.why == "node n2 is being filled by instance:web1");
}

TEST_CASE("what is moved for balance keeps others from its instance and from "
          "no node") {
  auto move = request("balance:a", {"a"}, {"n1"}, {"n2"});
  move.act = act_kind::rebalance;
  auto t = with(move);
  auto fence = request("node:n2", {}, {"n2"});
  fence.act = act_kind::fence;
  CHECK(fits(t, fence, 50).go);
  CHECK(fits(t, request("instance:b", {"b"}, {"n2"}, {"n1"}), 50).go);
  auto a = fits(t, request("instance:a", {"a"}), 50);
  CHECK_FALSE(a.go);
  CHECK(a.why == "instance a is held by balance:a");
}

TEST_CASE("nothing is moved for balance where anybody else is") {
  auto t = with(request("instance:b", {"b"}, {"n1"}, {"n2"}));
  auto move = [](std::vector<std::string> leaves,
                 std::vector<std::string> joins) {
    auto x = request("balance:a", {"a"}, std::move(leaves), std::move(joins));
    x.act = act_kind::rebalance;
    return x;
  };
  for (const auto& x : {move({"n1"}, {"n3"}), move({"n2"}, {"n3"}),
                        move({"n3"}, {"n1"}), move({"n3"}, {"n2"})})
    CHECK_FALSE(fits(t, x, 50, 9).go);
  CHECK(fits(t, move({"n1"}, {"n3"}), 50).why
        == "node n1 is used by instance:b");
  CHECK(fits(t, move({"n3"}, {"n4"}), 50).go);
  reserve(t, move({"n3"}, {"n4"}), 2, t0);
  auto other = move({"n5"}, {"n4"});
  other.owner = "balance:c";
  other.instances = {"c"};
  CHECK(fits(t, other, 50, 9).why == "node n4 is used by balance:a");
}

TEST_CASE("permits for balance take no place from others") {
  auto move = request("balance:a", {"a"}, {"n1"}, {"n2"});
  move.act = act_kind::rebalance;
  auto t = with(move);
  CHECK(fits(t, request("instance:b", {"b"}, {"n3"}, {"n2"}), 1, 1).go);
  reserve(t, request("instance:b", {"b"}, {"n3"}, {"n5"}), 2, t0);
  auto late = request("balance:c", {"c"}, {"n7"}, {"n8"});
  late.act = act_kind::rebalance;
  CHECK(fits(t, late, 2).why == "2 permits are out, limit 2");
  CHECK(fits(t, late, 3).go);
}

TEST_CASE("no more permits than allowed") {
  auto t = with(request("instance:a", {"a"}));
  CHECK(fits(t, request("instance:b", {"b"}), 2).go);
  auto a = fits(t, request("instance:b", {"b"}), 1);
  CHECK_FALSE(a.go);
  CHECK(a.why == "1 permits are out, limit 1");
}

TEST_CASE("what cannot wait finds a place beside slow work") {
  auto slow = request("instance:a", {"a"}, {"n1"}, {"n2"});
  slow.act = act_kind::fix_storage;
  auto t = with(slow);
  auto fence = request("node:n3", {}, {"n3"});
  fence.act = act_kind::fence;
  CHECK(fits(t, fence, 1).go);
  reserve(t, fence, 2, t0);
  auto next = request("node:n4", {}, {"n4"});
  next.act = act_kind::fence;
  CHECK_FALSE(fits(t, next, 1).go);
  CHECK(fits(t, next, 2).go);
  auto more = request("instance:b", {"b"}, {"n5"}, {"n6"});
  more.act = act_kind::fix_storage;
  CHECK_FALSE(fits(t, more, 2).go);
}

TEST_CASE("the same request again gets the same reservation, which is in use "
          "then") {
  auto first = request("instance:a", {"a", "b"}, {"n1", "n2"}, {"n3"});
  auto t = with(first);
  auto again = request("instance:a", {"b", "a"}, {"n2", "n1"}, {"n3"});
  CHECK(fits(t, again, 1).go);
  reserve(t, again, 2, t0 + hours{1});
  CHECK(t.by_owner.size() == 1);
  CHECK(t.by_owner.at("instance:a").id == 1);
  CHECK(t.by_owner.at("instance:a").at == t0 + hours{1});
}

TEST_CASE("another request of the same owner waits for the return") {
  auto t = with(request("instance:a", {"a"}));
  auto other = request("instance:a", {"a"});
  other.act = act_kind::migrate;
  auto a = fits(t, other, 50);
  CHECK_FALSE(a.go);
  CHECK(a.why
        == "instance:a still holds a permit to failover: give it back first");
  CHECK(release(t, "instance:a"));
  CHECK_FALSE(release(t, "instance:a"));
  CHECK(fits(t, other, 50).go);
}

TEST_CASE("a permit is widened only if the new place fits beside all others") {
  table t;
  reserve(t, request("instance:a", {"a"}, {"n1"}, {}), 1, t0);
  reserve(t, request("instance:b", {"b"}, {"n2"}, {}), 2, t0);
  auto wider = request("instance:a", {"a"}, {"n1"}, {"n2"});
  wider.widened = true;
  CHECK(fits(t, wider, 50).why == "node n2 is being left by instance:b");
  wider.joins = {"n3"};
  CHECK(fits(t, wider, 50).go);
  CHECK(fits(t, wider, 1).go == false); // b is out, too
  reserve(t, wider, 3, t0);
  auto onward = request("instance:c", {"c"}, {"n3"}, {});
  onward.act = act_kind::migrate;
  CHECK(fits(t, onward, 50).why == "node n3 is being filled by instance:a");
  wider.act = act_kind::reinstall;
  CHECK_FALSE(fits(t, wider, 50).go);
}

TEST_CASE("whatever fits, reservations stay disjoint") {
  std::uint64_t dice = 42;
  auto roll = [&dice](std::uint64_t n) {
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    return (dice >> 33) % n;
  };
  auto some = [&roll](const char* prefix) {
    std::vector<std::string> xs;
    for (auto n = roll(3); n > 0; --n)
      xs.push_back(prefix + std::to_string(roll(8)));
    return xs;
  };
  table t;
  int granted = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    auto owner = "o" + std::to_string(roll(30));
    if (roll(3) == 0) {
      release(t, owner);
      continue;
    }
    auto wanted = request(owner.c_str(), some("i"), some("n"), some("n"));
    wanted.act = roll(2) == 0 ? act_kind::failover : act_kind::migrate;
    if (!fits(t, wanted, 10).go)
      continue;
    reserve(t, wanted, i, t0);
    ++granted;
    // What is urgent has as many places of its own.
    REQUIRE(t.by_owner.size() <= 20);
    auto meet = [](const auto& xs, const auto& ys) {
      return std::any_of(xs.begin(), xs.end(), [&ys](const auto& x) {
        return std::count(ys.begin(), ys.end(), x) > 0;
      });
    };
    for (const auto& [name, held] : t.by_owner) {
      if (name == owner)
        continue;
      REQUIRE_FALSE(meet(held.what.instances, wanted.instances));
      // What is slow keeps no failover from the node that it fills.
      if (wanted.act != act_kind::failover
          || held.what.act == act_kind::failover)
        REQUIRE_FALSE(meet(held.what.joins, wanted.joins));
      if (wanted.act == act_kind::migrate)
        REQUIRE_FALSE(meet(held.what.joins, wanted.leaves));
      REQUIRE_FALSE(meet(held.what.leaves, wanted.joins));
    }
  }
  CHECK(granted > 100);
}

TEST_CASE("a permit is as old as its first judgement, however it is widened") {
  auto first = request("instance:web1", {"web1"}, {"n1"});
  first.resumed = true;
  auto t = with(first);
  auto wider = request("instance:web1", {"web1"}, {"n1"}, {"n2"});
  wider.widened = true;
  reserve(t, wider, 2, t0 + minutes{5});
  const auto& held = t.by_owner.at("instance:web1");
  CHECK(held.granted_at == t0);
  CHECK(held.at == t0 + minutes{5}); // it is in use
  CHECK(held.what.resumed);
  reserve(t, wider, 2, t0 + minutes{6});
  CHECK(t.by_owner.at("instance:web1").granted_at == t0);
}

TEST_CASE("a permit of another incident is a new one") {
  auto t = with(request("instance:web1", {"web1"}, {"n1"}));
  auto other = request("instance:web1", {"web1"}, {"n1"});
  other.incident = "another";
  reserve(t, other, 2, t0 + minutes{5});
  CHECK(t.by_owner.at("instance:web1").granted_at == t0 + minutes{5});
}

} // namespace orderly::reservations::guards_reservations_test
