// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the oob actor makes of the words of its helpers: evidence, reports and
// rows of the journal. Pure; used by this room.

#pragma once

#include "actors/power/oob.hpp"

namespace orderly::oob_parts {

/// How long one helper run of this order may take.
millis run_limit(const power_order& order, const settings& s);

/// A helper's answer to a reading, as a clause.
oob_state::word reading(power_verb verb, const power_answer& answer);

/// What the helper said of a command that failed, ready to be appended.
std::string complaint(const oob_state::operation& op);

/// The first level whose last word on the state is known and not that of the
/// level at work; none if that one is unknown itself.
std::optional<std::size_t> contrary_level(const oob_state::operation& op);

/// The state that all levels agree on, of those that could read one; unknown if
/// they differ.
power_state agreed(const oob_state::operation& op);

journal_entry intent_entry(const oob_state::operation& op, instant at);
journal_entry outcome_entry(const power_report& report,
                            const power_order& order);

/// A person ordered it, and not automation.
bool by_person(const oob_state::operation& op);

/// A reset whose helper says that it was done, with a power that nobody knows:
/// another one would meet it in its boot.
bool worked_unread(const oob_state::operation& op);

/// Of several levels the evidence tells what each said, by helper.
power_report report_of(oob_state::operation&& op, bool confirmed,
                       power_state seen, instant at);

/// Nothing was tried, for this reason.
power_report refusal(const power_order& order, std::string why, instant at);

} // namespace orderly::oob_parts
