// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words about the power switch. The raw port speaks `power_request` and
// `power_answer`; the oob actor turns orders into confirmed reports.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <string>

namespace orderly {

enum class power_verb { on, off, cycle, status };

/// As a helper program is told: power-on, power-off, power-cycle,
/// power-status.
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
  }
  return "?";
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

/// One call of the helper program.
struct power_request {
  node_name node;
  power_verb verb = power_verb::status;
  std::string program; ///< absolute path of the helper
  millis time_limit{};
};

/// What that call gave. `done` says only that the helper claims success.
struct power_answer {
  node_name node;
  bool done = false;
  power_state state = power_state::unknown; ///< for power-status only
  std::string text; ///< what went wrong, in the words of the design
  instant at;
};

/// What a node actor wants: the state read, the node proved off, or reset.
struct power_order {
  node_name node;
  power_verb verb = power_verb::status; ///< status, off, cycle or on
  std::string program;
  incident_id incident; ///< empty only for status
  intent_id intent;     ///< empty only for status
  std::string why;
  /// For `off`: command it even if the status says off already. A node that
  /// was reset a moment ago may be off only until it is on again.
  bool insist = false;
};

/// What came of it. For `off`, `confirmed` is true only if a status that was
/// read after (or instead of) the command said off; for `cycle` only if the
/// command succeeded and a later status said on; for `status` if the state is
/// known.
struct power_report {
  node_name node;
  power_verb verb = power_verb::status;
  intent_id intent;
  bool confirmed = false;
  power_state state = power_state::unknown;
  std::string evidence; ///< a sentence; also why it was not confirmed
  instant at;
};

} // namespace orderly
