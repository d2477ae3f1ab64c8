// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/specified.hpp"

#include "actors/node/node.hpp"
#include "sim/walk/inputs.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace orderly::sim::walking {

namespace {

using enum ha_phase;

template <class Action>
bool does(const machine_step& step) {
  const auto& all = step.answer.actions;
  return std::any_of(all.begin(), all.end(), [](const auto& x) {
    return std::holds_alternative<Action>(x);
  });
}

constexpr std::array table{
  specified_row{disabled, "Enabled", available,
                "host, cluster and zone switches on", guards::enabled},
  specified_row{{},
                "Disabled",
                disabled,
                "any of the switches off; queued operations are cancelled, "
                "running ones finish unheard",
                guards::disabled},
  specified_row{ineligible, "Eligible", available, "eligible",
                guards::eligible},
  specified_row{available, "Ineligible", ineligible, "not eligible",
                guards::not_eligible},
  specified_row{suspect, "Ineligible", ineligible, "not eligible",
                guards::not_eligible},
  specified_row{checking, "Ineligible", ineligible,
                "not eligible; running check ignored",
                guards::not_eligible_check_ignored},
  specified_row{
    degraded, "Ineligible", ineligible,
    "not eligible, except that power state Unknown alone does not count",
    guards::not_eligible},
  specified_row{recovering, "Ineligible", ineligible,
                "recovery failed and not eligible",
                guards::failed_not_eligible},
  specified_row{
    recovered, "Ineligible", ineligible,
    "wait over and not eligible; ours: or out of service, or without power, or "
    "the reset before it never left",
    guards::waited_not_eligible},
  specified_row{available, "HealthCheckPassed", available,
                "no change, resets all counters", guards::counters_reset},
  specified_row{available, "HealthCheckFailed", suspect, "eligible",
                guards::failed_eligible},
  specified_row{suspect, "HealthCheckPassed", available, "a check passed",
                guards::passed},
  specified_row{suspect, "HealthCheckFailed", suspect, "no change",
                guards::nothing_counted},
  specified_row{suspect, "PerformActivityCheck", checking,
                "wait over and eligible and recovery attempts left; ours: or "
                "no health check since the last one failed",
                guards::waited_eligible_attempts_left},
  specified_row{suspect, "RecoveryOperationThresholdExceeded", fencing,
                "recoveries >= max and eligible", guards::attempts_used_up},
  specified_row{suspect, "PowerOffConfirmed", fencing,
                "chassis Off not commanded, eligible",
                guards::off_not_commanded},
  specified_row{checking, "HealthCheckPassed", available,
                "running check ignored", guards::passed_check_ignored},
  specified_row{checking, "TooFewActivityCheckSamples", suspect,
                "checks < max attempts", guards::too_few},
  specified_row{checking, "ActivityCheckNotAdmitted", suspect,
                "queue full; nothing counted", guards::not_admitted},
  specified_row{checking, "ServiceRestart", suspect, "sample discarded",
                guards::sample_discarded},
  specified_row{checking, "ActivityCheckFailureUnderThresholdRatio", degraded,
                "checks = max and failures <= ratio x checks",
                guards::window_not_over_ratio},
  specified_row{
    checking, "ActivityCheckFailureOverThresholdRatio", recovering,
    "checks = max and failures > ratio x checks and recoveries < max",
    guards::window_over_ratio_attempts_left},
  specified_row{checking, "RecoveryOperationThresholdExceeded", fencing,
                "as above but recoveries >= max",
                guards::window_over_ratio_attempts_used_up},
  specified_row{checking, "MassFailureGuard", degraded, "optional guard holds",
                guards::guard_holds},
  specified_row{checking, "PowerOffConfirmed", fencing,
                "chassis Off not commanded, eligible",
                guards::off_not_commanded},
  specified_row{degraded, "HealthCheckPassed", available, "a check passed",
                guards::passed},
  specified_row{degraded, "HealthCheckFailed", degraded, "no change",
                guards::nothing_counted},
  specified_row{degraded, "PeriodicRecheckResourceActivity", suspect,
                "degraded period over", guards::waited},
  specified_row{degraded, "PowerOffConfirmed", fencing,
                "chassis Off not commanded, eligible",
                guards::off_not_commanded},
  specified_row{recovering, "RetryRecovery", recovering,
                "failed, attempts left, backoff over",
                guards::retries_recovery},
  specified_row{recovering, "Recovered", recovered,
                "operation succeeded; ours: or it boots", guards::worked},
  specified_row{
    recovering, "RecoveryOutcomeUnknown", recovered,
    "restart found a dispatched operation and power On; ours: or no power "
    "status, it boots, or it passes a check while its fence is held",
    guards::outcome_unknown},
  specified_row{recovering, "RecoveryOperationThresholdExceeded", fencing,
                "failed, recoveries >= max, eligible",
                guards::attempts_used_up},
  specified_row{
    recovered, "HealthCheckPassed", available,
    "wait over and healthy; ours: or healthy in a boot that no reset began",
    guards::waited_healthy},
  specified_row{
    recovered, "RecoveryWaitPeriodTimeout", suspect,
    "wait over and unhealthy; counter kept; ours: unless it was back, or no "
    "power in its boot, or the reset before it never left",
    guards::waited_unhealthy},
  specified_row{fencing, "RetryFencing", fencing, "failed, backoff over",
                guards::retries_fencing},
  specified_row{fencing, "Fenced", fenced, "power confirmed Off",
                guards::confirmed_off},
  specified_row{fenced, "HealthCheckFailed", fenced, "no change",
                guards::still_fenced},
  specified_row{fenced, "HealthCheckPassed", ineligible,
                "only when the host is out of maintenance; then Eligible may "
                "follow at once",
                guards::passed_out_of_maintenance},
};

} // namespace

std::span<const specified_row> specified() {
  return table;
}

const specified_row* specified(ha_phase from, std::string_view event,
                               ha_phase to) {
  const auto* i = std::find_if(table.begin(), table.end(), [&](const auto& x) {
    return (!x.from || *x.from == from) && x.event == event && x.to == to;
  });
  return i == table.end() ? nullptr : i;
}

std::string_view name_of_stay(const machine_step& step) {
  auto in = step.from.phase;
  auto what = kind_of(step.event);
  if (in != step.answer.next.phase)
    return {};
  if (in == available && what == input::health_passed)
    return "HealthCheckPassed";
  auto failed = what == input::health_failed || what == input::health_refused;
  if (failed && (in == suspect || in == degraded || in == fenced))
    return "HealthCheckFailed";
  if (in == recovering && !step.from.wants && does<host_ha::ask_permit>(step)
      && step.answer.next.wants == act_kind::reset)
    return "RetryRecovery";
  return in == fencing && what == input::due && does<host_ha::fence_power>(step)
           ? "RetryFencing"
           : std::string_view{};
}

} // namespace orderly::sim::walking
