// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/actors/policy/errand/epo_rig.hpp"

namespace orderly::errand::errand_epo_test {

using Catch::Matchers::Contains;

TEST_CASE("an epo of nobody is refused, and one of all takes no names") {
  rig b;
  CHECK(b.refused(b.request(epo({}))).kind == refused_for::usage);
  auto x = whole();
  x.names = {"n1"};
  CHECK(b.refused(b.request(x)).kind == refused_for::usage);
  x.names.clear();
  x.groups = true;
  CHECK(b.refused(b.request(x)).kind == refused_for::usage);
  x.all = false;
  CHECK(b.refused(b.request(x)).kind == refused_for::usage);
  x.names = {"g9"};
  CHECK(b.refused(b.request(x)).kind == refused_for::not_found);
}

TEST_CASE("an epo with the master needs all") {
  rig b;
  auto why = b.refused(b.request(epo({"m", "n1"})));
  CHECK(why.text
        == "m is the master node, please do a master-failover to another node "
           "not affected by the EPO or use --all if you intend to shutdown the "
           "whole cluster");
  auto x = epo({"g1"});
  x.groups = true;
  CHECK(b.refused(b.request(x)).text == why.text);
  CHECK(b.refused(b.request(epo({"m", "n1"}, true))).text.empty());
}

TEST_CASE("an epo stops every instance before it switches any node off") {
  rig b;
  b.add_instance("i1", "n1", {"n2"});
  b.add_instance("i2", "n2", {"n1"});
  auto x = epo({"n1", "n2"});
  x.shutdown_timeout = minutes{3};
  b.begin(b.request(x));
  CHECK(b.holds.size() == 2);
  CHECK(b.holds.at("n1").who == "bob");
  CHECK(b.count<send_job>() == 2);
  auto op = b.job("i1");
  CHECK(op.kind == op_kind::instance_shutdown);
  CHECK(op.keep_wanted);
  CHECK(op.span == minutes{3});
  CHECK(b.how("n1") == row_state::waiting);
  CHECK(b.how("n2") == row_state::waiting);
  b.job("i2");
  CHECK(b.job("n1").offline == true);
  CHECK(b.switched("n1").verb == power_verb::off);
  CHECK(b.job("n1").powered == false);
  // one node's trouble is not the other's
  b.job("n2", false, "locked");
  CHECK(b.how("n1") == row_state::done);
  CHECK(b.how("n2") == row_state::failed);
  CHECK(has_failed(b.s));
  CHECK(b.holds.size() == 1); // n2 was left on
  CHECK(b.has_remark("orderly epo --on n1 n2"));
}

TEST_CASE("an instance that does not stop keeps all nodes on") {
  rig b;
  b.add_instance("i1", "n1", {"n2"});
  b.add_instance("i2", "n2", {"n1"});
  b.begin(b.request(epo({"n1", "n2"})));
  b.job("i2", false, "it refuses");
  CHECK(b.s.ended == never);
  b.job("i1");
  CHECK(b.todo.empty());
  CHECK(b.how("n1") == row_state::skipped);
  CHECK(b.how("n2") == row_state::skipped);
  CHECK(b.has_remark(
    "Please investigate and stop instances manually before continuing"));
  CHECK(has_failed(b.s));
  CHECK(b.holds.empty());
  CHECK(b.has_remark("Automation looks after these nodes again, for none was "
                     "switched off: 'orderly epo n1 n2' tries again"));
}

TEST_CASE("an epo holds on to the nodes that it took out of service") {
  rig b;
  b.begin(b.request(epo({"n1", "n2"})));
  b.job("n1", false, "no candidates left");
  CHECK(b.holds.size() == 2); // until the errand has ended
  b.job("n2");
  b.report("n2", power_state::unknown, false, "bmc gone");
  REQUIRE(b.s.ended != never);
  CHECK(b.holds.count("n1") == 0);
  CHECK(b.holds.count("n2") == 1);
}

TEST_CASE("an epo that fails leaves the hold of an earlier one in force") {
  rig b;
  b.holds["n1"] = {"eve", "fire", "power-3", false, false};
  b.begin(b.request(epo({"n1"})));
  b.job("n1", false, "no candidates left");
  REQUIRE(b.s.ended != never);
  CHECK(b.holds.count("n1") == 1);
}

TEST_CASE("instances that are down, or live elsewhere, are left alone") {
  rig b;
  b.add_instance("i1", "n3", {"n1"});
  b.add_instance("i2", "n1");
  b.cluster.instances.back().admin = admin_state::down;
  b.begin(b.request(epo({"n1"})));
  CHECK(b.s.rows.size() == 1);
  CHECK(b.has_remark("i1"));
}

TEST_CASE("an epo passes over what it cannot or need not switch off") {
  rig b;
  b.node("n2").powered = false;
  b.node("n2").offline = true;
  b.begin(b.request(whole()));
  CHECK(b.how("m") == row_state::skipped);
  CHECK(b.how("bare") == row_state::unsupported);
  CHECK(b.of("n2").text
        == "Node n2 is already in desired power state, skipping");
  for (const char* name : {"n1", "n3"}) {
    b.job(name);
    b.switched(name);
    b.job(name);
  }
  CHECK(b.s.ended != never);
  CHECK_FALSE(has_failed(b.s));
  CHECK(b.has_remark("Node bare does not support out-of-band handling"));
  CHECK_THAT(b.s.remarks.back(), Contains("'/usr/bin/oob power-off m'"));
}

TEST_CASE("a node that is recorded off and was read on last is switched off") {
  rig b;
  b.node("n1").offline = true;
  b.node("n1").powered = false;
  b.read_on = {{"n1", never}};
  b.begin(b.request(epo({"n1"})));
  CHECK_FALSE(b.holds.at("n1").was_off); // the way back switches it on
  CHECK(b.switched("n1").verb == power_verb::off);
  CHECK(b.how("n1") == row_state::done);
}

TEST_CASE("an epo of more than five nodes needs their number") {
  rig b;
  for (char c = '4'; c <= '6'; ++c) {
    auto x = b.node("n1");
    x.name = std::string{"n"} + c;
    b.cluster.nodes.push_back(x);
  }
  auto asked = b.request(whole());
  CHECK_THAT(b.refused(asked).text, Contains("--count 6"));
  asked.count = 6; // neither the master nor bare
  CHECK(b.refused(asked).text.empty());
  CHECK(b.refused(b.request(whole(true))).text.empty());
}

TEST_CASE("an epo counts every node that loses its power or an instance") {
  rig b;
  for (char c = '4'; c <= '5'; ++c) {
    auto x = b.node("n1");
    x.name = std::string{"n"} + c;
    b.cluster.nodes.push_back(x);
  }
  auto asked = b.request(whole());
  CHECK(b.refused(asked).text.empty()); // n1 to n5
  b.add_instance("i1", "m");
  CHECK_THAT(b.refused(asked).text, Contains("--count 6"));
  asked.count = 6;
  CHECK(b.refused(asked).text.empty());
}

TEST_CASE("an epo leaves what cannot be switched off alone, instances too") {
  rig b;
  b.add_instance("i1", "bare", {"n1"});
  b.add_instance("i2", "m");
  b.add_instance("i3", "n1");
  b.begin(b.request(epo({"bare"})));
  CHECK(b.s.rows.size() == 1);
  CHECK(b.s.ended != never);
  b.begin(b.request(whole()));
  CHECK(b.count<send_job>() == 2); // the master goes by hand, after its own
  CHECK(b.job("i2").kind == op_kind::instance_shutdown);
  CHECK(b.job("i3").kind == op_kind::instance_shutdown);
  CHECK(b.has_remark("Running on without a mirror"));
}

TEST_CASE("an instance that was removed meanwhile stops nobody") {
  rig b;
  b.rules.power.concurrency = 1;
  b.add_instance("i1", "n1");
  b.add_instance("i2", "n1");
  b.begin(b.request(epo({"n1"})));
  b.cluster.instances.pop_back();
  b.job("i1");
  CHECK(b.how("i2") == row_state::skipped);
  CHECK(b.job("n1").offline == true);
}

TEST_CASE("a restart in an epo takes its holds if they are missing") {
  rig b;
  b.add_instance("i1", "n1");
  b.begin(b.request(epo({"n1"})));
  b.holds.clear();
  b.restart();
  CHECK(b.holds.count("n1") == 1);
  CHECK(b.count<send_job>() == 1);
}

} // namespace orderly::errand::errand_epo_test
