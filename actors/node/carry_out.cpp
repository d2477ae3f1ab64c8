// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/carry_out.hpp"

#include "actors/node/consent.hpp"
#include "actors/node/trust.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

constexpr const char* only_observes
  = "not done: host HA only observes (host_ha.enabled is false)";

void carry_out(self_ptr self, const host_ha::check_activity& what) {
  auto& st = self->state;
  auto ticket = ++st.ticket;
  st.peers.provider.activity(
    self, activity_question(st, what.since),
    [self, ticket](const activity_answer& x) {
      auto late = self->state.ticket != ticket;
      if (x.verdict != activity::not_looked)
        feed(self, host_ha::activity_seen{x.verdict, x.evidence, late});
      else if (!late)
        feed(self, host_ha::activity_refused{});
    },
    [self, ticket] {
      if (self->state.ticket == ticket) // of an older one nobody waits
        feed(self, host_ha::activity_refused{});
    });
}

void carry_out(self_ptr self, const host_ha::read_power&) {
  read_power(self);
}

void carry_out(self_ptr self, const host_ha::ask_permit& what) {
  auto& st = self->state;
  if (st.permit_asked)
    return;
  st.permit_asked = true;
  if (st.power_order.empty())
    st.permit_spent = false;
  self
    ->request(st.peers.scheduler, patience::neighbour, permit_for(st, what.act),
              caf::actor_cast<permit_client>(self))
    .then(
      [self, act = what.act](const permit& answer) {
        self->state.permit_asked = false;
        self->state.permit_held = answer.granted;
        feed(self, host_ha::permit_answered{act, answer.granted, answer.why,
                                            answer.retry_at, answer.storm});
      },
      [self, act = what.act](const caf::error&) {
        self->state.permit_asked = false;
        auto retry = now(self, self->state.ctx) + patience::ask_again;
        feed(self, host_ha::permit_answered{act, false,
                                            "the scheduler does not answer",
                                            retry, false});
      });
}

void carry_out(self_ptr self, const host_ha::give_back_permit&) {
  auto& st = self->state;
  st.permit_held = false;
  permit_release back{node_object(st.node), !st.permit_spent,
                      !st.power_order.empty()};
  if (!back.out)
    st.permit_spent = false;
  self->send(st.peers.scheduler, std::move(back));
}

/// A command of automation: it leaves only with our word, given right before.
void give_order(self_ptr self, power_order order,
                std::function<void(const power_report&)> ended) {
  auto& st = self->state;
  st.power_order = order.intent;
  st.ordered_at = now(self, st.ctx);
  st.order_programs = order.programs;
  auto ticket = ++st.ticket;
  auto done = [self, ticket, ended,
               intent = order.intent](const power_report& report) {
    learn(self, trust::wish_heard{report.wish});
    auto& state = self->state;
    auto current = state.ticket == ticket;
    if (state.power_order == intent)
      state.power_order.clear();
    state.permit_spent = state.permit_spent || report.commanded;
    // It was given back while this was out, or the last look asked for one more
    // after a person's word.
    if (!state.permit_held && !state.permit_asked && state.power_order.empty())
      carry_out(self, host_ha::give_back_permit{});
    if (current)
      ended(report);
  };
  auto limit = node_provider::patience(*rules_for(st));
  power_report nothing;
  nothing.verb = order.verb;
  nothing.evidence = fmt::format("the {} did not end", to_string(order.verb));
  nothing.wish = st.trust.wish;
  nothing.commanded = true; // or nobody knows
  nothing.at = now(self, st.ctx) + limit;
  auto silent = [done, nothing] { done(nothing); };
  const auto& provider = st.peers.provider;
  if (order.verb == power_verb::off)
    provider.fence(self, std::move(order), limit, done, silent);
  else
    provider.reset(self, std::move(order), limit, done, silent);
}

/// Somebody else knows better, or was master meanwhile: it begins anew.
bool is_overruled(self_ptr self, const power_report& report) {
  auto outdated = std::exchange(self->state.permit_outdated, false);
  return report.by_wish || (outdated && report.held_back && !report.commanded);
}

host_ha::fence_ended fence_end(self_ptr self, const power_report& report) {
  host_ha::fence_ended e{report.confirmed, report.evidence, report.at};
  e.by_wish = is_overruled(self, report);
  e.held = report.held_back && !report.commanded;
  e.answers = report.answers;
  e.sent = report.commanded;
  e.read = read_by(self, report);
  e.came_on = report.came_on && e.read == power_state::on;
  e.unseen = std::exchange(self->state.act_unseen, false);
  auto had_its_turn = !report.program.empty(); // it was not only queued
  e.unread = e.held && had_its_turn && report.before == power_state::unknown
             && host_ha::is_for_lost_power(self->state.machine);
  return e;
}

