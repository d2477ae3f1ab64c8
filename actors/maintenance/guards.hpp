// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds events back that want to begin: too many at once, or another one
// of their node. Used by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// Judges whether so many ask that none is to begin, and tells of it.
void weigh(self_ptr self);

/// Why an event must not begin; empty: it may.
std::string held(const intake_state& st, const event_standing& x,
                 const settings& rules, instant at);

/// Keeps slots for those that are to begin now, up to the limits.
void give_slots(intake_state& st, const settings& rules, instant at);

/// When a repair command of another event of its node, or of another master's,
/// was on its way last; `never`: none was.
instant worked_at(const intake_state& st, const event_standing& x, instant at);

/// The last reading of marks of its node that a person took away since, under
/// another event; `never`: there are none.
instant given_up_at(const intake_state& st, const event_standing& x);

} // namespace orderly::intake_parts
