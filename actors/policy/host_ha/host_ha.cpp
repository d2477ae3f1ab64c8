// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/host_ha.hpp"

#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/machine.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace orderly::host_ha {

verdict step(const node_name& name, const state& s, const event& e,
             const rules& r, instant now) {
  machine m{name, s, r, now};
  std::visit([&m](const auto& x) { m.take(x); }, e);
  return m.result();
}

verdict machine::result() {
  auto rests
    = s_.phase == ha_phase::disabled || s_.phase == ha_phase::ineligible
      || s_.phase == ha_phase::available || s_.phase == ha_phase::fenced;
  if (rests)
    s_.due = never;
  else if (s_.due == never)
    s_.due = now_ + r_.answer_wait;
  return {std::move(s_), std::move(actions_), std::move(why_)};
}

void machine::enter(ha_phase to, std::string reason) {
  s_.phase = to;
  s_.since = now_;
  s_.due = never;
  s_.reason = std::move(reason);
  note(s_.reason);
}

void machine::note(const std::string& text) {
  why_ = fmt::format("{}: {}", to_string(s_.phase), text);
}

void machine::report(const char* code, std::string text) {
  emit(tell{code, std::move(text)});
}

void machine::emit(action x) {
  actions_.push_back(std::move(x));
}

void machine::stale(const char* what, const std::string& evidence) {
  report("X.STALE_RESULT_IGNORED",
         fmt::format("Late answer about {} of node {} ignored while {}: {}",
                     what, name_, to_string(s_.phase), evidence));
}

void machine::forget_window() {
  s_.checks = 0;
  s_.failures = 0;
  s_.unknowns = 0;
}

void machine::reopen_window() {
  // The sample that ended the window is discarded with its conclusion.
  if (s_.checks == 0 || s_.checks < r_.activity_checks)
    return;
  --s_.checks;
  s_.failures -= s_.failures > 0 ? 1 : 0;
}

void machine::forget_want() {
  s_.wants.reset();
  s_.held.clear();
  s_.fence_reason.clear();
  s_.reread = false;
}

void machine::forget_incident() {
  forget_window();
  forget_want();
  s_.incident.clear();
  s_.suspect_since = never;
  s_.trouble_seen = never;
  s_.recoveries = 0;
  s_.window_first = false;
  s_.came_back = false;
  s_.went_off = false;
  s_.recovery_dispatched = false;
  s_.outcome_unknown = false;
  s_.fence_tries = 0;
  s_.fence_dispatched = false;
  s_.fence_sent = false;
  s_.stuck_alerted = false;
  s_.unseen_since = never;
  s_.unread_fences = 0;
  s_.healthy_again_told = false;
  s_.lived = s_.given_up = never;
  s_.returned = never;
  s_.guard_told = false;
  s_.maintenance = false;
  void_proof();
}

void machine::open_incident() {
  s_.incident = node_incident(name_, now_);
  s_.suspect_since = s_.trouble_seen = now_;
}

void machine::saw_trouble() {
  if (s_.trouble_seen == never || now_ - s_.trouble_seen >= trouble_grain)
    s_.trouble_seen = now_;
}

void machine::void_proof() {
  s_.proved_down.reset();
  s_.word.reset();
}

bool machine::is_watching() const {
  return s_.phase == ha_phase::suspect || s_.phase == ha_phase::checking
         || s_.phase == ha_phase::degraded;
}

bool machine::attempts_left() const {
  return s_.recoveries < r_.recovery_attempts_max;
}

bool machine::must_fence_suspect() const {
  // Without a reset before it (a limit of 0) the window decides first, and
  // silence after a reset is no evidence either.
  return s_.recoveries > 0 && !attempts_left() && !s_.window_first
         && s_.last_health == health::unhealthy;
}

bool machine::is_over_ratio() const {
  // In millionths: 0.7 of 10 is exactly 7, which binary fractions miss.
  auto ratio = r_.activity_failure_ratio;
  if (!(ratio > 0))
    ratio = 0;
  auto millionths = static_cast<std::uint64_t>(
    std::llround(std::min(ratio, 1.0) * 1'000'000));
  return std::uint64_t{s_.failures} * 1'000'000 > millionths * s_.checks;
}

bool machine::wants_for_power() const {
  return s_.wants == act_kind::fence && is_for_lost_power(s_);
}

/// It is asked for once its power was read.
bool machine::is_rereading() const {
  return s_.wants && s_.power != power_state::off
         && (wants_for_power() || s_.reread);
}

bool machine::is_evidence_old() const {
  return s_.trouble_seen == never
         || now_ - s_.trouble_seen > r_.evidence_max_age;
}

std::string machine::window_text() const {
  return fmt::format("{} of {} activity checks found it inactive, {} unknown",
                     s_.failures, s_.checks, s_.unknowns);
}

fence_ground ground_of(const state& s) {
  if (s.fence_reason == fenced_power_off)
    return fence_ground::power_off;
  if (s.fence_reason == fenced_recovery_failed)
    return fence_ground::failed_reset;
  if (s.fence_reason == fenced_max_attempts)
    return fence_ground::max_attempts;
  return fence_ground::none;
}

bool is_for_lost_power(const state& s) {
  return ground_of(s) == fence_ground::power_off;
}

} // namespace orderly::host_ha
