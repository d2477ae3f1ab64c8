// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A thin hand on the SQLite C API: a connection and its statements that close
// themselves, and errors as exceptions that never leave this folder. Used by
// the journal file.

#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace orderly::io {

/// What SQLite answered; `code` is its extended result code.
class sqlite_error : public std::runtime_error {
public:
  sqlite_error(int code, const std::string& text)
    : std::runtime_error(text), code_(code) {
    // nop
  }

  [[nodiscard]] int code() const { return code_; }

  /// True for bytes that are no database, or one that is damaged.
  [[nodiscard]] bool damaged() const {
    auto primary = code_ & 0xff;
    return primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT;
  }

private:
  int code_;
};

class database;

/// One prepared statement. Parameters and columns count from 1 and 0, as in
/// SQLite.
class statement {
public:
  statement(database& db, std::string_view sql);

  void bind(int index, std::int64_t value);
  void bind(int index, std::string_view value);

  /// True if there is a row to read.
  bool step();

  /// Makes ready to run once more, with new parameters.
  void reset();

  /// Passes over the rows that are left, and makes ready again.
  void finish();

  /// Runs a statement that yields no rows, and makes it ready again.
  void run();

  /// Throws if there is no number, as if the file was damaged: it is.
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string text(int column) const;

private:
  struct finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };

  void check(int code) const;

  sqlite3* db_;
  std::unique_ptr<sqlite3_stmt, finalize> handle_;
};

/// One connection, for one thread at a time.
class database {
public:
  enum class access { read, write };

  /// Opens the file at `path`; to write, creates an empty one if there is none.
  explicit database(const std::string& path, access wanted = access::write);

  void run(const char* sql);

  /// The first column of the first row.
  std::int64_t number(const char* sql);
  std::string text(const char* sql);

  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

private:
  struct close {
    void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
  };

  std::unique_ptr<sqlite3, close> handle_;
};

} // namespace orderly::io
