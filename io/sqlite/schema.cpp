// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/schema.hpp"

#include "io/sqlite/tables.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include <fmt/core.h>

namespace orderly::io {

namespace {

/// "ordj": tells our files from other SQLite files.
constexpr std::int64_t application_id = 0x6f72646a;

/// Grows with each change of the tables below.
constexpr std::int64_t schema_version = 2;

/// Of the number that says so once more.
constexpr const char* version_key = "schema";

constexpr const char* schema = R"(
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, kind TEXT NOT NULL,
    object TEXT NOT NULL, incident TEXT NOT NULL, intent TEXT NOT NULL,
    code TEXT NOT NULL, why TEXT NOT NULL, crc INTEGER NOT NULL);
  CREATE TABLE states (
    key TEXT PRIMARY KEY, json TEXT NOT NULL, crc INTEGER NOT NULL);
  CREATE TABLE meta (
    key TEXT PRIMARY KEY, value INTEGER NOT NULL, crc INTEGER NOT NULL);
  PRAGMA application_id = 1869767786;
  PRAGMA user_version = 2;
)";

/// Entries and numbers as they were; states as the text that they are.
void copy_rows(database& db, tables& into) {
  statement entries{db, "SELECT *, 0 FROM old_entries ORDER BY seq"};
  while (entries.step())
    into.insert(entry_of(entries));
  statement states{db, "SELECT key, json, 0 FROM old_states"};
  while (states.step()) {
    auto [key, state] = state_of(states);
    into.keep_state(key, state);
  }
  statement meta{db, "SELECT key, value FROM old_meta"};
  while (meta.step())
    into.set_meta(meta.text(0).c_str(), meta.number(1));
}

} // namespace

/// SQLite takes a file of a few bytes for an empty one and writes over it. What
/// says that it is written in a way that SQLite does not know it would only
/// read.
void check_header(const std::string& path) {
  constexpr std::string_view magic{"SQLite format 3\0", 16};
  constexpr std::size_t write_way = 18;
  constexpr std::size_t read_way = 19;
  std::ifstream in{path, std::ios::binary};
  std::string head(read_way + 1, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  auto size
    = static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount()));
  if (size > 0 && (size < head.size() || !head.starts_with(magic)))
    throw sqlite_error{SQLITE_NOTADB, "file is not a database"};
  auto is_known = [](char way) { return way == 1 || way == 2; };
  if (size > 0 && !(is_known(head[write_way]) && is_known(head[read_way])))
    throw sqlite_error{SQLITE_CORRUPT, "its header is damaged"};
}

namespace {

/// The version by a number of its own, which has a checksum; 0: none is there,
/// or it is damaged itself.
std::int64_t noted_version(database& db) {
  try {
    return read_meta(db, version_key);
  } catch (const std::exception&) {
    return 0;
  }
}

} // namespace

file_age identify(database& db) {
  auto id = db.number("PRAGMA application_id");
  auto version = db.number("PRAGMA user_version");
  auto tables = db.number("SELECT count(*) FROM sqlite_schema");
  if (id == 0 && version == 0 && tables == 0)
    return file_age::empty;
  // SQLite has no checksum for its header.
  if ((id != application_id || version != schema_version)
      && noted_version(db) == schema_version)
    throw damaged_rows{"its header is not as it was written"};
  if (id != application_id)
    throw refusal{fault_kind::version,
                  "this SQLite file belongs to another program; choose another "
                  "journal.path"};
  if (version == 1)
    return file_age::without_checksums;
  if (version != schema_version)
    throw refusal{
      fault_kind::version,
      fmt::format("it has schema version {}, this orderlyd knows version {}; "
                  "run the orderlyd that wrote it, or move the file away",
                  version, schema_version)};
  return file_age::current;
}

void note_version(tables& rows) {
  if (rows.meta(version_key) != schema_version)
    rows.set_meta(version_key, schema_version);
}

void create_tables(database& db) {
  db.run("BEGIN EXCLUSIVE");
  db.run(schema);
  tables fresh{db};
  fresh.set_meta("trimmed_through", 0);
  fresh.seal();
  db.run("COMMIT");
}

void add_checksums(database& db) {
  db.run("BEGIN EXCLUSIVE;"
         "ALTER TABLE entries RENAME TO old_entries;"
         "ALTER TABLE states RENAME TO old_states;"
         "ALTER TABLE meta RENAME TO old_meta;");
  db.run(schema);
  tables fresh{db};
  copy_rows(db, fresh);
  fresh.seal();
  db.run("DROP TABLE old_entries; DROP TABLE old_states;"
         "DROP TABLE old_meta; COMMIT;");
}

void verify(database& db) {
  auto found = db.text("PRAGMA quick_check(1)");
  if (found != "ok")
    throw sqlite_error{SQLITE_CORRUPT, found};
}

void configure(database& db) {
  if (db.text("PRAGMA journal_mode = WAL") != "wal")
    throw refusal{fault_kind::io, "its file system does not carry write-ahead "
                                  "logs; use a local one"};
  // SQLite 3.40 holds a lock from quick_check across the change of the mode,
  // and gives it back at the next reading.
  db.number("SELECT count(*) FROM sqlite_schema");
  // After a failed sync the page cache may hold what the disk does not.
  // Copying all of it into the main file, and syncing that, makes true
  // whatever is read from here on.
  if (db.number("PRAGMA wal_checkpoint(TRUNCATE)") != 0)
    throw sqlite_error{SQLITE_BUSY, "a reader keeps the log from being merged"};
}

} // namespace orderly::io
