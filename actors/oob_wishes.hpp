// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons want of the power of nodes, as the oob actor keeps it: a
// person's on or off stays a wish until the person wants something else, and
// automation does not act against it.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/power.hpp"

namespace orderly::oob_parts {

using wish_map = std::map<node_name, power_wish>;

/// Wishes are kept in the journal under this and the name of the node.
inline constexpr const char* wish_prefix = "wish:";

/// A person's on or off; nothing else is a wish.
bool makes_wish(const power_order& order);

/// The wish that such an order makes.
power_wish wish_of(const power_order& order, instant at);

/// The row that keeps it.
journal_entry wish_entry(const node_name& node, const power_wish& wish);

/// From the states that the journal kept; oddities are left out.
wish_map wishes_from(const std::map<std::string, fields>& states);

/// Why automation may not do this, a sentence; empty: it may. A person may
/// everything, and everybody may read.
std::string why_against_wish(const wish_map& wishes, const power_order& order);

} // namespace orderly::oob_parts
