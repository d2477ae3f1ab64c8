// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The state of record that a model was read with. Header only, so that tests
// of actors can use it, too.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/cluster.hpp"
#include "tests/support/planning/samples.hpp"

namespace orderly::planning::samples {

inline admin_state wish_of(instance_status x) {
  if (x == instance_status::admin_offline)
    return admin_state::offline;
  return x == instance_status::admin_down ? admin_state::down : admin_state::up;
}

inline cluster_record record_of(const cluster& c) {
  cluster_record r;
  r.tags = c.tags;
  for (const auto& g : c.groups) {
    group_record x;
    x.name = g.name;
    r.groups.push_back(x);
  }
  for (const auto& n : c.nodes) {
    node_record x;
    x.name = n.name;
    x.group = c.groups[at(n.group)].name;
    x.offline = n.offline;
    x.tags = n.tags;
    r.nodes.push_back(x);
  }
  for (const auto& i : c.instances) {
    instance_record x;
    x.name = i.name;
    x.primary = c.nodes[at(i.primary)].name;
    if (i.secondary >= 0)
      x.secondaries = {c.nodes[at(i.secondary)].name};
    x.disks = disk_template_from(std::string{name_of(i.disks)});
    x.admin = wish_of(i.status);
    x.tags = i.tags;
    x.memory_mib = i.memory;
    x.disks_mib = {i.disk};
    r.instances.push_back(x);
  }
  return r;
}

} // namespace orderly::planning::samples
