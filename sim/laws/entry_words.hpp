// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a journal entry tells, by its object and its code, as the laws read
// them: the codes that only say something to a reader have no constant.

#pragma once

#include "messages/journal_entry.hpp"

namespace orderly::sim {

/// It is about one node or one instance, and not about all.
bool is_of_one(const object_id& object);

/// By the scheduler, who grants permits.
bool is_of_scheduler(const journal_entry& e);

/// What it tells concerns everybody.
bool concerns_all(const journal_entry& e);

/// That a node is fenced is good news, and says nothing of what ran there.
bool is_of_fence(const journal_entry& e);

} // namespace orderly::sim
