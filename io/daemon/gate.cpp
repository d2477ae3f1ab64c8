// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/gate.hpp"

#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace orderly {

namespace {

struct gate_state {
  // No aggregate: CAF would try to make it from the actor's own pointer.
  gate_state() = default;

  root_actor root;
  context_ptr ctx;
};

using self_ptr = gate_actor::stateful_pointer<gate_state>;

fault busy() {
  return {fault_kind::timed_out, "orderlyd is starting or too busy to answer; "
                                 "try again in a moment"};
}

constexpr auto patience = seconds{5};

/// An order that would not be on disk is not taken: told at once, instead of
/// after a wait with an end that nobody knows.
template <class Then>
bool refused(self_ptr self, const Then& then) {
  auto why = self->state.ctx->journal_trouble();
  if (why.empty())
    return false;
  (*then)(fault{fault_kind::unreachable,
                "nothing was done, because no order is taken while the journal "
                "cannot be written: "
                  + why});
  return true;
}

/// Less than what HTTP waits for an answer.
constexpr auto repair_patience = seconds{8};

/// Why an order for an errand has no sheet: once it was handed over, no
/// answer does not mean that nothing was done.
fault unsure(const io::http::errand_word& x) {
  if (std::holds_alternative<errand_query>(x))
    return busy();
  return {fault_kind::unknown_outcome,
          "no answer in time: it may or may not have been taken; see 'orderly "
          "errands' before asking again"};
}

/// Asks at one of the counters; `lost` is told if that was asked and gave no
/// answer in time.
template <class Answer, class Counter, class Question, class Then>
void ask(self_ptr self, Counter front::*counter, millis wait, Question question,
         Then then, fault lost) {
  self->request(self->state.root, patience, ask_counters{})
    .then(
      [=](const front& at) {
        self->request(at.*counter, wait, question)
          .then([then](Answer& answer) { (*then)(std::move(answer)); },
                [then, lost](const caf::error&) { (*then)(lost); });
      },
      [then](const caf::error&) { (*then)(busy()); });
}

void pass_on(self_ptr self, const gate_errand& e) {
  if (!std::holds_alternative<errand_query>(e.word) && refused(self, e.then))
    return;
  std::visit(
    [&](const auto& word) {
      ask<errand_sheet>(self, &front::desk, patience, word, e.then,
                        unsure(e.word));
    },
    e.word);
}

void pass_on(self_ptr self, const gate_errands& e) {
  ask<errand_list_answer>(self, &front::desk, patience, errand_list{}, e.then,
                          busy());
}

void pass_on(self_ptr self, const gate_balance& b) {
  ask<balance_sheet>(self, &front::balancer, patience, b.query, b.then, busy());
}

void pass_on(self_ptr self, const gate_scene& q) {
  auto unwrap = [then = q.then](result<scene_answer> got) {
    if (got)
      (*then)(std::move(got->now));
    else
      (*then)(got.why());
  };
  auto then = std::make_shared<decltype(unwrap)>(std::move(unwrap));
  ask<scene_answer>(self, &front::view, patience, ask_scene{}, then, busy());
}

void pass_on(self_ptr self, const gate_repair& r) {
  if (refused(self, r.then))
    return;
  // Once it was asked for, no answer does not mean that nothing was done.
  ask<repair_answer>(self, &front::cluster, repair_patience, r.wanted, r.then,
                     {fault_kind::unknown_outcome,
                      "no answer in time: the pending tag may or may not be "
                      "written; see 'orderly explain' before asking again"});
}

void pass_on(self_ptr self, const gate_order& o) {
  if (refused(self, o.then))
    return;
  ask<pause_answer>(self, &front::scheduler, patience, o.order, o.then,
                    {fault_kind::unknown_outcome,
                     "no answer in time: it takes effect as soon as it is on "
                     "disk, and not before; see 'orderly status'"});
}

gate_actor::behavior_type gate(self_ptr self, root_actor root,
                               context_ptr ctx) {
  self->state.root = std::move(root);
  self->state.ctx = std::move(ctx);
  return {
    [self](const gate_scene& q) { pass_on(self, q); },
    [self](const gate_repair& r) { pass_on(self, r); },
    [self](const gate_errand& e) { pass_on(self, e); },
    [self](const gate_errands& e) { pass_on(self, e); },
    [self](const gate_balance& b) { pass_on(self, b); },
    [self](const gate_order& o) { pass_on(self, o); },
  };
}

} // namespace

gate_actor spawn_gate(caf::actor_system& system, root_actor root,
                      context_ptr ctx) {
  return system.spawn(gate, std::move(root), std::move(ctx));
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
  b.source.scene
    = [x](auto then) { x->knock(gate_scene{shared(std::move(then))}); };
  b.source.revision = [x] {
    auto at = x->behind_.load();
    return at ? at->ctx->stirred() : 0;
  };
  b.source.more_metrics = x->more_metrics;
  b.pause = [x](pause_order order, auto then) {
    x->knock(gate_order{std::move(order), shared(std::move(then))});
  };
  b.repair = [x](repair_request wanted, auto then) {
    x->knock(gate_repair{std::move(wanted), shared(std::move(then))});
  };
  b.errand = [x](io::http::errand_word word, auto then) {
    x->knock(gate_errand{std::move(word), shared(std::move(then))});
  };
  b.errands
    = [x](auto then) { x->knock(gate_errands{shared(std::move(then))}); };
  b.balance = [x](balance_query query, auto then) {
    x->knock(gate_balance{std::move(query), shared(std::move(then))});
  };
  b.source.balance = b.balance;
  return b;
}

} // namespace orderly
