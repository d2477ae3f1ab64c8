// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A journal of ours in which something is not as it was written, by a disk, a
// copy, or a hand: it is found, the file is kept, and what is whole goes on.

#include "io/sqlite/journal.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace orderly::sqlite_journal_damage_test {

using namespace orderly::io;

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t keep_all = 1000000;

journal_entry entry(std::uint64_t seq, const std::string& why = "because") {
  journal_entry e;
  e.seq = seq;
  e.at = from_ms(1700000000123 + static_cast<std::int64_t>(seq));
  e.kind = entry_kind::decision;
  e.object = "node:n" + std::to_string(seq % 7);
  e.code = "suspect";
  e.why = why;
  e.state = fields{{{"phase", "suspect"}, {"paused", "1"}, {"why", why}}};
  return e;
}

void meddle(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
  INFO(sql);
  CHECK(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_close(db) == SQLITE_OK);
}

std::string bytes_of(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream out{path, std::ios::binary};
  out << bytes;
}

/// A journal as it lies on a disk, with its log if that was not merged.
struct copy_of_journal {
  std::map<std::string, std::string> files; ///< by what follows the path
  journal_contents contents;

  explicit copy_of_journal(bool merged) {
    scratch_folder folder;
    auto path = folder.path("j.db");
    journal_file j{path, keep_all};
    REQUIRE(j.open());
    for (std::uint64_t seq = 1; seq <= 40; ++seq)
      REQUIRE(j.append({{entry(seq, std::string(300, 'w'))}}));
    contents = *j.read(keep_all);
    if (merged)
      j.close();
    for (const auto* part : {"", "-wal", ".epoch", ".lock"})
      if (fs::exists(path + part))
        files[part] = bytes_of(path + part);
    REQUIRE(files.count("-wal") == !merged);
  }

  void lay_out(const std::string& path) const {
    for (const auto* part : {"", "-wal", "-shm", ".epoch", ".lock"})
      fs::remove(path + part);
    for (int i = 1; i < 10; ++i)
      for (const auto* part : {"", "-wal", "-shm"})
        fs::remove(path + ".damaged-" + std::to_string(i) + part);
    for (const auto& [part, bytes] : files)
      write_bytes(path + part, bytes);
  }
};

bool same(const journal_contents& a, const journal_contents& b) {
  auto equal = [](const journal_entry& x, const journal_entry& y) {
    return x.seq == y.seq && x.at == y.at && x.kind == y.kind
           && x.object == y.object && x.incident == y.incident
           && x.intent == y.intent && x.code == y.code && x.why == y.why;
  };
  return a.states == b.states && a.last_seq == b.last_seq
         && std::equal(a.recent.begin(), a.recent.end(), b.recent.begin(),
                       b.recent.end(), equal);
}

/// Everything in `part` is in `all`, as it is there.
bool is_part(const journal_contents& part, const journal_contents& all) {
  for (const auto& [key, state] : part.states)
    if (auto i = all.states.find(key);
        i == all.states.end() || i->second != state)
      return false;
  return part.recent.size() <= all.recent.size();
}

/// What came of a start with one bit in `part` flipped.
struct tally {
  int whole = 0;   ///< nothing was lost
  int doubted = 0; ///< found, set aside, and gone on with what is whole
  int refused = 0;
};

/// Byte and bit in it.
using spot = std::pair<std::size_t, int>;

std::vector<spot> spots(std::size_t size, int count) {
  std::mt19937 dice{7};
  std::vector<spot> result;
  for (int i = 0; i < count; ++i) {
    auto at = dice() % size;
    result.emplace_back(at, static_cast<int>(dice() % 8));
  }
  return result;
}

void flip(const copy_of_journal& from, const std::string& part,
          const std::vector<spot>& where, tally& all) {
  scratch_folder folder;
  auto path = folder.path("j.db");
  for (auto [at, bit] : where) {
    from.lay_out(path);
    auto bytes = from.files.at(part);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    write_bytes(path + part, bytes);
    INFO("byte " << at << ", bit " << bit << " of '" << part << "'");
    journal_file j{path, keep_all};
    auto found = j.read(keep_all);
    if (!found) {
      ++all.refused;
      CHECK(found.why().text.find(path) != std::string::npos);
      // Left as it is.
      CHECK((part != "" || bytes_of(path) == bytes));
    } else if (found->damaged == never) {
      ++all.whole;
      CHECK(same(*found, from.contents));
    } else {
      ++all.doubted;
      CHECK(is_part(*found, from.contents));
      CHECK(bytes_of(path + ".damaged-1" + part) == bytes);
      CHECK(found->damage.find("orderly resume") != std::string::npos);
    }
  }
}

} // namespace

