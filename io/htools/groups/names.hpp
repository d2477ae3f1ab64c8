// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hgroups calls things: in its sentences, and as words in its JSON.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/emptying.hpp"
#include "actors/planning/groups/group_report.hpp"

#include <string>

namespace orderly::io::htools {

/// `own_disks`.
const char* name_of(planning::barrier x);

/// As the rest of a sentence: `its disks are on its node alone`.
const char* words_of(planning::barrier x);

/// `weakly_unhealthy`.
const char* name_of(planning::group_health x);

/// `not_found`.
const char* name_of(planning::empty_verdict x);

/// `memory_mib`, with its unit.
const char* name_of(planning::resource x);

/// `external/nas1`.
std::string text_of(const planning::storage_pool& x);

/// What to give to permit crossing for this.
std::string permission_hint(planning::crossing_cause cause);

} // namespace orderly::io::htools
