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
  millis time_limit{}; ///< for all of it
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

/// Who is not in `nodes` did not answer: that is no room of 0.
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
  bool done = false; ///< it was read that it is so
  std::string text;  ///< why not
};

/// The cluster's state of record, and what its nodes say of themselves.
using cluster_port = caf::typed_actor<
  /// The queue is read before all else, so that what a job does while we read
  /// is not known without that job. The same pointer again: nothing changed.
  caf::replies_to<read_cluster>::with<cluster_answer>,
  /// Nodes are asked: one that hangs may cost the whole time limit.
  caf::replies_to<read_room>::with<room_answer>,
  /// A job in the queue looks at the disks; it is cancelled if it does not end
  /// within the time limit.
  caf::replies_to<read_mirrors>::with<mirrors_answer>,
  /// A pause that a person had set comes back when ours ends. Silence: it may
  /// or may not be in force.
  caf::replies_to<pause_watcher>::with<watcher_answer>>;

/// The cluster's job queue. Held by the job submitter alone.
using job_port = caf::typed_actor<
  /// May take minutes. Silence is `unknown`: some may be in the queue.
  caf::replies_to<job_submission>::with<submit_answer>,
  /// Answered at the next change of the status, or at the time limit with the
  /// one that is known; sooner if many watch.
  caf::replies_to<job_watch>::with<job_state>,
  /// Reads the whole queue, by a reading that begins after it was asked.
  caf::replies_to<trail_query>::with<trail_answer>,
  /// By ids alone: `trail` and `names` are not looked at.
  caf::replies_to<job_lookup>::with<job_lookup_answer>,
  /// Answered with the job as it is afterwards: not always canceled.
  caf::replies_to<job_cancel>::with<job_state>>;

/// The power switch. Held by the oob actor alone.
using power_port = caf::typed_actor<
  /// One run of a helper, which may end some seconds after its time limit.
  /// Silence: a command may have worked all the same.
  caf::replies_to<power_request>::with<power_answer>,
  /// Answered at once: only the file is looked at, and nothing runs.
  caf::replies_to<program_question>::with<program_answer>>;

/// Health and activity of nodes, seen from here. Answered within the time limit
/// of the question; silence is `not_looked`.
using probe_port = caf::typed_actor<
  /// One health check. The flags of the question are for the collector.
  caf::replies_to<probe_request>::with<sighting>,
  /// The first sign of life will do, and ends the check.
  caf::replies_to<activity_request>::with<activity_answer>>;

/// Durable memory. An answer that is not `durable` means unknown: the port
/// has closed its file, and the next read opens it again.
using journal_port = caf::typed_actor<
  /// Answered after the commit. If too many wait it is refused, and so are all
  /// that follow, until a reading is asked for.
  caf::replies_to<journal_batch>::with<journal_ack>,
  /// After all batches before it; the first one opens the file.
  caf::replies_to<journal_read>::with<journal_contents>>;

/// The cluster in a planner's numbers.
using model_port = caf::typed_actor<
  /// One at a time: with others before it, it takes as long as they do, too.
  caf::replies_to<read_model>::with<model_answer>>;

/// The agents on the nodes: what they say of their nodes, and what they keep
/// for a repair command.
using agent_port = caf::typed_actor<
  /// Answered about at the time limit at the latest, whatever the agent does.
  caf::replies_to<ask_diagnosis>::with<diagnosis>,
  /// Nothing runs yet: the job that follows takes it. Silence: it may be kept
  /// there, and is worth nothing without that job.
  caf::replies_to<deposit_repair>::with<deposit_answer>>;

/// Searches, on a thread of its own where there are any: no actor of the tree
/// waits while it thinks.
using planner_port = caf::typed_actor<
  /// The best that was found by its `deadline`, which counts from when it
  /// begins: it waits for those before it.
  caf::replies_to<plan_question>::with<plan_answer>,
  /// A short search, without a deadline.
  caf::replies_to<target_question>::with<target_answer>,
  /// Likewise for all that is on those nodes.
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
