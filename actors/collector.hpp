// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The collector: health and activity checks with bounded concurrency. A
// check that was not admitted is no failure: its answer is `not_looked` at
// once.

#pragma once

#include "actors/shell.hpp"

#include <deque>

namespace orderly {

struct collector_state {
  static inline const char* name = "collector";

  template <class Request, class Answer>
  struct lane {
    std::deque<std::pair<Request, caf::typed_response_promise<Answer>>> queue;
    std::uint32_t running = 0;
  };

  context_ptr ctx;
  probe_port port;
  lane<probe_request, sighting> health;
  lane<activity_request, activity_answer> activity;
};

collector_actor::behavior_type
collector(collector_actor::stateful_pointer<collector_state> self,
          context_ptr ctx, probe_port port);

/// The evidence of a check that never ran.
inline constexpr const char* not_admitted = "not admitted: too many checks";

} // namespace orderly
