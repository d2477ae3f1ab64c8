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

/// Of each part what is asked from outside of the tree, and no more.
struct front {
  view_counter view;
  pause_counter scheduler;
  journal_actor journal; ///< for alerts of what has no actor in the tree
  cluster_counter cluster;
  errand_counter desk;
  balance_counter balancer;
  event_counter events;
};

/// Stop in order: what decides first, what remembers last.
struct stop_tree {};

struct tree_stopped {
  std::string text;
};

using root_actor = caf::typed_actor<
  /// Answered at once while the core is up, else when it is up again; an
  /// error once it will not be raised any more.
  caf::replies_to<ask_counters>::with<front>,
  /// Answered when all parts have exited. What is asked for after that is an
  /// error.
  caf::replies_to<stop_tree>::with<tree_stopped>,
  /// By the core, as it is up: whoever knocks gets these.
  caf::reacts_to<front>,
  /// The pause before the core is raised again is over.
  caf::reacts_to<tick>>;

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
