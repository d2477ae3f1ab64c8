// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/checksum.hpp"
#include "io/sqlite/journal.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::sqlite_journal_test {

using namespace orderly::io;

namespace {

constexpr std::uint32_t keep_all = 1000000;

journal_entry entry(std::uint64_t seq, const std::string& object = "node:n1") {
  journal_entry e;
  e.seq = seq;
  e.at = from_ms(1700000000123 + static_cast<std::int64_t>(seq));
  e.kind = entry_kind::decision;
  e.object = object;
  e.incident = "n-1";
  e.intent = "i-" + std::to_string(seq);
  e.code = "suspect";
  e.why = "3 of 4 witnesses say \"gone\"; it's old.";
  return e;
}

journal_entry with_state(journal_entry e, fields::map_type values) {
  e.state = fields{std::move(values)};
  return e;
}

/// Runs plain SQL on the file, as another program would.
void meddle(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
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

/// Opening must fail, tell the path, and leave the file as it is.
fault refused(const std::string& path) {
  auto before = bytes_of(path);
  journal_file j{path, keep_all};
  auto opened = j.open();
  REQUIRE(!opened);
  CHECK(opened.why().text.find(path) != std::string::npos);
  CHECK(!j.is_open());
  CHECK(bytes_of(path) == before);
  return opened.why();
}

} // namespace

TEST_CASE("what was appended is read back, also by the next process") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    auto last = j.open();
    REQUIRE(last);
    CHECK(*last == 0);
    auto one = entry(1);
    auto two = entry(2, "instance:web");
    two.kind = entry_kind::alert;
    auto written = j.append({{one, with_state(two, {{"a", "1"}, {"b", ""}})}});
    REQUIRE(written);
    CHECK(*written == 2);
  }
  journal_file again{path, keep_all};
  auto found = again.read(1000);
  REQUIRE(found);
  CHECK(found->readable);
  CHECK(found->last_seq == 2);
  REQUIRE(found->recent.size() == 2);
  auto& e = found->recent[0];
  CHECK(e.seq == 1);
  CHECK(e.at == from_ms(1700000000124));
  CHECK(e.kind == entry_kind::decision);
  CHECK(e.object == "node:n1");
  CHECK(e.incident == "n-1");
  CHECK(e.intent == "i-1");
  CHECK(e.code == "suspect");
  CHECK(e.why == "3 of 4 witnesses say \"gone\"; it's old.");
  CHECK(!e.state);
  CHECK(found->recent[1].kind == entry_kind::alert);
  REQUIRE(found->states.size() == 1);
  CHECK(found->states["instance:web"] == fields{{{"a", "1"}, {"b", ""}}});
}

TEST_CASE("the newest entries are read, oldest first") {
  scratch_folder folder;
  journal_file j{folder.path("j.db"), keep_all};
  REQUIRE(j.open());
  for (std::uint64_t seq = 1; seq <= 10; ++seq)
    REQUIRE(j.append({{entry(seq)}}));
  auto found = j.read(3);
  REQUIRE(found);
  REQUIRE(found->recent.size() == 3);
  CHECK(found->recent[0].seq == 8);
  CHECK(found->recent[2].seq == 10);
  CHECK(found->last_seq == 10);
}

TEST_CASE("a state replaces the former one, an empty state removes it") {
  scratch_folder folder;
  journal_file j{folder.path("j.db"), keep_all};
  REQUIRE(j.open());
  auto keyed = with_state(entry(1), {{"s", "1"}});
  keyed.state_key = "guard:storm";
  REQUIRE(j.append({{keyed, with_state(entry(2), {{"s", "old"}}),
                     with_state(entry(3), {{"s", "new"}}), entry(4)}}));
  auto found = j.read(0);
  REQUIRE(found);
  CHECK(found->states.size() == 2);
  CHECK(found->states["guard:storm"].text("s") == "1");
  CHECK(found->states["node:n1"].text("s") == "new");
  keyed.seq = 5;
  keyed.state = fields{};
  REQUIRE(j.append({{keyed, with_state(entry(6), {})}}));
  found = j.read(0);
  REQUIRE(found);
  CHECK(found->states.empty());
}

