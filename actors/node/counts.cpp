// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the daemons of a node say, what of it counts for the storm guard, and
// when a person must hear of it because nobody treats the node.

#include "actors/node/power.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::node_parts {

namespace {

/// Many a blip is over by then.
constexpr auto untreated_patience = minutes{5};

/// Automation leaves it alone for what a person ordered.
bool is_left(const node_state& st) {
  return !st.facts->held.empty() || st.wish.wanted == power_state::off;
}

/// When did it answer, and since when does it without a break? What it said
/// before an order to switch it off, or before it was last out of service,
/// says nothing of what came of that order.
void remember(node_state& st, const sighting& seen, bool first) {
  auto going = !is_counted(st) || st.facts->leaving;
  if (first || going)
    st.lived_at = st.answers_since = st.silent_since = never;
  if (going)
    return;
  if (!answers(seen)) {
    if (st.silent_since == never)
      st.silent_since = st.verdict_at;
    st.answers_since = never;
    return;
  }
  st.lived_at = st.verdict_at;
  st.silent_since = never;
  if (st.answers_since == never)
    st.answers_since = st.verdict_at;
}

/// What its daemons said is about what is so now.
bool is_known(const node_state& st) {
  return is_counted(st) && !st.facts->leaving && st.verdict != health::unknown;
}

} // namespace

bool is_counted(const node_state& st) {
  return st.facts && !st.facts->record.offline && st.facts->recorded_on;
}

bool is_vouched(const node_state& st) {
  return st.facts && st.facts->record.offline && programs_of(st).empty()
         && st.ctx->rules()->autorepair.offline_vouches;
}

bool is_watched(const node_state& st) {
  if (st.machine.phase != ha_phase::ineligible)
    return false;
  if (st.facts->record.offline)
    return is_vouched(st) && !st.facts->stranded.empty();
  return is_counted(st) || is_unprotected(st);
}

bool should_live(const node_state& st) {
  if (!is_counted(st))
    return false;
  if (!is_left(st))
    return true;
  auto asked = st.wish.wanted == power_state::off ? st.wish.at : never;
  return is_known(st) && st.lived_at != never
         && (asked == never || st.lived_at > asked);
}

instant answers_since(const node_state& st) {
  return is_known(st) ? st.answers_since : never;
}

instant silent_since(const node_state& st) {
  return is_known(st) ? st.silent_since : never;
}

bool fails_untreated(const node_state& st, instant at) {
  if (!should_live(st) || st.verdict != health::unhealthy)
    return false;
  // Whoever was not treated until now fails its own check only in a while.
  const auto& rules = st.ctx->rules()->host_ha;
  auto recent = 2 * (rules.check_interval + rules.check_timeout);
  return st.machine.phase == ha_phase::ineligible
         || (st.machine.phase == ha_phase::available
             && at - st.verdict_at <= recent);
}

void heard(self_ptr self, const sighting& seen) {
  auto& st = self->state;
  auto verdict = seen.verdict;
  if (verdict != health::healthy && verdict != health::unhealthy)
    return;
  auto before = std::exchange(st.verdict, verdict);
  if (before != verdict)
    st.verdict_since = now(self, st.ctx);
  st.verdict_at = now(self, st.ctx);
  auto news
    = st.answered != answers(seen) && st.facts
      && (st.facts->record.offline || st.machine.phase == ha_phase::fenced
          || st.machine.phase == ha_phase::recovered);
  st.answered = answers(seen);
  if (st.answered)
    st.shown_alive = now(self, st.ctx);
  remember(st, seen, before == health::unknown);
  if (news || (is_counted(st) && !st.facts->held.empty()))
    publish(self);
  if (before == verdict || !should_live(st))
    return;
  // Of one that is treated the machine tells.
  auto untreated = st.machine.phase == ha_phase::ineligible;
  if (untreated || (verdict == health::healthy && st.shown.troubled))
    publish(self);
  if (untreated && verdict == health::unhealthy && is_unprotected(st))
    record(self, st.peers.journal,
           entry_of(self, entry_kind::alert, "X.UNPROTECTED_DOWN",
                    fmt::format("Node {} fails its health check and nobody can "
                                "fence it. Switch it off by hand and say so: "
                                "orderly confirm-off {} --reason TEXT",
                                st.node, st.node)));
}

void warn_untreated(self_ptr self) {
  auto& st = self->state;
  auto lasted = now(self, st.ctx) - st.verdict_since;
  auto down = st.machine.phase == ha_phase::ineligible && should_live(st)
              && st.verdict == health::unhealthy && st.facts->held.empty()
              && !st.facts->is_self && !st.facts->is_master;
  st.untreated_told = st.untreated_told && down;
  // Of one whose power control failed a person has heard at once.
  if (!down || st.untreated_told || is_unprotected(st)
      || lasted < untreated_patience)
    return;
  st.untreated_told = true;
  record(
    self, st.peers.journal,
    entry_of(self, entry_kind::alert, "X.UNTREATED_DOWN",
             fmt::format("Node {0} has failed its health check for {1} s, "
                         "and nothing is done about it: {2}. Look at it; "
                         "if it is off, say so: orderly confirm-off {0} "
                         "--reason TEXT",
                         st.node, lasted / seconds{1}, st.machine.reason)));
}

} // namespace orderly::node_parts
