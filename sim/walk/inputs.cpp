// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/inputs.hpp"

namespace orderly::sim::walking {

namespace {

using namespace host_ha;

struct kinds {
  input operator()(const health_seen& e) const {
    if (e.verdict == health::healthy)
      return input::health_passed;
    if (e.verdict != health::unhealthy)
      return input::health_unknown;
    return e.lives ? input::health_refused : input::health_failed;
  }

  input operator()(const activity_seen& e) const {
    return e.verdict == activity::active     ? input::active
           : e.verdict == activity::inactive ? input::inactive
                                             : input::activity_unknown;
  }

  input operator()(const activity_refused&) const {
    return input::activity_refused;
  }

  input operator()(const power_seen& e) const {
    if (e.power == power_state::on)
      return input::power_on;
    if (e.power == power_state::unknown)
      return input::power_unknown;
    return e.commanded ? input::power_off_commanded : input::power_off;
  }

  input operator()(const permit_answered& e) const {
    return e.granted ? input::permit_granted
           : e.storm ? input::permit_storm
                     : input::permit_held;
  }

  input operator()(const host_ha::permit_called&) const {
    return input::permit_called;
  }

  input operator()(const recovery_ended& e) const {
    return e.by_wish ? input::reset_overruled
           : e.held  ? input::reset_held
           : e.ok    ? input::reset_worked
                     : input::reset_failed;
  }

  input operator()(const fence_ended& e) const {
    return e.by_wish     ? input::fence_overruled
           : e.held      ? input::fence_held
           : e.confirmed ? input::fence_confirmed
                         : input::fence_failed;
  }

  input operator()(const eligibility& e) const {
    return e.offline    ? input::offline
           : e.eligible ? input::eligible
                        : input::ineligible;
  }

  input operator()(const struct enabled&) const { return input::enabled; }

  input operator()(const struct disabled&) const { return input::disabled; }

  input operator()(const deadline&) const { return input::due; }

  input operator()(const struct restarted& e) const {
    return e.away     ? input::restarted_away
           : e.unsent ? input::restarted_unsent
                      : input::restarted;
  }

  input operator()(const struct returned&) const { return input::returned; }

  input operator()(const struct vouched&) const { return input::vouched; }

  input operator()(const struct ordered_on&) const { return input::ordered_on; }

  input operator()(const struct looked&) const { return input::looked; }

  input operator()(const struct proof_expired&) const {
    return input::proof_expired;
  }
};

} // namespace

const char* to_string(input x) {
  constexpr std::array<const char*, inputs> names{"health passed",
                                                  "health failed",
                                                  "health refused",
                                                  "health unknown",
                                                  "active",
                                                  "inactive",
                                                  "activity unknown",
                                                  "activity refused",
                                                  "power on",
                                                  "power off",
                                                  "power off commanded",
                                                  "power unknown",
                                                  "permit granted",
                                                  "permit held",
                                                  "permit storm",
                                                  "permit called",
                                                  "reset worked",
                                                  "reset failed",
                                                  "reset overruled",
                                                  "reset held",
                                                  "fence confirmed",
                                                  "fence failed",
                                                  "fence overruled",
                                                  "fence held",
                                                  "eligible",
                                                  "ineligible",
                                                  "offline",
                                                  "enabled",
                                                  "disabled",
                                                  "due",
                                                  "restarted",
                                                  "restarted unsent",
                                                  "restarted away",
                                                  "returned",
                                                  "vouched",
                                                  "ordered on",
                                                  "looked",
                                                  "proof expired"};
  return names.at(static_cast<std::size_t>(x));
}

input kind_of(const host_ha::event& e) {
  return std::visit(kinds{}, e);
}

} // namespace orderly::sim::walking