TEST_CASE("odd bytes in entries and states do no harm") {
  scratch_folder folder;
  journal_file j{folder.path("j.db"), keep_all};
  REQUIRE(j.open());
  auto odd = with_state(entry(1), {{"k\"\n", "a\xff'"}, {"u", "\xc3\xa4"}});
  odd.why = std::string{"a\0b\xff'", 5};
  REQUIRE(j.append({{odd}}));
  auto found = j.read(1);
  REQUIRE(found);
  CHECK(found->recent[0].why == odd.why);
  CHECK(found->states["node:n1"].text("u") == "\xc3\xa4");
  // JSON holds no broken UTF-8: such bytes are replaced.
  CHECK(found->states["node:n1"].text("k\"\n") == "a\xef\xbf\xbd'");
}

TEST_CASE("sequence numbers grow; a refused batch leaves nothing behind") {
  scratch_folder folder;
  journal_file j{folder.path("j.db"), keep_all};
  REQUIRE(j.open());
  REQUIRE(j.append({{entry(1)}}));
  auto refused_batch = j.append({{entry(2), entry(2)}});
  REQUIRE(!refused_batch);
  CHECK(refused_batch.why().text.find("entry 2 cannot follow entry 2")
        != std::string::npos);
  auto found = j.read(10);
  REQUIRE(found);
  CHECK(found->last_seq == 1);
  CHECK(found->recent.size() == 1);
}

TEST_CASE("after a failure only a reading opens the journal again") {
  scratch_folder folder;
  journal_file j{folder.path("j.db"), keep_all};
  auto early = j.append({{entry(1)}});
  REQUIRE(!early);
  CHECK(early.why().text.find("must be read first") != std::string::npos);
  REQUIRE(j.read(1));
  REQUIRE(j.append({{entry(1)}}));
  REQUIRE(!j.append({{entry(1)}}));
  CHECK(!j.is_open());
  REQUIRE(!j.append({{entry(2)}}));
  REQUIRE(j.read(1));
  CHECK(j.append({{entry(2)}}));
}

TEST_CASE("old entries are removed at opening, the numbers go on") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
    for (std::uint64_t seq = 1; seq <= 10; ++seq)
      REQUIRE(j.append({{with_state(entry(seq), {{"s", "x"}})}}));
  }
  {
    journal_file j{path, 4};
    auto found = j.read(100);
    REQUIRE(found);
    REQUIRE(found->recent.size() == 4);
    CHECK(found->recent[0].seq == 7);
    CHECK(found->states.size() == 1);
  }
  journal_file none{path, 0};
  auto found = none.read(100);
  REQUIRE(found);
  CHECK(found->recent.empty());
  CHECK(found->last_seq == 10);
}

TEST_CASE("a journal is used by one process at a time") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  journal_file first{path, keep_all};
  REQUIRE(first.open());
  journal_file second{path, keep_all};
  auto opened = second.open();
  REQUIRE(!opened);
  CHECK(opened.why().kind == fault_kind::refused);
  CHECK(opened.why().text.find("held by another process") != std::string::npos);
  first.close();
  CHECK(second.open());
}

TEST_CASE("a journal of a later version is refused and left alone") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
  }
  meddle(path, "PRAGMA user_version = 3");
  SECTION("that keeps its number as this one does") {
    auto sum = checksum{}.add("schema").add(std::int64_t{3}).value();
    meddle(path, "UPDATE meta SET value = 3, crc = " + std::to_string(sum)
                   + " WHERE key = 'schema'");
  }
  SECTION("that keeps it elsewhere") {
    meddle(path, "DELETE FROM meta WHERE key = 'schema'");
  }
  SECTION("with other tables") {
    meddle(path, "ALTER TABLE meta RENAME TO numbers");
  }
  auto why = refused(path);
  CHECK(why.kind == fault_kind::version);
  CHECK(why.text.find("schema version 3") != std::string::npos);
}

TEST_CASE("a journal that others may write, or that is no file, is refused") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
  }
  for (auto mode : {0666, 0620, 0602}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    auto why = refused(path);
    CHECK(why.kind == fault_kind::refused);
    CHECK(why.text.find("chmod go-w") != std::string::npos);
  }
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  journal_file j{path, keep_all};
  CHECK(j.open());
  auto pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  journal_file none{pipe, keep_all};
  auto opened = none.open(); // whoever reads a pipe waits
  REQUIRE_FALSE(opened);
  CHECK(opened.why().text.find("is not a file") != std::string::npos);
}

