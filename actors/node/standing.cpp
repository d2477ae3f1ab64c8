// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is said of a node beyond its actor: what the journal keeps, and how it
// stands in the eyes of the others.

#include "actors/node/power.hpp"

namespace orderly::node_parts {

namespace {

protection protection_from(const std::string& text) {
  for (auto x :
       {protection::unrehearsed, protection::proven, protection::unproven})
    if (text == to_string(x))
      return x;
  return protection::none;
}

} // namespace

void put_rehearsal(fields& f, const rehearsal& x) {
  if (x.result == protection::none)
    return;
  f.put("protection", to_string(x.result));
  f.put("protection_why", x.why);
  f.put("protection_at", x.at);
  f.put("power_seen", to_string(x.seen));
  f.put("power_mismatch", x.mismatch);
}

rehearsal rehearsal_from(const fields& f) {
  rehearsal x;
  x.result = protection_from(f.text("protection"));
  x.why = f.text("protection_why");
  x.at = f.when("protection_at");
  x.seen = power_state_from(f.text("power_seen"));
  x.mismatch = f.text("power_mismatch");
  return x;
}

fields to_fields(const node_state& st) {
  auto f = host_ha::to_fields(st.machine);
  f.put("acts", static_cast<std::int64_t>(st.acts));
  f.put("offline_tries", static_cast<std::int64_t>(st.offline_tries));
  f.put("offline_open", st.offline_open);
  f.put("marked", st.marked);
  f.put("unmarked_told", st.unmarked_told);
  f.put("uuid", st.facts ? st.facts->record.uuid : st.uuid);
  f.put("doubt", st.doubt);
  f.put("doubted", st.doubted);
  put_rehearsal(f, st.power_check);
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

/// It may be dead, and that is nobody's trouble: who would be sent there would
/// not start.
std::string why_closed(const node_state& st) {
  if (!st.facts || st.facts->record.offline)
    return {};
  if (!st.facts->recorded_on)
    return "it is recorded powered off";
  return wished_off(st);
}

node_standing standing_of(const node_state& st, instant at) {
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
    s.proved_down = st.seen_off;
  s.doubt = st.doubt;
  s.waits_for = host_ha::waits_for(st.machine);
  s.wants = st.machine.wants;
  if (st.power != power_state::unknown) {
    s.power = st.power;
    s.power_since = st.power_since;
    s.power_text = st.power_text;
  }
  s.counted = !st.facts || should_live(st);
  s.troubled = host_ha::is_troubled(st.machine) || fails_untreated(st, at);
  s.closed = why_closed(st);
  s.power_asked = st.power_asked;
  s.power_control = st.power_check;
  if (programs_of(st).empty())
    s.power_control.result = protection::none;
  else if (s.power_control.result == protection::none)
    s.power_control.result = protection::unrehearsed;
  s.answers = st.answered && st.verdict != health::unknown;
  if (st.facts)
    s.held = st.facts->held;
  if (!s.held.empty()) {
    s.answers_since = answers_since(st);
    s.silent_since = silent_since(st);
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
  if (s == st.shown)
    return;
  st.shown = s;
  for (const auto& client : st.peers.told)
    self->send(client, s);
}

} // namespace orderly::node_parts
