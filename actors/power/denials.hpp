// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Controllers that refuse our user or password: nothing can be proved of such a
// node, and only a person mends it. So it is an alert, once a node and day, as
// the oob actor keeps it in mind and in the journal.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/power.hpp"

#include <map>
#include <string>

namespace orderly::oob_parts {

/// When it was told last, by node.
using denial_map = std::map<node_name, instant>;

/// They are kept in the journal under this and the name of the node.
inline constexpr const char* denial_prefix = "denied:";

/// It was told within the last day.
bool is_told(const denial_map& told, const node_name& node, instant at);

/// The alert, which keeps that it was told.
journal_entry denial_entry(const power_request& asked, const std::string& text,
                           instant at);

/// From the states that the journal kept. None is younger than `now`, though
/// the calendar may have been set back since.
denial_map denials_from(const std::map<std::string, fields>& states,
                        instant now);

} // namespace orderly::oob_parts
