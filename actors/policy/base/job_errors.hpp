// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What Ganeti's error texts mean for us. It has no codes for them, so this is
// the one place that compares with sentences, and they are not ours.

#pragma once

#include <string>

namespace orderly {

/// A person, or the number of jobs in it, keeps the queue closed for all: that
/// says nothing about the job that was refused.
bool is_closed_queue(const std::string& text);

/// Ganeti or its allocator found no place for an instance: nothing was done
/// by the opcode that failed.
bool is_want_of_room(const std::string& text);

/// A tag that the job was to remove is not there: nothing behind it in the
/// job was done.
bool is_missing_tag(const std::string& text);

} // namespace orderly
