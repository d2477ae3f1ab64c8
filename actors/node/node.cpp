// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/node.hpp"

#include "actors/node/consent.hpp"
#include "actors/node/memory.hpp"
#include "actors/node/trust.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/policy/host_ha/eligibility.hpp"
#include "actors/shell/patience.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace node_parts {

host_ha::rules rules_of(const settings& s) {
  host_ha::rules r;
  r.activity_interval_base = s.host_ha.activity_interval_base;
  r.activity_interval_max = s.host_ha.activity_interval_max;
  r.activity_checks = s.host_ha.activity_checks;
  r.activity_failure_ratio = s.host_ha.activity_failure_ratio;
  r.degraded_period = s.host_ha.degraded_period;
  r.recovery_wait = s.host_ha.recovery_wait;
  r.recovery_attempts_max = s.host_ha.recovery_attempts_max;
  r.retry_base = s.host_ha.retry_base;
  r.retry_max = s.host_ha.retry_max;
  r.answer_wait = node_provider::patience(s) + patience::port;
  r.evidence_max_age = s.host_ha.evidence_max_age;
  // Where checks are rare, what was seen last is older.
  auto checks = 2 * (s.host_ha.check_interval + s.host_ha.check_timeout);
  r.absence
    = std::min(std::max<millis>(r.absence, host_ha::trouble_grain + checks),
               s.host_ha.evidence_max_age);
  return r;
}

} // namespace node_parts

namespace {

using namespace node_parts;

// --- feeding ---------------------------------------------------------------

bool counts_by_word(const host_ha::state& m) {
  return m.proved_down && m.proved_down->level == proof_level::operator_word;
}

void arm(self_ptr self) {
  auto& st = self->state;
  if (st.machine.due == never)
    st.deadline.stop();
  else
    st.deadline.set(self, st.machine.due - now(self, st.ctx), deadline_tick);
}

} // namespace

/// The one function that matters: asks the machine, writes its answer down,
/// and only then does as it says.
void node_parts::feed(self_ptr self, const host_ha::event& e) {
  auto& st = self->state;
  auto before = st.machine.phase;
  auto incident = st.machine.incident;
  auto v = host_ha::step(st.node, st.machine, e, rules_of(*rules_for(st)),
                         now(self, st.ctx));
  if (st.peers.reader)
    st.peers.reader(
      {st.node, st.machine, e, v, now(self, st.ctx), st.ticket, st.acts});
  if (v.next == st.machine && v.actions.empty())
    return;
  auto same_due = v.next.due == st.machine.due;
  auto was_by_word = counts_by_word(st.machine);
  st.machine = std::move(v.next);
  name_order(self, v.actions); // it is on disk before the order is given
  // A word from before a restart, which a reading confirms: it is written anew.
  if (was_by_word && st.machine.proved_down && !counts_by_word(st.machine)
      && !st.proof_written) {
    st.word_kept = false;
    v.actions.emplace_back(host_ha::release_instances{});
  }
  // A mark from before is a person's: it is not ours to set again.
  if (st.machine.phase == ha_phase::fenced && before != ha_phase::fenced) {
    st.marked = st.facts && st.facts->record.offline;
    st.offline_sent = st.offline_sent && st.offline_open;
  }
  call_back_mark(self);
  if (!same_due)
    arm(self);
  // That a proof fell waits for no disk.
  if (!st.machine.proved_down && std::exchange(st.proof_written, false))
    publish(self);
  auto moved = st.machine.phase != before;
  if (moved)
    warn(self);
  auto entry
    = entry_of(self, v.why.empty() ? entry_kind::note : entry_kind::decision,
               moved ? to_string(st.machine.phase) : "remark", v.why);
  if (entry.incident.empty())
    entry.incident = incident; // its last row names it too
  entry.state = to_fields(st);
  if (moved && st.machine.phase == ha_phase::available) {
    st.offline_sent = false;
    st.offline_open = false;
    st.marked = false;
    st.marked_at = never;
  }
  auto rows = rows_of(self, std::move(entry), v.actions);
  record(
    self, st.peers.journal, std::move(rows),
    [self, moved, decided = now(self, st.ctx), actions = std::move(v.actions)] {
      for (const auto& action : actions)
        carry_out_action(self, action, decided);
      publish(self);
      auto phase = self->state.machine.phase;
      if (moved
          && (phase == ha_phase::available || phase == ha_phase::ineligible))
        judge(self);
    });
}

