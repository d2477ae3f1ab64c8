// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which nodes host HA treats: a node has a provider and a switch of its own,
// and above it stand the switches of its group and of the cluster, which are on
// unless somebody turned them off. What a person asks for is ruled upon here,
// as one answer an object, and kept by the desk. Pure.
//
//   seed's words   ours
//   zone           the cluster
//   cluster        a node group
//   host           a node

#pragma once

#include "actors/policy/host_ha/providers.hpp"
#include "messages/cluster.hpp"
#include "messages/errand.hpp"
#include "messages/fields.hpp"
#include "messages/ha_switches.hpp"

#include <string>
#include <vector>

namespace orderly::host_ha {

/// What keeps host HA off a node.
enum class off_by { nothing, provider, node, group, cluster };

/// How a node is switched.
struct stand {
  std::string provider;
  bool enabled = false; ///< by its own switch
  off_by off = off_by::nothing;
  std::string why; ///< a clause; empty if it is treated
};

/// Where nodes have to opt in, one is treated if it was configured and enabled,
/// else unless it was disabled; and no switch above it may be off.
stand stand_of(const ha_switches& all, const cluster_record& picture,
               const node_record& node);

/// Is the group's own switch on?
bool is_on(const ha_switches& all, const group_record& group);

/// Why something is not done.
enum class refused_as {
  nothing,
  no_name,
  unknown_object,
  no_provider,
  unknown_provider,
  foreign_provider, ///< of another kind of host
  unconfigured,     ///< enabling without a provider
};

/// For programs at a door.
refused_for kind_of(refused_as x);

/// What comes of a request for one object.
struct ruled_row {
  std::string object;
  row_kind kind = row_kind::node;
  refused_as refused = refused_as::nothing;
  std::string text; ///< a sentence: what is so now, or why not
  std::string uuid; ///< of a group
};

struct ruling {
  refused_as refused = refused_as::nothing; ///< of all of it
  std::string text;
  std::vector<ruled_row> rows;
  ha_switches next;
};

/// Configure, enable and disable. A bad node stops no other; what is wrong with
/// all that was named is refused as a whole.
ruling rule(const ha_errand& asked, const std::string& who,
            const cluster_record& picture, const ha_switches& all);

/// For a list: the nodes that are meant. `refused` if one is not there.
ruling select(const ha_errand& asked, const cluster_record& picture);

fields to_fields(const node_switch& x);
fields to_fields(const upper_switch& x);
node_switch node_switch_from(const fields& f);
upper_switch upper_switch_from(const fields& f);

} // namespace orderly::host_ha
