// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hwhatif is asked, word by word: `lose=node1,group:rack2`. Names are not
// looked up here, numbers are bounded.

#pragma once

#include "actors/planning/whatif/changes.hpp"
#include "messages/result.hpp"

#include <string>
#include <vector>

namespace orderly::io::htools {

/// All words together. The fault quotes the first that cannot be read and shows
/// what it should look like.
result<planning::change_set>
read_changes(const std::vector<std::string>& words);

} // namespace orderly::io::htools
