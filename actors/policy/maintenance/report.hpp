// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node's report says. Only a report that was heard and understood says
// anything; all else is unknown, and never "Ok".

#pragma once

#include "messages/event.hpp"

#include <optional>
#include <string>

namespace orderly::maintenance {

enum class saying {
  ok,      ///< the node wants nothing
  asks,    ///< it wants something done
  unknown, ///< nothing is known: nothing begins, ends or is forgotten by it
};

struct report {
  saying what = saying::unknown;
  // if it asks
  event_action action = event_action::live_repair;
  std::string original;
  std::string identity; ///< canonical: what two equal reports share
  std::string command;  ///< of a live-repair; empty: it names none
  // if it is unknown
  hearing how = hearing::failed;
  std::string text; ///< why
};

report read_report(const diagnosis& x);

/// Why that is no name of a repair command; empty: it is one. A plain file
/// name of letters, digits, `_` and `-`.
std::string wrong_with_command(const std::string& name);

/// The command that such an object names; empty: none.
std::string command_in(const std::string& original);

} // namespace orderly::maintenance