/// Its controller says off, and the node's daemons have the last word on that.
/// While they are asked somebody may order it on.
void confirm_fence(self_ptr self, const power_report& report) {
  auto& st = self->state;
  // One that said on before it said off is no liar by what is known.
  if (report.before == power_state::on)
    learn(self, trust::said_on_before{report});
  auto end = fence_end(self, report);
  auto doubt = believed(st, [&report](const trust::belief& is) {
    return is.is_doubted(report.program) ? is.doubt() : std::string{};
  });
  if (!doubt.empty()) {
    end.confirmed = false;
    end.evidence = doubt + "; it is not believed before it says on";
    feed(self, end);
    return;
  }
  look(self,
       [self, report, end, ticket = st.ticket](const sighting& seen) mutable {
         if (self->state.ticket != ticket)
           return;
         if (believed(self->state, [&](const trust::belief& is) {
               return is.is_raised_since(report.at);
             })) {
           end.confirmed = false;
           end.by_wish = true;
           end.evidence = "somebody ordered it on since it was read off";
           feed(self, end);
           return;
         }
         if (trust::is_silent(seen)) {
           feed(self, end);
           return;
         }
         end.confirmed = false;
         end.answers = trust::answers(seen);
         end.evidence = end.answers
                          ? fmt::format("{} says off, but the node answers: {}",
                                        report.program, seen.evidence)
                          : "its daemons could not be asked: " + seen.evidence;
         if (end.answers)
           learn(self, trust::fence_denied{report});
         feed(self, end);
       });
}

void carry_out(self_ptr self, const host_ha::reset_power&) {
  auto& st = self->state;
  // The journal may have been slow, and the world has moved on.
  if (st.machine.phase != ha_phase::recovering
      || !st.machine.recovery_dispatched)
    return;
  if (!st.ctx->rules()->host_ha.enabled) {
    feed(self, host_ha::recovery_ended{false, only_observes, true});
    return;
  }
  give_order(self, order_of(self, power_verb::cycle),
             [self](const power_report& report) {
               feed(self, host_ha::recovery_ended{
                            report.confirmed, report.evidence,
                            is_overruled(self, report),
                            report.held_back && !report.commanded,
                            report.answers, read_by(self, report),
                            std::exchange(self->state.act_unseen, false)});
             });
}

void carry_out(self_ptr self, const host_ha::fence_power&) {
  auto& st = self->state;
  if (st.machine.phase != ha_phase::fencing || !st.machine.fence_dispatched)
    return;
  if (!st.ctx->rules()->host_ha.enabled) {
    host_ha::fence_ended observed{false, only_observes, now(self, st.ctx)};
    observed.by_wish = true;
    feed(self, observed);
    return;
  }
  auto order = order_of(self, power_verb::off);
  // An off of a liar is no reason to leave it at that.
  order.insist = st.machine.recoveries > 0 || !st.trust.doubted.empty();
  order.lost_power = host_ha::is_for_lost_power(st.machine);
  give_order(self, std::move(order), [self](const power_report& report) {
    if (report.confirmed)
      confirm_fence(self, report);
    else
      feed(self, fence_end(self, report));
  });
}

void carry_out(self_ptr, const host_ha::enter_maintenance&) {
  // The mark is part of the state that was journalled before this.
}

void carry_out(self_ptr self, const host_ha::release_instances&) {
  auto& st = self->state;
  if (!st.machine.proved_down)
    return;
  st.trust.proof_told = st.machine.proved_down->at;
  write_proof(self, st.machine.proved_down->text, [self] {
    self->state.proof_written = self->state.machine.proved_down.has_value();
    publish(self);
    mark_offline(self);
  });
}

void carry_out(self_ptr, const host_ha::tell&) {
  // It went to the disk with the state that made it: `rows_of`.
}

} // namespace

activity_request activity_question(const node_state& st, instant since) {
  activity_request question;
  question.node = st.node;
  question.since = since;
  question.time_limit = rules_for(st)->host_ha.activity_timeout;
  if (st.facts) {
    question.address = st.facts->record.address;
    question.neighbours = st.facts->online;
  }
  return question;
}

settings_ptr rules_for(const node_state& st) {
  auto all = st.ctx->rules();
  auto group = st.facts ? st.facts->record.group : group_name{};
  if (st.made_of != all || st.made_for != group) {
    st.own_rules = settings_of_group(all, group);
    st.made_of = std::move(all);
    st.made_for = std::move(group);
  }
  return st.own_rules;
}

std::vector<std::string> programs_of(const node_state& st) {
  if (!st.facts)
    return {};
  return power_levels(st.facts->record, *st.ctx->rules());
}

