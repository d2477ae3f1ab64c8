// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/state/model.hpp"

#include "actors/planning/model/cluster.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace orderly::sim {

namespace {

using planning::instance_status;

/// The template by the same name.
planning::disk_template template_of(disk_template x) {
  using to = planning::disk_template;
  switch (x) {
  case disk_template::diskless:
  case disk_template::unknown:
    return to::diskless;
  case disk_template::file:
    return to::file;
  case disk_template::sharedfile:
    return to::sharedfile;
  case disk_template::plain:
    return to::plain;
  case disk_template::blockdev:
    return to::blockdev;
  case disk_template::drbd:
    return to::drbd;
  case disk_template::rbd:
    return to::rbd;
  case disk_template::ext:
    return to::ext;
  case disk_template::gluster:
    return to::gluster;
  }
  return to::diskless;
}

/// Offline nodes and those that run no instances are not asked.
bool is_asked(const node_record& x) {
  return !x.offline && x.vm_capable;
}

instance_status status_of(const lab_state& lab, const instance_record& x) {
  if (x.admin == admin_state::offline)
    return instance_status::admin_offline;
  const auto& home = *lab.cluster.node(x.primary);
  if (home.offline)
    return instance_status::error_node_offline;
  if (!lab.cluster.answers(x.primary))
    return instance_status::error_node_down;
  auto wanted = x.admin == admin_state::up;
  if (lab.truth.runs_on(x.name, x.primary))
    return wanted ? instance_status::running : instance_status::error_up;
  if (!lab.truth.homes(x.name).empty())
    return instance_status::error_wrong_node;
  return wanted ? instance_status::error_down : instance_status::admin_down;
}

planning::node_spec node_of(const lab_state& lab, const node_record& x) {
  planning::node_spec n;
  n.name = x.name;
  n.master = x.name == lab.cluster.record().master;
  n.tags = x.tags;
  n.offline = x.offline || x.drained || !x.vm_capable;
  n.dead = x.offline;
  if (!is_asked(x))
    return n;
  if (!lab.cluster.answers(x.name)) {
    n.offline = n.dead = true;
    return n;
  }
  const auto& all = lab.cluster.stock(x.name);
  auto left = lab.cluster.room(x.name);
  n.total_memory = static_cast<double>(all.memory_mib);
  n.free_memory = left.memory_mib;
  n.total_disk = static_cast<double>(all.disk_mib);
  n.free_disk = left.disk_mib;
  n.total_cpus = static_cast<double>(all.cpus);
  return n;
}

planning::instance_spec instance_of(const lab_state& lab,
                                    const instance_record& x,
                                    const std::map<node_name, int>& nodes) {
  planning::instance_spec i;
  i.name = x.name;
  i.memory = x.memory_mib;
  i.vcpus = 1;
  i.status = status_of(lab, x);
  i.primary = nodes.at(x.primary);
  if (!x.secondaries.empty())
    i.secondary = nodes.at(x.secondaries.front());
  i.disks = template_of(x.disks);
  i.disk_sizes = x.disks_mib;
  for (auto size : x.disks_mib)
    i.disk += size;
  i.tags = x.tags;
  return i;
}

} // namespace

std::vector<node_name> silent_nodes(const lab_state& lab) {
  std::vector<node_name> result;
  for (const auto& x : lab.cluster.record().nodes)
    if (is_asked(x) && !lab.cluster.answers(x.name))
      result.push_back(x.name);
  return result;
}

cluster_model make_model(const lab_state& lab) {
  const auto& record = lab.cluster.record();
  auto result = std::make_shared<planning::cluster>();
  result->tags = record.tags;
  std::map<group_name, int> groups;
  for (const auto& x : record.groups) {
    groups[x.name] = static_cast<int>(result->groups.size());
    planning::node_group g;
    g.name = x.name;
    g.uuid = x.uuid;
    g.tags = x.tags;
    result->groups.push_back(std::move(g));
  }
  std::map<node_name, int> nodes;
  for (const auto& x : record.nodes) {
    nodes[x.name] = static_cast<int>(result->nodes.size());
    result->nodes.push_back(node_of(lab, x));
    result->nodes.back().group = groups.at(x.group);
  }
  for (const auto& x : record.instances)
    result->instances.push_back(instance_of(lab, x, nodes));
  return result;
}

} // namespace orderly::sim
