// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What power readings mean, and what a start after a crash does (table B.6).

#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::host_ha {

void machine::take(const power_seen& e) {
  auto rereading = is_rereading();
  auto reread = std::exchange(s_.reread, false);
  auto was_off = s_.went_off || wants_for_power() || reread;
  s_.power = e.power;
  // A controller that says nothing for a moment may have lost its supply, too.
  s_.went_off = e.power == power_state::off
                || (s_.went_off && e.power == power_state::unknown);
  if (s_.phase == ha_phase::recovering && s_.outcome_unknown) {
    power_seen_after_a_restart(e);
    return;
  }
  if (s_.phase == ha_phase::fenced) {
    power_seen_while_fenced(e);
    return;
  }
  if (is_between_tries()) {
    power_seen_between(e, was_off);
    return;
  }
  // A controller may say off for a moment after its command.
  auto certain = may_boot_yet() || was_off;
  if (certain && has_no_power(e))
    lost_power(e.evidence);
  if (s_.phase == ha_phase::recovered && !s_.came_back && was_off
      && e.power == power_state::on)
    see_boot("power status on again, " + e.evidence);
  auto held = s_.phase == ha_phase::recovering && s_.wants;
  if (!is_watching() && !held)
    return;
  if (was_off && e.power == power_state::on
      && see_boot("power status on again, " + e.evidence))
    return;
  if (held) {
    if (rereading)
      ask_again();
    return;
  }
  if (e.power != power_state::off || e.commanded) {
    if (wants_for_power())
      cancel_want(fmt::format("power status {}{}, {}; no fence for a lost "
                              "power any more",
                              to_string(e.power),
                              e.commanded ? " by command" : "", e.evidence));
    else if (rereading)
      ask_again();
  } else if (rereading) {
    ask_again();
  } else if (!wants_for_power() && s_.unread_fences < unread_max) {
    if (s_.wants == act_kind::reset)
      give_back();
    s_.reason
      = fmt::format("power status off and nobody commanded it, {}", e.evidence);
    want(act_kind::fence, fenced_power_off);
  }
}

/// What became of the reset that was under way?
void machine::power_seen_after_a_restart(const power_seen& e) {
  if (e.power == power_state::on) {
    give_back();
    become_recovered(fmt::format("restarted during a reset, power status on, "
                                 "{}",
                                 e.evidence));
  } else if (e.power == power_state::unknown) {
    outcome_stays_unknown(e.evidence);
  } else {
    attempt_failed(fmt::format("power status {} after the restart, {}",
                               to_string(e.power), e.evidence));
  }
}

/// Its reset or fence has failed, or was held back, and the next try waits.
bool machine::is_between_tries() const {
  return (s_.phase == ha_phase::fencing && !s_.fence_dispatched)
         || (s_.phase == ha_phase::recovering && !s_.recovery_dispatched
             && !s_.wants);
}

/// People are asked to switch it off by hand, and may switch it on again.
void machine::power_seen_between(const power_seen& e, bool was_off) {
  // After a command of ours it says nothing of what people do.
  if (was_off && e.power == power_state::on && !s_.fence_sent)
    see_boot("power status on again, " + e.evidence);
  else if (!was_off && e.power == power_state::off && !e.commanded)
    s_.due = now_;
}

/// It waits for the end of its boot.
void machine::lost_power(const std::string& evidence) {
  if (s_.came_back)
    begin_anew("it came back after its reset, and power status off, "
               + evidence);
  else
    become_suspect("it does not boot: power status off, " + evidence);
}

/// Its power was read, and the act is still wanted.
void machine::ask_again() {
  s_.due = now_ + r_.retry_base;
  emit(ask_permit{*s_.wants});
}

void machine::power_seen_while_fenced(const power_seen& e) {
  auto is_on = e.power == power_state::on;
  if (is_on)
    note_life();
  if (is_on && s_.proved_down) {
    tell_life("power status on, " + e.evidence);
    void_proof();
    note(fmt::format("power status on, {}; the proof that it is off no longer "
                     "holds",
                     e.evidence));
  } else if (e.power == power_state::off && s_.maintenance) {
    if (!s_.proved_down) {
      note(fmt::format("proved off again, {}", e.evidence));
      emit(release_instances{});
    } else if (s_.proved_down->level == proof_level::operator_word) {
      note(fmt::format("a person's word is confirmed, {}", e.evidence));
      s_.word = s_.proved_down;
    }
    s_.proved_down = proof{name_, proof_level::power_status, e.evidence,
                           e.at == never ? now_ : e.at};
  }
}

