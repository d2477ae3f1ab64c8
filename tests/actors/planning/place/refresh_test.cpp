// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/refresh.hpp"
#include "tests/support/planning/record_of.hpp"

#include <catch2/catch.hpp>

namespace orderly::place_refresh_test {

using namespace orderly::planning;

namespace {

const node_spec& node(const fresh_cluster& x, const char* name) {
  auto n = node_named(x.now, name);
  REQUIRE(n >= 0);
  return x.now.nodes[at(n)];
}

const instance_spec& instance(const fresh_cluster& x, const char* name) {
  auto i = instance_named(x.now, name);
  REQUIRE(i >= 0);
  return x.now.instances[at(i)];
}

std::string unwell(const fresh_cluster& x, const char* name) {
  auto i = x.unwell.find(instance_named(x.now, name));
  return i == x.unwell.end() ? "" : i->second;
}

/// Memory of each node that nobody accounts for.
std::vector<mib> missing(const cluster& c) {
  std::vector<mib> result;
  for (const auto& n : c.nodes)
    result.push_back(static_cast<mib>(n.total_memory) - n.node_memory
                     - n.free_memory);
  for (const auto& i : c.instances)
    if (uses_memory(i))
      result[at(i.primary)] -= i.memory;
  return result;
}

struct rig {
  cluster model = samples::draw(7, 4, 12, {});
  cluster_record record = samples::record_of(model);

  fresh_cluster fresh(const std::map<instance_name, instance_place>& under_way
                      = {}) const {
    return refresh(model, std::make_shared<const cluster_record>(record),
                   under_way);
  }

  instance_record& one(const char* name) {
    for (auto& x : record.instances)
      if (x.name == name)
        return x;
    FAIL("there is no such instance");
    return record.instances.front();
  }

