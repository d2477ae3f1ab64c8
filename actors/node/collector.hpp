// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The collector: health and activity checks with bounded concurrency. A
// check that was not admitted is no failure: its answer is `not_looked` at
// once. Of health checks the node goes first that was looked at longest ago,
// and if all places are taken, another that was looked at later loses its own;
// nodes that were silent last take at most half of the room, so that nobody
// waits for their time limits. A look before an act goes before all of them.
//
// Before an act, silence counts only while others are heard: the two nodes that
// were heard last are asked beside the one in question, and if neither answers
// it is perhaps our own link that is cut, and nobody has looked. Those in
// service that were not heard yet in this life, or fell silent, are asked, too,
// if nobody else is left: the more are silent, the less one more says.

#pragma once

#include "actors/policy/guards/lane.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/collector.hpp"
#include "messages/protocol/ports.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace orderly {

struct collector_state {
  static inline const char* name = "collector";

  template <class Request, class Answer>
  struct line {
    using then = std::function<void(Answer&)>;
    lane turns;
    std::map<lane::ticket, std::pair<Request, then>> waiting;
  };

  /// How another machine took its checks in this life.
  struct witness {
    instant at;         ///< its last check that passed
    instant checked;    ///< its last one
    bool passes = true; ///< no check failed since
    bool out = false;   ///< fenced or out of service
  };

  context_ptr ctx;
  probe_port port;
  line<probe_request, sighting> health;
  line<activity_request, activity_answer> activity;
  std::map<node_name, witness> heard;
  cluster_picture picture;   ///< whom there is to ask
  node_listener overhearing; ///< of what others than the nodes' actors heard
};

collector_actor::behavior_type
collector(collector_actor::stateful_pointer<collector_state> self,
          context_ptr ctx, probe_port port);

/// The evidence of a check that never ran.
inline constexpr const char* not_admitted = "not admitted: too many checks";

} // namespace orderly
