// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May host HA act on this node at all? Cheap, no I/O; names the criterion
// that fails (spec host-ha C.2, R8).

#pragma once

#include "actors/policy/host_ha/providers.hpp"
#include "messages/cluster.hpp"

#include <optional>
#include <string>

namespace orderly {

/// Which part of the rule failed, in the order in which they are asked.
enum class criterion {
  none,
  self, ///< we run on it
  master,
  held,        ///< a person works on it, its group or the cluster
  maintenance, ///< marked offline by a person
  recorded_off,
  not_vm_capable,
  no_power_control,
  unprotected, ///< its power is not known: its controller cannot be relied upon
  hypervisor,  ///< its provider is for others
  unwatched,   ///< nobody could see whether it is active
  no_neighbour,
};

struct eligibility_input {
  node_record node;
  std::string program;     ///< the first helper that would be tried; or empty
  bool recorded_on = true; ///< the power record in force
  std::string held;        ///< a person's doing that automation keeps out of
  /// Why its power control cannot be relied upon; empty: it can, as far as
  /// is known.
  std::string unprotected;
  bool is_self = false; ///< the node we run on
  bool is_master = false;
  bool ha_maintenance = false;  ///< the offline flag is HA's own doing
  std::uint32_t neighbours = 0; ///< other nodes online in the cluster
  /// What runs its instances, and who treats it. A node of a cluster whose
  /// family nobody told is one that its provider serves.
  std::optional<host_ha::family> family = {};
  const host_ha::provider_card* provider = nullptr;
  /// Why no witness could say whether it is active. Empty: one could, or none
  /// is asked, as where only its ports are.
  std::string unwatched = {};
};

struct eligibility_answer {
  bool eligible = true;
  std::string reason; ///< why not
  criterion failed = criterion::none;
};

eligibility_answer eligible(const eligibility_input& in);

/// As it is kept; `none` if it is no such number.
criterion criterion_from(std::int64_t number);

/// Is that a person's doing, or a time in which nobody could read its power, so
/// that people may have worked on the node meanwhile?
bool may_be_worked_on(criterion failed);

} // namespace orderly
