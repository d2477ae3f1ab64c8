// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the daemons of a node say, what of it counts for the storm guard, and
// when a person must hear of it because nobody treats the node.

#include "actors/policy/trust/mind.hpp"

#include <fmt/format.h>

namespace orderly::trust {

namespace {

/// Many a blip is over by then.
constexpr auto untreated_patience = minutes{5};

} // namespace

/// When did it answer, and since when does it without a break? What it said
/// before an order to switch it off, or before it was last out of service,
/// says nothing of what came of that order.
void mind::remember(const sighting& seen, bool first) {
  auto going = !is_.is_counted() || around_.leaving;
  if (first || going)
    s_.answers_since = s_.silent_since = never;
  if (going) {
    s_.lived_at = never;
    return;
  }
  if (!answers(seen)) {
    if (s_.silent_since == never)
      s_.silent_since = s_.verdict_at;
    s_.answers_since = never;
    return;
  }
  s_.lived_at = s_.verdict_at;
  s_.silent_since = never;
  if (s_.answers_since == never)
    s_.answers_since = s_.verdict_at;
}

/// A row for the first answer that counts though it is left alone, and one when
/// that is over; not one for each.
void mind::keep_life() {
  auto lives
    = is_.is_left() && is_.should_live() && !is_.is_life(s_.lived_kept);
  auto over = s_.lived_at == never && s_.lived_kept != never;
  if (!lives && !over)
    return;
  s_.lived_kept = s_.lived_at;
  tell(entry_kind::note, lives ? "lives-left-alone" : "goes-left-alone", {},
       true);
}

void mind::take(const heard& e) {
  const auto& seen = e.seen;
  auto verdict = seen.verdict;
  if (verdict != health::healthy && verdict != health::unhealthy)
    return;
  auto before = std::exchange(s_.verdict, verdict);
  if (before != verdict)
    s_.verdict_since = now_;
  s_.verdict_at = now_;
  s_.unchecked_since = never;
  auto is_shown = around_.offline || m_.phase == ha_phase::fenced
                  || m_.phase == ha_phase::recovered;
  auto news = s_.answered != answers(seen) && around_.known && is_shown;
  s_.answered = answers(seen);
  note_silence(s_.answered);
  if (s_.answered) {
    s_.heard_at = now_;
    s_.shown_alive = now_;
    news = news || s_.seen_off;
    s_.seen_off.reset(); // whoever asked, and for what
    s_.went_off = false; // whenever it came back, it has booted
    rehearse_soon();
  }
  remember(seen, before == health::unknown);
  keep_life();
  if (news || (is_.is_counted() && !around_.held.empty()))
    emit(publish{});
  if (before == verdict || !is_.should_live())
    return;
  // Of one that is treated the machine tells.
  auto untreated = m_.phase == ha_phase::ineligible;
  if (untreated || (verdict == health::healthy && around_.shown_troubled))
    emit(publish{});
  if (untreated && verdict == health::unhealthy && is_.is_unprotected())
    tell(entry_kind::alert, "X.UNPROTECTED_DOWN",
         fmt::format("Node {0} fails its health check and nobody can fence "
                     "it. Switch it off by hand and say so: orderly "
                     "confirm-off {0} --reason TEXT",
                     name_));
}

/// Since when is it not heard? Of one that is treated its machine's rows keep
/// that.
void mind::note_silence(bool heard) {
  if (heard == (s_.unheard_since == never))
    return;
  if (heard) {
    s_.heard_again = now_;
    s_.silence = std::max(now_ - s_.unheard_since, millis{0});
  }
  s_.unheard_since = heard ? never : now_;
  s_.watched_since = never;
  s_.quiet = !heard && s_.power == power_state::off;
  if (m_.phase == ha_phase::ineligible || m_.phase == ha_phase::disabled)
    tell(entry_kind::note, heard ? "heard" : "unheard", {}, true);
  emit(publish{});
}

/// In that time it may have been on, and may have written.
void mind::take(const unwatched&) {
  if (s_.unheard_since == never)
    return;
  s_.quiet = false;
  s_.watched_since = now_;
  tell(entry_kind::note, "unwatched", {}, true);
}

void mind::take(const record_read&) {
  if (around_.known && !is_.is_looked_at())
    note_silence(false);
}

void mind::take(const untreated_due&) {
  auto lasted = now_ - s_.verdict_since;
  auto down = m_.phase == ha_phase::ineligible && is_.should_live()
              && s_.verdict == health::unhealthy && around_.held.empty()
              && !around_.is_self && !around_.is_master;
  s_.untreated_told = s_.untreated_told && down;
  // Of one whose power control failed a person has heard at once.
  if (!down || s_.untreated_told || is_.is_unprotected()
      || lasted < untreated_patience)
    return;
  s_.untreated_told = true;
  tell(entry_kind::alert, "X.UNTREATED_DOWN",
       fmt::format("Node {0} has failed its health check for {1} s, and "
                   "nothing is done about it: {2}. Look at it; if it is off, "
                   "say so: orderly confirm-off {0} --reason TEXT",
                   name_, lasted / seconds{1}, m_.reason));
}

} // namespace orderly::trust
