// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a life before was on duty.

#include "io/sqlite/journal.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

namespace orderly::sqlite_journal_age_test {

using namespace orderly::io;

namespace {

constexpr std::uint32_t keep_all = 1000000;

journal_entry entry(std::uint64_t seq) {
  journal_entry e;
  e.seq = seq;
  e.object = "node:n1";
  return e;
}

instant on_duty(journal_file& file) {
  auto found = file.read(0);
  REQUIRE(found);
  return found->worked;
}

instant next_life(const std::string& path) {
  journal_file next{path, keep_all};
  return on_duty(next);
}

/// When it was on duty, by the next one.
instant a_life_on_duty(const std::string& path) {
  {
    journal_file first{path, keep_all};
    REQUIRE(first.read(0));
    REQUIRE(first.append({{entry(1)}}));
    first.note_duty(duty::ours);
    first.note_duty(duty::ours);
  }
  auto then = next_life(path);
  REQUIRE(then != never);
  return then;
}

} // namespace

TEST_CASE("a journal tells when a life before was on duty last") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  journal_file first{path, keep_all};
  CHECK(on_duty(first) == never);
  REQUIRE(first.append({{entry(1)}}));
  // So that what was told of an absence is on disk, a minute must pass.
  first.note_duty(duty::ours);
  first.close();
  CHECK(next_life(path) == never);
  {
    journal_file second{path, keep_all};
    REQUIRE(second.read(0));
    REQUIRE(second.append({{entry(2)}}));
    second.note_duty(duty::ours);
    second.note_duty(duty::ours);
  }
  auto ago = std::chrono::system_clock::now() - next_life(path);
  CHECK(ago > -seconds{1});
  CHECK(ago < minutes{1});
}

TEST_CASE("a life that was never on duty leaves the time of the one before") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto then = a_life_on_duty(path);
  journal_file next{path, keep_all};
  CHECK(on_duty(next) == then);
  REQUIRE(next.append({{entry(3)}}));
  next.note_duty(duty::unknown);
  next.note_duty(duty::unknown);
  // The right was heard of, and no row shows that the disk is well.
  CHECK(on_duty(next) == then);
  next.close();
  CHECK(next_life(path) == then);
}

TEST_CASE("a journal that cannot be written knows of no duty") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto then = a_life_on_duty(path);
  {
    journal_file next{path, keep_all};
    CHECK(on_duty(next) == then);
    next.note_duty(duty::ours);
    next.note_duty(duty::ours);
    CHECK(on_duty(next) == then);
  }
  CHECK(next_life(path) == then);
}

TEST_CASE("a journal forgets its duty where another master is on duty") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  a_life_on_duty(path);
  {
    journal_file next{path, keep_all};
    REQUIRE(next.read(0));
    next.note_duty(duty::others);
    next.note_duty(duty::others);
    CHECK(on_duty(next) == never);
  }
  CHECK(next_life(path) == never);
}

namespace {

bool next_is_unnoted(const std::string& path) {
  journal_file next{path, keep_all};
  auto found = next.read(0);
  REQUIRE(found);
  return found->unnoted;
}

} // namespace

TEST_CASE("a journal tells that a life before died before its duty was noted") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file first{path, keep_all};
    REQUIRE(first.read(0));
    REQUIRE(first.append({{entry(1)}}));
    first.note_duty(duty::ours);
    CHECK_FALSE(first.read(0)->unnoted);
  }
  CHECK(next_is_unnoted(path));
  {
    journal_file next{path, keep_all};
    REQUIRE(next.read(0));
    REQUIRE(next.append({{entry(2)}}));
    next.note_duty(duty::ours);
    CHECK(next.read(0)->unnoted);
    next.note_duty(duty::ours);
    CHECK_FALSE(next.read(0)->unnoted);
  }
  CHECK_FALSE(next_is_unnoted(path));
}

TEST_CASE("a life that stood by has noted that, and is none that died soon") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    journal_file first{path, keep_all};
    REQUIRE(first.read(0));
    REQUIRE(first.append({{entry(1)}}));
    first.note_duty(duty::others);
    first.note_duty(duty::others);
  }
  CHECK_FALSE(next_is_unnoted(path));
}

} // namespace orderly::sqlite_journal_age_test
