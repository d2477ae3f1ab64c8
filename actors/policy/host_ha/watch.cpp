// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Finding out: from Available over Suspect and Checking to Degraded and back,
// and the two states in which nobody looks.

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::host_ha {

/// That a fenced node goes on to be dead is known, in grains: finer ones than
/// how long that counts over a restart.
void machine::watch_fenced(const health_seen& e) {
  auto grain = std::min(word_grain, r_.evidence_max_age / 2);
  auto dead = s_.phase == ha_phase::fenced && e.verdict == health::unhealthy
              && !e.lives;
  if (dead && now_ - s_.trouble_seen >= grain)
    s_.trouble_seen = now_;
}

void machine::take(const health_seen& e) {
  if (e.verdict != health::healthy && e.verdict != health::unhealthy)
    return;
  s_.last_health = e.verdict;
  auto passed = e.verdict == health::healthy;
  auto asked = e.asked == never ? now_ : e.asked;
  if (s_.phase == ha_phase::recovered && passed && asked >= s_.since)
    s_.came_back = true;
  watch_boot(passed, asked);
  watch_fenced(e);
  if (lives_under_treatment(e))
    return;
  auto treated = s_.phase == ha_phase::recovering
                 || s_.phase == ha_phase::recovered
                 || s_.phase == ha_phase::fencing;
  if (!passed && (is_watching() || treated))
    saw_trouble();
  if (is_watching() && passed) {
    auto was_degraded = s_.phase == ha_phase::degraded;
    if (s_.wants)
      give_back();
    become_available(fmt::format("health check passed, {}", e.evidence));
    if (was_degraded)
      report("E.DEGRADED_OK", fmt::format("Degraded node {} passed a health "
                                          "check and is now available.",
                                          name_));
    else
      report("E.SUSPECT_OK", fmt::format("Suspect node {} passed a health "
                                         "check and is watched anew.",
                                         name_));
  } else if (s_.phase == ha_phase::available && !passed) {
    forget_incident();
    open_incident();
    if (may_boot_yet()) {
      await_boot("health check failed, " + e.evidence);
      return;
    }
    become_suspect(fmt::format("health check failed, {}", e.evidence));
    report("E.HEALTH_FAILED", fmt::format("Node {} failed its health check: {}",
                                          name_, e.evidence));
  } else if (s_.phase == ha_phase::recovered && passed && s_.recoveries == 0) {
    // No reset of ours counts, so that nothing needs to be believed later.
    become_available(fmt::format("health check passed, {}", e.evidence));
  } else if (s_.phase == ha_phase::suspect && !s_.wants
             && must_fence_suspect()) {
    s_.reason = fmt::format("health check failed, {}, and all {} resets are "
                            "used up",
                            e.evidence, s_.recoveries);
    want(act_kind::fence, fenced_max_attempts);
  } else if (s_.phase == ha_phase::fenced && passed) {
    healthy_while_fenced(e.evidence);
  } else if (s_.phase == ha_phase::fenced && !s_.maintenance) {
    dead_while_returned(e.evidence);
  } else if (s_.phase == ha_phase::fenced && e.lives) {
    alive_while_fenced(e.evidence);
  }
}

/// A person put it online, and it is as dead as it was after the time that a
/// boot may take.
void machine::dead_while_returned(const std::string& evidence) {
  auto just_returned
    = s_.returned != never && now_ - s_.returned < r_.recovery_wait;
  if (just_returned || may_boot_yet())
    return;
  begin_anew(
    fmt::format("put online, but its health check fails, {}", evidence));
  report("X.RETURNED_DEAD",
         fmt::format("Node {0} was fenced, is in service by the record, and "
                     "fails its health check: {1}. It is watched anew, and "
                     "treated like any other. If it "
                     "is not meant to be in service yet, mark it offline: "
                     "orderly node modify --offline=yes {0}",
                     name_, evidence));
}

/// Whoever vouched for it was wrong, or somebody switched it on: its instances
/// may run twice. Of one that was read off somebody switched it on.
void machine::tell_life(const std::string& evidence) {
  if (s_.proved_down->level != proof_level::operator_word)
    return;
  report(
    "X.FENCED_LIVES",
    fmt::format("Fenced node {0} lives: {1}. It was held for dead ({2}). "
                "Instances that were started elsewhere meanwhile may run "
                "twice now: compare gnt-instance list with what runs on "
                "{0}, and stop there what the record has elsewhere, before "
                "you return it",
                name_, evidence, s_.proved_down->text));
}

/// A machine that refuses connections has power, though its daemons are down.
void machine::alive_while_fenced(const std::string& evidence) {
  note_life();
  if (!s_.proved_down)
    return;
  tell_life(evidence);
  void_proof();
  emit(read_power{});
  note(fmt::format("it answers, {}; the proof that it is off no longer holds, "
                   "power is read again",
                   evidence));
}

void machine::healthy_while_fenced(const std::string& evidence) {
  if (!s_.maintenance) {
    forget_incident();
    enter(ha_phase::ineligible,
          fmt::format("returned to service and health check passed, {}; "
                      "eligibility is checked anew",
                      evidence));
    return;
  }
  // A node that answers is not off: nothing may be restarted on the strength
  // of the old proof until the power was read again.
  note_life();
  if (s_.proved_down) {
    tell_life("health check passed, " + evidence);
    void_proof();
    emit(read_power{});
    note(fmt::format("health check passed, {}; the proof that it is off no "
                     "longer holds, power is read again",
                     evidence));
  }
  if (s_.healthy_again_told)
    return;
  s_.healthy_again_told = true;
  auto text = fmt::format("Fenced node {} is healthy again and waits for an "
                          "operator to return it to service.",
                          name_);
  if (why_.empty())
    note("healthy again, waits for an operator to return it to service");
  report("X.FENCED_HEALTHY_IN_MAINTENANCE", std::move(text));
}

void machine::take(const activity_seen& e) {
  if (e.late || s_.phase != ha_phase::checking || s_.wants) {
    stale("activity", e.evidence);
    return;
  }
  if (is_window_broken())
    forget_window();
  ++s_.checks;
  s_.sampled = now_;
  if (e.verdict == activity::inactive) {
    ++s_.failures;
  } else if (e.verdict == activity::unknown) {
    ++s_.unknowns;
    report("X.ACTIVITY_INCONCLUSIVE",
           fmt::format("Activity of node {} could not be seen: {}", name_,
                       e.evidence));
  }
  if (s_.checks < r_.activity_checks) {
    enter(ha_phase::suspect,
          fmt::format("activity check {} of {}: {}, {}", s_.checks,
                      r_.activity_checks, to_string(e.verdict), e.evidence));
    await_activity_check();
  } else if (is_over_ratio()) {
    want_after_window();
  } else {
    become_degraded(fmt::format("{}, not more than the ratio of {}; last: {}",
                                window_text(), r_.activity_failure_ratio,
                                e.evidence));
  }
}

void machine::take(const activity_refused&) {
  if (s_.phase != ha_phase::checking || s_.wants)
    return;
  enter(ha_phase::suspect, "activity check was not admitted, nothing counted");
  await_activity_check();
}

/// A person has marked it offline under its fence: it is theirs. Read off, it
/// is proved down as any that is offline.
void machine::hand_over_fence() {
  constexpr auto why = "marked offline under its fence";
  give_back();
  forget_incident();
  s_.eligible = false;
  s_.ineligible_why = why;
  become_ineligible(why);
}

void machine::take(const eligibility& e) {
  if (s_.phase == ha_phase::fenced && !s_.maintenance && e.offline) {
    s_.maintenance = true;
    s_.returned = never;
    note("marked offline again, power is read again");
    emit(read_power{});
  }
  if (s_.phase == ha_phase::fencing && !s_.fence_dispatched && e.offline) {
    hand_over_fence();
    return;
  }
  s_.taken = s_.phase == ha_phase::fencing && e.offline;
  s_.eligible = e.eligible;
  s_.ineligible_why = e.eligible ? std::string{} : e.reason;
  if (e.eligible) {
    if (s_.phase != ha_phase::ineligible)
      return;
    guess_boot(e.silent, e.read);
    become_available("eligible again");
    report("E.ELIGIBLE",
           fmt::format("Node {} has become eligible for host HA.", name_));
  } else if (s_.phase == ha_phase::available || is_watching()
             || (s_.phase == ha_phase::recovered && e.offline)
             || (s_.phase == ha_phase::recovering && !s_.recovery_dispatched)) {
    // A reset under way is not interrupted; between two of them nothing is.
    if (s_.wants)
      give_back();
    keep_boot();
    become_ineligible(e.reason);
  } else if (s_.phase == ha_phase::ineligible && s_.reason != e.reason) {
    s_.reason = e.reason;
    note(e.reason);
  }
}

void machine::take(const disabled& e) {
  auto why = e.why.empty() ? "host HA was disabled" : e.why;
  if (s_.phase == ha_phase::disabled) {
    if (s_.reason != why) {
      s_.reason = why;
      note(why);
    }
    return;
  }
  if (s_.wants || s_.phase == ha_phase::recovering
      || s_.phase == ha_phase::fencing)
    give_back();
  keep_boot();
  auto word = take_word();
  forget_incident();
  enter(ha_phase::disabled, why);
  if (!word.empty())
    report("X.WORD_LAPSED",
           fmt::format("Node {0} counts as off no longer ({1}): {2}. If it is "
                       "still off once host HA is on for it again, say so "
                       "again: orderly confirm-off {0} --reason TEXT",
                       name_, word, why));
}

void machine::take(const returned&) {
  if (s_.phase != ha_phase::fenced || !s_.maintenance)
    return;
  s_.maintenance = false;
  s_.returned = now_;
  void_proof();
  note("in service again by the record, waits for a passing health check");
}

void machine::take(const deadline&) {
  if (s_.due == never || now_ < s_.due)
    return;
  switch (s_.phase) {
  case ha_phase::suspect:
    suspect_due();
    break;
  case ha_phase::checking:
    if (s_.wants) {
      renew_want();
    } else {
      enter(ha_phase::suspect, "no answer to the activity check, nothing "
                               "counted");
      await_activity_check();
    }
    break;
  case ha_phase::degraded:
    degraded_due();
    break;
  case ha_phase::recovering:
    recovering_due();
    break;
  case ha_phase::recovered:
    recovered_due();
    break;
  case ha_phase::fencing:
    if (s_.fence_dispatched) {
      s_.fence_sent = true; // or nobody knows
      fence_failed("no answer about the power-off");
    } else {
      fence_again(fmt::format("power-off try {}", s_.fence_tries + 1));
    }
    break;
  case ha_phase::disabled:
  case ha_phase::ineligible:
  case ha_phase::available:
  case ha_phase::fenced:
    break;
  }
}

void machine::suspect_due() {
  if (s_.wants) {
    renew_want();
  } else if (must_fence_suspect()) {
    s_.reason = fmt::format("still unhealthy and all {} resets are used up",
                            s_.recoveries);
    want(act_kind::fence, fenced_max_attempts);
  } else {
    start_activity_check();
  }
}

void machine::degraded_due() {
  if (s_.wants) {
    renew_want();
    return;
  }
  s_.held.clear();
  s_.unread_fences = 0; // its silence did not decide: its power counts again
  if (may_boot_yet())
    return await_boot("degraded period over");
  become_suspect("degraded period over, activity is checked again");
  report("E.RECHECK", fmt::format("Re-executing activity checks for degraded "
                                  "node {}.",
                                  name_));
}

void machine::become_available(std::string reason) {
  forget_incident();
  enter(ha_phase::available, std::move(reason));
}

void machine::become_ineligible(const std::string& reason) {
  forget_window();
  forget_want();
  enter(ha_phase::ineligible, reason);
  report("X.INELIGIBLE",
         fmt::format("Node {} is not eligible for host HA: {}", name_, reason));
}

void machine::become_suspect(std::string reason) {
  if (!s_.eligible) {
    become_ineligible(fmt::format("{}; and: {}", reason, s_.ineligible_why));
    return;
  }
  forget_window();
  forget_want();
  if (s_.phase == ha_phase::available)
    s_.went_off = false; // of another time
  enter(ha_phase::suspect, std::move(reason));
  await_activity_check();
  s_.power = power_state::unknown; // what was read of another time
  emit(read_power{});
  if (must_fence_suspect())
    want(act_kind::fence, fenced_max_attempts);
}

void machine::become_degraded(std::string reason) {
  forget_window();
  enter(ha_phase::degraded, std::move(reason));
  s_.due = now_ + r_.degraded_period;
  report("E.DEGRADED",
         fmt::format("Node {} is considered degraded: {}", name_, s_.reason));
}

void machine::await_activity_check() {
  s_.due = now_
           + backoff(r_.activity_interval_base, r_.activity_interval_max,
                     s_.checks + 1);
}

void machine::start_activity_check() {
  enter(ha_phase::checking, fmt::format("activity check {} of {} started",
                                        s_.checks + 1, r_.activity_checks));
  s_.due = now_ + r_.answer_wait;
  emit(check_activity{s_.suspect_since});
  emit(read_power{});
}

} // namespace orderly::host_ha
