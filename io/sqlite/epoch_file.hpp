// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The number of the journal's newest start, kept outside of it: a journal that
// was put back from a backup has a smaller one, and does not know what was
// begun since. Used by the journal file.

#pragma once

#include <cstdint>
#include <string>

namespace orderly::io {

/// What the file at `path` says; 0 if there is none. Throws what it finds
/// there if that is no number.
std::int64_t read_epoch(const std::string& path);

/// Durable before it returns; throws if that cannot be.
void write_epoch(const std::string& path, std::int64_t epoch);

} // namespace orderly::io
