// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes may take instances just now, and which are no place at all. Both
// lists are kept up to date by what changed of one node: a cluster has
// thousands of them, and a rack that is lost changes forty in a minute.

#pragma once

#include "actors/cluster/cluster.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace orderly {

/// In service: it may take instances and mirrors.
inline bool can_host(const node_record& node) {
  return !node.offline && !node.drained && node.vm_capable;
}

/// The same, and no person works on it or ordered it off.
inline bool may_take(const cluster_state& st, const node_record& node) {
  // In service again by the record, and nobody has looked at it yet.
  auto i = st.standings.find(node.name);
  auto fenced = i != st.standings.end() && i->second.phase == ha_phase::fenced;
  return can_host(node) && !fenced && st.held.count(node.name) == 0
         && st.leaving.count(node.name) == 0 && st.upkeep.count(node.name) == 0;
}

/// Nodes that may take instances, by group: all of them counted.
std::map<group_name, std::uint32_t> spares_in(const cluster_state& st);

/// Brings `spares` up to date after a standing of that node; before it the node
/// might, or might not, take instances.
void recount(cluster_state& st, const node_record& node, bool took);

using unfit_nodes = std::map<node_name, std::string>;

/// Nodes that nothing is to be put on, and why: all of them looked at.
std::shared_ptr<const unfit_nodes> unfit_in(const cluster_state& st);

/// Brings `unfit` up to date after a standing of that node.
void reconsider(cluster_state& st, const node_record& node);

} // namespace orderly
