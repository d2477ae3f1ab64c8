// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rules that every step of the machine keeps, whatever it is told. Used by
// the host_ha property tests.

#pragma once

#include "tests/actors/policy/host_ha/rig.hpp"

namespace orderly::host_ha::laws {

/// The rules the walks are made under.
inline const rules usual{.activity_interval_base = seconds{10},
                         .activity_interval_max = seconds{60},
                         .activity_checks = 3,
                         .degraded_period = seconds{300},
                         .recovery_wait = seconds{600},
                         .recovery_attempts_max = 2,
                         .retry_base = seconds{10},
                         .retry_max = seconds{250}};

template <class T>
bool has(const verdict& v) {
  return std::any_of(v.actions.begin(), v.actions.end(), [](const action& a) {
    return std::holds_alternative<T>(a);
  });
}

/// A phase that may last for ever.
bool rests(ha_phase x);

/// What may prove that the node is off.
bool may_prove(const event& e);

bool fences_unasked(const state& s, const event& e, const verdict& v);

/// The first rule that the step breaks, or null.
const char* broken_rule(const state& s, const event& e, const verdict& v,
                        instant now);

} // namespace orderly::host_ha::laws
