// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Alerts of what is no actor of the tree: a door that cannot open, a disk that
// fills. They go into the journal like all others, as soon as there is one, and
// into the log at once where that would come late.

#pragma once

#include "actors/tree/tree.hpp"

#include <caf/typed_actor.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace orderly {

struct outside_alert {
  std::string object;
  std::string code;
  std::string why;
};

using courier_actor = caf::typed_actor<caf::reacts_to<outside_alert>>;

/// Safe from any thread.
class alerts {
public:
  void raise(outside_alert x);

  /// There is a tree by now: what was raised before it goes there too.
  void connect(caf::actor_system& system, root_actor root, context_ptr ctx);

private:
  std::mutex mutex_;
  courier_actor courier_;
  context_ptr ctx_;
  std::vector<outside_alert> early_;
};

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::outside_alert)
