// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is seen now against what was seen: signs of life under a treatment, and
// how old the evidence of activity checks may be.

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::host_ha {

namespace {

/// What an activity check found is good for two waits and a minute.
millis sample_lasts(const rules& r) {
  constexpr millis grace = minutes{1};
  return 2 * r.activity_interval_max + grace;
}

} // namespace

/// While no command is out, whoever answers is in no trouble, if only by
/// refusing: a machine that was silent in the window and refuses now is another
/// story. False if nothing was withdrawn.
bool machine::lives_under_treatment(const health_seen& e) {
  auto passed = e.verdict == health::healthy;
  auto waits = (s_.phase == ha_phase::fencing && !s_.fence_dispatched)
               || (s_.phase == ha_phase::recovering && !s_.recovery_dispatched);
  if (!waits || (!passed && !e.lives))
    return false;
  if (passed && s_.phase == ha_phase::recovering
      && s_.wants == act_kind::fence) {
    // The reset was called a failure, but while the fence is held back the
    // node shows that it works. It gets the wait of a recovered one.
    give_back();
    become_recovered(fmt::format("health check passed while the fence was "
                                 "held, {}",
                                 e.evidence));
    return true;
  }
  act_held("it answers: " + e.evidence, s_.phase == ha_phase::recovering, true);
  return true;
}

/// A reset or fence did not leave, or proved nothing, because of what was seen
/// last. It is tried again; but whoever answers is in no trouble, and what
/// comes after that is another one. What a person took out of service
/// meanwhile is theirs.
void machine::act_held(const std::string& evidence, bool sent, bool answers,
                       power_state read, bool unseen) {
  auto resets = s_.phase == ha_phase::recovering;
  if (answers || (resets && !s_.eligible)) {
    begin_anew(fmt::format("the {} is withdrawn: {}; watched anew",
                           resets ? "reset" : "fence", evidence));
    return;
  }
  if (s_.taken) {
    hand_over_fence();
    return;
  }
  auto is_back = read == power_state::on && would_boot(s_, r_, now_);
  if (is_back && see_boot("power status on again: " + evidence))
    return;
  if (resets && may_boot_yet()) {
    give_back();
    await_boot(fmt::format("the reset is withdrawn: {}", evidence));
    return;
  }
  note_sight(unseen);
  if (is_blind_for_long()) {
    // It is the same trouble: the resets that were done for it still count.
    auto unsent = resets && !sent && s_.recoveries > 0;
    auto done = s_.recoveries - (unsent ? 1 : 0);
    begin_anew(fmt::format("the {} is withdrawn: {}, and what speaks for it is "
                           "too old by now; watched anew",
                           resets ? "reset" : "fence", evidence));
    s_.recoveries = done;
    s_.window_first = done > 0;
    return;
  }
  auto tries = resets ? s_.recoveries : s_.fence_tries;
  if (resets) {
    s_.recovery_dispatched = false;
    s_.recoveries -= !sent && s_.recoveries > 0 ? 1 : 0;
    give_back();
  } else {
    s_.fence_dispatched = false;
  }
  auto pause = backoff(r_.retry_base, r_.retry_max, tries);
  // A reset that does not leave is no try: it is looked at more rarely all the
  // same the longer that lasts.
  if (resets)
    pause = std::clamp<millis>((now_ - s_.since) / 4, pause,
                               std::max(pause, r_.retry_max));
  s_.due = now_ + pause;
  s_.held = evidence;
  note(fmt::format("{} is held back: {}; looked at again in {} s",
                   resets ? "the reset" : "the power-off", evidence,
                   pause.count() / 1000));
}

/// Could anybody see, at the last look, whether it is at work?
void machine::note_sight(bool unseen) {
  if (!unseen)
    s_.unseen_since = never;
  else if (s_.unseen_since == never)
    s_.unseen_since = now_;
}

/// What was found before the first of these tries is old: to look anew says
/// more than to ask the same again.
bool machine::is_blind_for_long() const {
  return s_.unseen_since != never && now_ - s_.unseen_since > sample_lasts(r_);
}

void machine::note_life() {
  if (s_.lived == never)
    s_.lived = now_;
}

bool is_ground_old(const state& s, const rules& r, instant now) {
  // After the wait of a reset its silence speaks for the fence, and that is
  // looked at each time.
  auto by_silence = s.recoveries > 0 && !s.window_first
                    && ground_of(s) == fence_ground::max_attempts;
  auto by_window
    = s.phase == ha_phase::recovering
      || (s.phase == ha_phase::fencing && !by_silence && !is_for_lost_power(s));
  return by_window && (s.sampled == never || now - s.sampled > sample_lasts(r));
}

/// From a sample to what follows it no more than two waits and a minute pass.
bool machine::is_window_old(instant followed) const {
  return s_.checks > 0 && followed - s_.sampled > sample_lasts(r_);
}

/// How long a check takes says nothing of the samples before it: where many
/// nodes are dead it waits for its turn.
bool machine::is_window_broken() const {
  constexpr millis longest_check = minutes{11};
  return is_window_old(s_.since) || now_ - s_.since > longest_check;
}

/// The verdict of a window waited for the disk, and says nothing of now.
bool machine::is_verdict_old() const {
  return s_.phase == ha_phase::checking && s_.wants && !wants_for_power()
         && is_window_old(now_);
}

} // namespace orderly::host_ha
