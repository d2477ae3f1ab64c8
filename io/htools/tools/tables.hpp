// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The tables that the tools print: nodes with their room, instances with
// their places, and the terms of a score.

#pragma once

#include "actors/planning/score/score.hpp"

namespace orderly::io::htools {

using cells = std::vector<std::vector<std::string>>;

/// Lines of a table: a blank before each and between columns, all as wide as
/// their widest, the first row as the others.
std::string layout(const cells& rows, const std::vector<bool>& left);

/// Names without what all share; `suffix` is that of common_suffix().
std::string short_name(const std::string& name, const std::string& suffix);

/// `fields` as -p takes them: empty for the usual ones, a list, or a list
/// after `+` to add.
std::string node_table(const planning::placement& p, const std::string& fields,
                       const std::string& suffix);

std::string instance_table(const planning::placement& p);

/// The terms, as -vv shows them.
std::string score_table(const planning::placement& p);

} // namespace orderly::io::htools
