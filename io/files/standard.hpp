// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a program does before anything else, so that nobody who starts it, and
// no disk that its words go to, decides what becomes of it.

#pragma once

#include <cstdio>
#include <string_view>

namespace orderly::io {

/// Standard input, output and error that are not open are held, and fail: else
/// the next file or connection has the number of one, and what is told there
/// is written into it. A file that may not grow (RLIMIT_FSIZE) is an error for
/// who writes, as a full disk is, and no end. Where SIGCHLD is ignored the system
/// keeps from us how a child ended: it is not.
void begin_in_order();

/// One line to `to`. If it cannot be written it is lost, and that is all.
void put_line(std::FILE* to, std::string_view text);

} // namespace orderly::io
