// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/guests.hpp"

#include <catch2/catch.hpp>

namespace orderly::door_guests_test {

using namespace orderly::io::http;

namespace {

struct visitor : session {
  visitor(phase at, steady_time since) : phase_(at), since_(since) {
    // nop
  }

  void close() override { phase_ = phase::done; }

  void look(steady_time) override {}

  [[nodiscard]] phase at() const override { return phase_; }

  [[nodiscard]] steady_time since() const override { return since_; }

  phase phase_;
  steady_time since_;
};

struct door {
  std::shared_ptr<visitor> greet(const std::string& peer) {
    auto x
      = std::make_shared<visitor>(session::phase::greeting, now += millis{1});
    inside.greet(++last, peer, x);
    return x;
  }

  /// One that came with its certificate at once.
  std::shared_ptr<visitor> admit(const std::string& peer) {
    auto x = greet(peer);
    if (!inside.admit(last, now))
      return nullptr;
    x->phase_ = session::phase::idle;
    return x;
  }

  static limits bounds() {
    limits x;
    x.connections_max = 4;
    x.connections_per_peer_max = 2;
    x.greetings_max = 3;
    return x;
  }

  steady_time now = std::chrono::steady_clock::now();
  std::uint64_t last = 0;
  guests inside{bounds()};
};

bool is_in(const std::shared_ptr<visitor>& x) {
  return x->at() != session::phase::done;
}

} // namespace

TEST_CASE("who has shown nothing ends nobody but who has shown nothing") {
  door at;
  auto known = at.admit("a");
  REQUIRE(known);
  std::vector<std::shared_ptr<visitor>> silent;
  for (auto i = 0; i < 100; ++i)
    silent.push_back(at.greet("a"));
  CHECK(is_in(known));
  CHECK(std::count_if(silent.begin(), silent.end(), is_in) == 3);
  CHECK(is_in(silent.back()));
  CHECK(at.inside.all().size() == 4);
  // Whoever shows something has a place of those that did.
  auto second = at.admit("a");
  REQUIRE(second);
  CHECK(is_in(known));
}

TEST_CASE("among those that are known the one that waits longest goes") {
  door at;
  auto first = at.admit("a");
  auto busy = at.admit("a");
  busy->phase_ = session::phase::handling;
  auto third = at.admit("a");
  CHECK_FALSE(is_in(first));
  CHECK(is_in(busy));
  REQUIRE(third);
  third->phase_ = session::phase::handling;
  CHECK(at.admit("a") == nullptr); // all are at work
  CHECK(at.admit("b"));
}

TEST_CASE("who comes often ends none but his own before they have greeted") {
  door at;
  auto slow = at.greet("a");
  auto id = at.last;
  for (auto i = 0; i < 100; ++i)
    at.greet("b");
  CHECK(is_in(slow));
  CHECK(at.inside.all().size() == 3);
  CHECK(at.inside.admit(id, at.now));
  // Where each has one the oldest goes.
  door other;
  slow = other.greet("a");
  for (const auto* peer : {"b", "c", "d"})
    other.greet(peer);
  CHECK_FALSE(is_in(slow));
  // Who left is not counted any more.
  other.inside.leave(2);
  other.inside.leave(3);
  auto second = other.greet("b");
  other.greet("c");
  other.greet("c");
  CHECK(is_in(second));
}

TEST_CASE("who holds most places loses one where all are taken") {
  door at;
  auto lone = at.admit("a");
  auto first = at.admit("b");
  auto second = at.admit("b");
  auto third = at.admit("c");
  REQUIRE((lone && first && second && third));
  REQUIRE(at.admit("d"));
  CHECK(is_in(lone));
  CHECK_FALSE(is_in(first));
  // Nobody has more than one: the one that waits longest goes.
  REQUIRE(at.admit("e"));
  CHECK_FALSE(is_in(lone));
}

TEST_CASE("one that was ended while it greeted is not admitted") {
  door at;
  at.greet("a");
  auto id = at.last;
  for (auto i = 0; i < 3; ++i)
    at.greet("a");
  CHECK_FALSE(at.inside.admit(id, at.now));
}

} // namespace orderly::door_guests_test
