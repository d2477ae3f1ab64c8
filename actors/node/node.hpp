// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The node actor: host HA of one node. Shell of policy/host_ha: it runs the
// health checks, feeds what is seen to the machine, writes every decision
// down and carries it out afterwards.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/dice.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/cluster.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/node.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/scheduler.hpp"

namespace orderly {

/// Whom a node's actor works with.
struct node_peers {
  journal_actor journal;
  collector_actor collector;
  warned_office scheduler;
  power_switch oob;
  job_submitter_actor jobs;
  picture_source cluster;
  std::vector<standing_client> told; ///< how it stands, in this order
};

/// What a look found at a node that should be off.
enum class last_look {
  silent,  ///< nothing of it answers
  alive,   ///< something does
  nothing, ///< nobody answers who could show that the look meant anything
};

struct node_state {
  static inline const char* name = "node";

  context_ptr ctx;
  node_peers peers;
  node_name node;
  host_ha::state machine;
  std::optional<node_facts> facts;
  bool recovered = false;
  bool checking = false; ///< a health check is under way
  bool reading_power = false;
  bool permit_asked = false;
  bool permit_held = false;
  bool restart_due = false;        ///< the machine is from before a restart
  bool offline_sent = false;       ///< the job that marks it offline is out
  std::uint32_t offline_tries = 0; ///< in the journal: intents never repeat
  bool offline_open = false; ///< the newest of them has not ended, journalled
  intent_id offline_job;     ///< of that job, until it is called back
  std::string unmarked_for;  ///< why the last of them failed
  instant unproved_since;    ///< instances wait for a proof; `never`: none do
  /// A person heard that they do: of such a node.
  std::optional<last_look> unproved_told;
  std::optional<last_look> unproved_seen; ///< by the look before telling
  bool unmarked_told = false; ///< that it takes long; in the journal
  bool stray_mark = false; ///< another daemon's was called back, not ended yet
  bool marked = false;     ///< fenced, and the record did say offline
  instant marked_at;  ///< by a job of ours: older records do not show it yet
  std::string uuid;   ///< of the node that the journal speaks of
  instant proof_told; ///< the newest proof that has a row of its own
  instant power_read; ///< when the power was asked for last
  bool word_kept = false; ///< from an earlier life, and not looked since
  instant outdated_at;    ///< when the order was given that made a reading old
  alarm deadline;
  std::uint64_t acts = 0; ///< counts power intents, in the journal too
  /// Of the newest activity check, reset and fence: answers to older ones
  /// are stale.
  std::uint64_t errand = 0;
  intent_id power_order;         ///< of the reset or fence that is out
  bool power_asked = false;      ///< since it was marked offline
  std::optional<proof> seen_off; ///< offline by a person, and power reads off
  instant shown_alive; ///< when it answered last, or its power read on
  instant boot_told;   ///< the last switching-on that the machine heard of
  instant ordered_on;  ///< by a person: what was read before proves nothing
  bool proof_written = false; ///< the machine's proof is in the journal
  // rehearsals of the power control: node/power.cpp
  rehearsal power_check;     ///< the last word; in the journal too
  std::uint32_t misses = 0;  ///< rehearsals in a row that made no sense
  std::uint32_t differs = 0; ///< and that the record disagreed with
  instant rehearse_at;       ///< not before; `never`: at once
  bool rehearsing = false;
  /// Why no off of its controller is believed: it said so while the daemons
  /// answered, and never said on since. Empty: it is believed. Journalled.
  std::string doubt;
  std::string doubted;          ///< that helper's path
  std::uint64_t words_back = 0; ///< counts: words from before are void
  power_wish wish;              ///< of a person, as of the last reading
  power_state power = power_state::unknown; ///< as read last
  instant power_since;                      ///< when it was first read so
  std::string power_text;                   ///< by that reading
  health verdict = health::unknown;         ///< of the last health check
  instant verdict_at;
  instant verdict_since;       ///< it has been the same
  bool untreated_told = false; ///< see `warn_untreated`
  bool answered = false; ///< something answered that check, if only to refuse
  instant lived_at;      ///< when it answered last: compare `should_live`
  instant answers_since; ///< without a break; `never`: it does not
  instant silent_since;  ///< it does not; `never`: that is not so
  node_standing shown;
};

node_actor::behavior_type node(node_actor::stateful_pointer<node_state> self,
                               context_ptr ctx, node_peers peers,
                               node_name name);

} // namespace orderly
