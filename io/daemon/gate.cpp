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
};

using self_ptr = gate_actor::stateful_pointer<gate_state>;

fault busy() {
  return {fault_kind::timed_out, "orderlyd is starting or too busy to answer; "
                                 "try again in a moment"};
}

constexpr auto patience = seconds{5};

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

void hand_over(self_ptr self, const desk_actor& desk, const gate_errand& e) {
  std::visit(
    [&](const auto& word) {
      self->request(desk, patience, word)
        .then(
          [then = e.then](errand_sheet& sheet) { (*then)(std::move(sheet)); },
          [then = e.then, why = unsure(e.word)](const caf::error&) {
            (*then)(why);
          });
    },
    e.word);
}

void pass_on(self_ptr self, const gate_errand& e) {
  self->request(self->state.root, patience, ask_counters{})
    .then([self, e](const front& at) { hand_over(self, at.desk, e); },
          [then = e.then](const caf::error&) { (*then)(busy()); });
}

void pass_on(self_ptr self, const gate_errands& e) {
  auto fail = [then = e.then](const caf::error&) { (*then)(busy()); };
  self->request(self->state.root, patience, ask_counters{})
    .then(
      [self, e, fail](const front& at) {
        self->request(at.desk, patience, errand_list{})
          .then(
            [then = e.then](errand_list_answer& a) { (*then)(std::move(a)); },
            fail);
      },
      fail);
}

void pass_on(self_ptr self, const gate_balance& b) {
  auto fail = [then = b.then](const caf::error&) { (*then)(busy()); };
  self->request(self->state.root, patience, ask_counters{})
    .then(
      [self, b, fail](const front& at) {
        self->request(at.balancer, patience, b.query)
          .then([then = b.then](balance_sheet& x) { (*then)(std::move(x)); },
                fail);
      },
      fail);
}

gate_actor::behavior_type gate(self_ptr self, root_actor root) {
  self->state.root = std::move(root);
  return {
    [self](const gate_question& q) {
      auto fail = [then = q.then](const caf::error&) { (*then)(busy()); };
      self->request(self->state.root, patience, ask_counters{})
        .then(
          [self, q, fail](const front& at) {
            self->request(at.view, patience, q.query)
              .then([then = q.then](view_answer& a) { (*then)(std::move(a)); },
                    fail);
          },
          fail);
    },
    [self](const gate_repair& r) {
      // Once it was asked for, no answer does not mean that nothing was done.
      auto fail = [then = r.then](const caf::error&) { (*then)(busy()); };
      auto unsure = [then = r.then](const caf::error&) {
        (*then)(fault{fault_kind::unknown_outcome,
                      "no answer in time: the pending tag may or may not be "
                      "written; see 'orderly explain' before asking again"});
      };
      self->request(self->state.root, patience, ask_counters{})
        .then(
          [self, r, unsure](const front& at) {
            self->request(at.cluster, repair_patience, r.wanted)
              .then(
                [then = r.then](repair_answer& a) { (*then)(std::move(a)); },
                unsure);
          },
          fail);
    },
    [self](const gate_errand& e) { pass_on(self, e); },
    [self](const gate_errands& e) { pass_on(self, e); },
    [self](const gate_balance& b) { pass_on(self, b); },
    [self](const gate_order& o) {
      auto fail = [then = o.then](const caf::error&) { (*then)(busy()); };
      self->request(self->state.root, patience, ask_counters{})
        .then(
          [self, o, fail](const front& at) {
            self->request(at.scheduler, patience, o.order)
              .then([then = o.then](pause_answer& a) { (*then)(std::move(a)); },
                    fail);
          },
          fail);
    },
  };
}

} // namespace

gate_actor spawn_gate(caf::actor_system& system, root_actor root) {
  return system.spawn(gate, std::move(root));
}

io::http::backend backend_of(const gate_actor& gate) {
  io::http::backend b;
  b.ask = [gate](view_query query, auto then) {
    using function = std::function<void(result<view_answer>)>;
    caf::anon_send(gate,
                   gate_question{std::move(query),
                                 std::make_shared<function>(std::move(then))});
  };
  b.pause = [gate](pause_order order, auto then) {
    using function = std::function<void(result<pause_answer>)>;
    caf::anon_send(gate,
                   gate_order{std::move(order),
                              std::make_shared<function>(std::move(then))});
  };
  b.repair = [gate](repair_request wanted, auto then) {
    using function = std::function<void(result<repair_answer>)>;
    caf::anon_send(gate,
                   gate_repair{std::move(wanted),
                               std::make_shared<function>(std::move(then))});
  };
  b.errand = [gate](io::http::errand_word word, auto then) {
    using function = std::function<void(result<errand_sheet>)>;
    caf::anon_send(gate,
                   gate_errand{std::move(word),
                               std::make_shared<function>(std::move(then))});
  };
  b.errands = [gate](auto then) {
    using function = std::function<void(result<errand_list_answer>)>;
    caf::anon_send(gate,
                   gate_errands{std::make_shared<function>(std::move(then))});
  };
  b.balance = [gate](balance_query query, auto then) {
    using function = std::function<void(result<balance_sheet>)>;
    caf::anon_send(gate,
                   gate_balance{std::move(query),
                                std::make_shared<function>(std::move(then))});
  };
  return b;
}

} // namespace orderly
