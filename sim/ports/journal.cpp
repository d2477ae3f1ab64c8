// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using journal_actor_type = journal_port::extend<caf::reacts_to<wake>>;
using journal_self = journal_actor_type::stateful_pointer<waking>;

journal_actor_type::behavior_type journal_impl(journal_self self,
                                               lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const journal_batch& batch) {
      auto promise = self->make_response_promise<journal_ack>();
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      auto now = enter(self);
      if (x.gagged)
        return promise;
      later(self, x.journal.due(now) - now, [promise, &x, batch]() mutable {
        promise.deliver(x.journal.commit(batch));
      });
      return promise;
    },
    [self](const journal_read& rq) {
      auto promise = self->make_response_promise<journal_contents>();
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      auto now = enter(self);
      // Behind all writes that are under way.
      later(self, x.journal.due(now) - now, [promise, &x, rq]() mutable {
        promise.deliver(x.journal.read(rq));
      });
      return promise;
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

journal_port spawn_journal_port(caf::actor_system& sys,
                                const lab_pointer& lab) {
  return sys.spawn(journal_impl, lab);
}

} // namespace orderly::sim
