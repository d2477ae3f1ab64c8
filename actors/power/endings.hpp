// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the last order of a person for each node ended, as it is kept in the
// journal, in the row of that outcome. An order that has ended is not given
// again after a restart: the desk takes for its answer what is kept here.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/power.hpp"

#include <map>
#include <string>

namespace orderly::oob_parts {

/// Kept under this and the name of the node: in the desk's book, which it reads
/// whole when it starts.
inline constexpr const char* ending_prefix = "desk:ended:";

/// Adds to the outcome's row what is needed to answer its order once more.
void keep_ending(journal_entry& row, const power_report& report);

/// From the states that the journal kept, by intent. None of them came later
/// than `now`, though the calendar may have been set back since.
std::map<intent_id, power_report>
endings_from(const std::map<std::string, fields>& states, instant now);

} // namespace orderly::oob_parts
