// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/port.hpp"

#include "io/child/leftovers.hpp"
#include "io/child/runner.hpp"
#include "io/oob/decode.hpp"
#include "io/oob/program_check.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <algorithm>
#include <map>

namespace orderly::io::oob {

/// From the loop's thread to the port itself.
struct helper_done {
  std::uint64_t ticket = 0;
  outcome what;
};

} // namespace orderly::io::oob

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::oob::helper_done)

namespace orderly::io::oob {

namespace {

using child::leftovers;
using child::runner;
using child::runner_limits;

using port_actor = power_port::extend<caf::reacts_to<helper_done>>;
using promise = caf::typed_response_promise<power_answer>;

struct pending {
  promise answer;
  node_name node;
  power_verb verb = power_verb::status;
};

std::string why_not_callable(const power_request& request) {
  // The name becomes an argument: it must not look like an option, and no tool
  // behind the helper may take the end of a line for the end of a value.
  auto graphic = [](char c) { return c > ' ' && c <= '~'; };
  if (request.node.empty() || request.node.front() == '-'
      || !std::all_of(request.node.begin(), request.node.end(), graphic))
    return "\"" + request.node + "\" is no name of a node";
  return why_not_runnable(request.program);
}

struct port_state {
  std::shared_ptr<runner> helpers;
  std::map<std::uint64_t, pending> open;
  std::uint64_t last_ticket = 0;

  static inline const char* name = "power port";
};

port_actor::behavior_type
power_port_impl(port_actor::stateful_pointer<port_state> self,
                std::shared_ptr<runner> helpers) {
  self->state.helpers = std::move(helpers);
  return {
    [self](const power_request& request) {
      auto answer = self->make_response_promise<promise>();
      if (auto why = why_not_callable(request); !why.empty()) {
        outcome refusal;
        refusal.refused = std::move(why);
        answer.deliver(decode(request.node, request.verb, refusal));
        return answer;
      }
      auto ticket = ++self->state.last_ticket;
      self->state.open.emplace(ticket,
                               pending{answer, request.node, request.verb});
      // Weak: a helper under way must not keep a port that ended.
      auto done = [to = self->address(), ticket](outcome what) {
        if (auto port = caf::actor_cast<port_actor>(to))
          caf::anon_send(port, helper_done{ticket, std::move(what)});
      };
      // Whoever commands has looked a moment ago. There is a slot for each
      // command, but where a helper that KILL does not end keeps its own.
      constexpr millis at_once = seconds{2};
      child::command call{
        request.program, {word_of(request), request.node}, request.time_limit};
      if (!is_reading(request.verb))
        call.start_within = at_once;
      self->state.helpers->run(std::move(call), std::move(done));
      return answer;
    },
    [](const program_question& what) {
      return program_answer{what.program, why_not_runnable(what.program)};
    },
    [self](helper_done& news) {
      auto found = self->state.open.find(news.ticket);
      if (found == self->state.open.end())
        return;
      auto& x = found->second;
      x.answer.deliver(decode(x.node, x.verb, news.what));
      self->state.open.erase(found);
    },
  };
}

} // namespace

power_port spawn_power_port(caf::actor_system& system, loop& where,
                            const settings& knobs, std::string scope) {
  runner_limits limits;
  limits.parallel_max = knobs.power.concurrency;
  limits.queued_max = knobs.power.queued_max;
  limits.kill_delay = knobs.power.kill_delay;
  limits.alone = true;
  limits.scope = std::move(scope);
  return system.spawn(power_port_impl, std::make_shared<runner>(where, limits));
}

unsigned end_earlier_helpers(const std::string& scope) {
  return leftovers{scope, false}.end_earlier();
}

} // namespace orderly::io::oob
