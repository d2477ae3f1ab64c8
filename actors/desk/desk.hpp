// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power desk: carries out what persons want of the power. Shell of
// policy/errand: an errand's plan is in the journal before its first step,
// every step is, and after a restart it goes on where it was. Holds
// automation off the nodes of an emergency power-off until they are back.
//
// In the journal: `desk` (the last errand's number), `errand:ID` and its rows
// in blocks `errand:ID/0000`, `hold:NODE`, `powered:NODE` where the cluster
// keeps no power record, and the switches of host HA:
// `desk:ha:node:NODE`, `desk:ha:group:GROUP`, `desk:ha:cluster:`.

#pragma once

#include "actors/policy/errand/errand.hpp"
#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/ha_switches.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/desk.hpp"
#include "messages/protocol/job_submitter.hpp"
#include "messages/protocol/power_switch.hpp"
#include "messages/protocol/scheduler.hpp"
#include "messages/protocol/view.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace orderly {

/// Whom the desk works with.
struct desk_peers {
  journal_actor journal;
  node_checker collector;
  permit_office scheduler;
  power_switch oob;
  wish_keeper wishes; ///< of power, which the same one keeps
  job_desk jobs;
  order_viewer view;
};

struct desk_state {
  static inline const char* name = "desk";

  /// Errands that ended are kept for those who ask how it went.
  static constexpr std::size_t kept_max = 50;
  /// A node that is missing from the cluster for so long was removed.
  static constexpr millis gone_for = hours{1};

  context_ptr ctx;
  desk_peers peers;
  settings_ptr rules;
  std::optional<cluster_host> cluster;
  std::map<std::uint64_t, errand::state> errands; ///< by number
  std::uint64_t last_number = 0;
  std::set<std::uint64_t> ending; ///< their end is not on disk yet
  // what is known of the world
  cluster_picture picture;
  instant read_at;            ///< when the reading of it was begun
  std::optional<lease> right; ///< as the leader told it last
  instant right_lost;         ///< since when we may not act; `never`: we may
  instant led_at; ///< when the cluster said last that we may; `never`: not yet
  instant unwatched; ///< nobody watched since; `never`: known to all errands
  bool others_led = false; ///< another host was the master since then
  std::map<node_name, errand::amendment> amended;
  std::map<node_name, std::string> recorded_off; ///< of which uuid, or empty
  std::map<node_name, errand::hold> held;
  /// What the daemons of held nodes say; those not named say nothing.
  std::map<node_name, node_standing> heard;
  instant holds_due; ///< one of them may be worth a word; `never`: none
  std::optional<holds> told_holds; ///< what the cluster actor was told last
  ha_switches switches;            ///< of host HA, as they were turned last
  ha_switches in_force;            ///< the same, as far as it is on disk
  /// How nodes stood last, and why.
  std::map<node_name, std::pair<ha_phase, std::string>> stood;
  std::map<node_name, power_wish> wishes;
  std::map<node_name, rehearsal> rehearsals;
  /// Whose power reads on, and since when; or who answer: `never`.
  std::map<node_name, instant> read_on;
  std::map<node_name, instant> read_off; ///< whose reads off, likewise
  /// Whoever of them answered then, and is not looked at since.
  std::map<node_name, instant> answered;
  /// Helpers whose off is not believed, as their node says.
  std::map<node_name, std::vector<std::string>> doubted;
  std::map<node_name, errand_id> busy;
  std::map<node_name, accepted_order> ordered; ///< as it was told last
  /// Nodes with a hold or a record of ours that the cluster lacks, and since
  /// when.
  std::map<node_name, instant> gone;
  /// Mismatches that were an alert already, by node.
  std::map<object_id, errand::power_mismatch> alerted;
  // how far we are
  std::uint32_t recalls = 0; ///< that are not answered yet
  bool recovered = false;
  /// Who asks for all errands before that.
  std::vector<caf::typed_response_promise<errand_list_answer>> listers;
  /// How power orders of before the restart ended.
  std::map<intent_id, power_report> endings;
  /// The newest power command of each node that may have left before it.
  std::map<node_name, intent_id> given;
  instant watched;    ///< as in `errand::resumed`
  instant adopted;    ///< of the journal, as in `journal_contents`
  bool going = false; ///< a picture came: errands from before go on
  bool asking_wishes = false;
  alarm next;    ///< look at the clock
  instant armed; ///< when it is due
  // the cluster's own watcher
  instant watcher_due;         ///< it is told again; `never`: nothing to tell
  bool watcher_paused = false; ///< what it was told last
  std::uint64_t watcher_orders = 0;   ///< how often it was told anything
  std::uint32_t watcher_failures = 0; ///< to tell it that, in a row
  instant watcher_rests; ///< until then, as it said itself; `never`: it works
  std::string watcher_text{"it was not told so yet"}; ///< why not
};

desk_actor::behavior_type
power_desk(desk_actor::stateful_pointer<desk_state> self, context_ptr ctx,
           desk_peers peers);

} // namespace orderly
