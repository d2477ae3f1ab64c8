// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long nobody was at work before.

#include "io/sqlite/journal.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

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

} // namespace

TEST_CASE("a journal tells when its last life was at work") {
  scratch_folder folder;
  auto path = folder.path("j.db");
  auto lock = path + ".lock";
  auto long_ago
    = std::filesystem::file_time_type::clock::now() - std::chrono::hours{3};
  {
    journal_file first{path, keep_all};
    auto found = first.read(0);
    REQUIRE(found);
    CHECK(found->worked == never);
    REQUIRE(first.append({{entry(1)}}));
    // A quiet minute counts as work.
    std::filesystem::last_write_time(lock, long_ago);
    first.note_life();
    CHECK(std::filesystem::last_write_time(lock) > long_ago);
    std::filesystem::last_write_time(lock, long_ago);
  }
  journal_file second{path, keep_all};
  auto found = second.read(0);
  REQUIRE(found);
  using namespace std::chrono;
  auto ago
    = system_clock::now().time_since_epoch() - found->worked.time_since_epoch();
  CHECK(ago > hours{3} - minutes{1});
  CHECK(ago < hours{3} + minutes{1});
  // What is read again before this life has written anything is the same.
  auto again = second.read(0);
  REQUIRE(again);
  CHECK(again->worked == found->worked);
  REQUIRE(second.append({{entry(2)}}));
  auto later = second.read(0);
  REQUIRE(later);
  CHECK(later->worked == never);
}

} // namespace orderly::sqlite_journal_age_test
