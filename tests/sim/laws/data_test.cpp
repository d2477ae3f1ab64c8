// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/laws/repair_rig.hpp"

namespace orderly::laws_data_test {

using namespace orderly::sim;
using namespace orderly::sim::repair_test;

TEST_CASE("S25: no data is given up on a node that is merely drained") {
  repairing x;
  x.tag("instance:tmp1", "reinstall");
  x.fault("node node5 drained");
  x.wait(minutes{10});
  x.order(x.recreate("tmp1", {"node2"}), "r1");
  CHECK(x.broken() == names{"S25", "S31"});
}

TEST_CASE("S25: no data is given up while one of two nodes is in service") {
  repairing x;
  x.tag("instance:web5", "reinstall");
  x.lose({"node5"});
  x.wait(minutes{10});
  x.order(x.recreate("web5", {"node2", "node3"}), "r1");
  CHECK(x.broken() == names{"S25", "S31"});
}

TEST_CASE("S25: an offline mark alone kills nobody, unless a person vouches "
          "for a node that is silent") {
  auto play = [](bool power_control, bool vouches, bool answers) {
    settings rules;
    rules.autorepair.offline_vouches = vouches;
    auto plan = *plan_named("small-5n", 1);
    plan.nodes.back().power_control = power_control;
    repairing x{plan, rules};
    x.tag("instance:tmp1", "reinstall");
    x.fault("node node5 offline");
    if (!answers)
      x.fault("network node5 cut");
    x.wait(minutes{10});
    x.order(x.recreate("tmp1", {"node2"}), "r1");
    return x.broken();
  };
  CHECK(play(true, false, false) == names{"S25"});
  CHECK(play(false, false, false) == names{"S25"});
  CHECK(play(true, true, false) == names{"S25"});
  CHECK(play(false, true, false) == names{});
  CHECK(play(false, true, true) == names{"S25", "S31"});
}

TEST_CASE("S25: who was switched on a moment ago gives its data up, who boots "
          "for longer does not") {
  auto play = [](millis boots) {
    repairing x;
    x.tag("instance:tmp1", "reinstall");
    x.lose({"node5"});
    x.wait(minutes{10});
    x.fault("power node5 on");
    x.wait(boots);
    x.order(x.recreate("tmp1", {"node2"}), "r1");
    return x.broken();
  };
  CHECK(play(seconds{5}) == names{});
  CHECK(play(seconds{40}) == names{"S25"});
}

TEST_CASE("S25: a system is only installed over disks that are new") {
  repairing x;
  x.tag("instance:tmp1", "reinstall");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_reinstall, "tmp1"), "r1");
  CHECK(x.broken() == names{"S25"});
}

TEST_CASE("S38: what could be known of a copy is forgotten neither with a stop "
          "nor with a name") {
  auto play = [](millis asked, bool renamed) {
    repairing x{"small-5n", acting()};
    instance_name name = "web3";
    x.fault("mirror web3 faulty");
    x.wait(asked);
    x.fault("instance web3 stop");
    x.wait(minutes{10});
    if (renamed)
      x.fault("rename-instance web3 " + (name = "shop"));
    x.fault("instance " + name + " start");
    x.lose({"node3"});
    x.order(x.on_instance(op_kind::instance_failover, name), "r1");
    return x.broken();
  };
  auto renamed = GENERATE(false, true);
  CHECK(play(minutes{20}, renamed) == names{"S38"});
  CHECK(play(minutes{2}, renamed) == names{});
}

TEST_CASE("S12: a repair goes on under another name, and is nobody else's") {
  repairing x{"small-5n", acting()};
  x.fault("tag instance:web3 add " + std::string{prefix}
          + "pending:fix-storage:r1:1767225600:");
  x.wait(minutes{1});
  x.order(x.on_instance(op_kind::activate_disks, "web3"), "r1");
  x.wait(minutes{5});
  x.fault("instance web3 stop");
  x.fault("rename-instance web3 shop");
  x.fault("instance shop start");
  x.wait(minutes{5});
  x.order(x.on_instance(op_kind::activate_disks, "shop"), "r1");
  CHECK(x.broken() == names{});
  x.wait(minutes{5});
  x.fault("instance web4 stop");
  x.fault("rename-instance web4 web3");
  x.order(x.on_instance(op_kind::activate_disks, "web3"), "r1");
  CHECK(x.broken().count("S12") == 1);
}