void machine::take(const vouched& e) {
  if (s_.phase == ha_phase::disabled || s_.recovery_dispatched)
    return;
  auto by_status = s_.phase == ha_phase::fenced && s_.proved_down
                   && s_.proved_down->level == proof_level::power_status
                   && s_.proved_down->at >= e.outdates;
  // Also of what somebody had switched off: they say that it is lost.
  s_.given_up = now_;
  if (by_status)
    return; // the better proof stays
  auto permit = s_.wants.has_value() || s_.phase == ha_phase::fencing;
  if (s_.incident.empty()) {
    s_.incident = node_incident(name_, now_);
    s_.suspect_since = now_;
    s_.trouble_seen = now_;
  }
  rest_fenced(proof_level::operator_word, e.text, now_);
  s_.given_up = now_;
  enter(ha_phase::fenced, e.text);
  emit(release_instances{});
  if (permit)
    give_back();
  report(fenced_by_word, fmt::format("Fenced node {}: {}", name_, e.text));
}

void machine::take(const ordered_on& e) {
  // After a restart orders are heard of again.
  // A controller that says now this and now that does so for ever.
  auto boots = e.boots && e.at > s_.booted && !(e.read && !may_wait_again());
  if (boots && (s_.raised == never || e.at > s_.raised)) {
    if (e.read)
      count_boot();
    s_.raised = std::min(e.at, now_);
    s_.raise_unsure = s_.raise_guessed = false;
  }
  // Whom its neighbours see at work stays degraded: it boots after that.
  auto works = e.read && s_.phase == ha_phase::degraded && s_.held.empty();
  auto treated
    = (is_watching() && !works) || s_.phase == ha_phase::fencing
      || s_.phase == ha_phase::recovered
      || (s_.phase == ha_phase::recovering && !s_.recovery_dispatched);
  if (boots && treated && may_boot_yet()) {
    give_back();
    await_boot(e.text);
    return;
  }
  if (s_.phase != ha_phase::fenced || !s_.proved_down
      || s_.proved_down->at > e.at)
    return;
  void_proof();
  note(fmt::format("{}; the proof that it is off no longer holds", e.text));
}

void machine::take(const looked& e) {
  if (e.verdict == health::unhealthy && !s_.incident.empty())
    s_.trouble_seen = now_;
}

/// What was read once is not known for ever: the controller may be unplugged
/// and the machine booted since.
void machine::take(const proof_expired& e) {
  auto of_word
    = s_.proved_down && s_.proved_down->level == proof_level::operator_word;
  if (s_.phase != ha_phase::fenced || !s_.proved_down || (of_word && !e.word))
    return;
  if (e.word)
    s_.word.reset();
  s_.proved_down = s_.word;
  note(fmt::format("{}; {}", e.text,
                   s_.word ? "a person's word counts again: " + s_.word->text
                           : "it is no longer proved off"));
}

void machine::take(const restarted& e) {
  // What was seen before counts for nothing new.
  s_.last_health = health::unknown;
  s_.window_first = s_.recoveries > 0;
  if (std::exchange(s_.raise_unsure, false) && e.unsent)
    s_.raised = never; // its reset never left
  if (is_window_old(now_))
    forget_window();
  if (e.away && returns_to_boot(e.unsent))
    return;
  auto under_way = is_watching() || s_.phase == ha_phase::recovering
                   || s_.phase == ha_phase::fencing;
  if (under_way && is_evidence_old()) {
    begin_anew("restarted, and nobody has seen its trouble lately");
    return;
  }
  auto seen_now = now_ - s_.trouble_seen <= r_.absence;
  // What happened to it meanwhile nobody has seen.
  if (is_watching() && !seen_now) {
    begin_anew("restarted, and its trouble is looked for again");
    return;
  }
  switch (s_.phase) {
  case ha_phase::disabled:
  case ha_phase::ineligible:
  case ha_phase::available:
    break;
  case ha_phase::suspect:
  case ha_phase::checking:
    if (s_.wants)
      give_back();
    forget_want();
    reopen_window();
    enter(ha_phase::suspect, "restarted, the wait begins again");
    await_activity_check();
    emit(read_power{});
    break;
  case ha_phase::degraded:
    if (s_.wants) {
      cancel_want("restarted, power is read again");
      emit(read_power{});
    }
    break;
  case ha_phase::recovering:
    restarted_while_recovering(e.unsent, seen_now);
    break;
  case ha_phase::recovered:
    restarted_while_recovered(seen_now);
    break;
  case ha_phase::fencing:
    restarted_while_fencing(e.unsent, seen_now);
    break;
  case ha_phase::fenced:
    restarted_while_fenced();
    break;
  }
}

