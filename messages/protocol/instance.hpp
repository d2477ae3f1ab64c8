// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Auto-repair of one instance, and what it is told of the picture.

#pragma once

#include "messages/cluster.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/permit_client.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/standing.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <string>
#include <vector>

namespace orderly {

/// A piece of the current picture, for one instance.
struct instance_facts {
  instance_record record;
  std::vector<node_record> nodes;               ///< its own nodes
  std::map<node_name, node_standing> standings; ///< of its own nodes
  group_name group;
  std::vector<std::string> group_tags;
  std::vector<std::string> cluster_tags;
  /// Ids of repairs that its pending tags bear, and tags of another instance
  /// too: of which.
  std::map<incident_id, instance_name> shared;
  std::vector<running_job> jobs; ///< that name the instance
  /// Nodes in service in the instance's group that are none of its own: where
  /// a new mirror, or all of it, could go.
  std::uint32_t spare_nodes = 0;
  std::string held; ///< automation leaves one of its nodes alone, for this
  /// Nodes of its group, its own among them, that a person ordered off; why.
  std::map<node_name, std::string> leaving;
  /// The first of them that the cluster's allocator could pick: it takes none
  /// that are drained, out of service or no place for instances. Or empty.
  node_name pickable;
  std::map<node_name, std::string> rising; ///< its own, ordered on; why
  /// Nodes of the cluster on which nothing is to be put, because they are out
  /// of service or in trouble, with a clause that says so; never null. Shared.
  std::shared_ptr<const std::map<node_name, std::string>> unfit
    = std::make_shared<const std::map<node_name, std::string>>();
  /// By the last answer, however long ago; empty: none.
  std::vector<disk_fault> mirror_fault;
  std::uint32_t mirror_seen = 0; ///< so many answers in a row said so
  bool mirror_well = false;      ///< the last answer said so
  bool mirror_near = false; ///< its nodes can be asked: that is how it is now
  instant mirror_read_at;   ///< when that was asked last; `never`: not yet
  instant mirror_heard_at;  ///< ... and answered
  instant read_at;
};

/// Is what this instance has on its mirror's node the newest there is, and what
/// it has on its home?
struct copy_question {
  instance_name instance;
};

/// Why it is not, or why that is not known: clauses. Empty: as far as anybody
/// has heard it is.
struct copy_answer {
  std::string fault;
  std::string home_fault{}; ///< of the copy on the home
};

/// Who is asked before an instance moves to its other copy.
using copy_judge = caf::typed_actor<
  /// Answered at once, by what was heard and remembered: no mirror is asked.
  caf::replies_to<copy_question>::with<copy_answer>>;

/// Auto-repair of one instance.
using instance_actor = copy_judge::extend_with<caf::typed_actor<
  /// When something of them changed, and with each reading for who asked for
  /// `attention`. Until the journal was read they are kept.
  caf::reacts_to<instance_facts>,
  /// Answered when the job that writes the pending tag is in the queue, or will
  /// not be, which may take minutes; the repair itself comes later. Each
  /// request writes a tag of its own.
  caf::replies_to<repair_request>::with<repair_answer>,
  /// Its alarm: something ended by itself, or the usual look is due.
  caf::reacts_to<tick>>>::extend_with<job_client>::extend_with<permit_client>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_facts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::copy_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::copy_answer)
