// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/specified.hpp"

#include <algorithm>
#include <array>

namespace orderly::sim::walking {

namespace {

using enum ha_phase;

constexpr std::array table{
  specified_row{disabled, "Enabled", available,
                "host, cluster and zone switches on"},
  specified_row{{},
                "Disabled",
                disabled,
                "any of the switches off; queued operations are cancelled, "
                "running ones finish unheard"},
  specified_row{ineligible, "Eligible", available, "eligible"},
  specified_row{available, "Ineligible", ineligible, "not eligible"},
  specified_row{suspect, "Ineligible", ineligible, "not eligible"},
  specified_row{checking, "Ineligible", ineligible,
                "not eligible; running check ignored"},
  specified_row{
    degraded, "Ineligible", ineligible,
    "not eligible, except that power state Unknown alone does not count"},
  specified_row{recovering, "Ineligible", ineligible,
                "recovery failed and not eligible"},
  specified_row{recovered, "Ineligible", ineligible,
                "wait over and not eligible"},
  specified_row{available, "HealthCheckPassed", available,
                "no change, resets all counters"},
  specified_row{available, "HealthCheckFailed", suspect, "eligible"},
  specified_row{suspect, "HealthCheckPassed", available, ""},
  specified_row{suspect, "HealthCheckFailed", suspect, "no change"},
  specified_row{suspect, "PerformActivityCheck", checking,
                "wait over and eligible and recovery attempts left"},
  specified_row{suspect, "RecoveryOperationThresholdExceeded", fencing,
                "recoveries >= max and eligible"},
  specified_row{suspect, "PowerOffConfirmed", fencing,
                "chassis Off not commanded, eligible"},
  specified_row{checking, "HealthCheckPassed", available,
                "running check ignored"},
  specified_row{checking, "TooFewActivityCheckSamples", suspect,
                "checks < max attempts"},
  specified_row{checking, "ActivityCheckNotAdmitted", suspect,
                "queue full; nothing counted"},
  specified_row{checking, "ServiceRestart", suspect, "sample discarded"},
  specified_row{checking, "ActivityCheckFailureUnderThresholdRatio", degraded,
                "checks = max and failures <= ratio x checks"},
  specified_row{
    checking, "ActivityCheckFailureOverThresholdRatio", recovering,
    "checks = max and failures > ratio x checks and recoveries < max"},
  specified_row{checking, "RecoveryOperationThresholdExceeded", fencing,
                "as above but recoveries >= max"},
  specified_row{checking, "MassFailureGuard", degraded, "optional guard holds"},
  specified_row{checking, "PowerOffConfirmed", fencing, ""},
  specified_row{degraded, "HealthCheckPassed", available, ""},
  specified_row{degraded, "HealthCheckFailed", degraded, "no change"},
  specified_row{degraded, "PeriodicRecheckResourceActivity", suspect,
                "degraded period over"},
  specified_row{degraded, "PowerOffConfirmed", fencing, ""},
  specified_row{recovering, "RetryRecovery", recovering,
                "failed, attempts left, backoff over"},
  specified_row{recovering, "Recovered", recovered, "operation succeeded"},
  specified_row{recovering, "RecoveryOutcomeUnknown", recovered,
                "restart found a dispatched operation and power On"},
  specified_row{recovering, "RecoveryOperationThresholdExceeded", fencing,
                "failed, recoveries >= max, eligible"},
  specified_row{recovered, "HealthCheckPassed", available,
                "wait over and healthy"},
  specified_row{recovered, "RecoveryWaitPeriodTimeout", suspect,
                "wait over and unhealthy; counter kept"},
  specified_row{fencing, "RetryFencing", fencing, "failed, backoff over"},
  specified_row{fencing, "Fenced", fenced, "power confirmed Off"},
  specified_row{fenced, "HealthCheckFailed", fenced, "no change"},
  specified_row{fenced, "HealthCheckPassed", ineligible,
                "only when the host is out of maintenance; then Eligible may "
                "follow at once"},
};

} // namespace

std::span<const specified_row> specified() {
  return table;
}

bool is_specified(ha_phase from, std::string_view event, ha_phase to) {
  return std::any_of(table.begin(), table.end(), [&](const auto& x) {
    return (!x.from || *x.from == from) && x.event == event && x.to == to;
  });
}

} // namespace orderly::sim::walking
