// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/state/model.hpp"

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace orderly::sim {

namespace {

using model_actor_type = model_port::extend<caf::reacts_to<wake>>;
using model_self = model_actor_type::stateful_pointer<waking>;

/// Until a node that does not answer is given up.
constexpr millis model_connect_limit = seconds{3};

model_answer look(const lab_state& lab, const read_model& rq) {
  model_answer result;
  if (lab.cluster.habits.luxi_down) {
    result.text = "luxi: no answer within "
                  + std::to_string(rq.time_limit.count()) + " ms";
    return result;
  }
  result.model = make_model(lab);
  result.silent = silent_nodes(lab);
  // Every instance keeps its one virtual CPU busy, which is what the model
  // says of those that nobody measures, too.
  result.loaded = rq.load;
  return result;
}

auto on_read(model_self self, const read_model& rq) {
  auto promise = self->make_response_promise<model_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  auto takes = x.port_delay(50, 500);
  if (x.cluster.habits.luxi_down)
    takes = rq.time_limit;
  else if (!silent_nodes(x).empty())
    takes = std::min(rq.time_limit, model_connect_limit);
  later(self, takes,
        [promise, &x, rq]() mutable { promise.deliver(look(x, rq)); });
  return promise;
}

model_actor_type::behavior_type model_impl(model_self self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const read_model& rq) { return on_read(self, rq); },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

model_port spawn_model_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(model_impl, lab);
}

} // namespace orderly::sim
