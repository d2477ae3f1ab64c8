// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One node of a walk: what is so about it, and how those behave whom its actor
// asks. The walk turns the knobs, the cast goes by them.

#pragma once

#include "messages/protocol/node.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"
#include "sim/walk/inputs.hpp"

#include <map>
#include <memory>
#include <string>

namespace orderly::sim::walking {

/// How the guards answer whoever wants to act.
enum class guard_mood { grants, holds, storms, silent };

/// What comes of an order to reset it or to switch it off.
enum class order_end {
  honest,   ///< asks its witness, and does it
  fails,    ///< asks its witness, and the command fails
  by_wish,  ///< refused, for a person wants otherwise
  held,     ///< a command was due, and did not leave
  answered, ///< likewise, for its daemons answer
  unread,   ///< likewise, for its power could not be read
  hangs,    ///< nobody ever says
};

struct host {
  node_facts facts;
  // What is so.
  health daemons = health::healthy;
  bool refuses = false; ///< unhealthy, but something answers
  activity moves = activity::inactive;
  bool activity_hangs = false;
  power_state power = power_state::on;
  bool reads = true; ///< its controller says what its power is
  power_wish wish;
  guard_mood guards = guard_mood::grants;
  order_end orders = order_end::honest;
  bool marks_work = true; ///< jobs that mark it offline
  // What the walk knows of it.
  ha_phase phase = ha_phase::available;
  instant due;
  node_actor actor;
};

using hosts = std::map<node_name, host>;
using hosts_ptr = std::shared_ptr<hosts>;

} // namespace orderly::sim::walking
