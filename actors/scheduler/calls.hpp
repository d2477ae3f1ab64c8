// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who waits for a permit is called when it could have it. Used by the
// scheduler only.

#pragma once

#include "actors/scheduler/book.hpp"

namespace orderly::scheduler_parts {

/// The last: calls that nobody answered are over.
enum : std::uint32_t { minute_tick, storm_tick, call_tick };

/// What a new request would be answered now: guards, who goes first, room.
/// Reserves nothing.
permit judged(const scheduler_state& st, const permit_request& wanted,
              instant at);

/// It was refused so, and waits to be called.
void let_wait(self_ptr self, const permit_request& wanted,
              const permit& refusal, const permit_client& client);

/// It waits no longer.
void end_wait(scheduler_state& st, const object_id& owner);

/// Something ended, or a guard opened: calls those who could go together now.
/// They ask again, and what is kept for them is void after a moment.
void call_waiting(self_ptr self);

} // namespace orderly::scheduler_parts
