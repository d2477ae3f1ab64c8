// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports.hpp"
#include "sim/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using actor_type = power_port::extend<caf::reacts_to<wake>>;
using self_type = actor_type::stateful_pointer<waking>;

constexpr const char* timed_out
  = "OOB program execution timeout exceeded, OOB program execution aborted";

std::string failed(const std::string& why) {
  return "OOB program execution failed (" + why + ")";
}

/// How the helper's run goes, settled when it starts.
struct run {
  millis takes{};
  controller mode = controller::ok;
  bool hangs = false;
};

run begin(lab_state& lab, const power_request& rq) {
  run result;
  if (rq.program.empty() || !lab.truth.has(rq.node)) {
    result.mode = controller::fail;
    return result;
  }
  const auto& node = lab.truth.node(rq.node);
  result.mode = node.bmc;
  switch (rq.verb) {
  case power_verb::status:
    result.takes = lab.port_delay(50, 400);
    break;
  case power_verb::cycle:
    result.takes = lab.port_delay(3000, 6000);
    break;
  default:
    result.takes = lab.port_delay(500, 2000);
  }
  if (node.bmc == controller::slow)
    result.takes = node.bmc_delay;
  if (node.bmc == controller::dies_with_node && !node.fed)
    result.takes = seconds{20}; // the protocol's own patience
  result.hangs = node.bmc == controller::hang || result.takes > rq.time_limit;
  if (result.hangs)
    result.takes = rq.time_limit;
  return result;
}

/// Switches for real. The text says why not; empty: the chassis obeyed.
std::string switch_power(world& truth, const power_request& rq, bool& changed) {
  const auto& node = truth.node(rq.node);
  switch (rq.verb) {
  case power_verb::off:
    changed = truth.set_power(rq.node, false);
    return {};
  case power_verb::on:
    changed = truth.set_power(rq.node, true);
    return node.powered ? "" : failed("chassis has no feed");
  case power_verb::cycle:
    if (!node.powered)
      return failed("chassis is off, cycle does nothing");
    truth.cycle(rq.node);
    changed = true;
    return {};
  case power_verb::status:
    return {};
  }
  return {};
}

power_answer conclude(lab_state& lab, const power_request& rq, const run& how,
                      bool& changed) {
  power_answer x;
  x.node = rq.node;
  x.at = lab.truth.now();
  auto command = rq.verb != power_verb::status;
  if (how.mode == controller::fail) {
    x.text = failed(rq.program.empty() ? "no program is configured"
                                       : "exit 1: insufficient privilege");
    return x;
  }
  const auto& node = lab.truth.node(rq.node);
  auto dead = how.mode == controller::dies_with_node && !node.fed;
  if (how.hangs) {
    // The chassis may have heard it all the same.
    if (command && !dead && lab.luck.chance(250))
      switch_power(lab.truth, rq, changed);
    x.text = timed_out;
    return x;
  }
  if (dead) {
    x.text = failed("exit 1: unable to establish a session");
    return x;
  }
  if (command && how.mode != controller::lies_off)
    x.text = switch_power(lab.truth, rq, changed);
  if (how.mode == controller::garbage) {
    x.text = "Payload returned by node '" + rq.node
             + "' is not valid: not the expected object";
    return x;
  }
  x.done = x.text.empty();
  if (!command)
    x.state = how.mode == controller::lies_on    ? power_state::on
              : how.mode == controller::lies_off ? power_state::off
              : node.powered                     ? power_state::on
                                                 : power_state::off;
  return x;
}

power_answer finish(lab_state& lab, const power_request& rq, const run& how) {
  power_deed deed;
  deed.ended = true;
  deed.node = rq.node;
  deed.verb = rq.verb;
  auto result = conclude(lab, rq, how, deed.changed);
  deed.at = result.at;
  deed.done = result.done;
  deed.state = result.state;
  if (result.state != power_state::unknown)
    deed.lie
      = lab.truth.node(rq.node).powered != (result.state == power_state::on);
  if (deed.lie && deed.state == power_state::off)
    ++lab.lies_told[rq.node];
  lab.note(deed);
  return result;
}

actor_type::behavior_type power_impl(self_type self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const power_request& rq) {
      auto promise = self->make_response_promise<power_answer>();
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      power_deed deed;
      deed.at = enter(self);
      if (x.gagged)
        return promise;
      deed.node = rq.node;
      deed.verb = rq.verb;
      x.note(deed);
      auto how = begin(x, rq);
      later(self, how.takes, [promise, &x, rq, how]() mutable {
        promise.deliver(finish(x, rq, how));
      });
      return promise;
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

power_port spawn_power_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(power_impl, lab);
}

} // namespace orderly::sim
