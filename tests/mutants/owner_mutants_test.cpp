// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known somewhere counts for who decides by it, also after a restart:
// S1 S5 S38 L2.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_owner_mutants_test {

using namespace orderly::mutants;

namespace {

/// Two sections: is it said only without the defects, or (`only_with`) only
/// with them?
void speaks(const std::string& drill, const std::string& words,
            const names& defects, bool only_with = false) {
  SECTION("without the defect") {
    auto story = run_attack(drill).story;
    INFO(story);
    CHECK((story.find(words) != std::string::npos) != only_with);
  }
  SECTION("with the defect") {
    auto story = run_attack(drill, defects).story;
    INFO(story);
    CHECK((story.find(words) != std::string::npos) == only_with);
  }
}

} // namespace

TEST_CASE("one answer that a copy is faulty holds a failover") {
  speaks("copy-faulty-when-asked-last-once",
         "web3 failover of web3:", {"one-fault-is-none"}, true);
}

TEST_CASE("law S38 is broken by a daemon that takes what it does not look at "
          "for well") {
  attacks("copy-behind-on-a-node-recorded-off", {"unlooked-is-heard"}, {"S38"});
}

TEST_CASE("law S38 is broken by a daemon that takes a silent home for dead") {
  attacks("silent-home-that-is-not-off-leaves-its-copy-behind",
          {"silent-home-writes-nothing"}, {"S38"});
  for (const auto* drill :
       {"silent-home-that-nobody-treats-leaves-its-copy-behind",
        "silence-of-both-lasts-over-short-restarts",
        "home-with-a-stuck-fence-leaves-its-copy-behind"})
    tells(drill, "Instance web2 waits for a person",
          "silent-home-writes-nothing");
}

TEST_CASE("laws S38 and S40 are broken by a daemon to which an instance with "
          "another name "
          "is another instance") {
  attacks("what-is-known-of-a-copy-outlives-its-name", {"new-name-is-another"},
          {"S38", "S40"});
}

TEST_CASE("what was known before a restart is known under another name") {
  speaks("renamed-while-nobody-looked",
         "shop3 failover of shop3:", {"new-name-is-another"}, true);
}

TEST_CASE("what was known of an instance is of no other under its name") {
  speaks("a-name-that-is-another-instance",
         "web3 failover of web3:", {"name-says-who-it-is"}, false);
}

TEST_CASE("who was silent before a restart was so") {
  speaks("copy-behind-forgotten-by-a-restart",
         "web3 failover of web3:", {"silence-is-in-memory"}, true);
}

TEST_CASE("law S1 is broken by a daemon that takes one lie for chance") {
  attacks("liar-seen-once-is-believed", {"one-lie-is-chance"}, {"S1"});
}

TEST_CASE("law S1 is broken by a daemon that knows one liar at a time") {
  attacks("liar-forgotten-for-another-liar", {"one-liar-at-a-time"}, {"S1"});
}

TEST_CASE("law S1 is broken by a daemon whose commands keep what they read") {
  attacks("liar-seen-by-a-command-is-believed",
          {"readings-of-others-are-theirs"}, {"S1"});
}

TEST_CASE("a life that a look has heard calls back what relies on its proof") {
  speaks("a-look-that-finds-life-calls-nothing-back", "instance db3 runs on",
         {"looks-of-others-are-theirs"}, true);
}

TEST_CASE("a look beside those that were not asked yet proves nothing") {
  speaks("blind-look-proves-an-off-after-a-restart",
         "db3 failover of db3:", {"unasked-is-nobody"}, true);
}

TEST_CASE("law S5 is broken by a daemon whose start ends a storm") {
  attacks("cooldown-of-a-storm-forgotten-by-a-restart",
          {"storm-ends-with-the-daemon"}, {"S5"});
}

TEST_CASE("a gap of the right to act that soon ends is no start") {
  speaks("slow-luxid-nothing-is-done-nobody-is-told", "node2 fenced",
         {"each-gap-is-a-start"});
}

TEST_CASE("what lasts is told though the right to act has gaps") {
  speaks("gaps-of-the-right-to-act-silence-the-overseer",
         "This has lasted for long", {"gaps-end-what-lasts"});
}

TEST_CASE("an alert is on disk with the state that knows of it") {
  speaks("alert-of-a-failed-repair-lost-with-the-daemon",
         "The repair of instance db2 failed",
         {"alerts-follow-their-state", "alerts-leave-their-state"});
}

TEST_CASE("law L2 is broken by a daemon whose plan ages while it looks") {
  attacks("reinstall-never-leaves-past-a-slow-controller",
          {"room-ages-while-we-look"}, {"L2"});
}

TEST_CASE("law L2 is broken by a daemon whose order ages while it looks") {
  attacks("reinstall-never-leaves-on-a-word", {"order-ages-while-we-look"},
          {"L2"});
}

TEST_CASE("no mirror is tried through a home at which nobody looks") {
  speaks("fix-storage-through-a-home-recorded-off", "new secondary for web2",
         {"closed-home-is-well"}, true);
}

} // namespace orderly::mutants_owner_mutants_test
