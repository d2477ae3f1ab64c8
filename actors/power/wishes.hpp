// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What persons want of the power of nodes, as the oob actor keeps it: a
// person's on or off stays a wish until the person wants something else, and
// automation does not act against it. It ends by itself if another node has got
// the name; and an off ends if its order failed, if the node was off as wanted
// and is on again, which was somebody's doing, or if the node is in service and
// answers all the same.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/power.hpp"

#include <optional>

namespace orderly::oob_parts {

struct kept_wish {
  power_wish wish;
  std::string uuid;      ///< of the node that it is about; empty: not known
  bool met = false;      ///< for off: it was read as off since
  bool in_doubt = false; ///< for off: its order ended, and how is not known
  std::uint32_t contrary = 0; ///< readings of on in a row, after that
};

using wish_map = std::map<node_name, kept_wish>;

/// Wishes are kept in the journal under this and the name of the node.
inline constexpr const char* wish_prefix = "wish:";

/// A person's on or off; and a cycle, as what it switches off may stay off.
bool makes_wish(const power_order& order);

/// The wish that such an order makes, after the ones before it: what is off
/// already stays known to be.
kept_wish wish_of(const power_order& order, const wish_map& before, instant at);

/// The wish for this node; an empty one if there is none.
power_wish wish_for(const wish_map& wishes, const node_name& node);

/// As they are told to others.
power_wishes told(const wish_map& wishes);

/// Nothing is wanted, and nothing is remembered: it need not be kept.
bool is_void(const kept_wish& kept);

/// The row that keeps it, as of `at`.
journal_entry wish_entry(const node_name& node, const kept_wish& kept,
                         instant at);

/// The row that ends it, for this reason; what remains of it is kept.
journal_entry wish_end_entry(const node_name& node, const kept_wish& kept,
                             const std::optional<kept_wish>& rest,
                             const std::string& why, instant at);

/// Why readings of on end such a wish, a clause.
std::string why_ended(const kept_wish& kept);

/// What remains of an off that ended though the node may still be off for it,
/// or may be off again for the same work.
kept_wish rest_of(const kept_wish& kept);

/// From the states that the journal kept; oddities are left out. No wish is
/// younger than `now`, though the calendar may have been set back since.
wish_map wishes_from(const std::map<std::string, fields>& states, instant now);

/// Why there is no such wish for the node that is meant here; empty: there is,
/// or there is none at all.
std::string why_void(const wish_map& wishes, const power_order& order);

enum class wish_news { none, met, ended };

/// The outcome of an operation of this kind tells something about the wish:
/// twice on by a reading ends an off that was met, or whose order's outcome is
/// not known.
wish_news observe(kept_wish& kept, power_verb verb, power_state seen);

/// Notes that this was the person's order itself, and that nobody could read
/// what became of it; true if that is news.
bool note_doubt(kept_wish& kept, const power_order& order,
                const power_report& report);

/// Did its daemons answer, in service, since the person wanted it so?
bool has_answered(const kept_wish& kept, const power_order& order);

/// The node was switched on by an order, or is in service and answers: it is
/// not off any more for what a person ordered. True if that is news.
bool note_life(kept_wish& kept, const power_order& order,
               const power_report& report);

/// Why the outcome of this order ends an off all the same, a clause; empty: it
/// does not. Whoever wanted it was told that it failed, or the node was taken
/// back into service and lives there.
std::string why_over(const kept_wish& kept, const power_order& order,
                     const power_report& report);

/// Why automation may not do this, a sentence; empty: it may. A person may
/// everything, and everybody may read.
std::string why_against_wish(const wish_map& wishes, const power_order& order);

} // namespace orderly::oob_parts
