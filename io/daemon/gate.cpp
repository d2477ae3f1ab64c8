// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/gate.hpp"

#include "actors/shell/patience.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

struct gate_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  gate_state() = default;

  console_actor console;
};

using self_ptr = gate_actor::stateful_pointer<gate_state>;

/// The console answers in time, if only that some part did not. This is told
/// when it is gone itself: of an order nobody knows then what became of it.
template <class Word>
fault gone() {
  if constexpr (wire::one_of<Word, pause_order, repair_request, console_errand,
                             event_order>)
    return {fault_kind::unknown_outcome,
            "orderlyd does not answer: it may or may not have been done; look "
            "with 'orderly status' before asking again"};
  else
    return {fault_kind::timed_out,
            "orderlyd does not answer; try again in a moment"};
}

template <class Word, class Answer>
void pass_on(self_ptr self, const gate_question<Word, Answer>& q) {
  self->request(self->state.console, patience::neighbour, q.ask)
    .then(
      [then = q.then](console_reply<Answer>& got) {
        if (got.trouble.part == console_part::none)
          (*then)(std::move(got.word));
        else
          (*then)(std::move(got.trouble.why));
      },
      [then = q.then](const caf::error&) { (*then)(gone<Word>()); });
}

gate_actor::behavior_type gate(self_ptr self, console_actor console) {
  self->state.console = std::move(console);
  return {
    [self](const gate_scene& q) { pass_on(self, q); },
    [self](const gate_repair& q) { pass_on(self, q); },
    [self](const gate_errand& q) { pass_on(self, q); },
    [self](const gate_errands& q) { pass_on(self, q); },
    [self](const gate_balance& q) { pass_on(self, q); },
    [self](const gate_order& q) { pass_on(self, q); },
    [self](const gate_event& q) { pass_on(self, q); },
  };
}

} // namespace

gate_actor spawn_gate(caf::actor_system& system, console_actor console) {
  return system.spawn(gate, std::move(console));
}

void gate_way::open(gate_actor gate, context_ptr ctx) {
  behind_.store(
    std::make_shared<const behind>(behind{std::move(gate), std::move(ctx)}));
}

template <class Question>
bool gate_way::knock(Question x) const {
  auto at = behind_.load();
  if (!at) {
    (*x.then)(fault{fault_kind::unreachable,
                    "orderlyd is starting; try again in a moment"});
    return false;
  }
  caf::anon_send(at->gate, std::move(x));
  return true;
}

namespace {

template <class Then>
auto shared(Then then) {
  return std::make_shared<Then>(std::move(then));
}

} // namespace

io::http::backend gate_way::backend_of(const std::shared_ptr<gate_way>& x) {
  io::http::backend b;
  b.source.scene = [x](auto then) {
    x->knock(gate_scene{{}, shared(std::move(then))});
  };
  b.source.revision = [x] {
    auto at = x->behind_.load();
    return at ? at->ctx->stirred() : 0;
  };
  b.source.more_metrics = x->more_metrics;
  b.pause = [x](pause_order order, auto then) {
    x->knock(gate_order{{std::move(order)}, shared(std::move(then))});
  };
  b.repair = [x](repair_request wanted, auto then) {
    x->knock(gate_repair{{std::move(wanted)}, shared(std::move(then))});
  };
  b.errand = [x](io::http::errand_word word, auto then) {
    x->knock(gate_errand{{std::move(word)}, shared(std::move(then))});
  };
  b.event = [x](event_order order, auto then) {
    x->knock(gate_event{{std::move(order)}, shared(std::move(then))});
  };
  b.errands = [x](auto then) {
    x->knock(gate_errands{{}, shared(std::move(then))});
  };
  b.balance = [x](balance_query query, auto then) {
    x->knock(gate_balance{{std::move(query)}, shared(std::move(then))});
  };
  b.source.balance = b.balance;
  return b;
}

} // namespace orderly
