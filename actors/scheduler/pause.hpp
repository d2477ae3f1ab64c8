// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Pauses and ends of them: one after the other, each on disk before it counts,
// but for a pause that is being written, which holds already. Used by the
// scheduler only.

#pragma once

#include "actors/scheduler/book.hpp"

#include <string>

namespace orderly::scheduler_parts {

/// Who pauses if no person does.
inline constexpr const char* ourselves = "orderlyd";

using pause_promise = caf::typed_response_promise<pause_answer>;

/// Answered when it is on disk. An end that the disk holds up for seconds is
/// none.
caf::result<pause_answer> pause(self_ptr self, const pause_order& order);

/// Begins the first that waits, once the journal was read.
void next_order(self_ptr self);

} // namespace orderly::scheduler_parts
