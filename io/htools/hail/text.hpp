// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The answers of hail as Ganeti reads them: one line of JSON, with the same
// members in the same order as the reference's.

#pragma once

#include "actors/planning/place/choose_group.hpp"

namespace orderly::io::htools {

/// `{"success":...,"info":...,"result":...}` with its end of line; `answer` is
/// JSON already. Where `groups` is not empty it is one more member, of ours.
std::string reply_line(bool success, const std::string& info,
                       const std::string& answer,
                       const std::string& groups = {});

/// A list of texts as JSON.
std::string text_list(const std::vector<std::string>& texts);

/// How an allocation went: score and nodes, or reasons.
std::string describe(const planning::placement& p,
                     const planning::allocation_result& x);

/// What each group had to say.
std::vector<std::string> describe(const planning::placement& p,
                                  const planning::group_choice& x,
                                  const std::string& instance);

/// The names of the nodes of a place.
std::vector<std::string> node_names(const planning::placement& p,
                                    planning::place where);

/// `[moved, failed, jobs]` as JSON.
std::string evacuation_list(const planning::placement& p,
                            const planning::evacuation& x);

/// `2 instances failed to move and 1 were moved successfully`.
std::string evacuation_info(const planning::evacuation& x);

} // namespace orderly::io::htools