TEST_CASE("a flipped bit in a journal is found, or changes nothing") {
  copy_of_journal merged{true};
  tally all;
  flip(merged, "", spots(merged.files.at("").size(), 400), all);
  CHECK(all.whole + all.doubted + all.refused == 400);
  CHECK(all.doubted > 100);
  CHECK(all.refused == 0);
}

TEST_CASE("a flipped bit in a journal's header, or in the names of its tables, "
          "ends no life") {
  copy_of_journal merged{true};
  constexpr std::size_t header_size = 100;
  const auto& bytes = merged.files.at("");
  std::vector<spot> where;
  for (std::size_t at = 0; at < header_size; ++at)
    where.emplace_back(at, static_cast<int>(at % 8));
  // How to write and read it, whose it is, and its version.
  for (std::size_t at : {18, 19, 60, 61, 62, 63, 68, 69, 70, 71})
    for (int bit = 0; bit < 8; ++bit)
      where.emplace_back(at, bit);
  for (const auto* word : {"tableentries", "CREATE TABLE states"}) {
    auto at = bytes.find(word);
    REQUIRE(at != std::string::npos);
    for (std::size_t i = at; i < at + std::strlen(word); ++i)
      where.emplace_back(i, 1);
  }
  tally all;
  flip(merged, "", where, all);
  CHECK(all.refused == 0);
  CHECK(all.doubted > 80);
}

TEST_CASE("a journal without one of its tables goes on with the others") {
  copy_of_journal merged{true};
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto table = GENERATE("entries", "states", "meta");
  merged.lay_out(path);
  meddle(path, std::string{"DROP TABLE "} + table);
  journal_file j{path, keep_all};
  auto found = j.read(keep_all);
  REQUIRE(found);
  CHECK(found->damaged != never);
  CHECK(is_part(*found, merged.contents));
  CHECK(found->states.empty() == (std::string{table} == "states"));
}

TEST_CASE("the number beside a journal is written through no link of others") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  write_bytes(folder.path("precious"), "mine");
  fs::create_symlink(folder.path("precious"), path + ".epoch.new");
  journal_file j{path, keep_all};
  REQUIRE(j.open());
  CHECK(bytes_of(folder.path("precious")) == "mine");
  CHECK(bytes_of(path + ".epoch") == "1\n");
  CHECK(!fs::is_symlink(path + ".epoch"));
}

TEST_CASE("a flipped bit in a journal's log is found, or changes nothing") {
  copy_of_journal open{false};
  tally all;
  flip(open, "-wal", spots(open.files.at("-wal").size(), 200), all);
  // So early in it that not even the number of the start is left: that is told
  // as what it looks like, a journal from before.
  CHECK(all.refused < 10);
  CHECK(all.doubted > 100);
}

TEST_CASE("a damaged journal goes on with what is whole, and says so") {
  copy_of_journal merged{true};
  scratch_folder folder;
  auto path = folder.path("j.db");
  merged.lay_out(path);
  meddle(path, "UPDATE states SET json = replace(json, '\"paused\":\"1\"', "
               "'\"paused\":\"0\"') WHERE key = 'node:n3'");
  journal_file j{path, keep_all};
  auto found = j.read(keep_all);
  REQUIRE(found);
  INFO(found->damage);
  CHECK(found->damage.find("the state of node:n3 is not as it was written")
        != std::string::npos);
  CHECK(found->damage.find(path + ".damaged-1") != std::string::npos);
  CHECK(found->damaged != never);
  CHECK(found->adopted == found->damaged);
  CHECK(found->states.size() == merged.contents.states.size() - 1);
  CHECK(found->states.count("node:n3") == 0);
  CHECK(found->recent.size() == 40);
  CHECK(j.append({{entry(41)}}));
  j.close();
  journal_file next{path, keep_all};
  auto again = next.read(keep_all);
  REQUIRE(again);
  CHECK(again->damage.empty());
  CHECK(again->damaged == found->damaged);
  CHECK(again->last_seq == 41);
}

