// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How Ganeti's watcher is told to rest: it would start again what an emergency
// power-off has stopped. Pure. Used by the cluster port.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io {

/// The call that lets the watcher rest until then; if that is no later than
/// `now`, the call that lets it go on.
luxi_question encode_watcher_pause(instant until, instant now);

/// Until when does the watcher rest, as the master's own node has it? `never`:
/// it does not.
const luxi_question& question_for_watcher_pause();
result<instant> decode_watcher_pause(std::string_view reply, instant now);

/// Our pause that lasts until then at least. Ours end at seconds of their own,
/// by which we know them again after a restart too.
instant own_pause(instant until);
bool is_own_pause(instant until);

/// What to set where a pause until `found` is in force, so that the watcher
/// rests until `wanted` or, if that is over, goes on: no pause gets shorter,
/// and none ends that a person has set. `before` is the person's pause that
/// ours took the place of. Nothing: it is as it should be.
std::optional<instant> pause_to_set(instant found, instant wanted,
                                    instant before, instant now);

/// Why the pause that was asked for is not in force, or empty: it is.
std::string why_no_pause(const result<std::string>& reply, bool wanted,
                         instant now);

} // namespace orderly::io
