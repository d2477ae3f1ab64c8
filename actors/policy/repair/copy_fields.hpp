// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the journal keeps of what is known of the copies. Used for the whole
// state, and for what outlives the name of the instance.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

namespace orderly::autorepair {

/// Also of its shutdown: where it may run.
void put_copy(fields& f, const state& s);

void read_copy(state& s, const fields& f);

} // namespace orderly::autorepair
