// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/oob.hpp"

#include "actors/power/levels.hpp"
#include "actors/power/report.hpp"
#include "actors/power/turns.hpp"
#include "actors/power/wishes.hpp"

namespace orderly {

namespace {

using namespace oob_parts;
using operation = oob_state::operation;

/// Nobody got to it: what was to be done did not leave, and was no try.
power_report put_off(const oob_state& st, const power_order& order,
                     std::string why, instant at) {
  auto report = refused(st, order, std::move(why), at);
  report.held_back = !is_reading(order.verb);
  return report;
}

/// If this order is not worked though it has its turn, why not.
std::optional<power_report> why_not_worked(const oob_state& st,
                                           const operation& op, instant at) {
  if (at >= op.useless_after)
    return put_off(st, op.order, "refused: too long ago that it was asked for",
                   at);
  auto why = why_against_wish(st.wishes, op.order);
  if (why.empty())
    return std::nullopt;
  auto report = refused(st, op.order, std::move(why), at);
  report.by_wish = true;
  return report;
}

/// The node has a wish that is about another one of its name.
void forget_void_wish(self_ptr self, const power_order& order, instant at) {
  auto& st = self->state;
  auto why = why_void(st.wishes, order);
  if (why.empty())
    return;
  auto i = st.wishes.find(order.node);
  record(self, st.journal,
         wish_end_entry(order.node, i->second, std::nullopt, why, at));
  st.wishes.erase(i);
}

void start_next(self_ptr self) {
  auto& st = self->state;
  // An order that ends at once calls us again; the loop below goes on anyway.
  if (!st.recalled || st.starting)
    return;
  st.starting = true;
  auto at = now(self, st.ctx);
  auto rules = st.ctx->rules();
  while (st.running < rules->power.concurrency) {
    auto node = next_node(st, rules->power.concurrency);
    if (!node)
      break;
    auto op = take(st, *node);
    forget_void_wish(self, op.order, at);
    if (auto refusal = why_not_worked(st, op, at)) {
      op.promise.deliver(*std::move(refusal));
      continue;
    }
    op.slow = waits_slowly(st, op);
    st.slow_running += op.slow ? 1 : 0;
    ++st.running;
    st.active.emplace(*node, std::move(op));
    work(self, *node);
  }
  st.starting = false;
}

std::string why_refused(const power_order& order) {
  if (order.programs.empty())
    return "no power control: the node has no OOB program";
  if (!is_reading(order.verb) && order.intent.empty())
    return "refused: an act without an intent";
  return {};
}

/// Readings fill no more than half of the room: an act gets in beside them.
bool is_full(const oob_state& st, const power_order& order) {
  auto most = std::size_t{st.ctx->rules()->power.queued_max};
  return st.queued >= (is_reading(order.verb) ? most : 2 * most);
}

void recall_wishes(self_ptr self) {
  self->request(self->state.journal, caf::infinite, recall{wish_prefix, true})
    .then(
      [self](const recalled& answer) {
        auto& st = self->state;
        st.wishes = wishes_from(answer.states, now(self, st.ctx));
        st.recalled = true;
        for (auto& promise : std::exchange(st.wish_questions, {}))
          promise.deliver(told(st.wishes));
        start_next(self);
      },
      [](const caf::error&) {
        // The journal is gone and so, any moment, are we.
      });
}

caf::result<power_report> taken(self_ptr self, power_order& order,
                                power_witness witness) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (auto why = why_refused(order); !why.empty())
    return refused(st, order, std::move(why), at);
  if (is_full(st, order))
    return put_off(st, order, "refused: too many power operations wait", at);
  operation op;
  op.promise = self->make_response_promise<power_report>();
  op.useless_after = at + power_patience(*st.ctx->rules(), order);
  op.said.resize(order.programs.size());
  op.order = std::move(order);
  op.witness = std::move(witness);
  auto promise = op.promise;
  enqueue(st, std::move(op));
  start_next(self);
  return promise;
}

caf::result<program_answer> checked(self_ptr self,
                                    const program_question& what) {
  auto promise = self->make_response_promise<program_answer>();
  auto patience = self->state.ctx->rules()->power.command_timeout;
  self->request(self->state.port, patience, what)
    .then(
      [promise](program_answer& answer) mutable {
        promise.deliver(std::move(answer));
      },
      [promise, program = what.program](const caf::error&) mutable {
        promise.deliver(program_answer{
          program, "the helper program " + program
                     + " was not looked at: the "
                       "power port does not answer; look into the log"});
      });
  return promise;
}

/// What its outcome makes of a person's wish for the node; empty: nothing.
std::vector<journal_entry> wish_rows(oob_state& st, const power_report& x,
                                     const power_order& order) {
  auto i = st.wishes.find(x.node);
  if (i == st.wishes.end() || x.verb == power_verb::health)
    return {};
  auto& kept = i->second;
  auto news = observe(kept, x.verb, x.state);
  if (news == wish_news::ended) {
    auto before = std::exchange(kept, rest_of(kept));
    return {wish_end_entry(x.node, before, kept, why_ended(before), x.at)};
  }
  if (auto why = why_over(kept, order, x); !why.empty()) {
    // Unless it lives, the command may have worked all the same.
    auto rest
      = has_answered(kept, order) ? std::nullopt : std::optional{rest_of(kept)};
    auto row = wish_end_entry(x.node, kept, rest, why, x.at);
    if (rest)
      kept = *rest;
    else
      st.wishes.erase(i);
    return {std::move(row)};
  }
  auto in_doubt = note_doubt(kept, order, x);
  auto lives = note_life(kept, order, x);
  if (!in_doubt && !lives && news != wish_news::met)
    return {};
  auto row = wish_entry(x.node, kept, x.at);
  if (is_void(kept))
    st.wishes.erase(i);
  return {std::move(row)};
}

/// Nothing of its order left us: what the person wanted before holds again.
std::vector<journal_entry> unwish(oob_state& st, const power_report& x,
                                  const std::optional<kept_wish>& before) {
  auto i = st.wishes.find(x.node);
  if (i == st.wishes.end())
    return {};
  if (before) {
    i->second = *before;
    return {wish_entry(x.node, *before, x.at)};
  }
  auto row = wish_end_entry(x.node, i->second, std::nullopt,
                            "nothing of it was commanded", x.at);
  st.wishes.erase(i);
  return {std::move(row)};
}

} // namespace