namespace {

// --- looking ---------------------------------------------------------------

/// A reload may give it power control, take it away, or name another helper,
/// of which what was read by the former one says nothing.
void heed_settings(self_ptr self) {
  auto& st = self->state;
  auto helpers = programs_of(st);
  if (st.helpers == helpers)
    return;
  auto others = st.helpers.has_value();
  st.helpers = std::move(helpers);
  if (!others)
    return;
  st.trust.rehearse_at = never;
  judge(self);
}

void check_health(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  self->delayed_send(self, rules->host_ha.check_interval, tick{check_tick, 0});
  if (!st.recovered || !st.facts)
    return;
  heed_settings(self);
  if (believed(st, [at = now(self, st.ctx)](const trust::belief& is) {
        return is.wants_reading(at);
      }))
    read_power(self);
  learn(self, trust::proofs_due{});
  mark_offline(self);
  warn_unmarked(self);
  learn(self, trust::untreated_due{});
  rehearse(self);
  if (st.checking
      || !believed(st, [](const auto& is) { return is.is_looked_at(); }))
    return;
  st.checking = true;
  probe_request question{st.node, st.facts->record.address,
                         rules_for(st)->host_ha.check_timeout};
  question.by_keeper = true;
  question.own = st.facts->is_self;
  question.out = st.facts->record.offline || !st.facts->recorded_on
                 || st.machine.phase == ha_phase::fenced;
  st.peers.provider.check(
    self, std::move(question),
    [self, asked = now(self, st.ctx)](const sighting& seen) {
      auto& state = self->state;
      state.checking = state.unlooked = false;
      learn(self, trust::heard{seen});
      feed(self, host_ha::health_seen{seen.verdict, seen.evidence, seen.lives,
                                      asked});
      // What the restart asked its controller for is waited for.
      if (trust::is_silent(seen) && !state.reading_power
          && std::exchange(state.word_kept, false)
          && counts_by_word(state.machine)) {
        state.proof_written = true;
        publish(self);
      }
      // It lives and was never marked offline: nothing to wait for.
      if (seen.verdict == health::healthy
          && state.machine.phase == ha_phase::fenced
          && state.machine.maintenance && !state.machine.proved_down
          && !state.facts->record.offline && !state.marked
          && !state.offline_open)
        feed(self, host_ha::returned{});
    },
    [self] { self->state.checking = false; });
}

/// It is silent, and was not read as on all the while.
bool may_have_been_off(const trust::state& t, instant now) {
  constexpr auto reading_is_new = minutes{2};
  auto stayed_on = t.power == power_state::on
                   && t.power_since <= t.unheard_since
                   && now - t.read_at <= reading_is_new;
  return t.unheard_since != never && !stayed_on;
}

} // namespace

void node_parts::judge(self_ptr self) {
  auto& st = self->state;
  if (!st.facts)
    return;
  const auto& facts = *st.facts;
  if (!facts.disabled.empty()) {
    feed(self, host_ha::disabled{facts.disabled});
    return;
  }
  eligibility_input in;
  in.node = facts.record;
  if (auto programs = programs_of(st); !programs.empty())
    in.program = programs.front();
  in.recorded_on = facts.recorded_on;
  auto around = surroundings_of(st);
  auto rules = trust_rules(*rules_for(st));
  trust::belief is{st.trust, around, rules};
  in.held = facts.held.empty() ? is.wished_off() : facts.held;
  in.unprotected = is.unprotected();
  in.is_self = facts.is_self;
  in.is_master = facts.is_master;
  in.ha_maintenance = st.machine.maintenance;
  auto online = static_cast<std::uint32_t>(facts.online->size());
  in.neighbours = online - (facts.record.offline ? 0 : 1);
  auto silent = st.unlooked || may_have_been_off(st.trust, now(self, st.ctx));
  if (st.machine.phase == ha_phase::disabled)
    feed(self, host_ha::enabled{silent});
  auto answer = eligible(in);
  // What comes of an order is known without a guess.
  auto by_order = answer.failed == criterion::held && facts.held.empty();
  auto before
    = std::exchange(st.unfit_by, by_order ? criterion::none : answer.failed);
  feed(self, host_ha::eligibility{answer.eligible, answer.reason,
                                  facts.record.offline,
                                  silent && may_be_worked_on(before),
                                  before == criterion::maintenance});
}

