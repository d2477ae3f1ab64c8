// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports.hpp"
#include "sim/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using actor_type = cluster_port::extend<caf::reacts_to<wake>>;
using self_type = actor_type::stateful_pointer<waking>;

cluster_answer read(lab_state& lab, millis time_limit) {
  cluster_answer result;
  if (lab.cluster.habits.luxi_down) {
    result.text
      = "luxi: no answer within " + std::to_string(time_limit.count()) + " ms";
    return result;
  }
  result.picture = lab.cluster.picture();
  result.is_master = result.picture->master == lab.self();
  lab.cluster.note_read(lab.truth.now());
  return result;
}

actor_type::behavior_type cluster_impl(self_type self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const read_cluster& rq) {
      auto promise = self->make_response_promise<cluster_answer>();
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      enter(self);
      auto takes = x.cluster.habits.luxi_down ? rq.time_limit
                                              : millis{x.luck.between(5, 30)};
      auto limit = rq.time_limit;
      later(self, takes, [promise, &x, limit]() mutable {
        promise.deliver(read(x, limit));
      });
      return promise;
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

cluster_port spawn_cluster_port(caf::actor_system& sys,
                                const lab_pointer& lab) {
  return sys.spawn(cluster_impl, lab);
}

} // namespace orderly::sim