TEST_CASE("a lawful reinstall of a lost instance breaks nothing") {
  repairing x{"small-5n", acting()};
  x.tag("instance:web4", "reinstall");
  auto mirror = x.lab.cluster.instance("web4")->secondaries.at(0);
  x.lose({"node4", mirror});
  x.wait(minutes{10});
  auto down = x.on_instance(op_kind::instance_shutdown, "web4");
  down.flag = true;
  auto id = x.order_all({down, x.recreate("web4", {"node2", "node3"}),
                         x.on_instance(op_kind::instance_reinstall, "web4"),
                         x.on_instance(op_kind::instance_startup, "web4")},
                        "r1");
  CHECK(x.broken() == names{});
  x.wait(minutes{5});
  CHECK(x.lab.cluster.job(id)->status == job_status::success);
  CHECK(x.lab.truth.runs_on("web4", "node2"));
  REQUIRE(x.lab.truth.losses().size() == 1);
  CHECK(x.lab.truth.losses()[0].alive.empty());
  CHECK(x.judge.excused() == 0);
}

TEST_CASE("L2: an instance on a drained node has to go, if it may and can") {
  repairing x{"small-5n", acting()};
  x.fault("node node5 drained");
  CHECK(x.at_the_end() == names{});
  x.wait(hours{1});
  auto found = x.judge.check_liveness(x.lab, x.t);
  REQUIRE(found.size() == 2); // tmp1 is plain: it stays
  CHECK(found[0].name == "L2");
  x.tag("instance:web5", "suspend");
  x.tag("instance:db5", "fix-storage");
  x.wait(hours{1});
  CHECK(x.at_the_end() == names{});
}

TEST_CASE("L2: nobody has to leave a drained node when there is no room") {
  repairing x{"small-3n", acting()};
  x.fault("node node3 drained");
  x.fault("room node1 full");
  x.fault("room node2 full");
  x.wait(hours{1});
  CHECK(x.at_the_end() == names{});
  x.fault("room node2 free");
  CHECK(x.at_the_end() == names{"L2"});
}

TEST_CASE("L2: who only watches has to move nobody") {
  auto rules = acting();
  rules.autorepair.mode = repair_mode::observe;
  repairing x{"small-5n", rules};
  x.fault("node node5 drained");
  x.wait(hours{1});
  CHECK(x.at_the_end() == names{});
}

TEST_CASE("L2: who has lost all its nodes is reinstalled, if it may") {
  repairing x{"small-5n", acting()};
  x.lose({"node5"});
  x.order(x.failover("web5"), "r1");
  x.order(x.failover("db5"), "r2");
  x.wait(hours{1});
  CHECK(x.broken() == names{});
  CHECK(x.at_the_end() == names{}); // tmp1 may not
  x.tag("instance:tmp1", "reinstall");
  x.wait(hours{1});
  CHECK(x.at_the_end() == names{"L2"});
  for (const auto* node : {"node1", "node2", "node3", "node4"})
    x.fault("room " + std::string{node} + " full");
  CHECK(x.at_the_end() == names{});
}

TEST_CASE("L2: what an emergency power-off holds is reinstalled by nobody") {
  repairing x{"small-5n", acting()};
  x.lose({"node5"});
  x.order(x.failover("web5"), "r1");
  x.order(x.failover("db5"), "r2");
  x.tag("instance:tmp1", "reinstall");
  epo_errand off;
  off.names = {"node5"};
  x.take({off, {}, {}, false, {}});
  x.wait(hours{2});
  CHECK(x.at_the_end() == names{});
}

TEST_CASE("L7: a suspension whose time is over has to be gone everywhere") {
  for (const auto* object : {"cluster", "group:group1", "instance:web2"}) {
    INFO(object);
    repairing x{"small-5n", acting()};
    auto tag = "suspend:" + std::to_string(to_unix(x.t) + 600);
    x.tag(object, tag);
    CHECK(x.at_the_end() == names{});
    x.wait(minutes{20});
    CHECK(x.at_the_end() == names{}); // there is still time
    x.wait(minutes{20});
    CHECK(x.at_the_end() == names{"L7"});
    x.fault(std::string{"tag "} + object + " del " + prefix + tag);
    CHECK(x.at_the_end() == names{});
  }
}

TEST_CASE("L7: while a repair event empties a node its instances keep theirs") {
  repairing x{"small-5n", acting()};
  x.tag("instance:web2", "suspend:" + std::to_string(to_unix(x.t) + 600));
  opcode drain;
  drain.kind = op_kind::node_set_drained;
  drain.node = "node2";
  drain.flag = true;
  x.write(entry_kind::intent, "event:U", "job", "event-U-1-drain");
  auto sent = x.lab.cluster.submit(
    {{{{drain}, trail_text("U", "event-U-1-drain"), {}}}});
  REQUIRE(sent.ids.size() == 1);
  x.look();
  x.wait(hours{2});
  CHECK(x.at_the_end() == names{});
  x.fault("node node2 undrained");
  CHECK(x.at_the_end() == names{"L7"});
}

TEST_CASE("L7: a suspension without a time, or with a mistyped one, stays") {
  repairing x{"small-5n", acting()};
  x.tag("cluster", "suspend");
  x.tag("instance:web2", "suspend:tomorrow");
  x.wait(hours{3});
  CHECK(x.at_the_end() == names{});
}

} // namespace orderly::laws_data_test
