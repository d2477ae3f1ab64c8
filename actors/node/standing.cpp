// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is said of a node beyond its actor: what the journal keeps, and how it
// stands in the eyes of the others.

#include "actors/node/trust.hpp"

#include <algorithm>

namespace orderly::node_parts {

fields to_fields(const node_state& st) {
  auto f = host_ha::to_fields(st.machine);
  f.put("acts", static_cast<std::int64_t>(st.acts));
  f.put("order", st.newest_order);
  f.put("offline_tries", static_cast<std::int64_t>(st.offline_tries));
  f.put("offline_open", st.offline_open);
  f.put("marked", st.marked);
  f.put("unmarked_told", st.unmarked_told);
  f.put_known("unfit_by", static_cast<std::int64_t>(st.unfit_by));
  f.put("uuid", st.facts ? st.facts->record.uuid : st.uuid);
  trust::put(f, st.trust);
  return f;
}

journal_entry entry_of(self_ptr self, entry_kind kind, std::string code,
                       std::string why) {
  const auto& st = self->state;
  auto entry = entry_about(self, st.ctx, node_object(st.node), kind,
                           std::move(code), std::move(why));
  entry.incident = st.machine.incident;
  return entry;
}

namespace {

/// How long nothing of it is heard, or was not.
void tell_silence(node_standing& s, const trust::state& t) {
  s.unheard_since = t.unheard_since;
  s.quiet = t.quiet;
  s.watched_since = t.watched_since;
  if (t.unheard_since != never)
    s.heard_at = t.heard_at;
  s.heard_again = t.heard_again;
  s.silence = t.silence;
}

node_standing standing_of(const node_state& st, instant at) {
  auto around = surroundings_of(st);
  auto rules = trust_rules(*rules_for(st));
  trust::belief is{st.trust, around, rules};
  const auto& t = st.trust;
  node_standing s;
  s.node = st.node;
  s.phase = st.machine.phase;
  s.since = st.machine.since;
  s.reason = st.machine.reason;
  s.incident = st.machine.incident;
  // Nobody acts on a proof before it is on disk.
  if (st.machine.proved_down && st.proof_written)
    s.proved_down = st.machine.proved_down;
  else
    s.proved_down = t.seen_off;
  // A proof is by a helper that is believed, or by a person.
  if (!s.proved_down)
    s.doubt = is.doubt();
  s.unbelieved = programs_of(st);
  std::erase_if(s.unbelieved,
                [&is](const auto& program) { return !is.is_doubted(program); });
  std::stable_partition(
    s.unbelieved.begin(), s.unbelieved.end(),
    [&is](const auto& program) { return !is.is_caught(program); });
  s.waits_for = host_ha::waits_for(st.machine);
  s.wants = st.machine.wants;
  if (t.power != power_state::unknown) {
    s.power = t.power;
    s.power_since = t.power_since;
    s.power_text = t.power_text;
  }
  s.counted = !st.facts || is.should_live();
  s.troubled = host_ha::is_troubled(st.machine) || is.fails_untreated(at);
  s.closed = is.closed();
  s.power_asked = t.asked;
  s.power_control = t.check;
  if (!around.has_program)
    s.power_control.result = protection::none;
  else if (s.power_control.result == protection::none)
    s.power_control.result = protection::unrehearsed;
  s.answers = t.answered && t.verdict != health::unknown;
  s.looked_at = is.is_looked_at();
  if (s.answers && (!s.looked_at || at - t.verdict_at > rules.recent()))
    s.answered_at = t.verdict_at;
  tell_silence(s, t);
  s.is_home = st.facts && st.facts->is_home;
  s.wanted_off = is.switched_off();
  s.unchecked_since = t.unchecked_since;
  s.held = around.held;
  if (!s.held.empty()) {
    s.answers_since = is.answers_since();
    s.silent_since = is.silent_since();
  }
  return s;
}

} // namespace

void warn(self_ptr self) {
  self->send(self->state.peers.scheduler,
             standing_of(self->state, now(self, self->state.ctx)));
}

void publish(self_ptr self) {
  auto& st = self->state;
  auto s = standing_of(st, now(self, st.ctx));
  // That it was asked by now, and is well, is no news.
  auto same = s;
  same.unchecked_since = st.shown.unchecked_since;
  if (same == st.shown)
    return;
  st.shown = s;
  for (const auto& client : st.peers.told)
    self->send(client, s);
}

} // namespace orderly::node_parts
