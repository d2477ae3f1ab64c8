// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/ganeti/rig.hpp"
#include "tests/sim/laws/hand_played.hpp"

#include <algorithm>

namespace orderly::laws_jobs_test {

using namespace orderly::sim;

namespace {

constexpr const char* prefix = "ganeti:watcher:autorepair:";

std::string pending(const std::string& id) {
  return std::string{prefix} + "pending:failover:" + id + ":1767225600:";
}

/// A world in which node5 is properly fenced and marked offline.
struct fenced_five : hand_played {
  explicit fenced_five(settings rules = {})
    : hand_played("small-5n", std::move(rules)) {
    fault("power node5 off");
    wait(seconds{40});
    fence("node5");
    lab.cluster.set_offline("node5", true);
    write(entry_kind::alert, "node:node5", "X.FENCED_POWER_OFF");
    REQUIRE(broken() == names{});
  }

  /// What check_liveness says of this law.
  std::vector<std::string> of(const std::string& law) {
    std::vector<std::string> said;
    for (const auto& y : judge.check_liveness(lab, t))
      if (y.name == law)
        said.push_back(y.sentence);
    return said;
  }

  void tag(const std::string& object, const std::string& rest) {
    fault("tag " + object + " add " + prefix + rest);
  }
};

} // namespace

TEST_CASE("S9: a failover needs the permission to fail over") {
  fenced_five x;
  x.lab.cluster.set_tag(tag_kind::cluster, {}, std::string{prefix} + "failover",
                        false);
  x.wait(minutes{10});
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S9"});
}

TEST_CASE("S9: the nearest object decides, and in it the least type") {
  fenced_five x;
  x.tag("instance:web5", "migrate");
  x.tag("instance:web5", "reinstall");
  x.wait(minutes{10});
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{"S9"});
  x.order(x.failover("db5"), "r2"); // the cluster's tag still holds here
  CHECK(x.broken() == names{});
}

TEST_CASE("S10: a suspension holds until its time, a mistyped one for ever") {
  fenced_five x;
  x.tag("group:group1", "suspend:" + std::to_string(to_unix(x.t) + 1200));
  x.wait(minutes{10});
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{"S10"});
  x.wait(minutes{11});
  x.order(x.failover("db5"), "r2");
  CHECK(x.broken() == names{});
  x.tag("instance:db5", "suspend:tomorrow");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db5"), "r2");
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S10: what was read a moment ago may still be acted on") {
  fenced_five x;
  x.lab.cluster.note_read(x.t);
  x.wait(seconds{1});
  x.tag("instance:web5", "suspend");
  x.wait(seconds{1});
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{});
}

TEST_CASE("S9: a pending tag permits what was allowed when it was written") {
  fenced_five x;
  x.lab.cluster.set_tag(tag_kind::cluster, {}, std::string{prefix} + "failover",
                        false);
  x.tag("instance:web5", "pending:failover:harep-1:1767225600:");
  x.wait(minutes{10});
  x.order(x.failover("web5"), "harep-1");
  CHECK(x.broken() == names{});
  x.order(tagging("db5", pending("ours")), "ours");
  CHECK(x.broken() == names{"S9"});
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db5"), "ours");
  CHECK(x.broken() == names{});
}

TEST_CASE("S11: two jobs of ours never share an instance") {
  fenced_five x;
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{});
  x.order(tagging("web5", "a"), "r1");
  CHECK(x.broken() == names{"S11"});
}

TEST_CASE("S11: a repair that waits first lets a tag of ours pass") {
  fenced_five x;
  opcode pause;
  pause.kind = op_kind::wait;
  pause.span = seconds{10};
  x.write(entry_kind::intent, "instance:web5", "job", "i1");
  x.lab.cluster.submit({{{x.with_token({pause, x.failover("web5")}),
                          trail_text("r1", "i1"),
                          {}}}});
  x.order(tagging("web5", "a"), "r1");
  CHECK(x.broken() == names{});
}

TEST_CASE("S11: jobs of others are not our overlap") {
  fenced_five x;
  x.lab.cluster.submit({{{{tagging("web5", "a")}, "by a person", {}}}});
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{});
}

TEST_CASE("S11: no node is source of one job and target of another") {
  hand_played x;
  x.order(x.on_instance(op_kind::instance_migrate, "db2", "node3"), "r1");
  CHECK(x.broken() == names{});
  x.order(x.on_instance(op_kind::instance_migrate, "db3", "node4"), "r2");
  CHECK(x.broken() == names{"S11"});
  x.wait(minutes{5}); // both have ended
  x.order(x.on_instance(op_kind::instance_migrate, "db4", "node2"), "r3");
  CHECK(x.broken() == names{});
}

