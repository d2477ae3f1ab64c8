// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The right to act: held while the cluster itself says, not long ago, that
// this host is its master.

#include "actors/journal/journal.hpp"
#include "actors/scheduler/leader.hpp"
#include "messages/codes.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::scheduler_leader_test {

namespace {

using leases = std::shared_ptr<std::vector<lease>>;

/// Of those who are told.
lease_client::behavior_type ear_of(leases heard) {
  return {[heard](const lease& x) { heard->push_back(x); }};
}

struct rig {
  rig() {
    leader_peers peers;
    peers.journal = on.enter(
      journal, on.ctx(), on.keep(spawn_fake(on.system(), disk)),
      on.keep(spawn_fake(on.system(), std::make_shared<view_fake>())));
    for (const auto& x : {first, second, third})
      peers.told.push_back(on.enter(ear_of, x));
    actor = on.enter(leader, on.ctx(), peers);
    on.settle();
  }

  void poll(bool answered, bool is_master, const node_name& master) {
    on.tell(actor,
            poll_report{answered, is_master, master, {}, on.now(), on.now()});
  }

  void confirm() { poll(true, true, "node1"); }

  /// What everybody was told last; they must have been told the same.
  lease right() {
    REQUIRE_FALSE(first->empty());
    CHECK(*first == *second);
    CHECK(*first == *third);
    return first->back();
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  leases first = std::make_shared<std::vector<lease>>();
  leases second = std::make_shared<std::vector<lease>>();
  leases third = std::make_shared<std::vector<lease>>();
  stage on;
  leader_actor actor;
};

} // namespace

TEST_CASE("nobody has a right before the cluster has confirmed it") {
  rig b;
  b.on.run_for(minutes{5});
  b.poll(false, true, "node1");
  CHECK(b.first->empty());
}

TEST_CASE("a confirmed master has the right for one lease and no longer") {
  rig b;
  b.confirm();
  auto length = b.on.rules().leader.lease;
  CHECK(b.right().held);
  CHECK(b.right().until == b.on.now() + length);
  b.on.run_for(length - millis{1});
  CHECK(b.right().held);
  b.on.run_for(millis{1});
  CHECK_FALSE(b.right().held);
}

TEST_CASE("each confirmation renews the lease") {
  rig b;
  for (auto i = 0; i < 10; ++i) {
    b.confirm();
    b.on.run_for(seconds{20});
    CHECK(b.right().held);
  }
  CHECK(b.disk->count("lease") == 1);
  CHECK(b.disk->count("no-lease") == 0);
}

TEST_CASE("a cluster that does not answer neither gives a right nor takes it") {
  rig b;
  b.confirm();
  b.on.run_for(seconds{20});
  b.poll(false, false, "");
  CHECK(b.right().held);
  b.poll(false, true, "node1");
  b.on.run_for(seconds{10});
  CHECK_FALSE(b.right().held); // the unanswered reading renewed nothing
}

TEST_CASE("another master ends the right at once, by name") {
  rig b;
  b.confirm();
  b.on.run_for(seconds{1});
  b.poll(true, false, "node2");
  CHECK_FALSE(b.right().held);
  CHECK(b.right().text == "no right to act: the master is node2");
  b.on.run_for(minutes{2});
  CHECK_FALSE(b.right().held);
}

TEST_CASE("a right that was lost comes back with its own full length") {
  rig b;
  b.confirm();
  b.on.run_for(seconds{20});
  b.poll(true, false, "node2");
  b.confirm();
  b.on.run_for(seconds{29}); // the first lease would have ended long ago
  CHECK(b.right().held);
  b.on.run_for(seconds{1});
  CHECK_FALSE(b.right().held);
  CHECK(b.disk->count("lease") == 2);
  CHECK(b.disk->count("no-lease") == 2);
}

TEST_CASE("the lease counts from the question, not from the answer") {
  rig b;
  auto asked = b.on.now();
  b.on.run_for(seconds{12});
  b.on.tell(b.actor, poll_report{true, true, "node1", {}, b.on.now(), asked});
  CHECK(b.right().held);
  CHECK(b.right().until == asked + b.on.rules().leader.lease);
  b.on.run_for(seconds{18});
  CHECK_FALSE(b.right().held);
}

TEST_CASE("an answer that took longer than a lease gives no right") {
  rig b;
  auto asked = b.on.now();
  b.on.run_for(b.on.rules().leader.lease);
  b.on.tell(b.actor, poll_report{true, true, "node1", {}, b.on.now(), asked});
  CHECK_FALSE(b.right().held);
  CHECK(b.right().text
        == "no right to act: the cluster's answer took longer than a lease is "
           "long");
  CHECK(b.disk->count("lease") == 0);
}

TEST_CASE("a cluster that never answers in time is told of, once") {
  rig b;
  auto late = false;
  SECTION("it was not heard since the start") {
    late = false;
  }
  SECTION("its answers take longer than a lease") {
    late = true;
  }
  auto ask_for = [&](seconds length) {
    for (seconds at{}; at < length; at += seconds{30}) {
      auto asked = b.on.now() - b.on.rules().leader.lease;
      b.on.tell(b.actor,
                poll_report{late, true, "node1", {}, b.on.now(), asked});
      b.on.run_for(seconds{30});
    }
  };
  ask_for(minutes{4});
  CHECK(b.disk->count(codes::cluster_silent) == 0);
  ask_for(minutes{10});
  CHECK(b.disk->count(codes::cluster_silent) == 1);
  b.confirm();
  CHECK(b.right().held);
  ask_for(minutes{10}); // silent anew
  CHECK(b.disk->count(codes::cluster_silent) == 2);
}

TEST_CASE("a silent cluster is no news where another is known to be master") {
  rig b;
  b.poll(true, false, "node2");
  for (auto k = 0; k < 30; ++k) {
    b.poll(false, false, "");
    b.on.run_for(seconds{30});
  }
  CHECK(b.disk->count(codes::cluster_silent) == 0);
}

TEST_CASE("a lease that ran out is none, whether or not anybody was told") {
  rig b;
  const auto& ctx = *b.on.ctx();
  lease right{true, b.on.now() + seconds{5}, "right to act"};
  CHECK(why_no_right(ctx, right, b.on.now()).empty());
  CHECK(why_no_right(ctx, right, b.on.now() + seconds{5})
        == "no right to act: the cluster has not confirmed us as its master "
           "for too long");
  CHECK(why_no_right(ctx, {}, b.on.now()) == "no right to act yet");
}

TEST_CASE("a jump of the clocks ends the right at once and all begins anew") {
  clock_offsets offsets{hours{1}, hours{400'000}};
  rig b;
  b.on.ctx()->watch([&offsets] { return offsets; });
  b.confirm();
  auto right = b.right();
  CHECK(right.held);
  SECTION("the machine slept") {
    offsets.boot += minutes{20};
    offsets.wall += minutes{20};
  }
  SECTION("the calendar was set back") {
    offsets.wall -= hours{2};
  }
  // At once, by the clocks themselves: nobody had to be told.
  CHECK_FALSE(why_no_right(*b.on.ctx(), right, b.on.now()).empty());
  b.confirm();
  CHECK_FALSE(b.right().held);
  CHECK(b.disk->count("clock-jump") == 1);
  b.on.run_for(seconds{1});
  b.confirm(); // it is gone, and waits for whoever raises the core
  CHECK_FALSE(b.right().held);
  auto before = b.on.now();
  b.on.ctx()->settle_clocks(b.on.clock_now());
  CHECK(b.on.ctx()->why_not().empty());
  CHECK(b.on.now() - before == offsets.wall - hours{400'000});
}

TEST_CASE("a calendar that is set ahead is trusted once it has stood") {
  clock_offsets offsets{hours{1}, hours{400'000}};
  rig b;
  auto& ctx = *b.on.ctx();
  ctx.watch([&offsets] { return offsets; });
  auto ahead = [&] { return ctx.ahead(b.on.now()); };
  CHECK(ahead() == millis{0});
  offsets.wall += hours{2};
  ctx.settle_clocks(b.on.clock_now());
  CHECK(ahead() == hours{2});
  b.on.run_for(minutes{9});
  CHECK(ahead() == hours{2});
  SECTION("it stands") {
    b.on.run_for(minutes{1});
    CHECK(ahead() == millis{0});
  }
  SECTION("it is set back, and was never ahead") {
    offsets.wall -= hours{2};
    ctx.settle_clocks(b.on.clock_now());
    CHECK(ahead() == millis{0});
    b.on.run_for(minutes{15});
    CHECK(ahead() == millis{0});
  }
  SECTION("sleep is no step of the calendar") {
    b.on.run_for(minutes{1});
    offsets.boot += hours{3};
    offsets.wall += hours{3};
    ctx.settle_clocks(b.on.clock_now());
    CHECK(ahead() == millis{0});
  }
}

TEST_CASE("clocks that differ a little have not jumped") {
  clock_offsets offsets;
  rig b;
  b.on.ctx()->watch([&offsets] { return offsets; });
  offsets.wall += b.on.rules().leader.clock_tolerance;
  b.confirm();
  CHECK(b.right().held);
}

TEST_CASE("what is forbidden in this life stays forbidden") {
  rig b;
  b.confirm();
  b.on.ctx()->forbid("the journal is gone");
  CHECK_FALSE(why_no_right(*b.on.ctx(), b.right(), b.on.now()).empty());
  b.confirm();
  b.on.ctx()->settle_clocks(b.on.clock_now());
  b.confirm();
  CHECK_FALSE(b.right().held);
  CHECK(b.right().text == "the journal is gone");
}

} // namespace orderly::scheduler_leader_test
