// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How Ganeti's watcher is told to rest: it would start again what an emergency
// power-off has stopped. Pure. Used by the cluster port.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/time.hpp"

#include <string>
#include <string_view>

namespace orderly::io {

/// The call that lets the watcher rest until then; if that is no later than
/// `now`, the call that lets it go on.
luxi_question encode_watcher_pause(instant until, instant now);

/// Does the watcher rest, as the master's own node has it?
const luxi_question& question_for_watcher_pause();
result<bool> decode_watcher_pause(std::string_view reply, instant now);

/// Why the pause that was asked for is not in force, or empty: it is.
std::string why_no_pause(const result<std::string>& reply, bool wanted,
                         instant now);

} // namespace orderly::io
