// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Migrations that may become failovers.

#include "tests/sim/ganeti/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::ganeti_moves_test {

using namespace orderly::sim;

namespace {

struct rig : cluster_rig {
  job_id send(const opcode& op) {
    auto answer = lab.cluster.submit({{{{op}, "test", {}}}});
    REQUIRE(answer.ids.size() == 1);
    return answer.ids[0];
  }

  std::string run(const opcode& op) {
    auto id = send(op);
    wait(minutes{5});
    REQUIRE(is_final(lab.cluster.job(id)->status));
    return lab.cluster.job(id)->text;
  }
};

/// web4 is at home on node4 and has its mirror on node5.
opcode migrate(bool or_fail_over) {
  auto op = on_instance(op_kind::instance_migrate, "web4");
  op.flag = or_fail_over;
  return op;
}

} // namespace

TEST_CASE("a stopped instance is moved by a migration that may fail over") {
  for (auto admin : {admin_state::down, admin_state::offline}) {
    rig b;
    b.lab.cluster.set_admin("web4", admin);
    b.lab.truth.stop_everywhere("web4");
    CHECK(b.run(migrate(false)).find("is not running") != std::string::npos);
    // It is not started, and so takes no memory.
    b.lab.cluster.set_full("node5", true);
    CHECK(b.run(migrate(true)).empty());
    CHECK(b.inst("web4").primary == "node5");
    CHECK(b.inst("web4").secondaries == std::vector<node_name>{"node4"});
    CHECK(b.inst("web4").admin == admin);
    CHECK(b.lab.truth.homes("web4").empty());
  }
}

TEST_CASE("what is wanted up and does not run is started at the other node") {
  rig b;
  b.lab.truth.stop_everywhere("web4");
  CHECK_FALSE(b.run(migrate(false)).empty());
  CHECK(b.run(migrate(true)).empty());
  CHECK(b.inst("web4").primary == "node5");
  CHECK(b.lab.truth.homes("web4") == std::set<node_name>{"node5"});
}

TEST_CASE("a migration that may fail over leaves an offline home, alive or "
          "not") {
  rig b;
  b.lab.cluster.set_offline("node4", true);
  CHECK(b.run(migrate(false)) == "Can't use offline node: node4");
  CHECK(b.run(migrate(true)).empty());
  CHECK(b.inst("web4").primary == "node5");
  // As with a failover: nobody has asked the old home.
  CHECK(b.lab.truth.homes("web4") == std::set<node_name>{"node4", "node5"});
}

TEST_CASE("it does not leave a home in service that is silent") {
  rig b;
  b.lab.truth.set_daemon("node4", true);
  CHECK_FALSE(b.run(migrate(true)).empty());
  CHECK(b.inst("web4").primary == "node4");
  CHECK(b.lab.truth.homes("web4") == std::set<node_name>{"node4"});
}

TEST_CASE("what runs is migrated, and fails over in no case once it has "
          "begun") {
  rig b;
  CHECK(b.run(migrate(true)).empty());
  CHECK(b.lab.truth.homes("web4") == std::set<node_name>{"node5"});
  b.send(migrate(true));
  b.wait(seconds{2});
  b.lab.truth.stop_everywhere("web4");
  b.wait(minutes{5});
  CHECK(b.inst("web4").primary == "node5");
  CHECK(b.lab.truth.homes("web4").empty());
}

} // namespace orderly::ganeti_moves_test
