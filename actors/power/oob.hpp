// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The oob actor: the only holder of the power switch. One operation a node at
// a time, the intent journalled first, and success is what a status read
// says, never what a command returned. Keeps what persons want of the power,
// tells of it at once, and refuses automation that goes against it.
//
// An order names one or more helpers. Each is a level; one that cannot prove
// its result passes on to the next:
//
//   off:    status -- off --> confirmed ("already off"; not after a reset)
//             | on, unknown
//           intent journalled -> command -> status, again until off or time
//   cycle:  status -- off --> refused: nothing to reset
//             | on, unknown
//           intent journalled -> command -> status until on or time
//   on:     intent journalled -> command -> status until on or time
//
//   Right before a command leaves, and after the commit, its witness is asked:
//   for automation the node's keeper, which looks at the node's daemons and at
//   the guards again; for a person the desk, which looks whether the errand
//   still wants it. What is to be switched off although it read off is read
//   once more after that.
//   What a person orders is commanded whatever the status says before, and
//   has failed if the helper says so.
//   A proof does not count while another level, read again, says the
//   contrary.
//
// Who goes first: persons' acts and fences, resets, persons' readings,
// readings. Resets share at most half of the slots, so that no fence waits for
// them, and so do nodes whose last reading ran into its time limit.

#pragma once

#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/power/denials.hpp"
#include "actors/power/wishes.hpp"
#include "actors/shell/patience.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/ports.hpp"
#include "messages/protocol/power_switch.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

namespace orderly {

struct oob_state {
  static inline const char* name = "oob";

  /// What a level said last, of its state and of how it went.
  struct word {
    power_state state = power_state::unknown;
    std::string text;
  };

  struct operation {
    power_order order;
    power_witness witness; ///< asked before each command; null: a reading
    caf::typed_response_promise<power_report> promise;
    std::uint64_t arrived = 0;
    instant useless_after;  ///< whoever asked has given up by then
    std::size_t level = 0;  ///< the helper that has its turn
    std::vector<word> said; ///< one a level
    std::vector<health_item> items;
    std::string complaint;  ///< of the last helper that failed
    instant asked;          ///< when the run under way began
    instant intended_at;    ///< when its intent was handed to the journal
    bool intended = false;  ///< an intent of it is in the journal
    bool read = false;      ///< some reading came back
    bool hung = false;      ///< some reading ran into its time limit
    bool slow = false;      ///< it has a slot of the slow lane
    bool heard = false;     ///< some helper came back
    bool acted = false;     ///< some command of it was sent
    bool held_back = false; ///< we did not send the command
    bool answers = false;   ///< ... because the node's daemons answered
    bool unwanted = false;  ///< whoever ordered it took it back
    bool wished = false;    ///< its wish was noted
    std::optional<oob_parts::kept_wish> wish_before;
    // of this level
    instant deadline;                          ///< for the proof
    power_state before = power_state::unknown; ///< read before the command
    bool reread = false;      ///< ... and once more, after the last look
    bool came_on = false;     ///< and was on by then
    bool commanded = false;   ///< the command was sent
    bool command_ok = false;  ///< and the helper said it worked
    std::string command_text; ///< what the helper said if not
    std::optional<std::size_t> doubted; ///< level that is read again
  };

  context_ptr ctx;
  power_port port;
  journal_actor journal;
  lease right;
  bool recalled = false;     ///< the wishes are known; nothing starts before
  bool starting = false;     ///< whose turn it is is being found out
  std::uint32_t running = 0; ///< nodes with an operation
  std::uint32_t slow_running = 0; ///< those of the slow lane
  std::uint64_t next_ticket = 0;
  std::map<node_name, operation> active;
  /// By node, the first one first.
  std::map<node_name, std::deque<operation>> waiting;
  std::size_t queued = 0;
  std::set<node_name> slow; ///< whose last reading took too long
  std::map<std::uint64_t, node_name> polls; ///< by tick generation
  oob_parts::wish_map wishes;
  oob_parts::denial_map denials; ///< controllers that refused us
  std::vector<caf::typed_response_promise<power_wishes>> wish_questions;
  node_listener overhearing; ///< of what others than the nodes' actors read
  wish_client listener;      ///< of each new wish; null: nobody wants to know
};

/// How long a witness may take: automation's asks the node's daemons, twice if
/// those it is compared with are slow, its neighbours, and the scheduler.
inline millis witness_patience(const settings& s) {
  return 2 * longest_check_timeout(s) + longest_activity_timeout(s)
         + patience::scheduler;
}

/// How long who asks should wait for an order of so many levels, each with
/// helper runs of that length: a level takes two statuses, a command, the
/// reading back, and a look at a level that says the contrary.
inline millis power_patience(const settings& s, std::size_t levels, millis run,
                             millis limit = {}) {
  constexpr millis between = seconds{60};
  auto proof
    = std::max({s.host_ha.fence_timeout, s.host_ha.recovery_timeout, limit});
  return static_cast<std::int64_t>(levels) * (proof + 4 * run + between);
}

/// The same for any order without a time limit of its own.
inline millis power_patience(const settings& s) {
  return power_patience(s, levels_most(s), s.power.command_timeout);
}

/// The same for this one.
inline millis power_patience(const settings& s, const power_order& order) {
  auto levels = std::max<std::size_t>(levels_most(s), order.programs.size());
  return power_patience(s, levels,
                        order.time_limit == millis{0} ? s.power.command_timeout
                                                      : order.time_limit,
                        order.proof_limit);
}

oob_actor::behavior_type oob(oob_actor::stateful_pointer<oob_state> self,
                             context_ptr ctx, power_port port,
                             journal_actor journal);

} // namespace orderly
