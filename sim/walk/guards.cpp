// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/guards.hpp"

#include "actors/node/node.hpp"
#include "sim/walk/inputs.hpp"

#include <algorithm>
#include <initializer_list>
#include <variant>

namespace orderly::sim::walking::guards {

namespace {

const host_ha::state& was(const moment& m) {
  return m.step.from;
}

const host_ha::state& is(const moment& m) {
  return m.step.answer.next;
}

bool told(const moment& m, std::initializer_list<input> any) {
  return std::find(any.begin(), any.end(), kind_of(m.step.event)) != any.end();
}

template <class Action>
bool does(const moment& m) {
  const auto& all = m.step.answer.actions;
  return std::any_of(all.begin(), all.end(), [](const auto& x) {
    return std::holds_alternative<Action>(x);
  });
}

bool is_over(const limits& by, std::uint32_t failures, std::uint32_t checks) {
  constexpr auto grain = 1e-9; // 0.7 of 10 is 7
  return failures > by.ratio * checks + grain;
}

bool window_over_ratio(const moment& m) {
  return told(m, {input::permit_granted}) && was(m).checks == m.by.checks
         && is_over(m.by, was(m).failures, was(m).checks);
}

/// It was switched on a moment ago, and has the time of a boot.
bool boots(const moment& m) {
  const auto& raised = is(m).raised;
  return raised != never && m.step.at - raised < m.by.recovery_wait;
}

} // namespace

bool enabled(const moment& m) {
  return told(m, {input::enabled});
}

bool disabled(const moment& m) {
  return told(m, {input::disabled})
         && (!was(m).wants || does<host_ha::give_back_permit>(m));
}

bool eligible(const moment& m) {
  return told(m, {input::eligible}) && is(m).eligible;
}

bool not_eligible(const moment& m) {
  return !is(m).eligible;
}

bool not_eligible_check_ignored(const moment& m) {
  return not_eligible(m) && is(m).checks == 0;
}

bool failed_not_eligible(const moment& m) {
  auto only_ruled = told(m, {input::ineligible, input::offline});
  return not_eligible(m) && !told(m, {input::reset_worked})
         && !(only_ruled && was(m).recovery_dispatched);
}

bool waited_not_eligible(const moment& m) {
  return not_eligible(m)
         && (waited(m)
             || told(m, {input::offline, input::power_off, input::reset_held}));
}

bool counters_reset(const moment& m) {
  return is(m).checks == 0 && is(m).failures == 0 && is(m).recoveries == 0;
}

bool failed_eligible(const moment& m) {
  return told(m, {input::health_failed, input::health_refused})
         && was(m).eligible;
}

bool passed(const moment& m) {
  return told(m, {input::health_passed});
}

bool nothing_counted(const moment& m) {
  return is(m).checks == was(m).checks && is(m).failures == was(m).failures
         && is(m).recoveries == was(m).recoveries;
}

bool waited_eligible_attempts_left(const moment& m) {
  const auto& x = was(m);
  auto speaks = x.last_health == health::unhealthy && !x.window_first;
  return waited(m) && x.eligible && (x.recoveries < m.by.recoveries || !speaks);
}

bool attempts_used_up(const moment& m) {
  return told(m, {input::permit_granted}) && was(m).eligible
         && was(m).recoveries >= m.by.recoveries;
}

bool off_not_commanded(const moment& m) {
  return told(m, {input::permit_granted}) && was(m).eligible
         && was(m).power == power_state::off;
}

bool passed_check_ignored(const moment& m) {
  return passed(m) && is(m).checks == 0;
}

bool too_few(const moment& m) {
  return is(m).checks < m.by.checks;
}

bool not_admitted(const moment& m) {
  return told(m, {input::activity_refused}) && nothing_counted(m);
}

bool sample_discarded(const moment& m) {
  return told(m, {input::restarted, input::restarted_unsent,
                  input::restarted_away})
         && is(m).checks <= was(m).checks;
}

bool window_not_over_ratio(const moment& m) {
  auto ends
    = told(m, {input::active, input::inactive, input::activity_unknown});
  auto failures = was(m).failures + (told(m, {input::inactive}) ? 1 : 0);
  return ends && was(m).checks + 1 == m.by.checks
         && !is_over(m.by, failures, m.by.checks);
}

bool window_over_ratio_attempts_left(const moment& m) {
  return window_over_ratio(m) && was(m).recoveries < m.by.recoveries;
}

bool window_over_ratio_attempts_used_up(const moment& m) {
  return window_over_ratio(m) && was(m).recoveries >= m.by.recoveries;
}

bool guard_holds(const moment& m) {
  return told(m, {input::permit_held, input::permit_storm});
}

bool waited(const moment& m) {
  return told(m, {input::due}) && was(m).due != never
         && m.step.at >= was(m).due;
}

bool retries_recovery(const moment& m) {
  return waited(m) && !was(m).recovery_dispatched
         && was(m).recoveries < m.by.recoveries;
}

bool worked(const moment& m) {
  return told(m, {input::reset_worked}) || boots(m);
}

bool outcome_unknown(const moment& m) {
  auto lives = passed(m) && was(m).wants == act_kind::fence;
  return (was(m).outcome_unknown
          && told(m, {input::power_on, input::power_unknown, input::due}))
         || lives || boots(m);
}

bool waited_healthy(const moment& m) {
  return (waited(m) && was(m).last_health == health::healthy)
         || (passed(m) && was(m).recoveries == 0);
}

bool waited_unhealthy(const moment& m) {
  auto kept = is(m).recoveries == was(m).recoveries || was(m).came_back;
  return (waited(m) && was(m).last_health != health::healthy && kept)
         || told(m, {input::power_off, input::reset_held});
}

bool retries_fencing(const moment& m) {
  return waited(m) && !was(m).fence_dispatched;
}

bool confirmed_off(const moment& m) {
  return told(m, {input::fence_confirmed});
}

bool still_fenced(const moment& m) {
  return is(m).maintenance == was(m).maintenance;
}

bool passed_out_of_maintenance(const moment& m) {
  return passed(m) && !was(m).maintenance;
}

} // namespace orderly::sim::walking::guards
