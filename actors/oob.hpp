// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The oob actor: the only holder of the power switch. One operation a node at
// a time, the intent journalled first, and success is what a status read
// says, never what a command returned.
//
//   off:    status -- off --> confirmed ("already off"; not after a reset)
//             | on, unknown
//           intent journalled -> command -> status, again until off or time
//   cycle:  status -- off --> refused: nothing to reset
//             | on, unknown
//           intent journalled -> command -> status until on or time

#pragma once

#include "actors/shell.hpp"

#include <deque>

namespace orderly {

struct oob_state {
  static inline const char* name = "oob";

  struct operation {
    power_order order;
    caf::typed_response_promise<power_report> promise;
    instant deadline;
    instant useless_after;    ///< whoever asked has given up by then
    bool commanded = false;   ///< the command was sent
    bool command_ok = false;  ///< and the helper said it worked
    std::string command_text; ///< what the helper said if not
  };

  context_ptr ctx;
  power_port port;
  journal_actor journal;
  lease right;
  std::uint32_t running = 0; ///< nodes with an operation
  std::uint64_t next_ticket = 0;
  std::map<node_name, operation> active;
  std::map<node_name, std::deque<operation>> waiting;
  std::deque<node_name> ready; ///< nodes with waiting work and none active
  std::size_t queued = 0;
  std::map<std::uint64_t, node_name> polls; ///< by tick generation
};

/// How long who asks should wait: two statuses, a command, the reading back.
inline millis power_patience(const settings& s) {
  return s.host_ha.fence_timeout + 4 * s.power.command_timeout + seconds{60};
}

oob_actor::behavior_type oob(oob_actor::stateful_pointer<oob_state> self,
                             context_ptr ctx, power_port port,
                             journal_actor journal);

} // namespace orderly
