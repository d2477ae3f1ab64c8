// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The simulated agents: each says what its node's script says, if the node and
// the agent live.

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly::sim {

namespace {

using agent_actor_type = agent_port::extend<caf::reacts_to<wake>>;
using agent_self = agent_actor_type::stateful_pointer<waking>;

/// What a node's agent answers now.
diagnosis look(lab_state& lab, const ask_diagnosis& rq) {
  diagnosis x;
  x.node = rq.node;
  auto i = lab.agents.find(rq.node);
  auto said = i == lab.agents.end() ? node_agent{} : i->second;
  if (said.silent || !lab.cluster.answers(rq.node)) {
    x.text = rq.node + " does not answer";
    return x;
  }
  constexpr millis age_max = seconds{300};
  if (said.how == hearing::heard && std::chrono::abs(said.age) > age_max) {
    x.how = hearing::unverified;
    x.text
      = "it was signed " + std::to_string(said.age.count() / 1000) + " s ago";
    return x;
  }
  x.how = said.how;
  x.object = said.object;
  x.text = said.text;
  x.at = lab.truth.now() - said.age;
  return x;
}

/// The lab stands still while this looks.
template <class Answer, class Make>
caf::result<Answer> later_answer(agent_self self, bool silent, millis limit,
                                 Make make) {
  auto promise = self->make_response_promise<Answer>();
  auto& x = *self->state.lab;
  auto takes = silent ? limit : (x.prompt_ports ? millis{1} : millis{20});
  later(self, takes, [promise, make]() mutable { promise.deliver(make()); });
  return promise;
}

bool is_silent(const lab_state& lab, const node_name& node) {
  auto i = lab.agents.find(node);
  return (i != lab.agents.end() && i->second.silent)
         || !lab.cluster.answers(node);
}

agent_actor_type::behavior_type agents_impl(agent_self self, lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const ask_diagnosis& rq) -> caf::result<diagnosis> {
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      enter(self);
      return later_answer<diagnosis>(self, is_silent(x, rq.node), rq.time_limit,
                                     [&x, rq] { return look(x, rq); });
    },
    [self](const deposit_repair& rq) -> caf::result<deposit_answer> {
      auto& x = *self->state.lab;
      std::lock_guard<std::mutex> hold{x.guard};
      enter(self);
      return later_answer<deposit_answer>(
        self, is_silent(x, rq.node), rq.time_limit, [&x, rq] {
          auto silent = is_silent(x, rq.node);
          return deposit_answer{!silent, silent ? rq.node + " does not answer"
                                                : std::string{}};
        });
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

agent_port spawn_agent_port(caf::actor_system& sys, const lab_pointer& lab) {
  return sys.spawn(agents_impl, lab);
}

} // namespace orderly::sim
