// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whether a power command may still leave: it is asked when its turn comes,
// when it is written down, and right before its helper runs.

#pragma once

#include "actors/power/oob.hpp"

#include <string>

namespace orderly::oob_parts {

/// It took too long to write down what was asked for by what was seen then, by
/// a person, too. To switch on for a person harms nobody.
bool is_held_up(oob_actor::stateful_pointer<oob_state> self,
                const oob_state::operation& op, instant at);

/// Why it does not leave, a clause; empty if it does.
std::string why_not_now(oob_actor::stateful_pointer<oob_state> self,
                        const oob_state::operation& op);

} // namespace orderly::oob_parts
