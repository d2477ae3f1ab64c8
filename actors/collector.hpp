// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The collector: health and activity checks with bounded concurrency. A
// check that was not admitted is no failure: its answer is `not_looked` at
// once.
//
// Before an act, silence counts only while others are heard: two nodes that
// passed their last check are asked beside the one in question, and if neither
// answers it is perhaps our own link that is cut, and nobody has looked.

#pragma once

#include "actors/shell.hpp"

#include <deque>
#include <functional>
#include <map>
#include <string>

namespace orderly {

struct collector_state {
  static inline const char* name = "collector";

  template <class Request, class Answer>
  struct lane {
    using then = std::function<void(Answer&)>;
    std::deque<std::pair<Request, then>> queue;
    std::uint32_t running = 0;
  };

  /// Another machine that passed its last check.
  struct witness {
    std::string address;
    instant at;
  };

  context_ptr ctx;
  probe_port port;
  lane<probe_request, sighting> health;
  lane<activity_request, activity_answer> activity;
  std::map<node_name, witness> heard;
};

collector_actor::behavior_type
collector(collector_actor::stateful_pointer<collector_state> self,
          context_ptr ctx, probe_port port);

/// The evidence of a check that never ran.
inline constexpr const char* not_admitted = "not admitted: too many checks";

} // namespace orderly
