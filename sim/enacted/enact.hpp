// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays a timeline of host HA on real actors. Used by conformance and tests.

#pragma once

#include "sim/timelines/play.hpp"

namespace orderly::sim::enacted {

using timelines::json;

/// Why actors cannot play it; empty: they can.
std::string why_not_playable(const json& scenario);

/// What was seen of them, under every key that `expect` may have, as
/// `timelines::heard_in` has it. Throws std::invalid_argument or
/// json::exception if it cannot be played.
json watch(const json& scenario);

/// Plays it and compares; empty: all is as expected. Throws as `watch`.
std::vector<timelines::mismatch> play(const json& scenario);

} // namespace orderly::sim::enacted
