// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a reload leaves as it is: where orderlyd listens, where its journal lies
// and whom it asks is settled when it starts, and what a port has for its whole
// life, so that no actor counts on anything else. The settings in force say
// what is, not what the file says.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace orderly::io {

/// The keys that are settled.
std::vector<std::string_view> settled_keys();

/// Puts into the knobs `read` those values of `in_force`, which are the same
/// knobs, whose key is one of these; the keys that had another value.
std::vector<std::string> keep_knobs(std::vector<knob> read,
                                    const std::vector<knob>& in_force,
                                    const std::vector<std::string_view>& keys);

/// Puts into `read` what of `in_force` stays until a restart; the keys of which
/// the file says something else.
std::vector<std::string> keep_settled(settings& read, settings in_force);

} // namespace orderly::io
