// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_balance_test {

using namespace orderly::sim;

namespace {

/// small-5n: webN is on nodeN with its mirror on the next node, dbN shared.
struct balancing : hand_played {
  explicit balancing(const world_plan& plan) : hand_played(plan) {
    // nop
  }

  balancing() : hand_played("small-5n") {
    // nop
  }

  void tag(const std::string& object, const std::string& rest) {
    fault("tag " + object + " add ganeti:watcher:autorepair:" + rest);
  }

  names move(const std::vector<opcode>& ops) {
    auto intent = "balance-" + std::to_string(++count);
    write(entry_kind::intent, "balance:" + ops[0].instance, "job", intent);
    auto answer = lab.cluster.submit({{{ops, trail_text({}, intent), {}}}});
    REQUIRE(answer.ids.size() == 1);
    return broken();
  }

  names migrate(const instance_name& name, const node_name& to = {}) {
    return move({on_instance(op_kind::instance_migrate, name, to)});
  }

  names mirror(const instance_name& name, const node_name& to) {
    return move({on_instance(op_kind::replace_disks, name, to)});
  }
};

/// node1 to node4 hold a mirrored instance of 1 GiB each, all mirrors are on
/// node5, which has `room` MiB; each node is the worst to lose.
world_plan crowded(std::int64_t room) {
  auto plan = *plan_named("small-5n", 1);
  std::erase_if(plan.instances,
                [](const auto& x) { return x.secondaries.empty(); });
  plan.instances.resize(4);
  for (auto& x : plan.instances)
    x.secondaries = {"node5"};
  plan.nodes[4].memory_mib = room;
  return plan;
}

} // namespace

TEST_CASE("moving for balance what nothing protects breaks no law") {
  balancing x;
  CHECK(x.migrate("db1", "node3") == names{});
  CHECK(x.migrate("web2") == names{});
  CHECK(x.mirror("web4", "node2") == names{});
}

TEST_CASE("S27: what is suspended, or under repair by its tags, is not moved") {
  for (const auto* rest :
       {"suspend", "pending:failover:by-ann:1767225600:",
        "result:failover:5b27f8a1-4c5b-4a36-9b6c-0d3a5c7d1e11:1767225000:"
        "failure:12"}) {
    balancing x;
    x.tag("instance:db1", rest);
    CHECK(x.migrate("db2", "node4") == names{});
    // It came to our ears late.
    x.lab.cluster.note_read(x.t - seconds{1});
    CHECK(x.migrate("db1", "node3") == names{});
  }
  balancing y;
  y.tag("instance:db1", "suspend");
  y.wait(minutes{10});
  CHECK(y.migrate("db1", "node3") == names{"S27"});
  balancing z;
  z.tag("group:group1", "suspend");
  z.wait(minutes{10});
  CHECK(z.mirror("web1", "node3") == names{"S27"});
}

TEST_CASE("S28: nothing is brought to a node that is offline or drained") {
  balancing x;
  x.lab.cluster.set_drained("node3", true);
  CHECK(x.mirror("web1", "node3") == names{}); // nobody can know it yet
  x.wait(minutes{10});
  CHECK(x.mirror("web1", "node3") == names{"S28"});
  CHECK(x.migrate("db4", "node3") == names{"S28"});
  CHECK(x.migrate("web2") == names{"S28"}); // its mirror is there
  CHECK(x.migrate("db3", "node4") == names{});
}

TEST_CASE("S28: nothing is brought to a node in trouble, or switched off") {
  balancing x;
  x.phase("node3", "suspect");
  CHECK(x.migrate("db1", "node3") == names{}); // it happens right now
  x.wait(seconds{10});
  CHECK(x.migrate("db2", "node3") == names{"S28", "S30"});
  x.phase("node3", "available");
  CHECK(x.migrate("db4", "node3") == names{});
  x.fence("node3");
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  CHECK(x.migrate("db5", "node3") == names{"S4", "S28"});
}

TEST_CASE("S30: while a node is in trouble its group is left alone") {
  balancing x;
  x.phase("node3", "suspect");
  CHECK(x.migrate("db1", "node4") == names{}); // it happens right now
  x.wait(seconds{10});
  CHECK(x.migrate("db2", "node4") == names{"S30"});
  x.phase("node3", "available");
  CHECK(x.migrate("db4", "node5") == names{});
}

