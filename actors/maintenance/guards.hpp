// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds events back that want to begin: too many at once, or another one
// of their node. Used by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// Judges whether so many ask that none is to begin, and tells of it.
void weigh(self_ptr self);

/// What limits are judged by, for all events at once.
struct guard_load {
  std::size_t nodes_max = 0;
  std::size_t begins_max = 0;
  bool unknown = false;                   ///< an event is being started
  std::set<node_name> busy;               ///< events work there
  std::size_t recent = 0;                 ///< begun within the time that counts
  std::set<std::string> kept;             ///< events for which a slot is kept
  std::map<node_name, std::size_t> slots; ///< how many of those, by node
  std::size_t waiting = 0; ///< of those nodes, on which no event works

  void keep_slot(const event_standing& x);
};

/// Why an event must not begin; empty: it may.
std::string held(const intake_state& st, const event_standing& x,
                 const guard_load& load);

/// Keeps slots for those that are to begin now, up to the limits.
guard_load give_slots(intake_state& st, std::vector<event_standing> all,
                      const std::set<std::string>& turns, instant at);

/// All events of one machine, by its UUID. Points into `all`.
std::map<std::string, std::vector<const event_standing*>>
by_machine(const std::vector<event_standing>& all);

/// When a repair command of another event of its node, or of another master's,
/// was on its way last; `never`: none was.
instant worked_at(const intake_state& st, const event_standing& x,
                  const std::vector<const event_standing*>& of_node,
                  instant at);

/// The last reading of marks of its node that a person took away since, under
/// another event; `never`: there are none.
instant given_up_at(const event_standing& x,
                    const std::vector<const event_standing*>& of_node);

} // namespace orderly::intake_parts
