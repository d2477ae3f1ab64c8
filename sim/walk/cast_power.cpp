// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The power switch of a walk. An order asks its witness before it leaves, as
// the real one does, unless its host says that it comes to nothing.

#include "actors/power/endings.hpp"
#include "sim/walk/cast.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <functional>
#include <utility>

#include <fmt/format.h>

namespace orderly::sim::walking {

namespace {

constexpr auto soon = millis{800};

/// Behind the orders of other nodes.
constexpr auto wait = millis{6000};

struct job {
  power_order order;
  power_witness witness;
  caf::typed_response_promise<power_report> promise;
};

struct switch_state : answers_later {
  static inline const char* name = "switch";

  hosts_ptr all;
  context_ptr ctx;
  paper_ptr book;
};

using walk_switch = power_switch::extend<caf::reacts_to<turn>>;
using self_ptr = walk_switch::stateful_pointer<switch_state>;

power_report report_on(self_ptr self, const power_order& q) {
  const auto& x = self->state.all->at(q.node);
  power_report r;
  r.node = q.node;
  r.verb = q.verb;
  r.intent = q.intent;
  r.program = q.programs.empty() ? std::string{} : q.programs.front();
  r.wish = x.wish;
  r.at = self->state.ctx->at(self->clock().now());
  return r;
}

power_report reading(self_ptr self, const power_order& q) {
  const auto& x = self->state.all->at(q.node);
  auto r = report_on(self, q);
  r.state = x.reads ? x.power : power_state::unknown;
  r.confirmed = x.reads;
  r.evidence = fmt::format("power status {}", to_string(r.state));
  return r;
}

/// The command leaves: its row is on disk, and it does what it can.
power_report command(self_ptr self, const job& what) {
  auto& x = self->state.all->at(what.order.node);
  fields row;
  row.put("intent", what.order.intent);
  self->state.book->states.insert_or_assign(
    oob_parts::given_by_itself + what.order.node, row);
  auto r = report_on(self, what.order);
  r.before = x.reads ? x.power : power_state::unknown;
  r.commanded = true;
  auto off = what.order.verb == power_verb::off;
  auto works = x.orders != order_end::fails;
  if (works)
    x.power = off ? power_state::off : power_state::on;
  r.state = x.reads ? x.power : power_state::unknown;
  r.confirmed = works && (x.reads || !off);
  r.evidence = works ? "commanded" : "the controller refused";
  return r;
}

void run(self_ptr self, job what) {
  auto witness = what.witness;
  auto limit = self->state.ctx->rules()->host_ha.activity_timeout * 2;
  auto give_up = [self, what]() mutable {
    auto r = report_on(self, what.order);
    r.held_back = true;
    r.evidence = "its witness did not answer";
    what.promise.deliver(std::move(r));
  };
  power_last_look question{what.order.intent, power_state::unknown};
  if (const auto& x = self->state.all->at(what.order.node); x.reads)
    question.read = x.power;
  self->request(witness, limit, question)
    .then(
      [self, what](const power_last_word& word) mutable {
        if (word.stands) {
          self->state.about(self, soon,
                            [what, r = command(self, what)]() mutable {
                              what.promise.deliver(std::move(r));
                            });
          return;
        }
        auto r = report_on(self, what.order);
        r.held_back = true;
        r.answers = word.answers;
        r.evidence = word.why;
        what.promise.deliver(std::move(r));
      },
      [give_up](const caf::error&) mutable { give_up(); });
}

/// What came to nothing.
power_report nothing(self_ptr self, const power_order& q, order_end how) {
  const auto& x = self->state.all->at(q.node);
  auto r = report_on(self, q);
  r.by_wish = how == order_end::by_wish;
  r.held_back = how != order_end::by_wish;
  r.answers = how == order_end::answered;
  if (how != order_end::unread && x.reads)
    r.before = x.power;
  r.evidence = "nothing was sent";
  return r;
}

caf::result<power_report> read(self_ptr self, const power_order& q) {
  auto promise = self->make_response_promise<power_report>();
  self->state.about(self, soon, [self, q, promise]() mutable {
    promise.deliver(reading(self, q));
  });
  return promise;
}

caf::result<power_report> take(self_ptr self, power_order& q,
                               power_witness& witness) {
  auto how = self->state.all->at(q.node).orders;
  job what{std::move(q), std::move(witness),
           self->make_response_promise<power_report>()};
  auto promise = what.promise;
  auto turn_comes = self->state.chance.chance(400) ? wait : soon;
  switch (how) {
  case order_end::hangs:
    self->state.later(self, hours{1}, [what] {}); // nobody waits any more
    break;
  case order_end::honest:
  case order_end::fails:
    self->state.about(self, turn_comes, [self, what] { run(self, what); });
    break;
  default:
    self->state.about(self, turn_comes, [self, what, how]() mutable {
      what.promise.deliver(nothing(self, what.order, how));
    });
  }
  return promise;
}

walk_switch::behavior_type the_switch(self_ptr self, hosts_ptr all,
                                      context_ptr ctx, paper_ptr book) {
  self->state.all = std::move(all);
  self->state.ctx = std::move(ctx);
  self->state.book = std::move(book);
  return {
    [self](const power_order& q) { return read(self, q); },
    [self](power_order& q, power_witness& witness) {
      return take(self, q, witness);
    },
    [](const power_withdraw&) {},
    [](const program_question&) { return program_answer{}; },
    [self](const turn& x) { self->state.wake(x); },
  };
}

} // namespace

power_switch spawn_switch(caf::actor_system& sys, hosts_ptr all,
                          context_ptr ctx, paper_ptr book) {
  return sys.spawn(the_switch, std::move(all), std::move(ctx), std::move(book));
}

} // namespace orderly::sim::walking
