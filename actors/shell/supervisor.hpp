// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The supervisor: restarts its children one for one, with growing pauses and
// a bound on how often within a period. A child that keeps failing is more
// than it can mend: then it gives up and fails itself, for its own parent.

#pragma once

#include "actors/shell/shell.hpp"

#include <caf/actor.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/typed_actor.hpp>

#include <deque>
#include <functional>

namespace orderly {

/// Spawns the child; called again for each restart. Publishes the new handle
/// to whom it may concern.
struct start_child {
  std::string name;
  std::function<caf::actor()> start;
};

struct stop_child {
  std::string name;
};

/// A child died; what the supervisor has to say about it.
struct supervisor_options {
  /// Told about each restart and about giving up; may be empty.
  std::function<void(const std::string& child, const std::string& cause,
                     std::uint32_t restarts)>
    tell;
  /// A child that exceeds its bound is left dead and told about, instead of
  /// taking the supervisor with it.
  bool abandon = false;
};

using supervisor_actor
  = caf::typed_actor<
    /// Starts it at once. Nothing happens if there is one of that name, or once
    /// all are being stopped.
    caf::reacts_to<start_child>,
    /// The child exits, and is not raised again; nothing if there is none.
    caf::reacts_to<stop_child>,
    /// The pause before a restart is over.
    caf::reacts_to<tick>>;

struct supervisor_state {
  static inline const char* name = "supervisor";

  struct child {
    start_child spec;
    caf::actor handle; ///< null while waiting for the restart
    std::deque<instant> restarts;
    std::uint64_t ticket = 0;
  };

  context_ptr ctx;
  supervisor_options options;
  std::map<std::string, child> children;
  std::map<caf::actor_addr, std::string> names;
  std::uint64_t tickets = 0;
  bool stopping = false;
};

supervisor_actor::behavior_type
supervisor(supervisor_actor::stateful_pointer<supervisor_state> self,
           context_ptr ctx, supervisor_options options);

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::start_child)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::stop_child)