TEST_CASE("S28: a node that a person switched off takes nothing") {
  balancing x;
  errand_request off;
  off.what = power_errand{power_verb::off, {"node3"}};
  auto order = x.take(off);
  x.command("node3", power_verb::off);
  x.end(order);
  CHECK(x.broken() == names{});
  x.wait(minutes{1});
  auto expected = names{"S28"};
  SECTION("as long as it is off") {
  }
  SECTION("not once it was taken back by hand") {
    x.fault("power node3 on");
    x.wait(minutes{3});
    expected = {};
  }
  CHECK(x.migrate("db2", "node3") == expected);
}

TEST_CASE("S29: a node that could take all of the worst one still can") {
  balancing x{crowded(3000)};
  // Two of node1 would be 2 GiB: still less than 3000.
  CHECK(x.move({x.on_instance(op_kind::replace_disks, "web2", "node1"),
                x.on_instance(op_kind::instance_migrate, "web2"),
                x.on_instance(op_kind::replace_disks, "web2", "node5")})
        == names{});
  balancing y{crowded(2000)};
  CHECK(y.move({y.on_instance(op_kind::replace_disks, "web2", "node1"),
                y.on_instance(op_kind::instance_migrate, "web2"),
                y.on_instance(op_kind::replace_disks, "web2", "node5")})
        == names{"S29"});
}

TEST_CASE("S29: memory that is used up cannot wait for anybody") {
  balancing x{crowded(2000)};
  CHECK(x.migrate("web1") == names{"S29"}); // 976 MiB are left for 1024
  balancing y{crowded(4000)};
  CHECK(y.migrate("web1") == names{});
}

TEST_CASE("S29: who had no N+1 before cannot lose it") {
  balancing x{crowded(1000)};
  CHECK(x.move({x.on_instance(op_kind::replace_disks, "web2", "node1"),
                x.on_instance(op_kind::instance_migrate, "web2"),
                x.on_instance(op_kind::replace_disks, "web2", "node5")})
        == names{});
}

TEST_CASE("S29: what somebody else has just changed there is not our fault") {
  balancing x{crowded(2000)};
  x.lab.cluster.submit(
    {{{{x.on_instance(op_kind::instance_migrate, "web3")}, {}, {}}}});
  CHECK(x.migrate("web1") == names{});
}

TEST_CASE("S40: nothing moves onto a copy that has long lacked something") {
  balancing x;
  x.fault("mirror web2 faulty");
  CHECK(x.migrate("web2") == names{}); // it was well when it was asked
  x.wait(minutes{5});
  CHECK(x.migrate("web2") == names{"S40"});
}

TEST_CASE("S40: a faulty copy may be given up for a new one") {
  balancing x;
  x.fault("mirror web2 faulty");
  x.wait(minutes{5});
  CHECK(x.mirror("web2", "node5") == names{});
}

TEST_CASE("S40: no good copy is given up for one that is faulty") {
  balancing x;
  x.lab.truth.degrade("web2", "node2"); // where it runs
  x.wait(minutes{5});
  SECTION("it stays on the faulty one") {
    CHECK(x.mirror("web2", "node5") == names{"S40"});
  }
  SECTION("it leaves the faulty one") {
    CHECK(x.migrate("web2") == names{});
  }
}

TEST_CASE("S40: no copy with writes of its own is written over") {
  balancing x;
  x.fault("link node2 node3 cut");
  x.lab.truth.start("web2", "node3");
  x.lab.truth.stop("web2", "node3");
  x.look();
  x.found.clear(); // it ran twice: S1
  x.fault("link node2 node3 heal");
  REQUIRE(x.lab.truth.diverged("web2"));
  SECTION("it was known for long") {
    x.wait(minutes{5});
    CHECK(x.mirror("web2", "node5") == names{"S40"});
    x.wait(minutes{5});
    REQUIRE(x.lab.truth.overwritings().size() == 1);
    CHECK(x.broken() == names{"S40"});
  }
  SECTION("nobody could know it when the job left") {
    CHECK(x.mirror("web2", "node5") == names{});
    x.wait(minutes{5});
    REQUIRE(x.lab.truth.overwritings().size() == 1);
    CHECK(x.broken() == names{});
  }
}

} // namespace orderly::laws_balance_test
