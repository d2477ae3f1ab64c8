// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a repair event is told, by whoever found it.

#pragma once

#include "messages/cluster.hpp"
#include "messages/event.hpp"
#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <map>
#include <memory>
#include <string>

namespace orderly {

/// The same for all events: made once, shared by all who are told of it.
struct event_surroundings {
  /// Nodes to which nothing goes, and why: in trouble, ordered off, under an
  /// event.
  std::map<node_name, std::string> closed;
  /// Those of host HA, and those that a person wants off.
  std::map<node_name, std::string> troubled;
  /// Those that an emergency power-off has: nothing on them is touched.
  std::map<node_name, std::string> powered_off;
  /// What jobs of all events moved away lately.
  std::map<instance_name, departure> left;
};

/// Everything that an event decides from, with each reading of the cluster and
/// whenever something of it changed.
struct event_facts {
  cluster_picture picture; ///< null: nothing was read yet
  instant read_at;         ///< when the reading began that gave it
  millis ahead{};          ///< so far the calendar may be ahead
  std::string no_right;    ///< why we may not act; empty: we may
  node_name usurper; ///< which other node is master; empty: none we know of
  /// A job or tag of an event that is not known here: its repair command may
  /// have run. Empty: there is none.
  std::string unknown;
  /// The queue was searched for commands of such events since we may act:
  /// without that `unknown` tells only of what has not ended.
  bool searched = false;
  /// Until then a repair command of another event of its node was on its way:
  /// what the node reported before may be over.
  instant worked;
  /// The last reading of marks of another event of its node that a person took
  /// away since, and meant all that was known by then; `never`: nobody did.
  instant given_up;
  bool slot = false; ///< one of the limited slots to begin is kept for it
  bool turn = false; ///< of its node's events it is the one that acts
  std::string held;  ///< why it must not begin; empty: it may
  std::shared_ptr<const event_surroundings> around
    = std::make_shared<const event_surroundings>(); ///< never null
  /// When one let go of the event's own node, or `never`: a reading from before
  /// may show its offline mark.
  instant freed;
};

/// Did the node's last report show the event?
struct event_report {
  enum class sight {
    shown,
    absent, ///< a report was believed, and does not ask for it
    unknown ///< none was heard, or none that could be relied upon
  };

  sight what = sight::unknown;
  instant at; ///< when it was said, or when the sweep ended
};

} // namespace orderly