void oob_parts::finish(self_ptr self, const node_name& node, bool confirmed,
                       power_state seen) {
  auto& st = self->state;
  auto i = st.active.find(node);
  if (i == st.active.end())
    return;
  auto op = std::move(i->second);
  st.active.erase(i);
  --st.running;
  st.slow_running -= op.slow ? 1 : 0;
  if (op.hung)
    st.slow.insert(node);
  else if (op.read)
    st.slow.erase(node);
  auto order = op.order;
  auto intended = op.intended;
  auto promise = op.promise;
  auto vain = op.wished && op.held_back && !op.acted;
  auto before = op.wish_before;
  auto report = report_of(std::move(op), confirmed, seen, now(self, st.ctx));
  auto before_it = wish_for(st.wishes, node);
  auto rows = vain ? unwish(st, report, before) : wish_rows(st, report, order);
  report.wish = wish_for(st.wishes, node);
  if (report.commanded && !order.who.empty())
    drop_decided_before(st, order, report.at);
  // One that ended shall not be told again by those who heard of it.
  if (st.listener && report.wish != before_it)
    self->send(st.listener, told(st.wishes));
  if (intended)
    rows.push_back(outcome_entry(report, order));
  if (!rows.empty())
    record(self, st.journal, std::move(rows), [] {});
  auto read = report.verb == power_verb::status && report.tried
              && report.state != power_state::unknown && !order.by_keeper;
  auto raised = report.verb == power_verb::on && report.confirmed
                && report.state == power_state::on && !order.who.empty();
  auto is_news = read || raised;
  if (is_news && st.overhearing)
    self->send(st.overhearing, report);
  promise.deliver(std::move(report));
  start_next(self);
}

oob_actor::behavior_type oob(self_ptr self, context_ptr ctx, power_port port,
                             journal_actor journal) {
  die_with_reason(self, "oob");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.port = std::move(port);
  st.journal = std::move(journal);
  st.right.text = "no right to act yet";
  recall_wishes(self);
  return {
    [self](power_order& order) { return taken(self, order, {}); },
    [self](power_order& order, power_witness& witness) {
      return taken(self, order, std::move(witness));
    },
    [self](const wish_client& client) { self->state.listener = client; },
    [self](const node_listener& who) { self->state.overhearing = who; },
    [self](const power_withdraw& what) {
      auto& state = self->state;
      withdraw(state, what, now(self, state.ctx));
    },
    [self](const ask_wishes&) -> caf::result<power_wishes> {
      auto& state = self->state;
      if (state.recalled)
        return told(state.wishes);
      state.wish_questions.push_back(
        self->make_response_promise<power_wishes>());
      return state.wish_questions.back();
    },
    [self](const program_question& what) { return checked(self, what); },
    [self](const lease& right) { self->state.right = right; },
    [self](const tick& t) {
      auto& polls = self->state.polls;
      auto i = polls.find(t.generation);
      if (i == polls.end())
        return;
      auto node = std::move(i->second);
      polls.erase(i);
      look_again(self, node);
    },
  };
}

} // namespace orderly
