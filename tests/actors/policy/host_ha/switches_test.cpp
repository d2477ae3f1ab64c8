// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes host HA treats, and what persons may say about it.

#include "actors/policy/host_ha/switches.hpp"

#include <catch2/catch.hpp>

namespace orderly::host_ha_switches_test {

using namespace orderly::host_ha;

namespace {

node_record node(const std::string& name, const std::string& group) {
  node_record x;
  x.name = name;
  x.uuid = "uuid-of-" + name;
  x.group = group;
  return x;
}

cluster_record cluster() {
  cluster_record x;
  x.name = "prod";
  x.groups = {{"rack1", "uuid-1", {}}, {"rack2", "uuid-2", {}}};
  x.nodes = {node("n1", "rack1"), node("n2", "rack1"), node("n3", "rack2")};
  return x;
}

/// Persons and what came of their words.
struct rig {
  cluster_record picture = cluster();
  ha_switches all;

  explicit rig(bool opt_in = true) { all.opt_in = opt_in; }

  ruling say(ha_action action, ha_scope scope, std::vector<std::string> names,
             std::string provider = {}) {
    auto x = rule({action, scope, std::move(names), std::move(provider)},
                  "root", picture, all);
    if (x.refused == refused_as::nothing)
      all = x.next;
    return x;
  }

  refused_as configure(const std::string& name, const std::string& provider) {
    return say(ha_action::configure, ha_scope::nodes, {name}, provider).refused;
  }

  refused_as enable(const std::string& name) {
    return say(ha_action::enable, ha_scope::nodes, {name}).refused;
  }

