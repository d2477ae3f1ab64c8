// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/added_nodes.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// What both reach; nothing said means everything.
void keep_common(std::optional<std::vector<storage_pool>>& a,
                 const std::optional<std::vector<storage_pool>>& b) {
  if (!b)
    return;
  if (!a) {
    a = b;
    return;
  }
  a->erase(std::remove_if(a->begin(), a->end(),
                          [&](const storage_pool& x) {
                            return std::find(b->begin(), b->end(), x)
                                   == b->end();
                          }),
           a->end());
}

} // namespace

bool has_figures(const node_spec& x) {
  return x.total_memory > 0 && x.total_cpus > 0;
}

node_spec empty_twin(const node_spec& like) {
  auto x = like;
  x.own_cpu_load = 0;
  x.free_memory = static_cast<mib>(x.total_memory) - x.node_memory;
  x.free_disk = static_cast<mib>(x.total_disk);
  x.free_spindles = x.exclusive_storage ? x.spindles : 0;
  x.offline = x.dead = x.master = x.master_candidate = false;
  return x;
}

result<node_spec> node_of_size(const cluster& c, const new_nodes& x,
                               int group) {
  node_spec n;
  n.group = group;
  n.total_memory = static_cast<double>(x.memory);
  n.total_disk = static_cast<double>(x.disk);
  n.total_cpus = static_cast<double>(x.cpus);
  n.node_cpus = 0;
  auto any = false;
  for (const auto& other : c.nodes) {
    if (other.group != group)
      continue;
    if (other.exclusive_storage)
      return fault{fault_kind::bad_input,
                   "nodes of group " + c.groups[at(group)].name
                     + " have exclusive storage, of which sizes do not say "
                       "enough; add nodes like one of them (like:"
                     + other.name + ")"};
    any = true;
    n.node_memory = std::max(n.node_memory, other.node_memory);
    n.node_cpus = std::max(n.node_cpus, other.node_cpus);
    n.spindles = std::max(n.spindles, other.spindles);
    keep_common(n.pools, other.pools);
  }
  if (!any)
    n.node_cpus = 1;
  if (n.node_memory >= x.memory)
    return fault{fault_kind::bad_input,
                 "a node of " + std::to_string(x.memory)
                   + " MiB has no memory for instances: nodes of group "
                   + c.groups[at(group)].name + " keep up to "
                   + std::to_string(n.node_memory)
                   + " for themselves; sizes are in MiB unless they have a "
                     "unit (192g)"};
  return empty_twin(n);
}

} // namespace orderly::planning
