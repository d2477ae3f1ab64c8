// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/pass/notebook.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

struct notebook_state {
  static inline const char* name = "notebook";

  notes written;
};

notebook_actor::behavior_type
notebook(notebook_actor::stateful_pointer<notebook_state> self) {
  return {
    [self](noted_job& job) {
      self->state.written.jobs.push_back(std::move(job));
    },
    [self](read_notes) { return self->state.written; },
  };
}

} // namespace

notebook_actor spawn_notebook(caf::actor_system& system) {
  return system.spawn(notebook);
}

} // namespace orderly
