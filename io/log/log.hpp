// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The log: lines on standard error, with RFC 3339 times of UTC, or with
// journald's priorities when journald reads them. Used by the programs, which
// then log through spdlog's default logger.

#pragma once

#include "messages/journal_entry.hpp"

#include <memory>
#include <string>

#include <spdlog/formatter.h>

namespace orderly::io {

/// Sends spdlog's default logger to standard error, from `level` on (as in
/// settings; an unknown level means `info`). Looks at JOURNAL_STREAM to know
/// whether journald reads. A thread of its own writes: whoever reads the log
/// may hang, and then the oldest lines are lost, and counted.
void start_log(const std::string& level);

/// Waits until what was logged is written, for two seconds at most. A process
/// ends by `std::_Exit` afterwards: a writer that waits ends never.
void end_log();

/// Changes the level of the running log.
void set_log_level(const std::string& level);

/// How lines look. For journald: `<6>TEXT`; else
/// `2024-01-31T12:00:00.123Z info TEXT`. Control characters in the text are
/// escaped: one message is one line, whatever names it carries.
std::unique_ptr<spdlog::formatter> log_formatter(bool journald);

/// The line that tells of `e`: `node:n1 [n-1] suspect: WHY`.
std::string log_line(const journal_entry& e);

/// Logs `e`: alerts as warnings, notes as debug, all else as info.
void log_entry(const journal_entry& e);

} // namespace orderly::io
