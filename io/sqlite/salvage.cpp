// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/salvage.hpp"

#include "io/sqlite/database.hpp"
#include "io/sqlite/schema.hpp"
#include "io/sqlite/tables.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

namespace orderly::io {

namespace {

namespace fs = std::filesystem;

/// Calls `take` for each row; one that it refuses is counted. Where the file
/// itself cannot be read any further the rest is gone.
template <class Take>
void each_row(database& db, const char* sql, salvaged& into, Take take) {
  try {
    statement rows{db, sql};
    while (rows.step()) {
      try {
        take(rows);
      } catch (const std::exception&) {
        ++into.bad_rows;
      }
    }
  } catch (const sqlite_error&) {
    into.cut_short = true;
  }
}

void read_all(database& db, salvaged& into) {
  each_row(db, "SELECT * FROM states", into,
           [&](const statement& row) { into.states.insert(read_state(row)); });
  // The newest first: they are worth most if not all can be read.
  each_row(
    db, "SELECT * FROM entries ORDER BY seq DESC", into,
    [&](const statement& row) { into.entries.push_back(read_entry(row)); });
  std::sort(into.entries.begin(), into.entries.end(),
            [](const auto& a, const auto& b) { return a.seq < b.seq; });
  auto twice
    = std::unique(into.entries.begin(), into.entries.end(),
                  [](const auto& a, const auto& b) { return a.seq == b.seq; });
  into.entries.erase(twice, into.entries.end());
  try {
    into.epoch = read_meta(db, "epoch");
  } catch (const std::exception&) {
    ++into.bad_rows;
  }
}

/// Whatever its header says.
bool is_current(database& db) {
  try {
    return identify(db) == file_age::current;
  } catch (const damaged_rows&) {
    return true;
  }
}

} // namespace

salvaged salvage(const std::string& path) {
  salvaged result;
  try {
    database db{path, database::access::read};
    sqlite3_db_config(db.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);
    if (is_current(db))
      read_all(db, result);
    else
      result.cut_short = true;
  } catch (const std::exception&) {
    result.cut_short = true;
  }
  return result;
}

std::string set_aside(const std::string& path) {
  constexpr int names_max = 1000;
  for (int i = 1; i <= names_max; ++i) {
    auto place = fmt::format("{}.damaged-{}", path, i);
    if (fs::exists(place))
      continue;
    // The log first: without it the main file is older than it looks.
    for (const auto* part : {"-wal", "-shm", ""})
      if (fs::exists(path + part))
        fs::rename(path + part, place + part);
    return place;
  }
  throw refusal{fault_kind::refused,
                fmt::format("{} damaged journals lie beside it already; move "
                            "them away",
                            names_max)};
}

} // namespace orderly::io
