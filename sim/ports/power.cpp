// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using power_actor_type = power_port::extend<caf::reacts_to<wake>>;
using power_self = power_actor_type::stateful_pointer<waking>;

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
  std::string unfit; ///< why it cannot be run at all
};

/// What keeps a file from being run, as the live port says it.
std::string wrong_with(const lab_state& lab, const std::string& program) {
  auto file = "the helper program " + program;
  switch (lab.truth.file_of(program)) {
  case file_fault::missing:
    return file + " does not exist";
  case file_fault::not_executable:
    return file + " is not executable for us: run chmod +x on it";
  case file_fault::not_a_file:
    return file + " is not a regular file";
  case file_fault::writable:
    return file
           + " is writable by its group or by others: run chmod go-w on it";
  case file_fault::none:
    return {};
  }
  return {};
}

run begin(lab_state& lab, const power_request& rq) {
  run result;
  if (rq.program.empty())
    result.unfit = "no program is configured";
  else if (!lab.truth.has(rq.node))
    result.unfit = "exit 1: unknown node";
  else
    result.unfit = wrong_with(lab, rq.program);
  if (!result.unfit.empty())
    return result;
  const auto& machine = lab.truth.machine_of(rq.node);
  const auto& node = lab.truth.node(machine);
  const auto& talks = lab.truth.controller_of(machine, rq.program);
  result.mode = talks.what;
  switch (rq.verb) {
  case power_verb::status:
  case power_verb::health:
    result.takes = lab.port_delay(50, 400);
    break;
  case power_verb::cycle:
    result.takes = lab.port_delay(3000, 6000);
    break;
  default:
    result.takes = lab.port_delay(500, 2000);
  }
  if (talks.what == controller::slow)
    result.takes = talks.delay;
  if (talks.what == controller::dies_with_node && !node.fed)
    result.takes = seconds{20}; // the protocol's own patience
  result.hangs = talks.what == controller::hang || result.takes > rq.time_limit;
  if (result.hangs)
    result.takes = rq.time_limit;
  return result;
}

/// Switches for real. The text says why not; empty: the chassis obeyed.
std::string switch_power(world& truth, const power_request& rq, bool& changed) {
  const auto name = truth.machine_of(rq.node);
  const auto& node = truth.node(name);
  switch (rq.verb) {
  case power_verb::off:
    changed = truth.set_power(name, false);
    return {};
  case power_verb::on:
    changed = truth.set_power(name, true);
    return node.powered ? "" : failed("chassis has no feed");
  case power_verb::cycle:
    if (!node.powered)
      return failed("chassis is off, cycle does nothing");
    truth.cycle(name);
    changed = true;
    return {};
  case power_verb::status:
  case power_verb::health:
    return {};
  }
  return {};
}

/// What a controller says that answers a question.
void tell_reading(const sim_node& node, controller mode, power_verb verb,
                  power_answer& x) {
  if (verb == power_verb::health)
    x.items = node.parts;
  else if (mode == controller::lies_on)
    x.state = power_state::on;
  else if (mode == controller::lies_off)
    x.state = power_state::off;
  else
    x.state = node.powered ? power_state::on : power_state::off;
}

power_answer conclude(lab_state& lab, const power_request& rq, const run& how,
                      bool& changed) {
  power_answer x;
  x.node = rq.node;
  x.at = lab.truth.now();
  auto command = !is_reading(rq.verb);
  if (!how.unfit.empty() || how.mode == controller::fail) {
    x.text = failed(how.unfit.empty() ? "exit 1: insufficient privilege"
                                      : how.unfit);
    return x;
  }
  const auto& node = lab.truth.node(lab.truth.machine_of(rq.node));
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
    tell_reading(node, how.mode, rq.verb, x);
  return x;
}

power_answer finish(lab_state& lab, const power_request& rq, const run& how) {
  power_deed deed;
  deed.ended = true;
  deed.node = rq.node;
  deed.verb = rq.verb;
  deed.program = rq.program;
  auto result = conclude(lab, rq, how, deed.changed);
  deed.machine
    = lab.truth.has(rq.node) ? lab.truth.machine_of(rq.node) : rq.node;
  if (deed.changed && deed.machine != deed.node)
    ++lab.misdirected[deed.machine];
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

auto on_question(power_self self, const program_question& rq) {
  auto promise = self->make_response_promise<program_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  later(self, x.port_delay(1, 5), [promise, &x, rq]() mutable {
    promise.deliver(program_answer{rq.program, wrong_with(x, rq.program)});
  });
  return promise;
}

power_actor_type::behavior_type power_impl(power_self self, lab_pointer lab) {
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
      deed.program = rq.program;
      x.note(deed);
      auto how = begin(x, rq);
      later(self, how.takes, [promise, &x, rq, how]() mutable {
        promise.deliver(finish(x, rq, how));
      });
      return promise;
    },
    [self](const program_question& rq) { return on_question(self, rq); },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

power_port spawn_power_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(power_impl, lab);
}

} // namespace orderly::sim
