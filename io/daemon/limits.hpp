// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the system grants this process, taken or found too little.

#pragma once

#include <string>

namespace orderly {

/// Takes all open files that are to be had, and has the allocator give big
/// blocks back. Why what there is is not enough; or empty. From then on a lack
/// of memory or threads that nobody can bear ends the process with a sentence
/// and the code 1, by which systemd starts it again.
std::string settle_limits();

/// What to do about memory, to be put behind the cause of a failure: an actor
/// that found none tells of nothing but an error. Empty as long as there always
/// was some.
std::string word_on_memory();

} // namespace orderly
