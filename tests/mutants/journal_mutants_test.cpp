// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about what outlives us, and about clocks: S1 S2 S8 S17 S34 S36; and the
// look at the journal's file itself, which no simulated disk needs.

#include "io/sqlite/journal.hpp"
#include "tests/mutants/switch.hpp"
#include "tests/mutants/trial.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace orderly::mutants_journal_mutants_test {

using namespace orderly::mutants;

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t keep_all = 1000000;

journal_batch pause_of(std::uint64_t seq) {
  journal_entry e;
  e.seq = seq;
  e.kind = entry_kind::decision;
  e.object = "scheduler";
  e.code = "pause";
  e.why = "paused by ann";
  e.state = fields{};
  e.state->put("paused", std::int64_t{1});
  return {{e}};
}

/// Does the next start know of the pause?
bool finds_pause(const std::string& path) {
  io::journal_file file{path, keep_all};
  auto found = file.read(1);
  REQUIRE(found.ok());
  return found->states.count("scheduler") > 0;
}

struct outcome {
  bool acknowledged = false;
  bool found = false; ///< by the next start
};

/// Somebody removes the file under a daemon that is then paused.
outcome pause_without_file(const names& wanted) {
  defects active{wanted};
  scratch_folder folder;
  auto path = folder.path("j.db");
  outcome result;
  {
    io::journal_file file{path, keep_all};
    REQUIRE(file.open().ok());
    fs::remove(path);
    fs::remove(path + "-wal");
    result.acknowledged = file.append(pause_of(1)).ok();
  }
  fs::remove(path + ".epoch"); // they begin anew, as they are told to
  result.found = finds_pause(path);
  CHECK(active.unreached() == names{});
  return result;
}

/// Is a copy from before the pause opened by the start after it?
bool opens_backup(const names& wanted) {
  defects active{wanted};
  scratch_folder folder;
  auto path = folder.path("j.db");
  {
    io::journal_file file{path, keep_all};
    REQUIRE(file.open().ok());
  }
  fs::copy_file(path, path + ".backup");
  {
    io::journal_file file{path, keep_all};
    REQUIRE(file.open().ok());
    REQUIRE(file.append(pause_of(1)).ok());
  }
  fs::rename(path + ".backup", path);
  io::journal_file file{path, keep_all};
  auto opened = file.open().ok();
  CHECK(active.unreached() == names{});
  return opened;
}

} // namespace

TEST_CASE("law S36 is broken by a daemon that acknowledges a pause after its "
          "journal was removed") {
  shows("at 2m journal lost\n"
        "at 3m pause on\n"
        "run 10m\n",
        {"lost-file-is-written-on"}, {"S36"});
}

TEST_CASE("law S36 is broken by a daemon that acknowledges a pause after its "
          "journal was put back from a backup") {
  // The next start knows of no pause, and fences.
  shows("at 1m journal backup\n"
        "at 2m journal restore\n"
        "at 3m pause on\n"
        "at 4m daemon kill\n"
        "at 5m daemon start\n"
        "at 6m crash node4\n"
        "run 20m\n",
        {"lost-file-is-written-on"}, {"S36"});
}

TEST_CASE("laws S17 and S36 are broken by a daemon that takes an errand after "
          "its journal was removed") {
  shows("at 2m journal lost\n"
        "at 3m orderly power on node5\n"
        "run 10m\n",
        {"lost-file-is-written-on"}, {"S17", "S36"});
}

TEST_CASE("a pause is acknowledged and lost where nobody looks whether the "
          "journal's file is still there") {
  auto right = pause_without_file({});
  CHECK_FALSE(right.acknowledged);
  auto wrong = pause_without_file({"file-is-not-looked-at"});
  CHECK(wrong.acknowledged);
  CHECK_FALSE(wrong.found);
}

TEST_CASE("a journal from before a pause is opened where nobody compares the "
          "starts that it knows of") {
  CHECK_FALSE(opens_backup({}));
  CHECK(opens_backup({"epoch-is-not-compared"}));
}

TEST_CASE("laws S1, S2 and S34 are broken by a daemon whose proofs are not "
          "older after a suspend") {
  // While our machine sleeps somebody boots node3, whom nobody reaches.
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2m power node3 off\n"
        "at 10m suspend 20m\n"
        "at 11m network node3 cut\n"
        "at 12m power node3 on\n"
        "at 13m bmc node3 hang\n"
        "at 15m instance web3 start\n"
        "at 20m tag cluster add ganeti:watcher:autorepair:failover\n"
        "run 50m\n",
        {"jump-is-not-seen"}, {"S1", "S2", "S34"});
}

TEST_CASE("law S8 is broken by a daemon whose lease is not older after a "
          "suspend") {
  // The fence is stuck; while our machine sleeps another one becomes master.
  shows("set host_ha.retry_base 2s\n"
        "set host_ha.retry_max 4s\n"
        "set host_ha.recovery_attempts_max 0\n"
        "at 1m bmc node4 fail\n"
        "at 2m crash node4\n"
        "at 20m45s suspend 10m\n"
        "at 22m master node2\n"
        "at 24m bmc node4 ok\n"
        "at 25m luxi down\n"
        "run 40m\n",
        {"jump-is-not-seen"}, {"S8", "S34"});
}

TEST_CASE("law S2 is broken by a daemon that relies on a proof from before a "
          "step of its calendar") {
  shows("at 2m power node3 off\n"
        "upon job-submitted node:node3 after 500ms clock step +1h\n"
        "run 40m\n",
        {"jump-is-not-seen"}, {"S2"});
}

} // namespace orderly::mutants_journal_mutants_test
