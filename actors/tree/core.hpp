// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The core: all services of a tree, linked. If one of them fails all fall,
// and root raises them again from the journal; on a wish to stop they stop
// one after the other, what decides first, what remembers last.

#pragma once

#include "actors/tree/tree.hpp"

namespace orderly {

struct core_state {
  static inline const char* name = "core";

  /// In the order of stopping; who is gone by then is no longer here.
  std::vector<caf::actor> parts;
  bool stopping = false;
};

/// Spawns everything and tells `parent` the handles for the outside.
caf::behavior core(caf::stateful_actor<core_state>* self, context_ptr ctx,
                   ports world, root_actor parent);

} // namespace orderly
