// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who is refused a permit is called when it could have it, and asks again.

#include "tests/actors/scheduler/rig.hpp"

namespace orderly::scheduler_calls_test {

namespace {

struct calls_rig : scheduler_rig {
  permit_request move(const std::string& name, act_kind act, const char* from,
                      const char* to) {
    auto q = request(name, act);
    q.owner = instance_object(name);
    q.instances = {name};
    q.leaves = {from};
    q.joins = {to};
    return q;
  }
};

using names = std::vector<object_id>;

} // namespace

TEST_CASE("who was refused is called when its place is free, and nobody else") {
  calls_rig b;
  auto running = b.move("web1", act_kind::migrate, "node1", "node2");
  CHECK(b.wait(running).granted);
  auto rebuild = b.move("web2", act_kind::fix_storage, "node3", "node2");
  auto p = b.wait(rebuild);
  CHECK(p.taken);
  CHECK(p.retry_at == b.on.now() + b.on.rules().rounds.hold_retry);
  CHECK_FALSE(
    b.wait(b.move("web3", act_kind::migrate, "node2", "node4")).granted);
  CHECK(b.called().empty());
  b.release("instance:web1");
  CHECK(b.called() == names{"instance:web3"}); // its move comes before
  CHECK(b.wait(b.move("web3", act_kind::migrate, "node2", "node4")).granted);
  b.release("instance:web3");
  CHECK(b.called() == names{"instance:web2"});
  CHECK(b.wait(rebuild).granted);
}

TEST_CASE("who only wants to know is not called") {
  calls_rig b;
  CHECK(b.wait(b.move("web1", act_kind::migrate, "node1", "node2")).granted);
  CHECK(b.ask(b.move("web2", act_kind::fix_storage, "node3", "node2")).taken);
  b.release("instance:web1");
  CHECK(b.called().empty());
}

TEST_CASE("who was called and does not ask keeps the next one for a moment "
          "only, and is not called again before it has asked") {
  calls_rig b;
  auto first = b.move("web2", act_kind::migrate, "node2", "node3");
  auto second = b.move("web3", act_kind::fix_storage, "node4", "node3");
  CHECK(b.wait(b.move("db1", act_kind::record, "node5", "node3")).granted);
  CHECK(b.wait(first).taken);
  CHECK(b.wait(second).taken);
  b.release("instance:db1");
  CHECK(b.called() == names{"instance:web2"});
  CHECK(b.wait(second).taken);
  b.on.run_for(waiting_list::answered_within);
  CHECK(b.called() == names{"instance:web3"});
  b.on.run_for(seconds{10});
  CHECK(b.called().empty());
  CHECK(b.wait(first).granted); // nobody else took it
}

TEST_CASE("who wants nothing any more keeps nobody") {
  calls_rig b;
  CHECK(b.wait(b.move("db1", act_kind::record, "node5", "node3")).granted);
  CHECK(b.wait(b.move("web2", act_kind::migrate, "node2", "node3")).taken);
  CHECK(b.wait(b.move("web3", act_kind::fix_storage, "node4", "node3")).taken);
  b.release("instance:web2");
  b.release("instance:db1");
  CHECK(b.called() == names{"instance:web3"});
}

TEST_CASE("a guard that opens calls those whom it held") {
  calls_rig b;
  auto q = b.request("web1", act_kind::failover);
  SECTION("the end of a pause") {
    b.pause(true);
    CHECK_FALSE(b.wait(q).granted);
    CHECK(b.called().empty());
    b.pause(false);
  }
  SECTION("the right to act") {
    q = b.move("web1", act_kind::migrate, "node1", "node2");
    b.on.tell(b.actor, lease{false, b.on.now(), "the master is node9"});
    CHECK_FALSE(b.wait(q).granted);
    b.give_right();
  }
  SECTION("the end of a storm") {
    b.troubled(3);
    b.on.run_for(minutes{1});
    q.since = b.on.now() - minutes{1};
    CHECK(b.wait(q).storm);
    b.troubled(1);
    for (auto i = 0; i < 40 && b.heard->empty(); ++i) {
      CHECK(b.wait(q).storm);
      b.on.run_for(seconds{30});
    }
  }
  CHECK(b.called() == names{"instance:web1"});
  CHECK(b.wait(q).granted);
}

TEST_CASE("no more are called than may act at once") {
  calls_rig b;
  auto s = b.on.rules();
  s.rounds.parallel_max = 2;
  b.on.change(s);
  CHECK(b.wait(b.move("a", act_kind::migrate, "node1", "node2")).granted);
  CHECK(b.wait(b.move("b", act_kind::migrate, "node3", "node4")).granted);
  for (const char* name : {"c", "d", "e"})
    CHECK(b.wait(b.move(name, act_kind::migrate, "node5", "node6")).taken);
  b.release("instance:a");
  CHECK(b.called() == names{"instance:c"});
  CHECK(b.wait(b.move("d", act_kind::migrate, "node5", "node6")).taken);
}

} // namespace orderly::scheduler_calls_test
