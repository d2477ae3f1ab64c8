// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The next step against what is wrong with an instance, and what stands in
// its way; for the autorepair machine, which works it out once before it asks
// for a permit and once more before it acts.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

namespace orderly::autorepair {

struct plan {
  tags::repair_type type = tags::repair_type::fix_storage; ///< it takes
  act_kind act = act_kind::record;
  std::vector<opcode> ops; ///< of one job, in order; never empty
  node_name from;          ///< left by the step
  node_name onto;          ///< takes the load; empty: the cluster picks
  node_name beside;        ///< takes some too; empty: none, or not known
  bool mends = false;      ///< repairs a mirror where it is
  bool by_fault = false;   ///< of a mirror, whose nodes are all in service
};

/// Do both do the same to the instance? Their tags, their waits, and the places
/// that they name are not compared.
bool is_same_deed(const std::vector<opcode>& a, const std::vector<opcode>& b);

/// Works through the daemons of the instance's home.
inline bool works_at_home(act_kind act) {
  return act == act_kind::fix_storage || act == act_kind::migrate;
}

/// nullopt: nothing is wrong, or nothing is ever done about it. `s` tells
/// whether it was us who marked the instance down.
std::optional<plan> plan_for(const state& s, const facts& seen, const rules& r);

/// So many spare nodes that have room for all of the instance, by their last
/// answer; empty if there are not enough. The one with the most free memory
/// first, then by free disk; ties go by name.
std::vector<node_name> place(const facts& seen, std::size_t count);

enum class obstacle_kind {
  none,
  proof,    ///< it is not certain that a node is down, or stays up
  ask_room, ///< spare nodes must be asked for room first
  room,     ///< there is none
};

struct obstacle {
  obstacle_kind kind = obstacle_kind::none;
  std::string text; ///< a sentence for people
};

/// Why it is not certain that the node is down and stays so; empty: it is.
std::string missing_proof(const node_view& x, const rules& r, instant now);

/// Of which node that holds a copy it is not certain that it is down, for an
/// act that takes it for dead; empty: of none. A reinstall destroys all copies.
std::string missing_proofs(act_kind act, const facts& seen, const rules& r,
                           instant now);

/// Why nothing is to be put on the node now, a clause, or empty. A failover is
/// never tried twice: it waits until its target is well, or lost for good.
std::string bad_place(const node_view& node);

/// The same of the mirror's node, if the act fills that.
std::string bad_target(act_kind act, const node_name& onto, const facts& seen);

/// Why the step may not be taken yet, whatever the tags allow.
obstacle obstacle_to(const plan& p, const facts& seen, const rules& r,
                     instant now);

/// "add tag ... to instance X, group G or the cluster".
std::string tag_to_add(tags::repair_type type, const facts& seen);

/// The same for what costs no data; for a reinstall what it would cost, because
/// nobody is led there while a copy may live.
std::string leave_for(tags::repair_type type, const facts& seen);

/// "fail over", "migrate", ...: what comes after "would".
const char* verb_of(act_kind act);

/// Failed tries of that step, as they will count once it is turned to.
std::uint32_t tries_of(const state& s, act_kind act);

} // namespace orderly::autorepair
