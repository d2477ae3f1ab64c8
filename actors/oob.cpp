// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/oob.hpp"

#include <fmt/format.h>

namespace orderly {

namespace {

using self_ptr = oob_actor::stateful_pointer<oob_state>;
using operation = oob_state::operation;

void start_next(self_ptr self);
void read_status(self_ptr self, const node_name& node);

void finish(self_ptr self, const node_name& node, bool confirmed,
            power_state seen, std::string evidence) {
  auto& st = self->state;
  auto i = st.active.find(node);
  if (i == st.active.end())
    return;
  auto op = std::move(i->second);
  st.active.erase(i);
  --st.running;
  power_report report;
  report.node = node;
  report.verb = op.order.verb;
  report.intent = op.order.intent;
  report.confirmed = confirmed;
  report.state = seen;
  report.evidence = std::move(evidence);
  report.at = now(self, st.ctx);
  if (op.commanded) {
    journal_entry entry;
    entry.at = report.at;
    entry.kind = entry_kind::outcome;
    entry.object = node_object(node);
    entry.incident = op.order.incident;
    entry.intent = op.order.intent;
    entry.code = confirmed ? "power-confirmed" : "power-unconfirmed";
    entry.why
      = fmt::format("{}: {}", to_string(op.order.verb), report.evidence);
    record(self, st.journal, std::move(entry));
  }
  op.promise.deliver(std::move(report));
  auto w = st.waiting.find(node);
  if (w != st.waiting.end())
    st.ready.push_back(node);
  start_next(self);
}

void command(self_ptr self, const node_name& node) {
  auto& op = self->state.active.at(node);
  if (!self->state.right.held
      || now(self, self->state.ctx) >= self->state.right.until) {
    finish(self, node, false, power_state::unknown,
           "not commanded: " + self->state.right.text);
    return;
  }
  if (now(self, self->state.ctx) >= op.useless_after) {
    finish(self, node, false, power_state::unknown,
           "not commanded: too long ago that it was asked for");
    return;
  }
  op.commanded = true;
  auto rules = self->state.ctx->rules();
  power_request request{node, op.order.verb, op.order.program,
                        rules->power.command_timeout};
  auto patience = request.time_limit + rules->power.kill_delay + seconds{5};
  auto done = [self, node](bool ok, std::string text) {
    auto i = self->state.active.find(node);
    if (i == self->state.active.end())
      return;
    i->second.command_ok = ok;
    i->second.command_text = std::move(text);
    // Whatever the helper says: the state that is read decides.
    read_status(self, node);
  };
  self->request(self->state.port, patience, std::move(request))
    .then([done](power_answer& answer) { done(answer.done, answer.text); },
          [done](const caf::error&) {
            done(false, "the helper did not come back");
          });
}

void intend(self_ptr self, const node_name& node) {
  const auto& op = self->state.active.at(node);
  journal_entry entry;
  entry.at = now(self, self->state.ctx);
  entry.kind = entry_kind::intent;
  entry.object = node_object(node);
  entry.incident = op.order.incident;
  entry.intent = op.order.intent;
  entry.code = to_string(op.order.verb);
  entry.why = fmt::format("{}: {}", to_string(op.order.verb), op.order.why);
  record(self, self->state.journal, {std::move(entry)}, [self, node] {
    if (self->state.active.count(node) != 0)
      command(self, node);
  });
}

void poll_again(self_ptr self, const node_name& node) {
  auto& st = self->state;
  auto ticket = ++st.next_ticket;
  st.polls.emplace(ticket, node);
  self->delayed_send(self, st.ctx->rules()->power.status_poll, tick{0, ticket});
}

std::string complaint(const operation& op) {
  return op.commanded && !op.command_ok
           ? "; the command said: " + op.command_text
           : std::string{};
}

/// A status came in: before the command it decides whether there is anything
/// to do, afterwards whether it worked.
void status_read(self_ptr self, const node_name& node, power_state seen,
                 const std::string& text) {
  auto i = self->state.active.find(node);
  if (i == self->state.active.end())
    return;
  auto& op = i->second;
  auto verb = op.order.verb;
  auto reading = seen == power_state::unknown
                   ? "power status unknown: " + text
                   : fmt::format("power status {}", to_string(seen));
  if (verb == power_verb::status) {
    finish(self, node, seen != power_state::unknown, seen, reading);
    return;
  }
  if (!op.commanded) {
    if (verb == power_verb::off && seen == power_state::off && !op.order.insist)
      finish(self, node, true, seen, "already off, confirmed by " + reading);
    else if (verb == power_verb::cycle && seen == power_state::off)
      finish(self, node, false, seen, "nothing to reset: " + reading);
    else
      intend(self, node);
    return;
  }
  auto target = verb == power_verb::off ? power_state::off : power_state::on;
  auto good = seen == target && (verb == power_verb::off || op.command_ok);
  if (good)
    finish(self, node, true, seen, reading + " after the command");
  else if (verb != power_verb::off && !op.command_ok)
    finish(self, node, false, seen, reading + complaint(op));
  else if (now(self, self->state.ctx) >= op.deadline)
    finish(self, node, false, seen,
           "not confirmed in time: " + reading + complaint(op));
  else
    poll_again(self, node);
}

void read_status(self_ptr self, const node_name& node) {
  const auto& op = self->state.active.at(node);
  auto rules = self->state.ctx->rules();
  power_request request{node, power_verb::status, op.order.program,
                        rules->power.command_timeout};
  auto patience = request.time_limit + rules->power.kill_delay + seconds{5};
  self->request(self->state.port, patience, std::move(request))
    .then(
      [self, node](const power_answer& answer) {
        status_read(self, node, answer.state, answer.text);
      },
      [self, node](const caf::error&) {
        status_read(self, node, power_state::unknown,
                    "the helper did not come back");
      });
}

void start_next(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  while (st.running < rules->power.parallel_max && !st.ready.empty()) {
    auto node = std::move(st.ready.front());
    st.ready.pop_front();
    auto i = st.waiting.find(node);
    if (i == st.waiting.end() || st.active.count(node) != 0)
      continue;
    auto op = std::move(i->second.front());
    i->second.pop_front();
    if (i->second.empty())
      st.waiting.erase(i);
    --st.queued;
    ++st.running;
    op.deadline
      = now(self, st.ctx)
        + (op.order.verb == power_verb::off ? rules->host_ha.fence_timeout
                                            : rules->host_ha.recovery_timeout);
    st.active.emplace(node, std::move(op));
    read_status(self, node);
  }
}

power_report refusal(const power_order& order, std::string why, instant at) {
  power_report report;
  report.node = order.node;
  report.verb = order.verb;
  report.intent = order.intent;
  report.evidence = std::move(why);
  report.at = at;
  return report;
}

} // namespace

oob_actor::behavior_type oob(self_ptr self, context_ptr ctx, power_port port,
                             journal_actor journal) {
  die_with_reason(self, "oob");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.port = std::move(port);
  st.journal = std::move(journal);
  st.right.text = "no right to act yet";
  return {
    [self](power_order& order) -> caf::result<power_report> {
      auto& state = self->state;
      auto at = now(self, state.ctx);
      if (order.program.empty())
        return refusal(order, "no power control: the node has no OOB program",
                       at);
      if (order.verb != power_verb::status && order.intent.empty())
        return refusal(order, "refused: an act without an intent", at);
      if (state.queued >= state.ctx->rules()->power.queued_max)
        return refusal(order, "refused: too many power operations wait", at);
      auto promise = self->make_response_promise<power_report>();
      auto node = order.node;
      operation op;
      op.order = std::move(order);
      op.promise = promise;
      op.useless_after = at + power_patience(*state.ctx->rules());
      state.waiting[node].push_back(std::move(op));
      ++state.queued;
      if (state.active.count(node) == 0) {
        // Readings, of which there can be many that hang, let acts pass.
        if (state.waiting[node].back().order.verb == power_verb::status)
          state.ready.push_back(node);
        else
          state.ready.push_front(node);
      }
      start_next(self);
      return promise;
    },
    [self](const lease& right) { self->state.right = right; },
    [self](const tick& t) {
      auto& polls = self->state.polls;
      auto i = polls.find(t.generation);
      if (i == polls.end())
        return;
      auto node = std::move(i->second);
      polls.erase(i);
      if (self->state.active.count(node) != 0)
        read_status(self, node);
    },
  };
}

} // namespace orderly
