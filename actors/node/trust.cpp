// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/node/trust.hpp"

#include "actors/policy/settings/power_levels.hpp"
#include "messages/codes.hpp"

#include <utility>

namespace orderly::node_parts {

namespace {

/// When the first rehearsal is due: all nodes of a large cluster at once would
/// be more than the switch takes.
instant first_rehearsal(const node_state& st, instant at) {
  constexpr std::int64_t a_check = 50; // nodes
  auto checks = static_cast<std::int64_t>(st.facts->online->size()) / a_check;
  dice jitter{st.ctx->seed_for("rehearsal of " + st.node)};
  auto interval = st.ctx->rules()->host_ha.check_interval.count();
  auto span = static_cast<std::uint64_t>(checks * interval);
  return at + millis{static_cast<std::int64_t>(jitter.below(span + 1))};
}

// --- what it wants -----------------------------------------------------------

void carry_out(self_ptr self, const trust::publish&) {
  publish(self);
}

void carry_out(self_ptr self, const trust::judge&) {
  judge(self);
}

void carry_out(self_ptr self, const trust::tell_machine& what) {
  feed(self, what.what);
}

void carry_out(self_ptr self, const trust::look_at_machine&) {
  learn(self, trust::machine_renewed{});
}

void carry_out(self_ptr self, const trust::look_what_is_left&) {
  learn(self, trust::proof_dropped{});
}

void carry_out(self_ptr self, const trust::write_rows& what) {
  std::vector<journal_entry> rows;
  for (const auto& x : what.rows)
    rows.push_back(entry_of(self, x.kind, x.code, x.text));
  if (what.with_state)
    rows.back().state = to_fields(self->state);
  if (what.then_judge)
    record(self, self->state.peers.journal, std::move(rows), [self] {
      judge(self);
      publish(self);
    });
  else
    for (auto& x : rows)
      record(self, self->state.peers.journal, std::move(x));
}

void carry_out(self_ptr self, const trust::write_proof& what) {
  write_proof(
    self, what.found.text,
    [self, what] {
      if (what.then_keep)
        learn(self, trust::proof_is_kept{what.found, what.program});
    },
    what.kind);
}

void carry_out(self_ptr self, const trust::ask_daemons& what) {
  look(self, [self, said = what.question](const sighting& seen) mutable {
    said.seen = seen;
    learn(self, said);
  });
}

} // namespace

void learn(self_ptr self, const trust::event& e) {
  auto& st = self->state;
  auto answer = trust::step(st.node, st.trust, e, surroundings_of(st),
                            trust_rules(*rules_for(st)), now(self, st.ctx));
  st.trust = std::move(answer.next);
  for (const auto& x : answer.actions)
    std::visit([self](const auto& what) { carry_out(self, what); }, x);
}

trust::surroundings surroundings_of(const node_state& st) {
  trust::surroundings around;
  around.machine = &st.machine;
  around.proof_kept = st.proof_written;
  around.shown_troubled = st.shown.troubled;
  if (!st.facts)
    return around;
  const auto& facts = *st.facts;
  around.known = true;
  around.has_program = has_power_control(facts.record, *st.ctx->rules());
  around.offline = facts.record.offline;
  around.recorded_on = facts.recorded_on;
  around.is_home = facts.is_home;
  around.leaving = facts.leaving;
  around.rising = !facts.rising.empty();
  around.is_self = facts.is_self;
  around.is_master = facts.is_master;
  around.held = facts.held;
  around.stranded = &facts.stranded;
  around.given_up = facts.given_up;
  return around;
}

trust::rules trust_rules(const settings& s) {
  trust::rules r;
  r.check_interval = s.host_ha.check_interval;
  r.check_timeout = s.host_ha.check_timeout;
  r.rehearsal_interval = s.power.rehearsal_interval;
  r.proof_max_age = s.autorepair.proof_max_age;
  r.word_max_age = s.autorepair.word_max_age;
  r.offline_vouches = s.autorepair.offline_vouches;
  return r;
}

void write_proof(self_ptr self, const std::string& text,
                 std::function<void()> then, entry_kind kind) {
  auto& st = self->state;
  record(self, st.peers.journal, {entry_of(self, kind, codes::proof, text)},
         std::move(then));
}

// --- questions ---------------------------------------------------------------

void read_power(self_ptr self) {
  auto& st = self->state;
  if (st.reading_power)
    return;
  st.reading_power = true;
  st.trust.read_at = now(self, st.ctx);
  st.peers.provider.status(
    self, order_of(self, power_verb::status),
    [self](const power_report& report) {
      self->state.reading_power = false;
      learn(self, trust::power_read{report});
    },
    [self] {
      self->state.reading_power = false;
      learn(self, trust::reading_lost{});
    });
}

void overhear(self_ptr self, const sighting& seen) {
  learn(self, trust::heard{seen});
  // Its proof falls with any sign of life; what is treated looks for itself.
  if (self->state.machine.phase == ha_phase::fenced && trust::answers(seen))
    feed(self, host_ha::health_seen{seen.verdict, seen.evidence, seen.lives});
}

void rehearse(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (st.rehearsing
      || !believed(st, [](const auto& x) { return x.may_rehearse(); }))
    return;
  if (st.trust.rehearse_at == never)
    st.trust.rehearse_at = first_rehearsal(st, at);
  if (at < st.trust.rehearse_at)
    return;
  st.rehearsing = true;
  st.peers.provider.status(
    self, order_of(self, power_verb::status),
    [self](const power_report& report) {
      self->state.rehearsing = false;
      learn(self, trust::rehearsed{report});
    },
    [self] {
      self->state.rehearsing = false;
      learn(self, trust::rehearsal_lost{});
    });
}

void look(self_ptr self, std::function<void(const sighting&)> then,
          bool sworn) {
  auto& st = self->state;
  probe_request question{st.node, st.facts ? st.facts->record.address : "",
                         rules_for(st)->host_ha.check_timeout, true};
  question.sworn = sworn;
  question.by_keeper = true;
  st.peers.provider.check(
    self, std::move(question),
    [self, then](const sighting& seen) {
      learn(self, trust::heard{seen});
      then(seen);
    },
    [self, then] {
      sighting none;
      none.node = self->state.node;
      none.verdict = health::not_looked;
      none.evidence = "the check did not answer";
      none.at = now(self, self->state.ctx);
      then(none);
    });
}

power_state read_by(self_ptr self, const power_report& report) {
  auto lies = believed(self->state, [&report](const trust::belief& is) {
    return is.is_doubted(report.program);
  });
  return lies ? power_state::unknown : read_in(report);
}

} // namespace orderly::node_parts
