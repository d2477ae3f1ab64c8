// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was read of the power, beside what the daemons say and what persons
// want: it may prove that the node is off, to its machine or for a node that a
// person marked offline.

#include "actors/policy/trust/mind.hpp"

#include <fmt/format.h>

namespace orderly::trust {

void mind::take(const power_read& e) {
  const auto& report = e.report;
  note_power(report);
  hear_wish(report.wish);
  believe_on(report);
  if (is_.only_boots_count())
    return;
  auto off = report.state == power_state::off;
  if (around_.offline && m_.phase == ha_phase::ineligible)
    judge_offline(report);
  else if (m_.phase == ha_phase::fenced && off)
    ask(question::fenced, report);
  else if (s_.answered && off)
    ask(question::compare, report);
  else
    tell_power(report);
  // Out of service, the daemons have the last word on it yet.
  if (m_.phase != ha_phase::ineligible)
    all_asked();
}

void mind::take(const power_overheard& e) {
  const auto& report = e.report;
  believe_on(report);
  if (report.state == power_state::off)
    see_return(report);
  auto on = report.state == power_state::on;
  if (on && m_.phase == ha_phase::fenced)
    tell_power(report); // its proof falls, whoever heard that
  else if (report.state == power_state::off && s_.answered)
    ask(question::gossip, report);
}

void mind::take(const reading_lost&) {
  all_asked();
}

void mind::take(const recorded_off&) {
  if (s_.power != power_state::on)
    return;
  s_.power = power_state::unknown;
  s_.power_since = now_;
  s_.power_text.clear();
}

/// A person wanted it off or had marked it offline, it was off, and is on:
/// somebody switched it on, and it may boot.
void mind::see_return(const power_report& report) {
  auto wanted = s_.wish.wanted;
  if (report.state == power_state::off) {
    if (wanted == power_state::off || report.wish.wanted == power_state::off
        || is_.only_boots_count())
      s_.went_off = true;
  } else if (report.state == power_state::on
             && std::exchange(s_.went_off, false) && wanted != power_state::on
             && !s_.answered) {
    emit(tell_machine{host_ha::ordered_on{
      report.at, "it was off, and is read as on: somebody switched it on", true,
      true}});
  }
}

/// For people: since when it reads as it does.
void mind::note_power(const power_report& report) {
  see_return(report);
  if (report.state != s_.power) {
    s_.power_since = report.at;
    s_.power_text = report.evidence;
  }
  s_.power = report.state;
  constexpr millis soon = minutes{1}; // copies part after it
  if (report.state == power_state::on)
    s_.quiet = false;
  else if (report.state == power_state::off && s_.unheard_since != never
           && report.at - s_.unheard_since < soon)
    s_.quiet = true;
  s_.asked_in_vain = !report.tried;
}

void mind::ask(question why, const power_report& report) {
  emit(ask_daemons{{why, report, s_.answered, never, {}}});
}

/// Power control and daemons were asked about a node that is marked offline,
/// and what they said is known or was given up.
void mind::all_asked() {
  s_.asked = around_.offline;
  emit(publish{});
}

/// A person marked it offline, and this was read of its power: its instances
/// may go if it is off, and nothing says that it is not.
void mind::judge_offline(const power_report& report) {
  if (report.state == power_state::on)
    s_.seen_off.reset(); // somebody switched it on
  if (report.state == power_state::off)
    ask(question::offline, report);
  else if (s_.seen_off)
    ask(question::waning, report); // does it live by now?
  else
    all_asked();
}

/// For the machine.
void mind::tell_power(const power_report& report) {
  auto seen = report.state;
  // It proves nothing, and so it does not hurry a fence either: the silence of
  // the node is looked into as that of any other.
  auto worthless = is_.is_doubted(report.program) || report.at <= s_.ordered_on;
  if (worthless && seen == power_state::off)
    seen = power_state::unknown;
  // A person's doing, though it may not be recorded yet.
  auto by_person = report.wish.wanted == power_state::off
                   || (around_.known && !around_.recorded_on);
  auto commanded = by_person && !m_.maintenance;
  emit(tell_machine{
    host_ha::power_seen{seen, commanded, report.evidence, report.at}});
  emit(look_at_machine{});
}

void mind::take(const machine_renewed&) {
  const auto& found = m_.proved_down;
  if (found && around_.proof_kept && is_time_to_tell(found->at))
    emit(write_proof{*found, entry_kind::note, false});
}

/// Readings come each minute; their story is told once a shift.
bool mind::is_time_to_tell(instant at) {
  constexpr millis shift = hours{8};
  if (s_.proof_told != never && at - s_.proof_told <= shift)
    return false;
  s_.proof_told = at;
  return true;
}

void mind::take(const daemons_said& e) {
  if (e.why == question::telling) {
    looked_before_telling(e);
    return;
  }
  auto alive = around_.known && answers(e.seen);
  if (e.report.state == power_state::off)
    s_.beside_off = found_by(e.seen);
  switch (e.why) {
  case question::compare: {
    if (!around_.known)
      return;
    // Off beside whoever answers, if only to refuse, is a contradiction; but
    // what answered a moment ago may have lost its power since.
    auto found = e.report;
    if (alive) {
      distrust(e.report, s_.doubted.empty());
      found.state = power_state::unknown;
    }
    tell_power(found);
    return;
  }
  case question::gossip:
    if (alive)
      distrust(e.report, false);
    return;
  case question::liar:
    liar_answered(e);
    return;
  case question::waning:
    if (answers(e.seen))
      s_.seen_off.reset();
    all_asked();
    return;
  default:
    if (alive)
      distrust(e.report, !e.answered_before);
    else if (around_.known && is_silent(e.seen)
             && !is_.is_doubted(e.report.program))
      return silent(e);
    all_asked();
  }
}

/// Its controller says off, and nothing of it answers.
void mind::silent(const daemons_said& e) {
  const auto& report = e.report;
  if (e.why == question::fenced)
    tell_power(report);
  if (e.why != question::offline)
    return;
  proof found{name_, proof_level::power_status, report.evidence, report.at};
  auto due = is_time_to_tell(found.at);
  if (s_.seen_off && !due)
    take(proof_is_kept{std::move(found), report.program});
  else
    emit(write_proof{std::move(found),
                     s_.seen_off ? entry_kind::note : entry_kind::outcome, true,
                     report.program});
}

void mind::take(const proof_is_kept& e) {
  auto holds = around_.known && around_.offline && !is_.is_doubted(e.program)
               && m_.phase == ha_phase::ineligible && e.found.at > s_.ordered_on
               && e.found.at > s_.shown_alive;
  if (holds) {
    s_.seen_off = e.found;
    s_.went_off = true;
  }
  all_asked();
}

// --- persons -----------------------------------------------------------------

void mind::take(const wish_heard& e) {
  hear_wish(e.wish);
}

/// A node that is wanted off is left alone.
void mind::hear_wish(const power_wish& wish) {
  heed_wish(wish);
  if (s_.wish == wish)
    return;
  s_.wish = wish;
  emit(judge{});
}

void mind::heed_wish(const power_wish& wish) {
  if (wish.wanted == power_state::on)
    void_proofs(wish.at, fmt::format("{} ordered it on", wish.who));
}

void mind::take(const wish_recorded& e) {
  // The switch told of it at once; a reading of the power comes later.
  if (s_.wish.wanted == power_state::off && e.wish.at > s_.wish.at)
    s_.wish = e.wish;
  s_.ordered_off = e.wish.wanted == power_state::off ? e.wish.at : never;
  heed_wish(e.wish);
  outdate(e.wish);
}

/// A person ordered otherwise than it was read before: that reading is over,
/// and the next one comes soon.
void mind::outdate(const power_wish& wish) {
  // Most commands have worked by then.
  constexpr millis soon = seconds{15};
  if (wish.at <= s_.outdated_at || s_.power == power_state::unknown
      || s_.power == wish.wanted || s_.power_since > wish.at + soon)
    return;
  s_.outdated_at = wish.at;
  s_.power = power_state::unknown;
  s_.read_at = now_ - is_.reading_pause() + soon;
}

void mind::take(const ordered_on& e) {
  void_proofs(e.at, e.why);
}

void mind::void_proofs(instant at, const std::string& why) {
  if (at <= s_.ordered_on)
    return;
  s_.ordered_on = at;
  if (s_.seen_off && s_.seen_off->at <= at)
    s_.seen_off.reset();
  emit(tell_machine{host_ha::ordered_on{at, why, false}});
  emit(publish{});
}

void mind::take(const raised& e) {
  constexpr const char* why = "a person's order switched it on";
  void_proofs(e.at, why);
  if (e.at <= s_.boot_told)
    return;
  s_.boot_told = e.at;
  emit(tell_machine{host_ha::ordered_on{e.at, why, true}});
}

void mind::take(const taken_out&) {
  // What was heard before is over.
  s_.verdict = health::unknown;
  s_.unchecked_since = never;
  s_.lived_at = never;
  s_.answered = false;
}

void mind::take(const in_service&) {
  if (s_.verdict == health::unknown && s_.unchecked_since == never)
    s_.unchecked_since = now_;
  s_.seen_off.reset();
  s_.asked = false;
}

} // namespace orderly::trust
