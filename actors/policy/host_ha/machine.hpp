// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The inside of host_ha::step: one object for one step, one method for one
// event, and below them the moves of table A.5. Used by the host_ha sources
// only; host_ha/watch.cpp finds out, host_ha/treat.cpp acts on it,
// host_ha/power.cpp reads power.

#pragma once

#include "actors/policy/host_ha/host_ha.hpp"
#include "messages/codes.hpp"

#include <string>
#include <utility>

namespace orderly::host_ha {

using codes::fenced_by_word;
using codes::fenced_max_attempts;
using codes::fenced_power_off;
using codes::fenced_recovery_failed;

/// A controller that says off at each look, and nothing when the fence asks, is
/// no ground for another one after so many.
inline constexpr std::uint32_t unread_max = 3;

class machine {
public:
  machine(const node_name& name, const state& s, const rules& r, instant now)
    : name_(name), r_(r), now_(now), s_(s) {
    // nop
  }

  void take(const health_seen& e);
  void take(const activity_seen& e);
  void take(const activity_refused& e);
  void take(const power_seen& e);
  void take(const permit_answered& e);
  void take(const permit_called&);
  void take(const recovery_ended& e);
  void take(const fence_ended& e);
  void take(const eligibility& e);
  void take(const enabled& e);
  void take(const disabled& e);
  void take(const deadline& e);
  void take(const restarted& e);
  void take(const returned& e);
  void take(const vouched& e);
  void take(const ordered_on& e);
  void outcome_stays_unknown(const std::string& evidence);
  void forget_word();
  std::string take_word();
  void tell_life(const std::string& evidence);
  void take(const looked& e);
  void take(const proof_expired& e);

  /// The outcome. Sees to it that no state waits without a deadline.
  verdict result();

private:
  // Plumbing.
  void enter(ha_phase to, std::string reason);
  void note(const std::string& text);
  void report(const char* code, std::string text);
  void emit(action x);
  void stale(const char* what, const std::string& evidence);
  void forget_window();
  void reopen_window();
  void forget_want();
  void forget_incident();
  void open_incident();
  void saw_trouble();
  void void_proof();

  // Questions.
  [[nodiscard]] bool is_watching() const;
  [[nodiscard]] bool attempts_left() const;
  [[nodiscard]] bool must_fence_suspect() const;
  [[nodiscard]] bool is_over_ratio() const;
  [[nodiscard]] bool wants_for_power() const;
  [[nodiscard]] bool is_rereading() const;
  [[nodiscard]] bool is_evidence_old() const;
  [[nodiscard]] std::string window_text() const;

  // Moves of the watch.
  void become_available(std::string reason);
  void become_ineligible(const std::string& reason);
  void become_suspect(std::string reason);
  void become_degraded(std::string reason);
  void await_activity_check();
  void start_activity_check();
  void healthy_while_fenced(const std::string& evidence);
  void dead_while_returned(const std::string& evidence);
  void alive_while_fenced(const std::string& evidence);

  // Moves of the treatment.
  void want(act_kind act, const char* fence_code);
  void want_after_window();
  void renew_want();
  void ask_again();
  void cancel_want(const std::string& reason);
  void hold(const permit_answered& e);
  void use_permit();
  void start_reset();
  void give_back();
  void begin_anew(const std::string& reason);
  void note_sight(bool unseen);
  [[nodiscard]] bool is_blind_for_long() const;
  void act_held(const std::string& evidence, bool sent, bool answers,
                power_state read = power_state::unknown, bool unseen = false);
  void attempt_failed(const std::string& evidence);
  void become_recovered(std::string reason);
  void start_fencing();
  void fence_again(const std::string& why);
  void fence_failed(const std::string& evidence);
  void become_fenced(const fence_ended& e);
  void rest_fenced(proof_level level, const std::string& text, instant at);
  void power_seen_after_a_restart(const power_seen& e);
  [[nodiscard]] bool is_between_tries() const;
  void power_seen_between(const power_seen& e, bool was_off);
  void lost_power(const std::string& evidence);
  void power_seen_while_fenced(const power_seen& e);
  void hand_over_fence();
  void restarted_while_recovering(bool unsent, bool seen_now);
  void restarted_while_fencing(bool unsent, bool seen_now);
  void look_anew(const std::string& reason);
  bool returns_to_boot(bool unsent);
  void restarted_while_recovered(bool seen_now);
  void restarted_while_fenced();

  // Deadlines, a phase each.
  void suspect_due();
  void degraded_due();
  void recovering_due();
  void recovered_due();
  [[nodiscard]] bool may_boot_yet() const;
  void await_boot(const std::string& reason);
  void watch_boot(bool passed, instant asked);
  bool see_boot(const std::string& evidence);
  void note_read(power_state read);
  void note_life();
  void keep_boot();
  void guess_boot(bool silent, bool read = false);
  void presume_boot(bool watched, bool read = false);
  void count_boot();
  [[nodiscard]] bool may_wait_again() const;
  void take_boot_back();
  void watch_fenced(const health_seen& e);
  [[nodiscard]] bool has_no_power(const power_seen& e) const;

  // Life and age.
  bool lives_under_treatment(const health_seen& e);
  [[nodiscard]] bool is_window_old(instant followed) const;
  [[nodiscard]] bool is_window_broken() const;
  [[nodiscard]] bool is_verdict_old() const;

  const node_name& name_;
  const rules& r_;
  instant now_;
  state s_;
  std::vector<action> actions_;
  std::string why_;
};

} // namespace orderly::host_ha
