// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whose turn it is among the orders of the oob actor: one operation a node at a
// time, acts before readings, and slow nodes in a lane of their own.

#pragma once

#include "actors/power/oob.hpp"

namespace orderly::oob_parts {

/// Is it a reading of a node whose last one took too long?
bool waits_slowly(const oob_state& st, const oob_state::operation& op);

/// Whose turn is it? Nobody's if all that waits must wait on.
std::optional<node_name> next_node(const oob_state& st, std::uint32_t slots);

/// The first order that waits for `node`; there is one.
oob_state::operation take(oob_state& st, const node_name& node);

void enqueue(oob_state& st, oob_state::operation op);

/// The answer to an order that is not worked.
power_report refused(const oob_state& st, const power_order& order,
                     std::string why, instant at);

/// Nobody wants it any more: it is dropped if its turn has not come, and if it
/// has, nothing more of it is commanded.
void withdraw(oob_state& st, const power_withdraw& what, instant at);

/// What automation decided before a person's command to the node has lost its
/// ground, whatever became of that.
void drop_decided_before(oob_state& st, const power_order& persons, instant at);

} // namespace orderly::oob_parts
