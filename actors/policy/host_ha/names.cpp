// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What leads from one phase to another, by the names of spec host-ha A.2.

#include "actors/policy/host_ha/machine.hpp"

namespace orderly::host_ha {

namespace {

template <class T>
bool is(const event& e) {
  return std::holds_alternative<T>(e);
}

/// Somebody wants it otherwise, or a look showed that it is not so.
constexpr const char* person_wish = "PersonWish";

const char* to_suspect(const state& from, const event& e) {
  switch (from.phase) {
  case ha_phase::checking:
    if (is<restarted>(e))
      return "ServiceRestart";
    return is<activity_refused>(e) ? "ActivityCheckNotAdmitted"
                                   : "TooFewActivityCheckSamples";
  case ha_phase::degraded:
    return is<restarted>(e) ? "ServiceRestart"
                            : "PeriodicRecheckResourceActivity";
  case ha_phase::recovered:
    return "RecoveryWaitPeriodTimeout";
  case ha_phase::recovering:
  case ha_phase::fencing:
    return is<restarted>(e) ? "ServiceRestart" : person_wish;
  default:
    return "HealthCheckFailed";
  }
}

const char* to_ineligible(const state& from, const event& e) {
  const auto* check = std::get_if<health_seen>(&e);
  auto passed = check && check->verdict == health::healthy;
  return from.phase == ha_phase::fenced && passed ? "HealthCheckPassed"
                                                  : "Ineligible";
}

const char* to_available(const state& from) {
  switch (from.phase) {
  case ha_phase::disabled:
    return "Enabled";
  case ha_phase::ineligible:
    return "Eligible";
  default:
    return "HealthCheckPassed";
  }
}

const char* to_recovered(const state& from, const event& e) {
  if (from.phase != ha_phase::recovering)
    return "OrderedOn"; // somebody has switched it on: it gets time to boot
  return is<recovery_ended>(e) ? "Recovered" : "RecoveryOutcomeUnknown";
}

} // namespace

const char* name_of_transition(const state& from, const event& e,
                               const state& to) {
  switch (to.phase) {
  case ha_phase::disabled:
    return "Disabled";
  case ha_phase::ineligible:
    return to_ineligible(from, e);
  case ha_phase::available:
    return to_available(from);
  case ha_phase::suspect:
    return to_suspect(from, e);
  case ha_phase::checking:
    return "PerformActivityCheck";
  case ha_phase::degraded:
    // After a refused permit the ratio was exceeded, and only the scheduler
    // kept the node from its reset or fence.
    return is<permit_answered>(e) ? "MassFailureGuard"
                                  : "ActivityCheckFailureUnderThresholdRatio";
  case ha_phase::recovering:
    return "ActivityCheckFailureOverThresholdRatio";
  case ha_phase::recovered:
    return to_recovered(from, e);
  case ha_phase::fencing:
    return is_for_lost_power(to) ? "PowerOffConfirmed"
                                 : "RecoveryOperationThresholdExceeded";
  case ha_phase::fenced:
    return is<vouched>(e) ? "OperatorWord" : "Fenced";
  }
  return "";
}

} // namespace orderly::host_ha
