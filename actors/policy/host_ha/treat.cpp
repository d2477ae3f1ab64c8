// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Acting on it: permits, resets and fences.

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::host_ha {

// --- permits ---------------------------------------------------------------

void machine::want(act_kind act, const char* fence_code) {
  s_.wants = act;
  s_.held.clear();
  s_.fence_reason = fence_code;
  // Asking again is harmless, so a lost answer costs little.
  s_.due = now_ + r_.retry_base;
  emit(ask_permit{act});
  note(fmt::format("{}; asks to {} it", s_.reason, to_string(act)));
}

void machine::want_after_window() {
  s_.reason = window_text();
  if (attempts_left())
    want(act_kind::reset, "");
  else
    want(act_kind::fence, fenced_max_attempts);
}

void machine::renew_want() {
  if (wants_for_power() || s_.reread || s_.power == power_state::off) {
    // Somebody may have switched it on meanwhile: read first, then ask.
    s_.reread = true;
    s_.power = power_state::unknown;
    s_.due = now_ + r_.answer_wait;
    emit(read_power{});
    return;
  }
  // While it is held people may mend it: off, and on again.
  emit(read_power{});
  s_.due = now_ + r_.retry_base;
  emit(ask_permit{*s_.wants});
}

void machine::cancel_want(const std::string& reason) {
  give_back();
  forget_want();
  reopen_window();
  if (s_.phase == ha_phase::degraded) {
    s_.reason = reason;
    s_.due = std::max(now_, s_.since + r_.degraded_period);
    note(reason);
    return;
  }
  if (s_.phase == ha_phase::checking)
    enter(ha_phase::suspect, reason);
  s_.reason = reason;
  note(reason);
  await_activity_check();
}

void machine::take(const permit_answered& e) {
  if (s_.wants == e.act) {
    if (!e.granted)
      hold(e);
    else if (is_rereading())
      give_back();
    else
      use_permit();
    return;
  }
  // In Fencing and under a reset the permit in use is the only one there is;
  // releases go by owner, so giving back a late one would give back that.
  auto in_use = s_.phase == ha_phase::fencing || s_.recovery_dispatched;
  if (!e.granted || in_use)
    return;
  give_back();
  if (s_.wants && !is_rereading())
    emit(ask_permit{*s_.wants});
}

void machine::take(const permit_called&) {
  if (s_.wants && !s_.held.empty() && !is_rereading())
    renew_want();
}

void machine::hold(const permit_answered& e) {
  auto first_word = s_.held != e.why;
  s_.held = e.why;
  s_.due = e.retry_at > now_ ? e.retry_at : now_ + r_.retry_base;
  if (e.storm && !s_.guard_told) {
    s_.guard_told = true;
    report("X.GUARD_HELD", fmt::format("The {} of node {} is held: {}",
                                       to_string(e.act), name_, e.why));
  }
  if (s_.phase == ha_phase::checking && !wants_for_power()) {
    // Evidence of activity checks grows old while it waits (rule R20).
    auto reason = fmt::format("{}, but the {} is held: {}", s_.reason,
                              to_string(e.act), e.why);
    forget_want();
    s_.held = e.why;
    become_degraded(std::move(reason));
  } else if (first_word) {
    note(fmt::format("{}; the {} is held: {}", s_.reason, to_string(e.act),
                     e.why));
  }
}

void machine::give_back() {
  emit(give_back_permit{});
}

void machine::use_permit() {
  auto treats = is_watching() || s_.phase == ha_phase::recovering;
  auto may_reset
    = s_.phase == ha_phase::checking || s_.phase == ha_phase::recovering;
  if (is_verdict_old()) {
    cancel_want("what the activity checks found is too old by now");
  } else if (s_.wants == act_kind::fence && treats) {
    start_fencing();
  } else if (s_.wants == act_kind::reset && may_reset) {
    start_reset();
  } else {
    give_back();
    forget_want();
  }
}

// --- resets ----------------------------------------------------------------

void machine::start_reset() {
  if (!attempts_left()) {
    give_back();
    want(act_kind::fence, fenced_max_attempts);
    return;
  }
  ++s_.recoveries;
  auto again = s_.phase == ha_phase::recovering;
  auto text = fmt::format("{}; reset {} of {} permitted", s_.reason,
                          s_.recoveries, r_.recovery_attempts_max);
  forget_window();
  forget_want();
  s_.outcome_unknown = false;
  s_.recovery_dispatched = true;
  if (again) {
    note(text);
  } else {
    enter(ha_phase::recovering, std::move(text));
    report("A.RECOVERING", fmt::format("Node {} failed its activity check. "
                                       "Attempting to recover.",
                                       name_));
  }
  s_.due = now_ + r_.answer_wait;
  emit(reset_power{});
}

void machine::take(const recovery_ended& e) {
  note_read(e.read);
  if (s_.phase != ha_phase::recovering || !s_.recovery_dispatched) {
    auto unsure = std::exchange(s_.raise_unsure, false);
    stale("the reset", e.evidence);
    if (unsure && e.held)
      take_boot_back();
  } else if (e.by_wish) {
    begin_anew(fmt::format("{}; watched anew", e.evidence));
  } else if (e.held || (e.answers && !e.ok)) {
    act_held(e.evidence, !e.held, e.answers, e.read, e.unseen);
  } else if (e.ok) {
    give_back();
    become_recovered(fmt::format("reset worked, {}", e.evidence));
  } else {
    attempt_failed(e.evidence);
  }
}

/// What is wrong from now on, if anything is, is another story: a person
/// switched it, or nobody has seen the old trouble for too long.
void machine::begin_anew(const std::string& reason) {
  give_back();
  auto lost_power = is_for_lost_power(s_);
  auto went_off = s_.went_off || lost_power;
  auto unread_fences = s_.unread_fences;
  forget_incident();
  s_.unread_fences = unread_fences; // it is the same controller
  open_incident();
  s_.last_health = health::unknown;
  if (!s_.eligible)
    become_ineligible(fmt::format("{}; and: {}", reason, s_.ineligible_why));
  else
    become_suspect(reason);
  if (lost_power)
    s_.power = power_state::off;
  s_.went_off = went_off; // if it reads on next, it boots
}

void machine::attempt_failed(const std::string& evidence) {
  s_.unseen_since = never;
  s_.recovery_dispatched = s_.outcome_unknown = false;
  give_back();
  s_.reason = fmt::format("reset {} of {} failed, {}", s_.recoveries,
                          r_.recovery_attempts_max, evidence);
  if (!s_.eligible) {
    become_ineligible(fmt::format("{}; and: {}", s_.reason, s_.ineligible_why));
  } else if (attempts_left()) {
    auto pause = backoff(r_.retry_base, r_.retry_max, s_.recoveries);
    s_.due = now_ + pause;
    note(
      fmt::format("{}; tried again in {} s", s_.reason, pause.count() / 1000));
  } else {
    want(act_kind::fence, fenced_recovery_failed);
  }
}

void machine::recovering_due() {
  if (s_.recovery_dispatched && s_.outcome_unknown)
    outcome_stays_unknown("no power status");
  else if (s_.recovery_dispatched)
    attempt_failed("no answer about the reset");
  else if (s_.wants)
    renew_want();
  else
    want(act_kind::reset, "");
}

void machine::become_recovered(std::string reason) {
  forget_want();
  s_.recovery_dispatched = s_.outcome_unknown = false;
  s_.last_health = health::unknown;
  s_.came_back = false;
  s_.unseen_since = never;
  enter(ha_phase::recovered, std::move(reason));
  s_.due = now_ + r_.recovery_wait;
}

void machine::recovered_due() {
  if (!s_.eligible) {
    become_ineligible(s_.ineligible_why);
    return;
  }
  switch (s_.last_health) {
  case health::healthy:
    become_available("recovery wait over and health check passed");
    report("E.RECOVERED", fmt::format("Recovery of node {} completed.", name_));
    break;
  case health::unhealthy:
    if (s_.came_back) {
      // The reset has worked (R12): what is wrong now is another trouble.
      begin_anew("it came back after its reset, and its health check fails "
                 "now");
      report("E.HEALTH_FAILED",
             fmt::format("Node {} failed its health check.", name_));
      break;
    }
    saw_trouble();
    become_suspect(
      s_.recoveries == 0
        ? std::string{"it had the time of a boot, and its health check fails"}
        : fmt::format("recovery wait over and health check still fails after "
                      "{} resets",
                      s_.recoveries));
    report("E.HEALTH_FAILED",
           fmt::format("Node {} failed its health check after {}.", name_,
                       s_.recoveries == 0 ? "its boot" : "its reset"));
    break;
  case health::unknown:
  case health::not_looked:
    if (s_.came_back) // likewise, if anything is wrong
      begin_anew("it came back after its reset, and was not heard since");
    else
      become_suspect("recovery wait over and no health check was answered");
    break;
  }
}

// --- fences ----------------------------------------------------------------

void machine::start_fencing() {
  auto code = s_.fence_reason;
  forget_window();
  forget_want();
  s_.fence_reason = code;
  s_.recovery_dispatched = s_.outcome_unknown = false;
  s_.fence_tries = 0;
  s_.fence_sent = false;
  s_.stuck_alerted = false;
  void_proof();
  enter(ha_phase::fencing, fmt::format("{}; fence permitted", s_.reason));
  fence_again(s_.reason);
}

void machine::fence_again(const std::string& why) {
  // The mark comes first each time: it is idempotent and may have been lost.
  s_.maintenance = true;
  s_.fence_dispatched = true;
  s_.held.clear();
  ++s_.fence_tries;
  s_.due = now_ + r_.answer_wait;
  if (s_.fence_tries == 1)
    emit(enter_maintenance{});
  emit(fence_power{});
  note(why);
}

void machine::fence_failed(const std::string& evidence) {
  auto pause = backoff(r_.retry_base, r_.retry_max, s_.fence_tries);
  s_.fence_dispatched = false;
  s_.unseen_since = never;
  s_.due = now_ + pause;
  note(fmt::format("power-off try {} is not confirmed, {}; tried again in "
                   "{} s",
                   s_.fence_tries, evidence, pause.count() / 1000));
  report("X.FENCE_FAILED",
         fmt::format("Node {} is not proved off: {}", name_, evidence));
  if (s_.taken)
    hand_over_fence();
  if (s_.stuck_alerted || s_.phase != ha_phase::fencing)
    return;
  s_.stuck_alerted = true;
  report("X.FENCE_STUCK",
         fmt::format("The fence of node {} is stuck, its instances wait: {}. "
                     "Check its power control, or switch it off by hand and "
                     "say so: orderly confirm-off {} --reason TEXT",
                     name_, evidence, name_));
}

void machine::take(const fence_ended& e) {
  note_read(e.came_on ? power_state::off : e.read);
  auto fencing = s_.phase == ha_phase::fencing;
  s_.fence_sent = s_.fence_sent || (fencing && e.sent);
  auto unread = fencing && s_.fence_dispatched && e.unread;
  if (unread && s_.unread_fences < unread_max)
    ++s_.unread_fences;
  if (fencing && e.confirmed)
    become_fenced(e);
  else if (unread || (fencing && s_.fence_dispatched && e.by_wish))
    begin_anew(fmt::format("{}; watched anew", e.evidence));
  else if (fencing && s_.fence_dispatched && (e.held || e.answers))
    act_held(e.evidence, !e.held, e.answers, e.read, e.unseen);
  else if (fencing && s_.fence_dispatched)
    fence_failed(e.evidence);
  else
    stale("the power-off", e.evidence);
}

void machine::become_fenced(const fence_ended& e) {
  auto code = s_.fence_reason.empty() ? std::string{fenced_max_attempts}
                                      : s_.fence_reason;
  auto ground = ground_of(s_);
  rest_fenced(proof_level::power_status, e.evidence,
              e.at == never ? now_ : e.at);
  enter(ha_phase::fenced, fmt::format("proved off, {}", e.evidence));
  emit(release_instances{});
  give_back();
  auto cause = ground == fence_ground::power_off ? "its power was found off"
               : ground == fence_ground::failed_reset
                 ? "its reset failed"
                 : "all permitted resets are used up";
  report(code.c_str(),
         fmt::format("Fenced node {}: {}; {}", name_, cause, e.evidence));
}

/// What holds of a fenced node, whatever proves that it is off.
void machine::rest_fenced(proof_level level, const std::string& text,
                          instant at) {
  forget_window();
  forget_want();
  s_.recoveries = 0;
  s_.fence_tries = 0;
  s_.fence_dispatched = false;
  s_.fence_sent = false;
  s_.stuck_alerted = false;
  s_.unseen_since = never;
  s_.unread_fences = 0;
  s_.healthy_again_told = false;
  s_.lived = s_.given_up = never;
  s_.returned = never;
  s_.maintenance = true;
  s_.power = power_state::off;
  s_.proved_down = proof{name_, level, text, at};
  s_.word.reset();
}

} // namespace orderly::host_ha