  [[nodiscard]] stand of(std::size_t i = 0) const {
    return stand_of(all, picture, picture.nodes[i]);
  }
};

} // namespace

TEST_CASE("where nodes opt in, one is treated once configured and enabled") {
  rig b;
  CHECK(b.of().off == off_by::provider);
  CHECK(b.of().provider.empty());
  CHECK(b.configure("n1", "KVMHAProvider") == refused_as::nothing);
  CHECK(b.of().provider == "kvmhaprovider");
  CHECK_FALSE(b.of().enabled);
  CHECK(b.of().off == off_by::node);
  CHECK(b.enable("n1") == refused_as::nothing);
  CHECK(b.of().off == off_by::nothing);
  CHECK(b.of().why.empty());
  CHECK(b.of(1).off == off_by::provider);
}

TEST_CASE("where nodes need not opt in, all are treated but those disabled") {
  rig b{false};
  CHECK(b.of().off == off_by::nothing);
  CHECK(b.of().provider == usual_provider);
  b.say(ha_action::disable, ha_scope::nodes, {"n1"});
  CHECK(b.of().off == off_by::node);
  CHECK(b.of().why == "disabled for it by root");
  CHECK(b.enable("n1") == refused_as::nothing);
  CHECK(b.of().off == off_by::nothing);
}

TEST_CASE("a switch above a node that is off holds for the node") {
  rig b{false};
  b.say(ha_action::disable, ha_scope::group, {"rack1"});
  CHECK(b.of().off == off_by::group);
  CHECK(b.of().enabled);
  CHECK(b.of().why == "disabled for group rack1 by root");
  CHECK(b.of(2).off == off_by::nothing);
  b.say(ha_action::disable, ha_scope::cluster, {});
  CHECK(b.of(2).off == off_by::cluster);
  b.say(ha_action::enable, ha_scope::group, {"rack1"});
  CHECK(b.of().off == off_by::cluster);
  b.say(ha_action::enable, ha_scope::cluster, {"prod"});
  CHECK(b.of().off == off_by::nothing);
}

TEST_CASE("a switch above does not enable what is off below it") {
  rig b;
  b.say(ha_action::enable, ha_scope::cluster, {});
  b.say(ha_action::enable, ha_scope::group, {"rack1"});
  CHECK(b.of().off == off_by::provider);
  b.configure("n1", "ganeti");
  CHECK(b.of().off == off_by::node);
}

TEST_CASE("configuring anew leaves the switch where it is") {
  rig b;
  b.configure("n1", "ganeti");
  b.enable("n1");
  b.configure("n1", "kvmhaprovider");
  CHECK(b.of().enabled);
  CHECK(b.of().provider == "kvmhaprovider");
}

TEST_CASE("each refusal has its reason and a sentence that names the thing") {
  rig b;
  CHECK(b.configure("n1", "") == refused_as::no_provider);
  CHECK(b.configure("n1", "nosuch") == refused_as::unknown_provider);
  CHECK(b.configure("n1", "SimulatorHAProvider")
        == refused_as::foreign_provider);
  CHECK(b.configure("n9", "ganeti") == refused_as::unknown_object);
  CHECK(b.enable("n1") == refused_as::unconfigured);
  CHECK(b.enable("n9") == refused_as::unknown_object);
  CHECK(b.enable("") == refused_as::no_name);
  auto refused = [&](ha_scope scope, std::vector<std::string> names) {
    return b.say(ha_action::disable, scope, std::move(names)).refused;
  };
  CHECK(refused(ha_scope::nodes, {}) == refused_as::no_name);
  CHECK(refused(ha_scope::group, {}) == refused_as::no_name);
  CHECK(refused(ha_scope::group, {"rack9"}) == refused_as::unknown_object);
  CHECK(refused(ha_scope::cluster, {""}) == refused_as::no_name);
  CHECK(refused(ha_scope::cluster, {"test"}) == refused_as::unknown_object);
  CHECK(b.all == rig{}.all);
  auto text = b.say(ha_action::enable, ha_scope::nodes, {"n1"}).text;
  CHECK(text.find("node n1") != std::string::npos);
  CHECK(text.find("orderly ha configure") != std::string::npos);
}

TEST_CASE("one bad node stops no other, and all that are bad are refused") {
  rig b;
  b.configure("n1", "ganeti");
  auto some = b.say(ha_action::enable, ha_scope::nodes, {"n9", "n1", "n2"});
  REQUIRE(some.rows.size() == 3);
  CHECK(some.rows[0].refused == refused_as::unknown_object);
  CHECK(some.rows[1].refused == refused_as::nothing);
  CHECK(some.rows[2].refused == refused_as::unconfigured);
  CHECK(b.of().off == off_by::nothing);
  auto none = b.say(ha_action::enable, ha_scope::nodes, {"n9", "n2"});
  CHECK(none.refused == refused_as::unknown_object);
}

TEST_CASE("another machine under the name has no switch of the former one") {
  rig b;
  b.configure("n1", "ganeti");
  b.enable("n1");
  b.say(ha_action::disable, ha_scope::group, {"rack2"});
  b.picture.nodes[0].uuid = "new";
  b.picture.groups[1].uuid = "new";
  CHECK(b.of().off == off_by::provider);
  CHECK(is_on(b.all, b.picture.groups[1]));
}

TEST_CASE("a group that gets another name keeps its switch") {
  rig b;
  b.say(ha_action::disable, ha_scope::group, {"rack2"});
  b.picture.groups[1].name = "rack3";
  CHECK(!is_on(b.all, b.picture.groups[1]));
  b.say(ha_action::enable, ha_scope::group, {"rack3"});
  b.picture.groups[1].name = "rack4";
  CHECK(is_on(b.all, b.picture.groups[1]));
}

TEST_CASE("a provider is known in any spelling and serves its hypervisors") {
  REQUIRE(provider_named("KVMHAPROVIDER") != nullptr);
  CHECK(provider_named("kvm") == nullptr);
  const auto& kvm = *provider_named("KvmHaProvider");
  CHECK(serves(kvm, family::kvm));
  CHECK(serves(kvm, family::lxc));
  CHECK_FALSE(serves(kvm, family::xen));
  CHECK(serves(kvm, std::nullopt));
  CHECK_FALSE(serves(*provider_named("simulatorhaprovider"), std::nullopt));
  CHECK(family_from("KVM") == family::kvm);
  CHECK(family_from("xen-hvm") == family::xen);
  CHECK_FALSE(family_from("vmware"));
}

TEST_CASE("a list takes nodes, a group or nothing, and misses what is not "
          "there") {
  auto picture = cluster();
  auto count = [&](ha_scope scope, std::vector<std::string> names) {
    return select({ha_action::list, scope, std::move(names), {}}, picture)
      .rows.size();
  };
  CHECK(count(ha_scope::nodes, {}) == 3);
  CHECK(count(ha_scope::nodes, {"n3"}) == 1);
  CHECK(count(ha_scope::group, {"rack1"}) == 2);
  CHECK(
    select({ha_action::list, ha_scope::nodes, {"bogus"}, {}}, picture).refused
    == refused_as::unknown_object);
}

TEST_CASE("switches come back from the journal as they were") {
  for (auto enabled :
       {std::optional<bool>{}, std::optional{true}, std::optional{false}}) {
    node_switch x{"ganeti", enabled, "uuid", "root"};
    CHECK(node_switch_from(to_fields(x)) == x);
  }
  for (auto on : {true, false}) {
    upper_switch x{on, "uuid", "root"};
    CHECK(upper_switch_from(to_fields(x)) == x);
  }
}

} // namespace orderly::host_ha_switches_test
