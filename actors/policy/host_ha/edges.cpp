// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/edges.hpp"

#include <algorithm>
#include <array>

namespace orderly::host_ha {

namespace {

using enum ha_phase;

constexpr std::array edge_table{
  edge{disabled, "Enabled", available},
  edge{{}, "Disabled", disabled},
  edge{ineligible, "Eligible", available},
  edge{available, "Ineligible", ineligible},
  edge{suspect, "Ineligible", ineligible},
  edge{checking, "Ineligible", ineligible},
  edge{degraded, "Ineligible", ineligible},
  edge{recovering, "Ineligible", ineligible},
  edge{recovered, "Ineligible", ineligible},
  edge{available, "HealthCheckFailed", suspect},
  edge{suspect, "HealthCheckPassed", available},
  edge{suspect, "PerformActivityCheck", checking},
  edge{suspect, "RecoveryOperationThresholdExceeded", fencing},
  edge{suspect, "PowerOffConfirmed", fencing},
  edge{checking, "HealthCheckPassed", available},
  edge{checking, "TooFewActivityCheckSamples", suspect},
  edge{checking, "ActivityCheckNotAdmitted", suspect},
  edge{checking, "ServiceRestart", suspect},
  edge{checking, "ActivityCheckFailureUnderThresholdRatio", degraded},
  edge{checking, "ActivityCheckFailureOverThresholdRatio", recovering},
  edge{checking, "RecoveryOperationThresholdExceeded", fencing},
  edge{checking, "MassFailureGuard", degraded},
  edge{checking, "PowerOffConfirmed", fencing},
  edge{degraded, "HealthCheckPassed", available},
  edge{degraded, "PeriodicRecheckResourceActivity", suspect},
  edge{degraded, "PowerOffConfirmed", fencing},
  edge{recovering, "Recovered", recovered},
  edge{recovering, "RecoveryOutcomeUnknown", recovered},
  edge{recovering, "RecoveryOperationThresholdExceeded", fencing},
  edge{recovered, "HealthCheckPassed", available},
  edge{recovered, "RecoveryWaitPeriodTimeout", suspect},
  edge{fencing, "Fenced", fenced},
  edge{fenced, "HealthCheckPassed", ineligible},
  // What is switched on has the time of a boot.
  edge{suspect, "OrderedOn", recovered, true},
  edge{checking, "OrderedOn", recovered, true},
  edge{degraded, "OrderedOn", recovered, true},
  edge{available, "OrderedOn", recovered, true},
  edge{fencing, "OrderedOn", recovered, true},
  // A person put it online, and it is as dead as it was.
  edge{fenced, "HealthCheckFailed", suspect, true},
  // What was begun begins anew, by a person's wish or because nobody looked.
  edge{recovering, "PersonWish", suspect, true},
  edge{fencing, "PersonWish", suspect, true},
  edge{degraded, "ServiceRestart", suspect, true},
  edge{recovering, "ServiceRestart", suspect, true},
  edge{fencing, "ServiceRestart", suspect, true},
  // What begins anew is watched, and who is not eligible is watched for none.
  edge{fencing, "Ineligible", ineligible, true},
  edge{fenced, "Ineligible", ineligible, true},
  edge{{}, "OperatorWord", fenced, true},
};

} // namespace

std::span<const edge> edges() {
  return edge_table;
}

bool is_edge(ha_phase from, std::string_view by, ha_phase to) {
  return std::any_of(edge_table.begin(), edge_table.end(), [&](const edge& x) {
    return (!x.from || *x.from == from) && x.event == by && x.to == to;
  });
}

} // namespace orderly::host_ha
