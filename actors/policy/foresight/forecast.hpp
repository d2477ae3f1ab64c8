// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What will become of an instance, in a word for programs and a sentence for
// people; also when nothing will be done, and then why.

#pragma once

#include "messages/view.hpp"

#include <map>
#include <string>

namespace orderly::foresight {

/// The words are part of the interface.
enum class prospect {
  unknown,       ///< nobody looked at it yet
  healthy,       ///< nothing is wrong
  probably_down, ///< nothing is wrong by the record, but its node seems dead
  under_way,     ///< a repair has begun, here or by another tool
  will_act,      ///< permitted, and the next step is due
  waits,         ///< permitted, but something else has to happen first
  held,          ///< by pause, storm guard or for want of the right to act
  would_act,     ///< permitted, but auto-repair is off or only observes
  not_permitted, ///< no tag permits what it takes
  suspended,     ///< hands off, says a tag
  no_repair,     ///< no repair helps
  failed,        ///< a repair failed: a person has to look
};

const char* to_string(prospect x);

struct forecast {
  prospect what = prospect::unknown;
  std::string text; ///< "nothing will be done because ..."
};

/// What is known of a node, as far as its instances are concerned.
struct node_word {
  bool in_service = true; ///< not offline, not drained, not in trouble
  /// Why it is probably down, a clause with its age: "reads off for 12s:
  /// power status off by oob-ipmi"; empty: nothing says so.
  std::string down;
};

using node_words = std::map<node_name, node_word>;

node_words words_of(const std::vector<node_row>& all, instant now);

/// A node that `nodes` does not have is in service.
forecast forecast_for(const instance_row& x, const status_row& s,
                      const node_words& nodes);

/// Why nothing is begun on any instance just now, or empty: no right to act,
/// paused, storm.
std::string hold_text(const status_row& s);

/// The same for one act: also that its budget is spent.
std::string hold_text(const status_row& s, act_kind act);

} // namespace orderly::foresight
