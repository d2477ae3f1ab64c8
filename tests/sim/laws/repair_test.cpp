// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/sim/laws/repair_rig.hpp"

namespace orderly::laws_repair_test {

using namespace orderly::sim;
using namespace orderly::sim::repair_test;

TEST_CASE("S9: new disks and a new system need the permission to reinstall") {
  repairing x;
  x.lose({"node5"});
  x.wait(minutes{10});
  x.order(x.recreate("tmp1", {"node2"}), "r1");
  CHECK(x.broken() == names{"S9"}); // the cluster permits failover only
  x.wait(minutes{2});
  x.tag("cluster", "reinstall");
  x.lab.cluster.set_tag(tag_kind::cluster, {}, std::string{prefix} + "failover",
                        false);
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_reinstall, "tmp1"), "r1");
  CHECK(x.broken() == names{});
}

TEST_CASE("S9: a pending tag permits its own repair, up to its type") {
  repairing x;
  x.lab.cluster.set_tag(tag_kind::cluster, {}, std::string{prefix} + "failover",
                        false);
  x.tag("instance:db2", "pending:fix-storage:once:1767225600:");
  x.tag("instance:db3", "pending:migrate:once3:1767225600:");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "once");
  CHECK(x.broken() == names{"S9"});
  x.order(x.on_instance(op_kind::instance_migrate, "db3"), "once3");
  CHECK(x.broken() == names{});
}

TEST_CASE("S9: our own repair begins within the permission, or on request") {
  repairing x;
  x.wait(minutes{10});
  x.order(adding("db2", "pending:reinstall:r1:1767225600:"), "r1");
  CHECK(x.broken() == names{"S9"});
  x.order(adding("db3", "pending:failover:r2:1767225600:"), "r2");
  CHECK(x.broken() == names{});
  x.write(entry_kind::decision, "instance:db4", "asked");
  x.order(adding("db4", "pending:reinstall:r3:1767225600:"), "r3");
  CHECK(x.broken() == names{});
  x.wait(minutes{10});
  x.order(adding("db4", "pending:reinstall:r4:1767225600:"), "r4");
  // It was asked for once, and is not ended.
  CHECK(x.broken() == names{"S9", "S12"});
}

TEST_CASE("S10: nothing is written on a suspended or failed instance") {
  repairing x;
  x.tag("instance:db2", "suspend");
  x.tag("instance:db3", "result:failover:old:1767225600:failure:4");
  x.wait(minutes{10});
  x.order(adding("db2", "pending:failover:r1:1767225600:"), "r1");
  CHECK(x.broken() == names{"S10"});
  x.order(adding("db3", "result:failover:r2:1767225600:enoperm:"), "r2");
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S10: a permission on the instance beats a suspension above it") {
  repairing x;
  x.tag("cluster", "suspend");
  x.tag("instance:db2", "migrate");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{});
  x.order(x.on_instance(op_kind::instance_migrate, "db3"), "r2");
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S10: a once-off repair waits for the end of the suspension, too") {
  repairing x;
  x.tag("instance:db2", "suspend");
  x.tag("instance:db2", "pending:migrate:once:1767225600:");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "once");
  CHECK(x.broken() == names{"S10"});
}

TEST_CASE("S12: an instance has one unfinished repair job of ours") {
  repairing x;
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{"S12"});
}

TEST_CASE("S12: a job that was lost long ago holds nobody") {
  repairing x;
  x.fault("fail-next db2 lost");
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  x.wait(minutes{1});
  REQUIRE(x.lab.cluster.open().size() == 1);
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{"S12"});
  x.wait(x.lab.rules.cluster.job_deadline);
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{});
}

TEST_CASE("S12: an id belongs to one instance") {
  repairing x;
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  x.order(x.on_instance(op_kind::instance_migrate, "db4"), "r1");
  CHECK(x.broken() == names{"S12"});
}

TEST_CASE("S12: a repair of another id does not overtake a pending one") {
  repairing x;
  x.tag("instance:db2", "pending:failover:first:1767225600:");
  x.wait(minutes{10});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "second");
  CHECK(x.broken() == names{"S12"});
  x.wait(minutes{2});
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "first");
  CHECK(x.broken() == names{});
}

