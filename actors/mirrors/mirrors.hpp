// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks the mirrors of instances how they are: one question an interval, because
// Ganeti holds locks while it answers (ADR 0019), with the suspects and those
// whose repairs wait first. One mirror that cannot be asked silences its whole
// question: it is found by halves, and left out for a while. Who is about to
// rely on one mirror has it asked alone, before all others.

#pragma once

#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/mirror_reader.hpp"
#include "messages/protocol/mirrors.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/typed_response_promise.hpp>

#include <deque>
#include <map>
#include <set>
#include <vector>

namespace orderly {

/// So many mirrors are asked how they are in one question, at most.
inline constexpr std::size_t mirror_batch_max = 20;

using node_standings = std::map<node_name, node_standing>;

/// Its mirror may be asked how it is: of nodes that are gone it is no news, and
/// asking takes long; a stopped instance has none that works.
bool can_be_asked(const cluster_record& picture,
                  const node_standings& standings, const instance_record& x);

/// Its nodes could tell, also if it is marked down.
bool can_answer(const cluster_record& picture, const node_standings& standings,
                const instance_record& x);

struct mirrors_state {
  static inline const char* name = "mirrors";

  /// So many wait for one mirror each; more get no answer.
  static constexpr std::size_t seekers_max = 1000;

  /// Somebody waits for what this one says.
  struct seeker {
    mirror_question what;
    caf::typed_response_promise<mirror_answer> answer;
  };

  context_ptr ctx;
  cluster_port port;
  mirror_listener listener;
  mirror_roll roll;
  node_standings standings;
  std::map<instance_name, mirror_standing> suspects; ///< faulty when asked last
  /// Their mirror is another one than it was, and has not said yet how it is:
  /// whoever made it may not have come to the end.
  std::set<instance_name> fresh;
  instance_name last; ///< the last one that was asked in the order of names
  std::size_t batch = mirror_batch_max;   ///< so many are asked in one question
  std::map<instance_name, instant> muted; ///< left out until then
  std::deque<seeker> seekers;
  bool asking = false;
  bool due = false;     ///< the next question, when the one under way ends
  bool waiting = false; ///< more of them than the last question could take
  alarm next;
};

mirror_service::behavior_type
mirrors(mirror_service::stateful_pointer<mirrors_state> self, context_ptr ctx,
        cluster_port port);

} // namespace orderly
