// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of which copy: S38, and where nobody but the story tells.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

namespace orderly::mutants_copies_mutants_test {

using namespace orderly::mutants;

namespace {

/// Is that in the story of the drill as it is?
bool tells(const std::string& drill, const std::string& part,
           const names& defects = {}) {
  return run_attack(drill, defects).story.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("laws S38 and S40 are broken by a daemon that forgets a broken disk "
          "when its node has another role") {
  attacks("broken-disk-stays-broken-after-a-migration",
          {"fault-stays-with-its-role"}, {"S38", "S40"});
}

TEST_CASE("a daemon that forgets a broken disk fails over to it after a "
          "restart") {
  const std::string drill = "broken-disk-is-known-of-its-node-after-a-restart";
  const std::string alert = "and its copy on node4 is known to be faulty";
  CHECK(tells(drill, alert));
  CHECK_FALSE(tells(drill, alert, {"fault-stays-with-its-role"}));
}

TEST_CASE(
  "law S38 is broken by a daemon that takes an old answer for news of a "
  "copy that was left behind since") {
  attacks("an-old-answer-clears-no-copy", {"old-answer-clears-a-copy"},
          {"S38"});
}

TEST_CASE("a daemon that lets a home's own disk hold the move off that home "
          "never empties its node") {
  const std::string drill = "homes-broken-disk-holds-no-move-off-it";
  const std::string waits = "web3 waits: its mirror is faulty";
  CHECK_FALSE(tells(drill, waits));
  CHECK(tells(drill, waits, {"homes-fault-holds-its-move"}));
}

TEST_CASE("a daemon that does not ask what a silent home did while nobody "
          "watched fails over to a copy that was left behind") {
  const std::string waits = "ALERT Instance web2 waits for a person";
  const std::string missed = "absence-hides-what-a-home-wrote";
  // What each of two guards would hold alone takes two defects.
  for (const auto& [drill, defects] : std::map<std::string, names>{
         {"copy-beside-a-fenced-home-that-nobody-watched-is-behind", {missed}},
         {"copy-beside-a-home-that-nobody-watched-is-behind",
          {missed, "absence-keeps-a-home-quiet"}},
         {"silence-of-both-lasts-over-an-absence",
          {missed, "silent-home-writes-nothing"}}}) {
    INFO(drill);
    CHECK(tells(drill, waits));
    CHECK_FALSE(tells(drill, waits, defects));
  }
}

TEST_CASE("law S38 is broken by a daemon that forgets a silence because it was "
          "over when the record showed the mirror") {
  attacks("silence-before-the-record-leaves-a-copy-behind",
          {"silence-that-is-over-leaves-no-copy"}, {"S38"});
}

} // namespace orderly::mutants_copies_mutants_test
