// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks the mirrors of instances how they are: one question an interval, because
// Ganeti holds locks while it answers (ADR 0019), with the suspects and those
// whose repairs wait first. One mirror that cannot be asked silences its whole
// question: it is found by halves, and left out for a while.

#pragma once

#include "actors/shell/alarm.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/mirrors.hpp"
#include "messages/protocol/ports.hpp"

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

struct mirrors_state {
  static inline const char* name = "mirrors";

  context_ptr ctx;
  cluster_port port;
  mirror_listener listener;
  mirror_roll roll;
  node_standings standings;
  std::map<instance_name, mirror_standing> suspects; ///< faulty when asked last
  instance_name last; ///< the last one that was asked in the order of names
  std::size_t batch = mirror_batch_max;   ///< so many are asked in one question
  std::map<instance_name, instant> muted; ///< left out until then
  bool asking = false;
  bool waiting = false; ///< more of them than the last question could take
  alarm next;
};

mirrors_actor::behavior_type
mirrors(mirrors_actor::stateful_pointer<mirrors_state> self, context_ptr ctx,
        cluster_port port);

} // namespace orderly
