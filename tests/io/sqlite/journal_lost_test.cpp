// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal's file is taken away, replaced, written over, or put back from a
// backup: nothing is acknowledged that nobody would find again.

#include "io/sqlite/epoch_file.hpp"
#include "io/sqlite/journal.hpp"
#include "io/sqlite/port.hpp"
#include "tests/support/scratch.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace orderly::sqlite_journal_lost_test {

using namespace orderly::io;

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t keep_all = 1000000;

journal_batch entry(std::uint64_t seq) {
  journal_entry e;
  e.seq = seq;
  e.object = "node:n1";
  e.why = "because";
  return {{e}};
}

/// An open journal with one entry, on disk.
struct fixture {
  fixture() {
    REQUIRE(file.open());
    REQUIRE(file.append(entry(1)));
  }

  /// What is appended now is refused, and so is everything after it.
  std::string refused() {
    auto written = file.append(entry(2));
    REQUIRE(!written);
    CHECK(file.lost());
    CHECK(!file.is_open());
    CHECK(!file.read(10));
    CHECK(!file.append(entry(3)));
    CHECK(file.lost());
    return written.why().text;
  }

  scratch_folder folder;
  std::string path = folder.path("j.db");
  journal_file file{path, keep_all};
};

bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("an append to a journal that was removed is no append") {
  fixture f;
  fs::remove(f.path);
  CHECK(says(f.refused(), "somebody removed " + f.path));
  CHECK_FALSE(fs::exists(f.path)); // and no new one is begun in its place
}

TEST_CASE("an append to a journal that was moved is no append") {
  fixture f;
  fs::rename(f.path, f.path + ".old");
  CHECK(says(f.refused(), "somebody removed " + f.path));
}

TEST_CASE("an append to a journal that was replaced is no append, and what "
          "stands there now is left as it is") {
  fixture f;
  std::string other = "another file";
  std::ofstream{f.path + ".new"} << other;
  fs::rename(f.path + ".new", f.path);
  std::ofstream{f.path + ".log"} << other;
  fs::rename(f.path + ".log", f.path + "-wal");
  CHECK(says(f.refused(), "somebody put another file at " + f.path));
  for (const auto* end : {"", "-wal"}) {
    std::string text;
    std::getline(std::ifstream{f.path + end} >> std::ws, text);
    CHECK(text == other);
  }
}

TEST_CASE("an append to a journal whose log was removed is no append") {
  fixture f;
  fs::remove(f.path + "-wal");
  CHECK(says(f.refused(), "somebody removed " + f.path + "-wal"));
}

TEST_CASE("an append to a journal that was written over in place is no "
          "append") {
  fixture f;
  auto backup = f.path + ".backup";
  fs::copy_file(f.path, backup);
  REQUIRE(f.file.append(entry(2)));
  SECTION("by a copy") {
    std::ofstream{f.path, std::ios::binary}
      << std::ifstream{backup, std::ios::binary}.rdbuf();
  }
  SECTION("with the times of the backup") {
    auto then = fs::last_write_time(backup) - std::chrono::hours{1};
    std::ofstream{f.path, std::ios::binary}
      << std::ifstream{backup, std::ios::binary}.rdbuf();
    fs::last_write_time(f.path, then);
  }
  auto written = f.file.append(entry(3));
  REQUIRE(!written);
  CHECK(f.file.lost());
  CHECK(says(written.why().text, "somebody else wrote to " + f.path));
}

TEST_CASE("a journal that nobody touches is never lost, over merges of its log "
          "and after a failure") {
  fixture f;
  for (std::uint64_t seq = 2; seq < 700; ++seq)
    REQUIRE(f.file.append(entry(seq)));
  REQUIRE(!f.file.append(entry(7))); // it cannot follow: refused and closed
  CHECK_FALSE(f.file.lost());
  REQUIRE(f.file.read(10));
  CHECK(f.file.append(entry(700)));
}

