// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How errands and holds are kept in the journal: an errand as a head and blocks
// of its rows, of which only those that changed are written again.

#pragma once

#include "actors/policy/errand/errand.hpp"
#include "messages/clock.hpp"

namespace orderly::errand {

fields head_to_fields(const state& s);
fields block_to_fields(const state& s, std::uint32_t block);
std::uint32_t blocks_of(const state& s);

/// A state with so many rows as it had, all of them empty.
state head_from_fields(const errand_id& id, const fields& f);
void block_from_fields(state& s, std::uint32_t block, const fields& f);

/// Of an errand from the journal, which may be `aged` (as in `recalled`): times
/// that are not yet, because the calendar was set back, become now, and what is
/// due after them comes no later. Where it was set ahead nothing is older for
/// that.
void date(state& s, instant now, bool aged, const set_ahead& calendar);

// hold_fields.cpp
fields to_fields(const hold& x);
hold hold_from_fields(const fields& f);

} // namespace orderly::errand