  /// A drbd instance that runs.
  instance_record& mirrored() {
    for (auto& x : record.instances)
      if (x.disks == orderly::disk_template::drbd && x.admin == admin_state::up)
        return x;
    FAIL("there is no such instance");
    return record.instances.front();
  }
};

} // namespace

TEST_CASE("a model that agrees with the record stays what it is") {
  rig b;
  auto x = b.fresh();
  CHECK(x.now == b.model);
  CHECK(x.unwell.empty());
  CHECK(refresh(b.model, nullptr, {}).now == b.model);
}

TEST_CASE("an instance that moved takes its memory and its disk along") {
  rig b;
  auto& x = b.mirrored();
  std::swap(x.primary, x.secondaries.front());
  auto now = b.fresh();
  const auto& i = instance(now, x.name.c_str());
  CHECK(now.now.nodes[at(i.primary)].name == x.primary);
  CHECK(now.now.nodes[at(i.secondary)].name == x.secondaries.front());
  CHECK(missing(now.now) == missing(b.model));
  CHECK(node(now, x.primary.c_str()).free_memory
        == b.model.nodes[at(i.primary)].free_memory - i.memory);
  CHECK(node(now, x.primary.c_str()).free_disk
        == b.model.nodes[at(i.primary)].free_disk);
  auto other = std::find_if(
    b.record.nodes.begin(), b.record.nodes.end(), [&](const auto& n) {
      return n.name != x.primary && n.name != x.secondaries.front();
    });
  auto left = x.secondaries.front();
  x.secondaries = {other->name};
  auto then = b.fresh();
  CHECK(node(then, left.c_str()).free_disk
        == node(now, left.c_str()).free_disk + i.disk);
  CHECK(node(then, other->name.c_str()).free_disk
        == node(now, other->name.c_str()).free_disk - i.disk);
  CHECK(missing(then.now) == missing(b.model));
}

TEST_CASE("what a job moves counts as being where it goes, and is not moved") {
  rig b;
  const auto& x = b.mirrored();
  auto now = b.fresh({{x.name, {x.secondaries.front(), x.primary}}});
  const auto& i = instance(now, x.name.c_str());
  CHECK(now.now.nodes[at(i.primary)].name == x.secondaries.front());
  CHECK(now.now.nodes[at(i.secondary)].name == x.primary);
  CHECK(missing(now.now) == missing(b.model));
  CHECK(unwell(now, x.name.c_str()) == "a job moves it now");
}

TEST_CASE("flags of record decide which nodes are in service") {
  rig b;
  b.model.nodes[1].offline = true; // it was drained, and has figures
  b.record.nodes[0].offline = true;
  b.record.nodes[2].drained = true;
  b.record.nodes[3].vm_capable = false;
  auto x = b.fresh();
  CHECK(x.now.nodes[0].offline);
  CHECK_FALSE(x.now.nodes[1].offline);
  CHECK(x.now.nodes[2].offline);
  CHECK(x.now.nodes[3].offline);
}

TEST_CASE("a node without figures stays offline whatever the record says") {
  rig b;
  b.model.nodes[1].total_memory = 0;
  b.model.nodes[2].total_cpus = 0;
  node_record other;
  other.name = "other";
  other.group = "elsewhere";
  b.record.nodes.push_back(other);
  auto x = b.fresh();
  CHECK(x.now.nodes[1].offline);
  CHECK(x.now.nodes[2].offline);
  CHECK(node(x, "other").offline);
  CHECK(x.now.groups[at(node(x, "other").group)].name == "elsewhere");
}

TEST_CASE("a node that is not of record any more is not in service") {
  rig b;
  b.record.nodes.pop_back();
  CHECK(b.fresh().now.nodes.back().offline);
}

TEST_CASE("an instance that is gone leaves its room behind") {
  rig b;
  auto gone = b.mirrored();
  auto before = node(b.fresh(), gone.primary.c_str());
  std::erase_if(b.record.instances,
                [&](const auto& x) { return x.name == gone.name; });
  auto x = b.fresh();
  CHECK(instance_named(x.now, gone.name) == -1);
  auto size = b.model.instances[at(instance_named(b.model, gone.name))];
  const auto& after = node(x, gone.primary.c_str());
  CHECK(after.free_memory == before.free_memory + size.memory);
  CHECK(after.free_disk == before.free_disk + size.disk);
  CHECK(missing(x.now) == missing(b.model));
}

TEST_CASE("a new instance takes room, and is not balanced before it is known") {
  rig b;
  instance_record young;
  young.name = "young";
  young.primary = "node0";
  young.secondaries = {"node1"};
  young.disks = orderly::disk_template::drbd;
  young.memory_mib = 1000;
  young.disks_mib = {5000, 1000};
  b.record.instances.push_back(young);
  auto x = b.fresh();
  CHECK(instance(x, "young").memory == 1000);
  CHECK(instance(x, "young").disk == 6256);
  CHECK(missing(x.now) == missing(b.model));
  CHECK(node(x, "node1").free_disk == b.model.nodes[1].free_disk - 6256);
  CHECK_FALSE(unwell(x, "young").empty());
}

TEST_CASE("wishes of record decide what runs") {
  rig b;
  auto& x = b.mirrored();
  x.admin = admin_state::down;
  auto y = b.fresh();
  CHECK(instance(y, x.name.c_str()).status == instance_status::admin_down);
  CHECK(missing(y.now) == missing(b.model));
  x.admin = admin_state::offline;
  CHECK(instance(b.fresh(), x.name.c_str()).status
        == instance_status::admin_offline);
  b.model = y.now;
  x.admin = admin_state::up;
  auto z = b.fresh();
  CHECK(instance(z, x.name.c_str()).status == instance_status::running);
  CHECK(missing(z.now) == missing(b.model));
}

TEST_CASE("what should run and does not counts as running, and is not moved") {
  rig b;
  auto name = b.mirrored().name;
  auto& spec = b.model.instances[at(instance_named(b.model, name))];
  spec.status = instance_status::error_down;
  b.model.nodes[at(spec.primary)].free_memory += spec.memory;
  auto before = missing(b.model);
  auto x = b.fresh();
  CHECK(instance(x, name.c_str()).status == instance_status::running);
  CHECK(missing(x.now) == before);
  CHECK(unwell(x, name.c_str()) == "its status is ERROR_down");
  // Moved by a repair since: it was started there.
  auto& r = b.one(name.c_str());
  std::swap(r.primary, r.secondaries.front());
  CHECK(unwell(b.fresh(), name.c_str()).empty());
  CHECK(missing(b.fresh().now) == before);
}

TEST_CASE("what its user shut down is left alone: moving would start it") {
  rig b;
  auto name = b.mirrored().name;
  b.model.instances[at(instance_named(b.model, name))].status
    = instance_status::user_down;
  CHECK_FALSE(unwell(b.fresh(), name.c_str()).empty());
}

TEST_CASE("a model that makes no sense says where") {
  rig b;
  CHECK(fault_of(b.model).empty());
  CHECK(fault_of({}) == "the model has no nodes");
  auto bad = b.model;
  bad.instances[3].primary = 9;
  CHECK(fault_of(bad) == "instance inst3 of the model is on an unknown node");
  bad = b.model;
  bad.instances[3].secondary = -2;
  CHECK(fault_of(bad) == "instance inst3 of the model is on an unknown node");
  bad.instances[3].secondary = bad.instances[3].primary;
  CHECK_FALSE(fault_of(bad).empty());
  bad = b.model;
  bad.nodes[2].group = 1;
  CHECK(fault_of(bad) == "node node2 of the model is in an unknown group");
}

} // namespace orderly::place_refresh_test
