// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/database.hpp"

namespace orderly::io {

namespace {

[[noreturn]] void fail(sqlite3* db, int code) {
  std::string text = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
  if (db && sqlite3_system_errno(db) != 0 && (code & 0xff) != SQLITE_CORRUPT)
    text += " (system error " + std::to_string(sqlite3_system_errno(db)) + ")";
  throw sqlite_error{code, text};
}

} // namespace

statement::statement(database& db, std::string_view sql) : db_(db.handle()) {
  sqlite3_stmt* raw = nullptr;
  auto code = sqlite3_prepare_v2(db_, sql.data(), static_cast<int>(sql.size()),
                                 &raw, nullptr);
  handle_.reset(raw);
  check(code);
}

void statement::check(int code) const {
  if (code != SQLITE_OK)
    fail(db_, code);
}

void statement::bind(int index, std::int64_t value) {
  check(sqlite3_bind_int64(handle_.get(), index, value));
}

void statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL instead of an empty text.
  auto data = value.data() ? value.data() : "";
  check(sqlite3_bind_text64(handle_.get(), index, data, value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
}

bool statement::step() {
  auto code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW)
    return true;
  if (code != SQLITE_DONE)
    fail(db_, code);
  return false;
}

void statement::reset() {
  // Repeats the error of the last step, which was thrown already.
  sqlite3_reset(handle_.get());
}

void statement::finish() {
  // Some pragmas do their work, or end it, only behind their last row.
  while (sqlite3_stmt_busy(handle_.get()) && step())
    ;
  reset();
}

void statement::run() {
  step();
  reset();
}

std::int64_t statement::number(int column) const {
  // SQLite would make a number of anything, mostly 0.
  if (sqlite3_column_type(handle_.get(), column) != SQLITE_INTEGER)
    throw sqlite_error{SQLITE_CORRUPT,
                       "something else than a number is where a "
                       "number belongs"};
  return sqlite3_column_int64(handle_.get(), column);
}

std::string statement::text(int column) const {
  auto data = sqlite3_column_text(handle_.get(), column);
  auto size = sqlite3_column_bytes(handle_.get(), column);
  return data ? std::string{reinterpret_cast<const char*>(data),
                            static_cast<std::size_t>(size)}
              : std::string{};
}

database::database(const std::string& path, access wanted) {
  sqlite3* raw = nullptr;
  auto flags
    = SQLITE_OPEN_NOMUTEX
      | (wanted == access::read ? SQLITE_OPEN_READONLY
                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  auto code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (code != SQLITE_OK)
    fail(raw, code);
  sqlite3_extended_result_codes(raw, 1);
}

void database::run(const char* sql) {
  auto code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK)
    fail(handle(), code);
}

std::int64_t database::number(const char* sql) {
  statement s{*this, sql};
  auto found = s.step() ? s.number(0) : 0;
  s.finish();
  return found;
}

std::string database::text(const char* sql) {
  statement s{*this, sql};
  auto found = s.step() ? s.text(0) : std::string{};
  s.finish();
  return found;
}

} // namespace orderly::io
