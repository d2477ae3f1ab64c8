// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the answers of hwhatif are called, and how names and times are written:
// for its text and its JSON.

#pragma once

#include "actors/planning/whatif/what_if.hpp"

#include <string>

namespace orderly::io::htools {

/// `after_moves`.
const char* name_of(planning::verdict x);

/// `no_room`.
const char* name_of(planning::stuck_kind x);

/// Without what all names of the cluster end with; new ones do not end so.
std::string shown_name(const std::string& name, const std::string& suffix);

/// Seconds that so much takes at so many bits a second.
double seconds_for(planning::mib size, double bits);

/// `2 h 5 min`, rounded up.
std::string duration_text(double seconds);

/// Sizes as a sentence has them: `4096 MiB, 51200 MiB disk, 2 CPUs, drbd`.
std::string size_text(const planning::instance_spec& x);

/// What refused the most, with how often: `FailMem (12), FailN1 (3)`.
std::string failures_text(const planning::failure_counts& counts);

} // namespace orderly::io::htools
