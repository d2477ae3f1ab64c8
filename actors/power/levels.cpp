// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/levels.hpp"

#include "actors/power/leaving.hpp"
#include "actors/power/report.hpp"
#include "actors/power/wishes.hpp"

#include <fmt/format.h>

namespace orderly::oob_parts {

namespace {

using operation = oob_state::operation;

bool has_next_level(const operation& op) {
  return op.level + 1 < op.order.programs.size();
}

power_state target(power_verb verb) {
  return verb == power_verb::off ? power_state::off : power_state::on;
}

operation* find(self_ptr self, const node_name& node) {
  auto i = self->state.active.find(node);
  return i == self->state.active.end() ? nullptr : &i->second;
}

/// This level gives nothing more: on to the next, or that was it.
void pass_on(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (!has_next_level(op)) {
    finish(self, node, false, agreed(op));
    return;
  }
  ++op.level;
  work(self, node);
}

/// Nothing more may be commanded, at this level or any other.
void give_up(self_ptr self, const node_name& node, const std::string& why) {
  auto& op = self->state.active.at(node);
  op.said[op.level].text = "not commanded: " + why;
  op.held_back = true;
  finish(self, node, false, power_state::unknown);
}

/// Runs a helper once; `then` gets its answer, in any case.
template <class Then>
void call(self_ptr self, const node_name& node, power_verb verb,
          std::size_t level, Then then) {
  auto& op = self->state.active.at(node);
  auto rules = self->state.ctx->rules();
  power_request request{node, verb, op.order.programs[level],
                        run_limit(op.order, *rules)};
  if (!by_person(op))
    request.way = op.order.way;
  auto patience
    = request.time_limit + rules->power.kill_delay + patience::slack;
  op.asked = now(self, self->state.ctx);
  self->request(self->state.port, patience, request)
    .then(
      [self, then, node, request](const power_answer& answer) {
        if (auto* asker = find(self, node))
          asker->heard = true;
        if (answer.denied)
          tell_denial(self, request, answer.text);
        then(answer);
      },
      [then, node](const caf::error&) {
        power_answer nothing;
        nothing.node = node;
        nothing.text = "the helper did not come back";
        then(nothing);
      });
}

void look(self_ptr self, const node_name& node, std::size_t level);

void commanded(self_ptr self, const node_name& node,
               const power_answer& answer) {
  auto* op = find(self, node);
  if (op == nullptr)
    return;
  op->command_ok = answer.done;
  op->command_text = answer.text;
  if (!answer.done)
    op->complaint = answer.text;
  auto& said = op->said[op->level];
  auto blind = !by_person(*op) && op->order.verb != power_verb::on
               && said.state == power_state::unknown;
  if (!answer.done && blind && has_next_level(*op)) {
    // Neither read nor commanded: the next one is better than more waiting.
    said.text += complaint(*op);
    pass_on(self, node);
    return;
  }
  // Whatever the helper says: the state that is read decides.
  look(self, node, op->level);
}

/// Nothing stands between this and the helper.
void send_command(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (auto why = why_not_now(self, op); !why.empty()) {
    give_up(self, node, why);
    return;
  }
  op.commanded = true;
  op.acted = true;
  call(self, node, op.order.verb, op.level,
       [self, node](const power_answer& answer) {
         commanded(self, node, answer);
       });
}

/// That it is to be switched off although it read off is for a reset that may
/// be under way. The last look took its time, and whoever is on by now boots.
bool is_reread(const operation& op) {
  return op.order.verb == power_verb::off && !by_person(op)
         && op.before == power_state::off && !contrary_level(op);
}

/// What is wanted is judged again, now that it is written down.
void command(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (!op.witness) {
    give_up(self, node, "nobody answers for it");
    return;
  }
  self
    ->request(op.witness, witness_patience(*self->state.ctx->rules()),
              power_last_look{op.order.intent, contrary_level(op)
                                                 ? power_state::unknown
                                                 : op.before})
    .then(
      [self, node, arrived = op.arrived](const power_last_word& word) {
        auto* asked = find(self, node);
        if (asked == nullptr || asked->arrived != arrived)
          return;
        asked->answers = word.answers;
        asked->intended_at = never; // written in time, and judged since
        if (!word.stands) {
          give_up(self, node, word.why);
        } else if (is_reread(*asked)) {
          asked->reread = true;
          look(self, node, asked->level);
        } else {
          send_command(self, node);
        }
      },
      [self, node, arrived = op.arrived](const caf::error&) {
        auto* asked = find(self, node);
        if (asked != nullptr && asked->arrived == arrived)
          give_up(self, node, "whoever wanted it did not look again in time");
      });
}

void intend(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (auto why = why_not_now(self, op); !why.empty()) {
    give_up(self, node, why);
    return;
  }
  auto at = now(self, self->state.ctx);
  op.intended_at = at;
  std::vector<journal_entry> rows{intent_entry(op, at)};
  std::optional<kept_wish> wish;
  if (makes_wish(op.order) && !op.intended) {
    wish = wish_of(op.order, self->state.wishes, at);
    rows.push_back(wish_entry(node, *wish, at));
  }
  op.intended = true;
  record(self, self->state.journal, std::move(rows),
         [self, node, wish = std::move(wish)] {
           auto& st = self->state;
           auto* asked = find(self, node);
           if (wish && asked != nullptr) {
             auto before = st.wishes.find(node);
             if (before != st.wishes.end())
               asked->wish_before = before->second;
             asked->wished = true;
           }
           if (wish)
             st.wishes[node] = *wish;
           if (wish && st.listener)
             self->send(st.listener, told(st.wishes));
           if (asked == nullptr)
             return;
           auto late = why_not_now(self, *asked);
           // Whoever wanted it for a person says better why it does not leave.
           auto better = by_person(*asked)
                         && !is_held_up(self, *asked, now(self, st.ctx));
           if (late.empty() || better)
             command(self, node);
           else
             give_up(self, node, late);
         });
}

void poll_again(self_ptr self, const node_name& node) {
  auto& st = self->state;
  auto ticket = ++st.next_ticket;
  st.polls.emplace(ticket, node);
  self->delayed_send(self, st.ctx->rules()->power.status_poll, tick{0, ticket});
}

/// It read off before.
void looked_once_more(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  op.before = op.said[op.level].state;
  op.came_on = op.before == power_state::on;
  if (op.came_on)
    give_up(self, node, "it read off before, and on right before the command");
  else
    send_command(self, node);
}

/// Before the command: is there anything to do?
void looked_before(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  auto& said = op.said[op.level];
  op.before = said.state;
  auto is_off = said.state == power_state::off && !by_person(op);
  // While another level says on, off is commanded here as well.
  if (op.order.verb == power_verb::off && is_off && !op.order.insist
      && !contrary_level(op)) {
    said.text = "already off, confirmed by " + said.text;
    finish(self, node, true, said.state);
  } else if (op.order.lost_power && said.state == power_state::on) {
    op.answers = true;
    give_up(self, node, "its power is on by now, " + said.text);
  } else if (op.order.lost_power && said.state == power_state::unknown) {
    // That it read off was all that spoke for it.
    if (has_next_level(op))
      pass_on(self, node);
    else
      give_up(self, node, "its power is not known any more, " + said.text);
  } else if (op.order.verb == power_verb::cycle && is_off) {
    said.text = "nothing to reset: " + said.text;
    finish(self, node, false, agreed(op));
  } else {
    intend(self, node);
  }
}

/// The level itself says that it worked. Does none say the contrary?
void prove(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (auto other = contrary_level(op)) {
    op.doubted = other;
    look(self, node, *other);
    return;
  }
  auto& said = op.said[op.level];
  said.text += " after the command";
  finish(self, node, true, said.state);
}

void not_yet(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  auto& said = op.said[op.level];
  auto failed = !op.command_ok
                && (op.order.verb != power_verb::off || by_person(op)
                    || has_next_level(op));
  if (failed) {
    said.text += complaint(op);
    pass_on(self, node);
  } else if (now(self, self->state.ctx) < op.deadline) {
    poll_again(self, node);
  } else if (worked_unread(op)) {
    said.text = "its helper says that it was done, " + said.text;
    finish(self, node, true, said.state);
  } else {
    said.text = "not confirmed in time: " + said.text + complaint(op);
    pass_on(self, node);
  }
}

/// After the command: did it work?
void looked_after(self_ptr self, const node_name& node) {
  const auto& op = self->state.active.at(node);
  auto verb = op.order.verb;
  auto seen = op.said[op.level].state;
  auto still_off = verb == power_verb::cycle && by_person(op)
                   && op.before == power_state::off && seen == power_state::off;
  // That it is on proves no reset: the helper must agree. To a person a
  // command that failed has failed, whatever is so now; then nothing is
  // recorded.
  auto agrees = op.command_ok || (verb != power_verb::cycle && !by_person(op));
  if (agrees && (seen == target(verb) || still_off))
    prove(self, node);
  else
    not_yet(self, node);
}

/// A level that said the contrary was read again.
void looked_at_doubted(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  auto other = *op.doubted;
  op.doubted.reset();
  auto& said = op.said[op.level];
  if (contrary_level(op) != other) {
    prove(self, node);
    return;
  }
  said.text += fmt::format(", but {} says {}", op.order.programs[other],
                           to_string(op.said[other].state));
  if (now(self, self->state.ctx) >= op.deadline) {
    said.text = "not confirmed in time: " + said.text;
    pass_on(self, node);
  } else {
    poll_again(self, node);
  }
}

/// All that was wanted is the answer.
void answered(self_ptr self, const node_name& node,
              const power_answer& answer) {
  auto& op = self->state.active.at(node);
  auto state = op.said[op.level].state;
  auto known = op.order.verb == power_verb::health
                 ? answer.done
                 : state != power_state::unknown;
  if (known) {
    op.items = answer.items;
    finish(self, node, true, state);
  } else {
    pass_on(self, node);
  }
}

void looked(self_ptr self, const node_name& node, const power_answer& answer,
            std::size_t level) {
  auto* op = find(self, node);
  if (op == nullptr)
    return;
  auto verb = op->order.verb;
  auto took = now(self, self->state.ctx) - op->asked;
  op->read = true;
  op->hung
    = op->hung || took >= run_limit(op->order, *self->state.ctx->rules());
  op->said[level] = reading(verb, answer);
  // A command that failed is what counts for whoever gave it.
  if (!answer.done && complaint(*op).empty())
    op->complaint = answer.text;
  if (is_reading(verb))
    answered(self, node, answer);
  else if (op->doubted)
    looked_at_doubted(self, node);
  else if (op->commanded)
    looked_after(self, node);
  else if (op->reread)
    looked_once_more(self, node);
  else
    looked_before(self, node);
}

void look(self_ptr self, const node_name& node, std::size_t level) {
  auto wanted = self->state.active.at(node).order.verb;
  auto verb = wanted == power_verb::health ? wanted : power_verb::status;
  call(self, node, verb, level,
       [self, node, level](const power_answer& answer) {
         looked(self, node, answer, level);
       });
}

} // namespace

void work(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  auto rules = self->state.ctx->rules();
  auto verb = op.order.verb;
  op.before = power_state::unknown;
  op.intended_at = never;
  op.reread = false;
  op.commanded = false;
  op.command_ok = false;
  op.deadline = now(self, self->state.ctx)
                + (op.order.proof_limit != millis{0} ? op.order.proof_limit
                   : verb == power_verb::off ? rules->host_ha.fence_timeout
                                             : rules->host_ha.recovery_timeout);
  auto looks_first = is_reading(verb) || verb == power_verb::cycle
                     || (verb == power_verb::off && !by_person(op));
  if (looks_first)
    look(self, node, op.level);
  else
    intend(self, node);
}

void look_again(self_ptr self, const node_name& node) {
  if (auto* op = find(self, node))
    look(self, node, op->level);
}

} // namespace orderly::oob_parts
