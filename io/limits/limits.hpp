// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the system grants this process, taken or found too little. Used by the
// daemons, at their start.

#pragma once

#include <string>
#include <string_view>

namespace orderly::io {

/// Takes all open files that are to be had, and has the allocator give big
/// blocks back. `program` is its name, which is kept as it is. Why what there
/// is is not enough; or empty. From then on a lack of memory or threads that
/// nobody can bear ends the process with a sentence and the code 1, by which
/// systemd starts it again.
std::string settle_limits(std::string_view program);

/// For who has caught an exception and would go on: if it was for want of
/// memory or threads, the process ends as above, for what hung on it is gone.
void end_if_it_was_a_lack();

/// What to do about memory, to be put behind the cause of a failure: an actor
/// that found none tells of nothing but an error. Empty as long as there always
/// was some.
std::string word_on_memory();

/// A share of the files that may be open, and no more than `most`.
unsigned share_of_files(unsigned most);

} // namespace orderly::io
