// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/model/cluster.hpp"
#include "tests/sim/ports/rig.hpp"

#include <algorithm>

namespace orderly::ports_model_test {

using namespace orderly::sim;
using namespace orderly::sim::port_test;
using planning::instance_status;

namespace {

model_answer model(rig& b, millis limit = seconds{10}) {
  return b.ask<model_answer>(b.outside.model, read_model{true, limit});
}

template <class T>
const T& named(const std::vector<T>& all, const std::string& name) {
  auto i = std::find_if(all.begin(), all.end(),
                        [&](const T& x) { return x.name == name; });
  REQUIRE(i != all.end());
  return *i;
}

} // namespace

TEST_CASE("the model says what the simulated nodes have and what they run") {
  rig b;
  auto x = model(b);
  REQUIRE(x.model);
  CHECK(x.silent.empty());
  CHECK(x.loaded);
  const auto& c = *x.model;
  REQUIRE(c.groups.size() == 1);
  CHECK(c.tags == b.lab->cluster.record().tags);
  const auto& node = named(c.nodes, "node2");
  CHECK(node.total_memory == 64 * 1024);
  CHECK(node.free_memory == b.lab->cluster.room("node2").memory_mib);
  CHECK(node.total_disk == 2 * 1024 * 1024);
  CHECK(node.free_disk == b.lab->cluster.room("node2").disk_mib);
  CHECK(node.total_cpus == 16);
  CHECK_FALSE(node.offline);
  const auto& web = named(c.instances, "web1");
  CHECK(web.status == instance_status::running);
  CHECK(web.disks == planning::disk_template::drbd);
  CHECK(web.memory == 1024);
  CHECK(web.disk == 10 * 1024);
  CHECK(c.nodes[planning::at(web.primary)].name == "node1");
  CHECK(c.nodes[planning::at(web.secondary)].name == "node2");
  CHECK(named(c.instances, "db1").secondary == -1);
}

TEST_CASE("free memory and what is taken of it add up to the whole") {
  rig b;
  auto x = model(b);
  REQUIRE(x.model);
  for (std::size_t n = 0; n < x.model->nodes.size(); ++n) {
    const auto& node = x.model->nodes[n];
    auto sum = node.free_memory;
    for (const auto& i : x.model->instances)
      if (planning::at(i.primary) == n && planning::uses_memory(i))
        sum += i.memory;
    CHECK(static_cast<double>(sum) == node.total_memory);
  }
}

TEST_CASE("a node that does not answer is waited for and then has no figures") {
  rig b;
  b.fault("power node2 off");
  auto begin = b.now();
  auto x = model(b);
  CHECK(b.now() - begin >= seconds{3});
  CHECK(b.now() - begin < seconds{4});
  REQUIRE(x.model);
  CHECK(x.silent == std::vector<node_name>{"node2"});
  const auto& node = named(x.model->nodes, "node2");
  CHECK(node.offline);
  CHECK(node.total_memory == 0);
  CHECK(named(x.model->instances, "web2").status
        == instance_status::error_node_down);
}

TEST_CASE("an offline node is not asked, a drained one is") {
  rig b;
  b.fault("power node2 off");
  REQUIRE(b.lab->cluster.set_offline("node2", true));
  REQUIRE(b.lab->cluster.set_drained("node3", true));
  auto begin = b.now();
  auto x = model(b);
  CHECK(b.now() - begin < seconds{1});
  REQUIRE(x.model);
  CHECK(x.silent.empty());
  CHECK(named(x.model->nodes, "node2").offline);
  CHECK(named(x.model->nodes, "node3").offline);
  CHECK(named(x.model->nodes, "node3").total_memory > 0);
  CHECK(named(x.model->instances, "web2").status
        == instance_status::error_node_offline);
}

TEST_CASE("instances have the status that their homes really give them") {
  rig b;
  b.lab->truth.stop_everywhere("web1");
  REQUIRE(b.lab->cluster.set_admin("web2", admin_state::down));
  b.lab->truth.stop_everywhere("db1");
  b.lab->truth.start("db1", "node3");
  REQUIRE(b.lab->cluster.set_admin("db2", admin_state::offline));
  auto x = model(b);
  REQUIRE(x.model);
  auto status
    = [&](const char* name) { return named(x.model->instances, name).status; };
  CHECK(status("web1") == instance_status::error_down);
  CHECK(status("web2") == instance_status::error_up);
  CHECK(status("db1") == instance_status::error_wrong_node);
  CHECK(status("db2") == instance_status::admin_offline);
  b.lab->truth.stop_everywhere("web2");
  x = model(b);
  CHECK(status("web2") == instance_status::admin_down);
}

TEST_CASE("without LUXI there is no model, and the limit passes") {
  rig b;
  b.fault("luxi down");
  auto begin = b.now();
  auto x = model(b, seconds{7});
  CHECK(b.now() - begin >= seconds{7});
  CHECK_FALSE(x.model);
  CHECK(x.text == "luxi: no answer within 7000 ms");
}

} // namespace orderly::ports_model_test