TEST_CASE("a journal that has another name is refused") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
  }
  auto soft = folder.path("soft.db");
  REQUIRE(::symlink(path.c_str(), soft.c_str()) == 0);
  CHECK(refused(soft).text.find("symbolic link") != std::string::npos);
  auto hard = folder.path("hard.db");
  REQUIRE(::link(path.c_str(), hard.c_str()) == 0);
  CHECK(refused(hard).kind == fault_kind::refused);
  CHECK(refused(path).text.find("2 names") != std::string::npos);
  REQUIRE(::unlink(hard.c_str()) == 0);
  journal_file j{path, keep_all};
  CHECK(j.open());
}

TEST_CASE("a journal with files of others beside it is refused") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file j{path, keep_all};
    REQUIRE(j.open());
  }
  for (const auto* beside : {".lock", ".epoch", "-wal", "-shm"}) {
    auto place = path + beside;
    auto whole = bytes_of(place);
    write_bytes(place, whole);
    REQUIRE(::chmod(place.c_str(), 0606) == 0);
    auto why = refused(path);
    CHECK(why.kind == fault_kind::refused);
    CHECK(why.text.find(place + " is writable") != std::string::npos);
    REQUIRE(::chmod(place.c_str(), 0600) == 0);
    if (::geteuid() == 0) {
      constexpr uid_t somebody = 65534;
      REQUIRE(::chown(place.c_str(), somebody, gid_t(-1)) == 0);
      CHECK(refused(path).text.find(place + " belongs to uid 65534")
            != std::string::npos);
      REQUIRE(::chown(place.c_str(), 0, gid_t(-1)) == 0);
    }
    if (beside[0] == '-') // SQLite takes none that was not there
      REQUIRE(::unlink(place.c_str()) == 0);
  }
  for (const auto* beside : {"-wal", "-shm"}) {
    auto place = path + beside;
    write_bytes(folder.path("elsewhere"), "");
    REQUIRE(::symlink(folder.path("elsewhere").c_str(), place.c_str()) == 0);
    auto why = refused(path);
    CHECK(why.kind == fault_kind::refused);
    CHECK(why.text.find(place + " is a symbolic link") != std::string::npos);
    REQUIRE(::unlink(place.c_str()) == 0);
  }
  REQUIRE(::unlink((path + ".lock").c_str()) == 0);
  REQUIRE(::symlink("/dev/null", (path + ".lock").c_str()) == 0);
  CHECK(refused(path).text.find(path + ".lock") != std::string::npos);
  REQUIRE(::unlink((path + ".lock").c_str()) == 0);
  journal_file j{path, keep_all};
  CHECK(j.open());
}

TEST_CASE("the file of another program is refused and left alone") {
  scratch_folder folder;
  auto path = folder.path("other.db");
  meddle(path, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  auto why = refused(path);
  CHECK(why.kind == fault_kind::version);
  CHECK(why.text.find("another program") != std::string::npos);
}

TEST_CASE("bytes that are no database are refused and left alone") {
  scratch_folder folder;
  for (std::size_t size : {1u, 50u, 100u, 511u, 512u, 5000u}) {
    auto path = folder.path("garbage" + std::to_string(size));
    write_bytes(path, std::string(size, 'g'));
    INFO(size);
    auto why = refused(path);
    CHECK(why.kind == fault_kind::bad_input);
    CHECK(why.text.find("move it away") != std::string::npos);
  }
}

TEST_CASE("a folder that does not exist is told by name") {
  journal_file j{"/nonexistent/orderly/j.db", keep_all};
  auto opened = j.open();
  REQUIRE(!opened);
  CHECK(opened.why().text.find("/nonexistent/orderly/j.db")
        != std::string::npos);
  CHECK(opened.why().text.find("does the folder exist") != std::string::npos);
}

TEST_CASE("a file that is cut to nothing counts as new") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  write_bytes(path, "");
  journal_file j{path, keep_all};
  REQUIRE(j.open());
  CHECK(j.append({{entry(1)}}));
}

} // namespace orderly::sqlite_journal_test
