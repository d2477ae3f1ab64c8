// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is this file a journal of ours, and is it whole? Its tables, and how SQLite
// has to treat it.

#pragma once

#include "io/sqlite/database.hpp"
#include "messages/result.hpp"

#include <stdexcept>
#include <string>

namespace orderly::io {

/// Stops an opening with a reason that is not SQLite's.
struct refusal : std::runtime_error {
  refusal(fault_kind k, const std::string& text)
    : std::runtime_error(text), kind(k) {
    // nop
  }

  fault_kind kind;
};

/// What is in the file is not what was written.
struct damaged_rows : refusal {
  explicit damaged_rows(const std::string& text)
    : refusal(fault_kind::bad_input, text) {
    // nop
  }
};

/// Throws if the file at `path` has other bytes at its begin than SQLite's.
void check_header(const std::string& path);

enum class file_age { empty, without_checksums, current };

/// Throws unless the file is ours or still empty; `damaged_rows` if it is ours
/// and its header says otherwise.
file_age identify(database& db);

class tables;

/// Keeps the version of the tables a second time, where it has a checksum.
void note_version(tables& rows);

/// In an empty file.
void create_tables(database& db);

/// Gives each row of an earlier version its checksum.
void add_checksums(database& db);

/// Throws if something in it is damaged.
void verify(database& db);

/// Write-ahead log, and what is in it merged into the file.
void configure(database& db);

} // namespace orderly::io
