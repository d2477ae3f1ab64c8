// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What can still be relied on in a journal that was damaged, and the damaged
// file's new name. Used by the journal file, at a start.

#pragma once

#include "messages/journal_entry.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orderly::io {

struct salvaged {
  std::map<std::string, fields> states;
  std::vector<journal_entry> entries; ///< by number
  std::int64_t epoch = 0;
  std::size_t bad_rows = 0; ///< that were not as they were written
  bool cut_short = false;   ///< some could not be read at all
};

/// Every row that is as it was written. Changes nothing.
salvaged salvage(const std::string& path);

/// Gives the journal at `path`, and what belongs to it, a name that says what
/// it is, and returns that. Throws if that cannot be.
std::string set_aside(const std::string& path);

} // namespace orderly::io