namespace {

/// What the record means now; also wakes up a machine from before a restart,
/// which could do nothing without the record.
void consider_facts(self_ptr self) {
  auto& st = self->state;
  const auto& record = st.facts->record;
  if (!st.uuid.empty() && st.uuid != record.uuid) {
    // Another machine under the name of one that was removed.
    st.permit_held = false;
    self->send(st.peers.scheduler, permit_release{node_object(st.node)});
    if (st.offline_open && !st.offline_job.empty())
      self->send(st.peers.jobs,
                 job_withdraw{std::exchange(st.offline_job, {})});
    ++st.ticket; // what is heard of the former one says nothing of this
    st.power_order.clear();
    st.machine = {};
    st.machine.since = now(self, st.ctx);
    st.restart_due = st.marked = st.offline_open = st.offline_sent = false;
    st.proof_written = false;
    trust::forget(st.trust);
  }
  st.uuid = record.uuid;
  learn(self, trust::wish_recorded{st.facts->wish});
  if (st.restart_due) {
    st.restart_due = false;
    arm(self);
    ask_about_mark(self);
    // In service by the record, and nobody knows what happened meanwhile.
    auto age = now(self, st.ctx) - st.machine.trouble_seen;
    auto came_back = st.machine.phase == ha_phase::fenced
                     && st.machine.maintenance && !record.offline && !st.marked
                     && age > st.ctx->rules()->host_ha.evidence_max_age;
    if (st.away)
      learn(self, trust::unwatched{});
    feed(self, host_ha::restarted{std::exchange(st.unsent, false),
                                  std::exchange(st.away, false)});
    if (came_back)
      feed(self, host_ha::returned{});
  }
  judge_strays(self);
  auto newer = st.marked_at == never || shows_end_of_mark(st);
  auto first
    = st.marked_at != never
      && (newer || (record.offline && st.facts->read_at > st.marked_at));
  if (st.machine.phase == ha_phase::fenced && record.offline != st.marked
      && (record.offline || newer)) {
    st.marked = record.offline;
    if (record.offline) {
      keep_mark(self);
    } else {
      feed(self, host_ha::returned{});
    }
  } else if (st.machine.phase == ha_phase::fenced && first) {
    keep_mark(self);
  }
  if (first) {
    st.marked_at = never;
    self->send(st.peers.cluster, attention{{}, false, st.node});
  }
  judge(self);
  learn(self, trust::record_read{});
  publish(self);
}

void take_facts(self_ptr self, node_facts& facts) {
  auto& st = self->state;
  auto taken_out
    = st.facts && !st.facts->record.offline && facts.record.offline;
  auto recorded_off = st.facts && st.facts->recorded_on && !facts.recorded_on;
  st.facts = std::move(facts);
  if (taken_out)
    learn(self, trust::taken_out{});
  if (recorded_off)
    learn(self, trust::recorded_off{});
  if (!st.facts->record.offline)
    learn(self, trust::in_service{});
  if (!st.recovered)
    return;
  // A cycle leaves no wish behind.
  learn(self, trust::raised{st.facts->raised});
  consider_facts(self);
}

} // namespace

node_actor::behavior_type node(self_ptr self, context_ptr ctx, node_peers peers,
                               node_name name) {
  die_with_reason(self, node_object(name));
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.node = std::move(name);
  self
    ->request(st.peers.journal, caf::infinite,
              recall_keys{keys_of_memory(st.node)})
    .then([self](const recalled& before) {
      remember(self, before);
      if (self->state.facts)
        consider_facts(self);
    });
  // Spread the checks of many nodes over the interval.
  dice jitter{st.ctx->seed_for(node_object(st.node))};
  auto interval = st.ctx->rules()->host_ha.check_interval;
  auto first = millis{static_cast<std::int64_t>(
    jitter.below(static_cast<std::uint64_t>(interval.count())))};
  self->delayed_send(self, first, tick{check_tick, 0});
  return {
    [self](node_facts& facts) { take_facts(self, facts); },
    [self](const job_event& e) { hear_of_mark(self, e); },
    [self](const permit_called&) { feed(self, host_ha::permit_called{}); },
    [self](const ask_consent& what) {
      return last_say(self->state, what.intent);
    },
    [self](const off_word& word) { return take_word(self, word); },
    [self](const power_report& report) {
      learn(self, trust::power_overheard{report});
    },
    [self](const sighting& seen) { overhear(self, seen); },
    [self](const power_last_look& question) {
      return bear_witness(self, question);
    },
    [self](const tick& t) {
      auto& state = self->state;
      if (t.what == check_tick)
        check_health(self);
      else if (t.what == offline_tick)
        mark_offline(self);
      else if (state.deadline.rings(t) && state.recovered)
        feed(self, host_ha::deadline{});
    },
  };
}

} // namespace orderly