TEST_CASE("S14: safe steps are tried so many times and no more") {
  settings rules;
  rules.autorepair.tries_max = 2;
  repairing x{"small-5n", rules};
  x.fault("fail-next db2 error 2");
  for (int i = 0; i < 2; ++i) {
    x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
    CHECK(x.broken() == names{});
    x.wait(minutes{5});
    CHECK(x.broken() == names{});
  }
  x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
  CHECK(x.broken() == names{"S14"});
}

TEST_CASE("S14: a want of room is no failed try") {
  settings rules;
  rules.autorepair.tries_max = 1;
  repairing x{"small-3n", rules};
  x.fault("room node1 full");
  x.fault("room node3 full");
  for (int i = 0; i < 3; ++i) {
    auto id = x.order(x.on_instance(op_kind::instance_migrate, "db2"), "r1");
    x.wait(minutes{5});
    CHECK(x.lab.cluster.job(id)->status == job_status::error);
    CHECK(x.broken() == names{});
  }
}

TEST_CASE("S23: what we write can be read again and fits") {
  repairing x;
  auto write = [&](const std::string& rest) {
    x.order(adding("web2", rest), "r1");
    auto result = x.broken();
    x.wait(minutes{1});
    CHECK(x.broken() == names{});
    return result;
  };
  CHECK(write("pending:failover:r1:1767225600:4+5") == names{});
  CHECK(write("result:failover:r1:1767225600:success:4") == names{});
  CHECK(write("pending:failover:r1:1767225600:4+") == names{"S23"});
  CHECK(write("pending:rebuild:r1:1767225600:") == names{"S23"});
  CHECK(write("pending:failover:r1:soon:") == names{"S23"});
  CHECK(write("result:failover:r1:1767225600:perhaps:") == names{"S23"});
  CHECK(write("pending:failover:" + std::string(100, 'a') + ":1767225600:")
        == names{"S12", "S23"}); // beside r1, which is not ended
}

TEST_CASE("S23: tags that are not ours are never removed") {
  repairing x;
  x.fault("tag instance:web2 add owner:alice");
  x.tag("instance:web2", "failover");
  x.tag("instance:web2", "suspend:tomorrow");
  x.tag("instance:web2", "suspend:" + std::to_string(to_unix(x.t) + 3600));
  auto until = std::to_string(to_unix(x.t) + 3600);
  auto remove = [&](const opcode& op) {
    x.order(op, "r1");
    auto result = x.broken();
    x.wait(minutes{1});
    CHECK(x.broken() == names{});
    return result;
  };
  CHECK(remove(repair_test::tagging(op_kind::tags_del, "web2", "owner:alice"))
        == names{"S23"});
  CHECK(remove(removing("web2", "failover")) == names{"S23"});
  CHECK(remove(removing("web2", "suspend:tomorrow")) == names{"S23"});
  CHECK(remove(removing("web2", "suspend:" + until)) == names{"S23"});
  x.tag("instance:web2", "suspend:" + until);
  x.wait(hours{2});
  CHECK(remove(removing("web2", "suspend:" + until)) == names{});
}

TEST_CASE("S23: a failed repair is for people to clear, a pending one to end") {
  repairing x;
  x.tag("instance:web2", "result:failover:old:1767225600:failure:4");
  x.tag("instance:web3", "pending:failover:p3:1767225600:");
  x.tag("instance:web4", "pending:failover:p4:1767225600:");
  x.wait(minutes{10});
  x.order(removing("web2", "result:failover:old:1767225600:failure:4"), "old");
  CHECK(x.broken() == names{"S23"});
  x.order(removing("web3", "pending:failover:p3:1767225600:"), "p3");
  CHECK(x.broken() == names{"S23"});
  x.order(adding("web4", "result:failover:p4:1767225600:success:"), "p4");
  x.wait(minutes{1});
  x.order(removing("web4", "pending:failover:p4:1767225600:"), "p4");
  CHECK(x.broken() == names{});
}

} // namespace orderly::laws_repair_test
