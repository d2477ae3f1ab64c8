// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Turns the knobs of a node so that its machine is soon told something, and
// turns them at random.

#pragma once

#include "sim/walk/crowd.hpp"
#include "sim/world/dice.hpp"

namespace orderly::sim::walking {

/// It may need time, and may come to nothing.
void provoke(crowd& all, host& x, input what, dice& d);

/// Anything.
void stir(host& x, dice& d);

/// Makes it well.
void settle_down(host& x);

/// Takes it away from what is under way, so that answers come late.
void divert(crowd& all, host& x, dice& d);

} // namespace orderly::sim::walking
