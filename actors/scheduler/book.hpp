// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the scheduler writes down and shows: what permits cost, and how the
// guards stand. Used by the scheduler only.

#pragma once

#include "actors/scheduler/scheduler.hpp"

namespace orderly::scheduler_parts {

using self_ptr = scheduler_actor::stateful_pointer<scheduler_state>;

inline constexpr const char* state_key = "scheduler";
inline constexpr const char* pause_key = "scheduler:pause";

/// Who paused us, and what for.
std::string text_of(const pause_order& x);

/// What is kept of a pause, and of its end; which damage of the journal it is
/// said in view of.
fields pause_fields(bool paused, const std::string& by, instant damage);

/// A row of the scheduler's, with all that it keeps.
journal_entry entry_of(self_ptr self, entry_kind kind, std::string code,
                       std::string why);

/// Tells the view how the guards stand, if that changed.
void show(self_ptr self);

/// The answer to `owner`: does the spent budget hold it back, or no longer?
void note_budget(self_ptr self, const object_id& owner, const permit& answer);

/// While paused: does the pause keep a dead node from being fenced?
void note_pause(self_ptr self, const permit_request& wanted);

/// It needs nothing of the budget any more.
void forget_held(self_ptr self, const object_id& owner);

/// Who did not ask again does not wait. Tells, once, that the spent budget
/// begins to hold something back, and that it ends.
void weigh_budget(self_ptr self);

/// The budget is spent on disk before anybody acts on the permit, which is then
/// judged once more. If either fails nobody acts: nothing is spent and nothing
/// is held. The owner's permit must be in the table.
caf::result<permit> pay(self_ptr self, const permit_request& wanted);

/// Is the price of this one still being written?
bool is_unpaid(const scheduler_state& st, const object_id& owner);

/// Is what this act costs on disk, and its end not told yet?
bool is_paid(const scheduler_state& st, const permit_request& wanted);

/// Nobody acts under it any more. What destroyed nothing costs nothing.
void give_back(self_ptr self, const permit_release& what);

} // namespace orderly::scheduler_parts
