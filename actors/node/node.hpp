// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The node actor: host HA of one node. Shell of two machines: policy/host_ha
// decides what is done about the node, and policy/trust what is believed of its
// power and life. It runs the health checks, feeds what is seen to both, writes
// every decision down and carries it out afterwards.

#pragma once

#include "actors/node/provider.hpp"
#include "actors/policy/host_ha/eligibility.hpp"
#include "actors/policy/host_ha/host_ha.hpp"
#include "actors/policy/trust/belief.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/dice.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/recollection.hpp"
#include "messages/protocol/scheduler.hpp"

#include <functional>

namespace orderly {

/// One step of a node's machine, as its actor takes it.
struct machine_step {
  const node_name& node;
  const host_ha::state& from;
  const host_ha::event& event;
  const host_ha::verdict& answer;
  instant at;
  std::uint64_t ticket = 0; ///< of the newest check or order
  std::uint64_t acts = 0;   ///< orders, of all its lives
};

/// Sees each step before it is written down, and changes nothing.
using step_reader = std::function<void(const machine_step&)>;

/// Whom a node's actor works with.
struct node_peers {
  recalling_journal journal;
  node_provider provider;
  warned_office scheduler;
  job_desk jobs;
  picture_source cluster;
  std::vector<standing_client> told; ///< how it stands, in this order
  step_reader reader{};              ///< a simulation that looks on, or none
};

struct node_state {
  static inline const char* name = "node";

  context_ptr ctx;
  node_peers peers;
  node_name node;
  host_ha::state machine;
  std::optional<node_facts> facts;
  /// What holds for its group, made of these; made anew when they change.
  mutable settings_ptr own_rules, made_of;
  mutable group_name made_for;
  bool recovered = false;
  bool checking = false; ///< a health check is under way
  bool reading_power = false;
  bool permit_asked = false;
  bool permit_held = false;
  bool permit_spent = false;       ///< something was commanded under it
  bool permit_outdated = false;    ///< by the last answer, see `permit`
  bool act_unseen = false;         ///< held back, as nobody sees its activity
  bool restart_due = false;        ///< the machine is from before a restart
  bool unlooked = true;            ///< nothing was heard of it in this life
  bool away = false;               ///< and nobody watched before that one
  bool offline_sent = false;       ///< the job that marks it offline is out
  std::uint32_t offline_tries = 0; ///< in the journal: intents never repeat
  bool offline_open = false;  ///< the newest of them has not ended, journalled
  intent_id offline_job;      ///< of that job, until it is called back
  std::string unmarked_for;   ///< why the last of them failed
  bool unmarked_told = false; ///< that it takes long; in the journal
  bool stray_mark = false; ///< another daemon's was called back, not ended yet
  bool marked = false;     ///< fenced, and the record did say offline
  instant marked_at; ///< by a job of ours: older records do not show it yet
  std::string uuid;  ///< of the node that the journal speaks of
  bool word_kept = false; ///< from an earlier life, and not looked since
  alarm deadline;
  /// Counts power orders; the newest is on disk before it is given.
  std::uint64_t acts = 0;
  intent_id newest_order; ///< of the newest reset or fence, in the journal
  bool unsent = false;    ///< that one, of an earlier life: nothing of it left
  /// Of the newest activity check, reset and fence: answers to older ones
  /// are stale.
  std::uint64_t ticket = 0;
  intent_id power_order; ///< of the reset or fence that is out
  instant ordered_at;    ///< ... when it was given
  std::vector<std::string> order_programs; ///< ... to these helpers
  /// By the last word of the eligibility rule.
  criterion unfit_by = criterion::none;
  bool proof_written = false; ///< the machine's proof is in the journal
  /// Its helpers when it was checked last: by new settings it has others.
  std::optional<std::vector<std::string>> helpers;
  bool rehearsing = false; ///< a reading for a rehearsal is under way
  trust::state trust;      ///< what is believed of its power and life
  node_standing shown;
};

node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self,
                               context_ptr ctx, node_peers peers,
                               node_name name);

} // namespace orderly