void name_order(self_ptr self, const std::vector<host_ha::action>& all) {
  auto& st = self->state;
  for (const auto& x : all) {
    auto fences = std::holds_alternative<host_ha::fence_power>(x);
    if (!fences && !std::holds_alternative<host_ha::reset_power>(x))
      continue;
    auto verb = fences ? power_verb::off : power_verb::cycle;
    st.newest_order = fmt::format("{}/{}-{}", st.machine.incident, ++st.acts,
                                  to_string(verb));
  }
}

permit_request permit_for(const node_state& st, act_kind act) {
  permit_request wanted;
  wanted.owner = node_object(st.node);
  wanted.act = act;
  wanted.incident = st.machine.incident;
  wanted.leaves = {st.node};
  wanted.since = st.machine.suspect_since;
  return wanted;
}

power_order order_of(self_ptr self, power_verb verb) {
  auto& st = self->state;
  power_order order;
  order.node = st.node;
  order.verb = verb;
  order.programs = programs_of(st);
  if (verb == power_verb::off)
    believed(st, [&order, &st](const trust::belief& is) {
      is.sort_by_trust(order.programs, st.machine.fence_tries);
    });
  order.incident = st.machine.incident;
  order.why = st.machine.reason;
  order.since = st.machine.suspect_since;
  order.answers_since
    = believed(st, [](const trust::belief& is) { return is.answers_since(); });
  order.answered_at = st.trust.lived_at;
  order.uuid = st.facts ? st.facts->record.uuid : st.uuid;
  order.by_keeper = true;
  auto rules = rules_for(st);
  order.way = rules->host_ha.restart_operation;
  order.proof_limit = verb == power_verb::off ? rules->host_ha.fence_timeout
                                              : rules->host_ha.recovery_timeout;
  if (verb != power_verb::status)
    order.intent = st.newest_order;
  return order;
}

void mark_offline(self_ptr self) {
  auto& st = self->state;
  // Only while it is proved off and nobody has returned it meanwhile, nor keeps
  // automation off it.
  if (st.offline_sent || st.machine.phase != ha_phase::fenced || !st.facts
      || st.facts->record.offline || st.marked || !st.machine.maintenance
      || !st.facts->held.empty() || !st.machine.proved_down
      || !st.proof_written)
    return;
  st.offline_sent = true;
  if (!st.offline_open)
    ++st.offline_tries;
  st.offline_open = true;
  job_order order;
  order.intent = st.offline_job = offline_intent(st);
  order.incident = st.machine.incident;
  order.owner = node_object(st.node);
  opcode op;
  op.kind = op_kind::node_set_offline;
  op.node = st.node;
  op.flag = keeps_power_record(st.facts->record);
  order.ops.push_back(std::move(op));
  order.why = "it is fenced";
  order.deadline = st.ctx->rules()->cluster.job_deadline;
  order.send_before
    = now(self, st.ctx) + st.ctx->rules()->cluster.picture_max_age;
  auto entry = entry_of(self, entry_kind::note, "offline", {});
  entry.state = to_fields(st);
  record(self, st.peers.journal, {std::move(entry)},
         [self, order = std::move(order)]() mutable {
           self->send(self->state.peers.jobs, std::move(order),
                      caf::actor_cast<job_client>(self));
         });
}

std::vector<journal_entry> rows_of(self_ptr self, journal_entry first,
                                   const std::vector<host_ha::action>& all) {
  std::vector<journal_entry> rows{std::move(first)};
  for (const auto& x : all)
    if (const auto* what = std::get_if<host_ha::tell>(&x)) {
      // Plain events say what the transition's own row says already.
      auto kind
        = codes::is_alert(what->code) ? entry_kind::alert : entry_kind::note;
      rows.push_back(entry_of(self, kind, what->code, what->text));
      rows.back().incident = rows.front().incident;
    }
  return rows;
}

void carry_out_action(self_ptr self, const host_ha::action& what,
                      instant decided) {
  auto& st = self->state;
  auto age = now(self, st.ctx) - decided;
  if (age > st.ctx->rules()->cluster.picture_max_age) {
    auto why = fmt::format("it took {} s to write it down", age / seconds{1});
    if (std::holds_alternative<host_ha::reset_power>(what)) {
      feed(self, host_ha::recovery_ended{false, why, false, true});
      return;
    }
    if (std::holds_alternative<host_ha::fence_power>(what)) {
      feed(self,
           host_ha::fence_ended{false, why, now(self, st.ctx), false, true});
      return;
    }
  }
  std::visit([self](const auto& x) { carry_out(self, x); }, what);
}

} // namespace orderly::node_parts
