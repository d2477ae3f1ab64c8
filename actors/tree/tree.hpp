// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The one assembly: ports and rules in, a running tree out. Live, drill and
// demo differ in nothing else.
//
//   root: restarts the core, with a bound
//    '-- core: linked, falls and rises as one
//         |-- journal, view, leader, scheduler, collector
//         |-- oob, job_submitter, desk, balancer, mirrors, intake
//         |-- members (supervisor): one for one
//         |     |-- node:NAME ...
//         |     |-- group:NAME ...
//         |     |-- instance:NAME ...
//         |     '-- event:UUID ...
//         '-- cluster
//
// All of the core's state is in the journal, so that falling as one is cheap
// and leaves no half-informed survivors (ADR 0011).

#pragma once

#include "actors/shell/shell.hpp"
#include "messages/protocol/balancer.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/desk.hpp"
#include "messages/protocol/intake.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <deque>
#include <functional>

namespace orderly {

/// Where programs knock. Handles change when the core restarts: ask again.
struct ask_counters {};

struct front {
  view_actor view;
  scheduler_actor scheduler;
  journal_actor journal;
  cluster_actor cluster;
  desk_actor desk;
  balancer_actor balancer;
  intake_actor events;
};

/// Stop in order: what decides first, what remembers last.
struct stop_tree {};

struct tree_stopped {
  std::string text;
};

using root_actor
  = caf::typed_actor<caf::replies_to<ask_counters>::with<front>,
                     caf::replies_to<stop_tree>::with<tree_stopped>,
                     caf::reacts_to<front>, caf::reacts_to<tick>>;

/// Hears, from an actor's thread, why the core fell.
using fall_teller = std::function<void(const std::string& cause)>;

struct root_state {
  static inline const char* name = "root";

  context_ptr ctx;
  ports world;
  caf::actor core;
  front now_at; ///< empty while the core is down
  std::vector<caf::typed_response_promise<front>> knocking;
  std::deque<caf::actor_clock::time_point> restarts;
  bool stopping = false;
  fall_teller tell;
  std::string fell; ///< why the core fell last; empty: that is in the journal
  std::vector<caf::typed_response_promise<tree_stopped>> waiting;
};

root_actor::behavior_type root(root_actor::stateful_pointer<root_state> self,
                               context_ptr ctx, ports world, fall_teller tell);

/// Starts the tree.
root_actor spawn_tree(caf::actor_system& system, context_ptr ctx, ports world,
                      fall_teller tell = {});

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_counters)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::front)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::stop_tree)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::tree_stopped)