TEST_CASE("S10: an instance with a failed repair is left alone") {
  fenced_five x;
  x.tag("instance:web5", "result:failover:old:1767225600:failure:4");
  x.wait(minutes{10});
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S14: after a failed failover its repair sends nothing more") {
  fenced_five x;
  x.fault("jobs fail 1000");
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{});
  x.wait(minutes{2});
  CHECK(x.broken() == names{});
  x.fault("jobs fail 0");
  x.order(x.failover("web5"), "r1");
  CHECK(x.broken() == names{"S14"});
  x.wait(minutes{2});
  x.order(x.failover("db5"), "r2");
  CHECK(x.broken() == names{});
}

TEST_CASE("S17: a job needs a durable intent, and each intent one job") {
  fenced_five x;
  x.send(x.failover("web5"), "never-written", "r1");
  CHECK(x.broken() == names{"S17"});
  x.wait(minutes{2});
  x.write(entry_kind::intent, "instance:db5", "job", "i1");
  x.send(x.failover("db5"), "i1", "r2");
  CHECK(x.broken() == names{});
  x.wait(minutes{2});
  x.send(tagging("db5", "a"), "i1", "r2");
  CHECK(x.broken() == names{"S17"});
}

TEST_CASE("S8: no failover is sent by a daemon that lost mastership") {
  fenced_five x;
  x.fault("master node2");
  x.wait(minutes{2});
  x.order(x.failover("web5"));
  CHECK(x.broken() == names{"S8"});
}

TEST_CASE("jobs of others are never judged") {
  hand_played x;
  x.lab.cluster.submit({{{{x.failover("web5")}, "by a person", {}}}});
  CHECK(x.broken() == names{});
}

TEST_CASE("L1: whoever is hunted for too long without an alert is forgotten") {
  hand_played x;
  x.phases("node5", {"available", "suspect"});
  for (int i = 0; i < 8; ++i) {
    x.phases("node5", {"checking", "suspect"});
    CHECK(x.broken() == names{});
    x.wait(minutes{10});
  }
  auto found = x.judge.check_liveness(x.lab, x.t);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "L1");
  x.write(entry_kind::alert, "node:node5", "X.GUARD_HELD");
  CHECK(x.broken() == names{});
  CHECK(x.judge.check_liveness(x.lab, x.t).empty());
}

TEST_CASE("L2: an instance of a fenced node has to run again, if it may") {
  settings rules;
  rules.autorepair.enabled = true;
  fenced_five x{rules};
  x.wait(minutes{10});
  CHECK(x.of("L2").empty()); // there is still time
  x.wait(hours{1});
  std::set<std::string> left;
  for (const auto& y : x.of("L2"))
    left.insert(y.substr(y.find(": ") + 2, 4));
  CHECK(left == std::set<std::string>{"web5", "db5 "}); // tmp1 is plain
  x.order(x.failover("web5"), "r1");
  x.tag("instance:db5", "suspend");
  x.wait(hours{1});
  CHECK(x.of("L2").empty());
}

TEST_CASE("L8: the alert of a fence tells nothing of what stays down") {
  settings rules;
  rules.autorepair.enabled = true;
  fenced_five x{rules};
  x.wait(hours{1});
  CHECK_FALSE(x.of("L8").empty());
  x.write(entry_kind::alert, "node:node5", "X.UNTREATED_DOWN");
  CHECK(x.broken() == names{});
  CHECK(x.of("L8").empty());
}

TEST_CASE("L2: without a node to go to nobody is to blame") {
  settings rules;
  rules.autorepair.enabled = true;
  fenced_five x{rules};
  for (const auto* node : {"node1", "node2", "node3", "node4"})
    x.lab.cluster.set_offline(node, true);
  x.wait(hours{1});
  CHECK(x.of("L2").empty());
}

TEST_CASE("L5: a hanging controller delays no other node's fence") {
  hand_played x;
  x.fault("bmc node4 hang");
  x.fault("power node5 off");
  x.wait(minutes{10});
  CHECK(x.judge.check_liveness(x.lab, x.t).empty());
  x.wait(hours{1});
  auto found = x.judge.check_liveness(x.lab, x.t);
  auto late = [](const auto& all) {
    return std::count_if(all.begin(), all.end(),
                         [](const auto& b) { return b.name == "L5"; });
  };
  CHECK(late(found) == 1);
  x.fence("node5");
  CHECK(x.broken() == names{});
  CHECK(late(x.judge.check_liveness(x.lab, x.t)) == 0);
}

TEST_CASE("looking at an unchanged lab costs next to nothing") {
  hand_played x{"made-1000-10000-10"};
  CHECK(x.broken() == names{});
  for (int i = 0; i < 200'000; ++i)
    if (!x.judge.check(x.lab, x.t).empty())
      FAIL("nothing happened, so nothing can be broken");
  CHECK(x.lab.cluster.picture() == x.lab.cluster.picture());
}

} // namespace orderly::laws_jobs_test
