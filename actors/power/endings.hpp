// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is kept of the last power command for each node, in the rows that the
// journal has of it anyway. In that of its intent: that it was given, or may
// have been. An order of which there is none did not leave before a restart. In
// that of a person's outcome: how it ended. Such an order is not given again
// after a restart: the desk takes for its answer what is kept here.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/power.hpp"

#include <map>
#include <string>

namespace orderly::oob_parts {

/// Kept under this and the name of the node: in the desk's book, which it reads
/// whole when it starts.
inline constexpr const char* ending_prefix = "desk:ended:";

/// Likewise, of the command that a person gave last.
inline constexpr const char* given_prefix = "desk:given:";

/// Of the one that automation gave last: for the node's actor.
inline constexpr const char* given_by_itself = "given:";

/// Adds to the intent's row that its command may leave from now on.
void keep_given(journal_entry& row, const power_order& order);

/// From one of the states that the journal kept under either.
intent_id given_from(const fields& kept);

/// From all that persons gave, by node.
std::map<node_name, intent_id>
given_by_persons(const std::map<std::string, fields>& states);

/// Adds to the outcome's row what is needed to answer its order once more.
void keep_ending(journal_entry& row, const power_report& report);

/// From the states that the journal kept, by intent. None of them came later
/// than `now`, though the calendar may have been set back since.
std::map<intent_id, power_report>
endings_from(const std::map<std::string, fields>& states, instant now);

} // namespace orderly::oob_parts