void machine::restarted_while_fencing(bool unsent, bool seen_now) {
  if (is_for_lost_power(s_)) {
    // Somebody may have switched it on meanwhile: that is its whole ground.
    begin_anew("restarted, and its power is read again");
  } else if (!seen_now) {
    begin_anew("restarted, and its trouble is looked for again");
  } else {
    s_.fence_tries = 0;
    s_.fence_sent = s_.fence_sent || !unsent;
    fence_again("restarted, the power-off is done again");
  }
}

/// Nobody watched for long: who is silent may have been switched on just now.
/// A fenced one is read, a reset of ours counts from its own moment if that was
/// lately, and who is switched off host HA has its time when it is treated
/// again. True if it waits.
bool machine::returns_to_boot(bool unsent) {
  auto rests = s_.phase == ha_phase::available
               || s_.phase == ha_phase::recovered
               || s_.phase == ha_phase::ineligible;
  auto resets = s_.phase == ha_phase::recovering;
  auto lately = s_.recovery_dispatched && !unsent && !is_evidence_old();
  auto treated
    = is_watching() || s_.phase == ha_phase::fencing || (resets && !lately);
  if (!rests && !treated)
    return false;
  presume_boot(false);
  if (rests || !may_boot_yet())
    return false;
  look_anew("restarted, and nobody has watched for long");
  return true;
}

/// How long it has been up nobody knows, nor what became of its trouble.
void machine::restarted_while_recovered(bool seen_now) {
  if (seen_now || !may_wait_again())
    return;
  // What is wrong when the wait is over, if anything is, is another trouble.
  forget_incident();
  open_incident();
  s_.due = now_ + r_.recovery_wait;
  note("restarted, the wait for its boot begins again");
}

void machine::restarted_while_fenced() {
  // Nobody watched meanwhile: the power is read before anything relies on it.
  // A person's word is not for us to read again; but while nobody looked,
  // the node may have been returned, and taken out again.
  if (is_evidence_old())
    forget_word();
  if (s_.proved_down && s_.proved_down->level == proof_level::power_status) {
    s_.proved_down = s_.word;
    note("restarted, power is read again");
  }
  if (s_.maintenance)
    emit(read_power{});
  else if (s_.returned != never)
    s_.returned = now_; // how long it has had to boot nobody knows
}

/// It may boot, and while its controller says nothing no fence would be proved.
void machine::outcome_stays_unknown(const std::string& evidence) {
  give_back();
  become_recovered(fmt::format("restarted during a reset, and its outcome is "
                               "not known, {}",
                               evidence));
}

/// Neither what counts by a person's word nor the word behind a reading holds
/// any longer. What was said; empty: there was none.
std::string machine::take_word() {
  auto behind = std::exchange(s_.word, std::nullopt);
  if (s_.proved_down && s_.proved_down->level == proof_level::operator_word)
    return std::exchange(s_.proved_down, std::nullopt)->text;
  return behind ? behind->text : std::string{};
}

void machine::forget_word() {
  auto text = take_word();
  if (text.empty())
    return;
  report("X.WORD_LAPSED",
         fmt::format("Node {0} counts as off no longer ({1}): its journal does "
                     "not show that it was watched in the last {2} min. If it "
                     "is still off, say so again: orderly confirm-off {0} "
                     "--reason TEXT",
                     name_, text, r_.evidence_max_age / minutes{1}));
}

/// No reset of ours is under way, and it may be well by now: what was counted
/// stays, and what was found does not.
void machine::look_anew(const std::string& reason) {
  s_.recovery_dispatched = false;
  s_.window_first = s_.recoveries > 0;
  give_back();
  forget_want();
  forget_window();
  if (s_.eligible && may_boot_yet())
    await_boot(reason);
  else
    become_suspect(reason);
}

void machine::restarted_while_recovering(bool unsent, bool seen_now) {
  if (s_.recovery_dispatched && unsent) {
    s_.recoveries -= s_.recoveries > 0 ? 1 : 0;
    look_anew("restarted before the reset was sent");
  } else if (!s_.recovery_dispatched && !seen_now) {
    look_anew("restarted, and its trouble is looked for again");
  } else if (s_.recovery_dispatched) {
    s_.outcome_unknown = true;
    s_.due = now_ + r_.answer_wait;
    emit(read_power{});
    note("restarted during a reset, power is read to see what came of it");
  } else if (s_.wants) {
    renew_want();
  } else if (s_.due == never) {
    s_.reason = "restarted before the reset was sent";
    want(act_kind::reset, "");
  } // else a pause after one that failed, which goes on
}

} // namespace orderly::host_ha
