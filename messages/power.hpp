// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about the power switch. The raw port speaks `power_request` and
// `power_answer`; the oob actor turns orders into confirmed reports.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orderly {

enum class power_verb { on, off, cycle, status, health };

/// As a helper program is told: power-on, power-off, power-cycle,
/// power-status, health.
inline const char* to_string(power_verb x) {
  switch (x) {
  case power_verb::on:
    return "power-on";
  case power_verb::off:
    return "power-off";
  case power_verb::cycle:
    return "power-cycle";
  case power_verb::status:
    return "power-status";
  case power_verb::health:
    return "health";
  }
  return "?";
}

/// Asks something and changes nothing.
inline bool is_reading(power_verb x) {
  return x == power_verb::status || x == power_verb::health;
}

enum class power_state {
  on,
  off,
  unknown, ///< no answer, or none that makes sense; never "off"
};

inline const char* to_string(power_state x) {
  return x == power_state::on    ? "on"
         : x == power_state::off ? "off"
                                 : "unknown";
}

/// How a machine that hangs is started again: off and on, or without its power
/// going away.
enum class restart_way { cycle, reset };

/// What is no word of ours is unknown, never "off".
inline power_state power_state_from(const std::string& text) {
  for (auto x : {power_state::on, power_state::off})
    if (text == to_string(x))
      return x;
  return power_state::unknown;
}

/// What a controller says of a part of the machine. The status is one of the
/// contract's four words: OK, WARNING, CRITICAL, UNKNOWN.
struct health_item {
  static constexpr const char* warning = "WARNING";
  static constexpr const char* critical = "CRITICAL";

  std::string item; ///< "FAN 1 RPM", as the helper names it
  std::string status;

  friend bool operator==(const health_item&, const health_item&) = default;
};

/// Should a person look at that part?
inline bool is_worrying(const health_item& x) {
  return x.status == health_item::warning || x.status == health_item::critical;
}

/// One call of the helper program.
struct power_request {
  node_name node;
  power_verb verb = power_verb::status;
  std::string program; ///< absolute path of the helper
  millis time_limit{};
  restart_way way = restart_way::cycle; ///< of a cycle
};

/// As the helper is told: `power-reset` for a cycle of that way.
inline const char* word_of(const power_request& x) {
  return x.verb == power_verb::cycle && x.way == restart_way::reset
           ? "power-reset"
           : to_string(x.verb);
}

/// What that call gave. `done` says only that the helper claims success.
struct power_answer {
  node_name node;
  bool done = false;
  power_state state = power_state::unknown; ///< for power-status only
  std::vector<health_item> items;           ///< for health only
  std::string text; ///< what went wrong, in the words of the design
  instant at;
  bool denied = false; ///< the controller refused the user or the password
};

/// May this file be run as a helper program?
struct program_question {
  std::string program;
};

struct program_answer {
  std::string program;
  std::string wrong; ///< why not and what to do; empty: it may
};

/// What is wanted of the power switch: a reading, the node proved off, on, or
/// reset. By automation, or by a person, who has the last word: automation
/// undoes no wish of a person.
struct power_order {
  node_name node;
  power_verb verb = power_verb::status;
  /// Absolute paths of helpers, tried in this order until one proves it.
  std::vector<std::string> programs;
  incident_id incident; ///< empty for readings and for persons
  intent_id intent;     ///< empty only for readings
  std::string why;
  std::string who; ///< a person's name; empty: automation
  instant since;   ///< automation: when the trouble was first seen
  /// Automation: since when the node's daemons answer, while it is in service
  /// by the record and no order is to switch it off; `never`: they do not.
  instant answers_since;
  instant answered_at; ///< ... and when they did last, as far as is known
  millis time_limit{}; ///< of one helper run; zero: the setting
  /// For `off`: command it even if the status says off already. A node that
  /// was reset a moment ago may be off only until it is on again. Persons'
  /// commands are always given.
  bool insist = false;
  /// For `off`: that it read off is all that speaks for it, so that a status
  /// "on" speaks against it.
  bool lost_power = false;
  /// Of the node; a wish about another one of that name is forgotten. Empty:
  /// not known.
  std::string uuid;
  bool by_keeper = false;               ///< asked by the node's own actor
  restart_way way = restart_way::cycle; ///< of a cycle by automation
  /// How long it may take until a command is proved; zero: the setting.
  millis proof_limit{};
};

/// What a person wants a node's power to be, since when and why. Kept until a
/// person wants something else, or what is read and heard of the node shows
/// that it is not so.
struct power_wish {
  power_state wanted = power_state::unknown; ///< unknown: nothing
  std::string who;
  std::string why;
  instant at;
  std::string uuid; ///< of the node that it is about; empty: not known
  /// Who had it switched off, and why, as long as it may still be off for that,
  /// though nobody wants it off any more; or empty.
  std::string switched_off = {};
  instant switched_at = never; ///< when that was ordered

  friend bool operator==(const power_wish&, const power_wish&) = default;
};

/// What came of it. For `off`, `confirmed` is true only if a status that was
/// read after (or instead of) the command said off; for `on` only if a later
/// status said on; for `cycle` only if the command succeeded and a later status
/// said on, or nothing until the end, or for a person what it said before; for
/// `status` if the state is known; for `health` if the answer was one. A
/// person's command that failed is never confirmed.
struct power_report {
  node_name node;
  power_verb verb = power_verb::status;
  intent_id intent;
  bool confirmed = false;
  power_state state = power_state::unknown; ///< unknown if levels disagree
  std::vector<health_item> items;           ///< for health only
  std::string evidence; ///< a sentence; also why it was not confirmed
  /// What the last helper that failed said, in the words of the design.
  std::string complaint;
  std::string program;     ///< that proved it, or was tried last
  std::uint32_t level = 0; ///< its place in the order, from 0
  power_wish wish;         ///< of a person for this node
  bool tried = true;       ///< false: refused by us, or no helper was heard
  bool by_wish = false;    ///< refused because a person wants otherwise
  bool commanded = false;  ///< some command of it left us
  bool held_back = false;  ///< a command was due and did not leave
  bool answers = false;    ///< ... because the node's daemons answered
  /// What the level in `program` said before it was commanded.
  power_state before = power_state::unknown;
  /// It read off, and on right before the command, which did not leave.
  bool came_on = false;
  bool withdrawn = false; ///< by who ordered it, before any command left
  instant at;
};

/// What was read of the power in the end, or before it was commanded; unknown
/// where another level may have said otherwise.
inline power_state read_in(const power_report& x) {
  if (x.came_on)
    return power_state::on;
  return x.state == power_state::unknown && x.level == 0 ? x.before : x.state;
}

/// Nobody wants that order any more: nothing more of it is commanded, and it is
/// answered as `withdrawn` if nothing was. A helper that runs goes on to its
/// end.
struct power_withdraw {
  node_name node;
  intent_id intent;
};

struct ask_wishes {};

struct power_wishes {
  std::map<node_name, power_wish> wishes; ///< who is not in it has none
};

/// The one for the node of that name and uuid; an empty one if there is none.
inline power_wish wish_in(const std::map<node_name, power_wish>& wishes,
                          const node_name& node, const std::string& uuid) {
  auto i = wishes.find(node);
  auto its
    = i != wishes.end() && (i->second.uuid.empty() || i->second.uuid == uuid);
  return its ? i->second : power_wish{};
}

} // namespace orderly
