// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What will become of an instance, in a word for programs and a sentence for
// people; also when nothing will be done, and then why. Used by advice.

#pragma once

#include "messages/view.hpp"

#include <set>
#include <string>

namespace orderly::io::http {

/// The words are part of the interface.
enum class outlook {
  unknown,       ///< nobody looked at it yet
  healthy,       ///< nothing is wrong
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

const char* to_string(outlook x);

struct forecast {
  outlook what = outlook::unknown;
  std::string text; ///< "nothing will be done because ..."
};

/// `out_of_service` are nodes that are offline, drained or not healthy.
forecast forecast_for(const instance_row& x, const status_row& s,
                      const std::set<node_name>& out_of_service);

/// Nodes of `all` that are offline, drained or in trouble.
std::set<node_name> out_of_service(const std::vector<node_row>& all);

/// Why nothing is begun on any instance just now, or empty: no right to act,
/// paused, storm.
std::string hold_text(const status_row& s);

} // namespace orderly::io::http
