// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports.hpp"
#include "sim/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using actor_type = probe_port::extend<caf::reacts_to<wake>>;
using self_type = actor_type::stateful_pointer<waking>;

/// While it boots, a kernel refuses connections this long before its daemons
/// are up; earlier there is nobody at all.
constexpr millis refusing_while_booting = seconds{15};

template <class Answer>
struct course {
  millis takes{};
  Answer answer;
};

course<sighting> look(lab_state& lab, const probe_request& rq) {
  course<sighting> result;
  auto& x = result.answer;
  x.node = rq.node;
  if (!lab.truth.has(rq.node)) {
    x.evidence = "no address of " + rq.node + " is known";
    return result;
  }
  const auto& node = lab.truth.node(rq.node);
  auto port = std::to_string(lab.rules.host_ha.daemon_port);
  if (lab.truth.answers(rq.node)) {
    result.takes = lab.port_delay(1, 20);
    x.verdict = health::healthy;
    x.lives = true;
    x.evidence = port + " answers";
    return result;
  }
  x.verdict = health::unhealthy;
  auto cut
    = rq.node != lab.self() && (node.management_cut || lab.truth.uplink_cut());
  auto kernel = lab.truth.alive(rq.node)
                && node.boots_until <= lab.truth.now() + refusing_while_booting;
  if (kernel && !cut) {
    result.takes = lab.port_delay(1, 5);
    x.lives = true;
    x.evidence = port + " refused";
    return result;
  }
  result.takes = rq.time_limit;
  x.evidence = port + " gives no answer";
  return result;
}

bool can_look(const lab_state& lab, const node_name& neighbour,
              const node_name& node) {
  return neighbour != node && lab.truth.has(neighbour)
         && lab.truth.answers(neighbour)
         && !lab.truth.node(neighbour).storage_cut;
}

course<activity_answer> look(lab_state& lab, const activity_request& rq) {
  course<activity_answer> result;
  auto& x = result.answer;
  x.node = rq.node;
  result.takes = lab.port_delay(200, 2000);
  const node_name* witness = nullptr;
  for (const auto& name : rq.neighbours)
    if (!witness && can_look(lab, name, rq.node))
      witness = &name;
  if (!witness || !lab.truth.has(rq.node)) {
    x.evidence = "no neighbour could look at the storage of " + rq.node;
    return result;
  }
  const auto& node = lab.truth.node(rq.node);
  auto moves = lab.truth.booted(rq.node) && !node.storage_cut;
  x.verdict = moves ? activity::active : activity::inactive;
  x.evidence = "heartbeat on storage " + std::string{moves ? "moves" : "stands"}
               + ", seen by " + *witness;
  return result;
}

template <class Answer, class Request>
caf::typed_response_promise<Answer> serve(self_type self, const Request& rq) {
  auto promise = self->make_response_promise<Answer>();
  auto& lab = *self->state.lab;
  std::lock_guard<std::mutex> hold{lab.guard};
  enter(self);
  auto what = look(lab, rq);
  auto takes = std::min(what.takes, rq.time_limit);
  later(self, takes, [promise, &lab, what]() mutable {
    what.answer.at = lab.truth.now();
    promise.deliver(what.answer);
  });
  return promise;
}

actor_type::behavior_type probe_impl(self_type self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const probe_request& rq) { return serve<sighting>(self, rq); },
    [self](const activity_request& rq) {
      return serve<activity_answer>(self, rq);
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

probe_port spawn_probe_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(probe_impl, lab);
}

} // namespace orderly::sim
