// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The outside world, as typed actors. `io/` and `sim/` each provide actors of
// these types; nothing above can tell which it talks to. Messages may be
// lost, late or lies only behind these interfaces.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"
#include "messages/journal_entry.hpp"
#include "messages/plan.hpp"
#include "messages/power.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/sighting.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace orderly {

/// Asks for the current picture.
struct read_cluster {
  millis time_limit{};
};

struct cluster_answer {
  cluster_picture picture; ///< null: no answer
  bool is_master = false;  ///< this host is the master, as the cluster says
  std::string text;        ///< why there is no picture
};

/// Asks nodes in service how much room they have.
struct read_room {
  std::vector<node_name> nodes; ///< empty: none
  millis time_limit{};
};

struct room_answer {
  bool answered = false;
  std::vector<node_room> nodes; ///< those that answered, sorted by name
  std::string text;             ///< why there is no answer
};

/// Asks the nodes of mirrored instances how the mirrors are. All of an
/// instance's nodes must be in service, or the answer takes long.
struct read_mirrors {
  std::vector<instance_name> instances; ///< empty: none
  millis time_limit{};
};

struct mirrors_answer {
  bool answered = false;
  /// Instances whose mirror is faulty, or being synchronised: a copy that is
  /// half written is as good as none.
  std::map<instance_name, std::vector<disk_fault>> faults;
  std::string text; ///< why there is no answer
  /// Instances of which both nodes said that nothing is wrong. Who is neither
  /// here nor in `faults` was not heard of.
  std::set<instance_name> well;
};

/// Keeps the cluster's own watcher from starting instances until then.
struct pause_watcher {
  instant until; ///< in the past: it goes on
  millis time_limit{};
};

struct watcher_answer {
  bool done = false;
  std::string text; ///< why not
};

/// The cluster's state of record, and what its nodes say of themselves.
using cluster_port
  = caf::typed_actor<caf::replies_to<read_cluster>::with<cluster_answer>,
                     caf::replies_to<read_room>::with<room_answer>,
                     caf::replies_to<read_mirrors>::with<mirrors_answer>,
                     caf::replies_to<pause_watcher>::with<watcher_answer>>;

/// The cluster's job queue. Held by the job submitter alone.
using job_port
  = caf::typed_actor<caf::replies_to<job_submission>::with<submit_answer>,
                     caf::replies_to<job_watch>::with<job_state>,
                     caf::replies_to<trail_query>::with<trail_answer>,
                     caf::replies_to<job_lookup>::with<job_lookup_answer>,
                     caf::replies_to<job_cancel>::with<job_state>>;

/// The power switch. Held by the oob actor alone.
using power_port
  = caf::typed_actor<caf::replies_to<power_request>::with<power_answer>,
                     caf::replies_to<program_question>::with<program_answer>>;

/// Health and activity of nodes, seen from here.
using probe_port
  = caf::typed_actor<caf::replies_to<probe_request>::with<sighting>,
                     caf::replies_to<activity_request>::with<activity_answer>>;

/// Durable memory. An answer that is not `durable` means unknown: the port
/// has closed its file, and the next read opens it again.
using journal_port
  = caf::typed_actor<caf::replies_to<journal_batch>::with<journal_ack>,
                     caf::replies_to<journal_read>::with<journal_contents>>;

/// The cluster in a planner's numbers.
using model_port
  = caf::typed_actor<caf::replies_to<read_model>::with<model_answer>>;

/// The agents on the nodes: what they say of their nodes, and what they keep
/// for a repair command.
using agent_port
  = caf::typed_actor<caf::replies_to<ask_diagnosis>::with<diagnosis>,
                     caf::replies_to<stage_repair>::with<stage_answer>>;

/// Searches, on a thread of its own where there are any: no actor of the tree
/// waits while it thinks.
using planner_port = caf::typed_actor<
  caf::replies_to<plan_question>::with<plan_answer>,
  caf::replies_to<target_question>::with<target_answer>,
  caf::replies_to<evacuation_question>::with<evacuation_answer>>;

/// Everything that a tree of actors needs from outside.
struct ports {
  cluster_port cluster;
  job_port jobs;
  power_port power;
  probe_port probes;
  journal_port journal;
  // Without these three nothing is balanced, and the cluster's allocator picks
  // the nodes.
  model_port model{};
  planner_port planner{}; ///< for plans, which may take seconds
  planner_port placer{};  ///< for targets, so that they wait for no plan
  agent_port agents{};    ///< without it there are no repair events
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::read_cluster)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::cluster_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::read_room)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::room_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::read_mirrors)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::mirrors_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::pause_watcher)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::watcher_answer)
