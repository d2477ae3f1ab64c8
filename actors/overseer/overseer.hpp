// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The overseer: shell of policy/foresight/lasting. It asks the view from time
// to time who is in trouble, and tells a person of those whose trouble lasts.
// It holds nothing back and helps nobody.

#pragma once

#include "actors/policy/foresight/lasting.hpp"
#include "actors/shell/shell.hpp"
#include "messages/protocol/view.hpp"

namespace orderly {

struct overseer_state {
  static inline const char* name = "overseer";

  context_ptr ctx;
  journal_actor journal;
  view_reader view;
  foresight::lasting_troubles troubles;
  bool treats_nodes = false; ///< when it looked last, by the settings
  bool treats_all = false;
  bool repairs = false;
};

using overseer_actor = caf::typed_actor<caf::reacts_to<tick>>;

/// It looks for the first time when it gets a tick.
overseer_actor::behavior_type
overseer(overseer_actor::stateful_pointer<overseer_state> self, context_ptr ctx,
         journal_actor journal, view_reader view);

} // namespace orderly
