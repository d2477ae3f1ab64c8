// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/schema.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include <fmt/core.h>

namespace orderly::io {

namespace {

/// "ordj": tells our files from other SQLite files.
constexpr std::int64_t application_id = 0x6f72646a;

/// Grows with each change of the tables below.
constexpr std::int64_t schema_version = 1;

constexpr const char* schema = R"(
  BEGIN EXCLUSIVE;
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, kind TEXT NOT NULL,
    object TEXT NOT NULL, incident TEXT NOT NULL, intent TEXT NOT NULL,
    code TEXT NOT NULL, why TEXT NOT NULL);
  CREATE TABLE states (key TEXT PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO meta VALUES ('trimmed_through', 0);
  PRAGMA application_id = 1869767786;
  PRAGMA user_version = 1;
  COMMIT;
)";

} // namespace

/// SQLite takes a file of a few bytes for an empty one and writes over it.
void check_header(const std::string& path) {
  constexpr std::string_view magic{"SQLite format 3\0", 16};
  std::ifstream in{path, std::ios::binary};
  std::string head(magic.size(), '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  auto size
    = static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount()));
  if (size > 0 && (size < magic.size() || head != magic))
    throw sqlite_error{SQLITE_NOTADB, "file is not a database"};
}

bool identify(database& db) {
  auto id = db.number("PRAGMA application_id");
  auto version = db.number("PRAGMA user_version");
  auto tables = db.number("SELECT count(*) FROM sqlite_schema");
  if (id == 0 && version == 0 && tables == 0)
    return true;
  if (id != application_id)
    throw refusal{fault_kind::version,
                  "this SQLite file belongs to another program; choose another "
                  "journal.path"};
  if (version != schema_version)
    throw refusal{
      fault_kind::version,
      fmt::format("it has schema version {}, this orderlyd knows version {}; "
                  "run the orderlyd that wrote it, or move the file away",
                  version, schema_version)};
  return false;
}

void create_tables(database& db) {
  db.run(schema);
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