TEST_CASE("what somebody wrote into a journal by hand is found") {
  copy_of_journal merged{true};
  scratch_folder folder;
  auto path = folder.path("j.db");
  for (const auto* sql :
       {"INSERT INTO states VALUES ('node:x', '{}', 1)",
        "INSERT INTO states VALUES ('node:x', '[1]', 2)",
        "DELETE FROM states WHERE key = 'node:n1'",
        "DELETE FROM entries WHERE seq = 20",
        "UPDATE entries SET why = 'nothing' WHERE seq = 3",
        "UPDATE entries SET kind = 'rumour' WHERE seq = 3",
        "UPDATE entries SET at_ms = 'soon' WHERE seq = 3",
        "UPDATE entries SET crc = 'none' WHERE seq = 3",
        "UPDATE states SET crc = 1.5 WHERE key = 'node:n2'",
        "UPDATE states SET key = 'node:n9' WHERE key = 'node:n2'",
        "UPDATE meta SET value = 0 WHERE key = 'seal'",
        "UPDATE meta SET value = 0 WHERE key = 'trimmed_through' AND 1",
        "UPDATE meta SET value = 'many' WHERE key = 'trimmed_through'",
        "DELETE FROM meta WHERE key = 'seal'"}) {
    merged.lay_out(path);
    meddle(path, sql);
    INFO(sql);
    journal_file j{path, keep_all};
    auto found = j.read(keep_all);
    REQUIRE(found);
    auto harmless = std::string{sql}.find("AND 1") != std::string::npos;
    CHECK((found->damaged == never) == harmless);
    CHECK(is_part(*found, merged.contents));
  }
}

TEST_CASE("a damaged file that may be another's is refused and left alone") {
  copy_of_journal merged{true};
  scratch_folder folder;
  auto path = folder.path("j.db");
  merged.lay_out(path);
  fs::remove(path + ".epoch");
  auto bytes = merged.files.at("");
  for (std::size_t i = 4096 * 2; i < 4096 * 3; ++i)
    bytes[i] = static_cast<char>(i * 7);
  write_bytes(path, bytes);
  journal_file j{path, keep_all};
  auto opened = j.open();
  REQUIRE(!opened);
  CHECK(opened.why().kind == fault_kind::bad_input);
  CHECK(opened.why().text.find("move it away") != std::string::npos);
  CHECK(bytes_of(path) == bytes);
}

TEST_CASE("a journal whose lock says no number is not whole") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
    REQUIRE(j.append({{entry(1)}}));
    REQUIRE(j.append({{entry(2)}}));
  }
  if (GENERATE(true, false))
    fs::remove(path + ".lock");
  else
    write_bytes(path + ".lock", "no number at all\n");
  journal_file j{path, keep_all};
  REQUIRE(j.open());
  auto found = j.read(10);
  REQUIRE(found);
  CHECK(found->damage.find("how far it went is not known")
        != std::string::npos);
  CHECK(fs::exists(path + ".damaged-1"));
  CHECK(j.append({{entry(3)}}));
}

TEST_CASE("where a journal was lost a person may begin a new one") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
    REQUIRE(j.append({{entry(1)}}));
  }
  for (const auto* part : {"", "-wal", "-shm"})
    fs::remove(path + part);
  CHECK(!journal_file{path, keep_all}.open());
  fs::remove(path + ".epoch"); // as the refusal says
  journal_file j{path, keep_all};
  REQUIRE(j.open());
  CHECK(j.append({{entry(1)}}));
  CHECK(!fs::exists(path + ".damaged-1"));
}

TEST_CASE("a journal that is damaged while it is open is not set aside") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  journal_file j{path, keep_all};
  REQUIRE(j.open());
  REQUIRE(j.append({{entry(1)}}));
  CHECK(!j.append({{entry(1)}})); // fails, and closes it
  meddle(path, "UPDATE states SET json = '{}'");
  auto found = j.read(1);
  CHECK(!found);
  CHECK(!fs::exists(path + ".damaged-1"));
}

TEST_CASE("a journal of the version without checksums gets them") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  meddle(path, R"(
    CREATE TABLE entries (
      seq INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, kind TEXT NOT NULL,
      object TEXT NOT NULL, incident TEXT NOT NULL, intent TEXT NOT NULL,
      code TEXT NOT NULL, why TEXT NOT NULL);
    CREATE TABLE states (key TEXT PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL);
    INSERT INTO meta VALUES ('trimmed_through', 4), ('epoch', 3);
    INSERT INTO entries VALUES (5, 1700000000000, 'alert', 'node:n1', 'i', '',
                                'X', 'because');
    INSERT INTO states VALUES ('scheduler', '{"paused":"1"}');
    PRAGMA application_id = 1869767786;
    PRAGMA user_version = 1;)");
  write_bytes(path + ".epoch", "3\n");
  for (int start = 0; start < 2; ++start) {
    journal_file j{path, keep_all};
    auto found = j.read(10);
    REQUIRE(found);
    CHECK(found->damaged == never);
    CHECK(found->last_seq == 5);
    REQUIRE(found->recent.size() == 1);
    CHECK(found->recent.front().why == "because");
    CHECK(found->states.at("scheduler").number("paused") == 1);
  }
  meddle(path, "UPDATE states SET json = '{\"paused\":\"0\"}'");
  journal_file j{path, keep_all};
  auto found = j.read(10);
  REQUIRE(found);
  CHECK(found->damaged != never);
}

} // namespace orderly::sqlite_journal_damage_test