TEST_CASE("a journal that is put back while it is closed for a failure is not "
          "opened again") {
  fixture f;
  auto backup = f.path + ".backup";
  fs::copy_file(f.path, backup);
  REQUIRE(!f.file.append(entry(1))); // closed
  CHECK_FALSE(f.file.lost());
  SECTION("as another file") {
    fs::rename(backup, f.path);
  }
  SECTION("in place, from before the entry that was acknowledged") {
    fs::path empty = f.folder.path("empty.db");
    {
      journal_file e{empty.string(), keep_all};
      REQUIRE(e.open());
    }
    std::ofstream{f.path, std::ios::binary}
      << std::ifstream{empty, std::ios::binary}.rdbuf();
  }
  CHECK(!f.file.read(10));
  CHECK(f.file.lost());
}

TEST_CASE("each start has a number of its own, beside the journal too") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  for (std::int64_t start = 1; start <= 3; ++start) {
    journal_file file{path, keep_all};
    REQUIRE(file.open());
    CHECK(read_epoch(path + ".epoch") == start);
  }
}

TEST_CASE("a journal from before an earlier start is refused until a person "
          "has looked") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto backup = folder.path("backup.db");
  auto start = [&] {
    journal_file file{path, keep_all};
    auto opened = file.open();
    CHECK(file.lost() == !opened);
    return opened ? std::string{} : opened.why().text;
  };
  REQUIRE(start().empty());
  SECTION("from a backup") {
    fs::copy_file(path, backup);
    REQUIRE(start().empty());
    fs::copy_file(backup, path, fs::copy_options::overwrite_existing);
    CHECK(says(start(), "put back from a backup"));
  }
  SECTION("gone") {
    fs::remove(path);
    CHECK(says(start(), "put back from a backup, or is new"));
  }
  CHECK(says(start(), "remove " + path + ".epoch"));
  fs::remove(path + ".epoch");
  CHECK(start().empty());
}

TEST_CASE("a journal says since when it is in the place of a newer one") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto backup = folder.path("backup.db");
  auto adopted = [&] {
    journal_file file{path, keep_all};
    REQUIRE(file.open());
    auto found = file.read(1);
    REQUIRE(found);
    return found->adopted;
  };
  CHECK(adopted() == never);
  fs::copy_file(path, backup);
  CHECK(adopted() == never);
  fs::copy_file(backup, path, fs::copy_options::overwrite_existing);
  fs::remove(path + ".epoch");
  auto since = adopted();
  CHECK(since != never);
  // As long as it lives: what was open in it stays in doubt.
  CHECK(adopted() == since);
}

TEST_CASE("an epoch that cannot be read is no licence") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  std::ofstream{path + ".epoch"} << "seven\n";
  journal_file file{path, keep_all};
  auto opened = file.open();
  REQUIRE(!opened);
  CHECK(says(opened.why().text, path + ".epoch should hold one number"));
}

TEST_CASE("the journal port says that its file is lost") {
  scratch_folder folder;
  settings s;
  s.journal.path = folder.path("j.db");
  caf::actor_system_config config;
  caf::actor_system system{config};
  auto port = spawn_sqlite_journal(system, s);
  caf::scoped_actor self{system};
  auto append = [&](std::uint64_t seq) {
    journal_ack answer;
    self->request(port, seconds{30}, entry(seq))
      .receive([&](journal_ack& x) { answer = std::move(x); },
               [](caf::error& why) { FAIL(caf::to_string(why)); });
    return answer;
  };
  journal_contents found;
  auto read = [&] {
    self->request(port, seconds{30}, journal_read{10})
      .receive([&](journal_contents& x) { found = std::move(x); },
               [](caf::error& why) { FAIL(caf::to_string(why)); });
  };
  read();
  REQUIRE(found.readable);
  CHECK(append(1).durable);
  fs::remove(s.journal.path);
  auto answer = append(2);
  CHECK_FALSE(answer.durable);
  CHECK(answer.lost);
  read();
  CHECK_FALSE(found.readable);
  CHECK(found.lost);
}

} // namespace orderly::sqlite_journal_lost_test
