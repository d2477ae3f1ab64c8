// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What waits for whom, for how long, and who hears of it: S1 L8, and where
// nobody but the story tells.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_wait_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S1 is broken by a daemon whose jobs wait in their middle") {
  attacks("evacuation-by-failover-waits-for-the-event-before-it",
          {"alone-is-shared"}, {"S1"});
  attacks("evacuations-by-failover-share-no-target", {"alone-is-shared"},
          {"S1"});
  attacks("evacuation-by-failover-waits-for-a-repair", {"alone-is-shared"},
          {"S1"});
  attacks("law-s1-forgives-no-start-of-hours-ago", {"alone-is-shared"}, {"S1"});
}

TEST_CASE("law L8 is broken by a daemon that knows what lasts by its own life, "
          "or takes each hold for a wish") {
  attacks("lasting-trouble-is-told-over-restarts", {"lasts-in-one-life"},
          {"L8"});
  attacks("down-beside-a-held-mirror-is-told", {"held-mirror-is-a-wish"},
          {"L8"});
}

TEST_CASE("a daemon that lets words age at instances only marks a node by an "
          "old one") {
  tells("no-mark-on-a-word-that-is-too-old", "success: mark node3 offline",
        "words-age-at-instances-only", true);
  tells("no-old-word-counts-behind-a-reading", "a person's word counts again",
        "words-age-at-instances-only", true);
}

TEST_CASE("a daemon whose stuck fences have places fences no other node") {
  tells("stuck-fence-keeps-no-place", "node4 fenced: proved off",
        "stuck-fence-has-a-place");
}

TEST_CASE("a daemon whose failovers wait for what waits refuses them") {
  tells("failover-waits-for-no-job-that-has-not-begun",
        "inst14 no permit to fail over", "failover-waits-behind-what-waits",
        true);
}

TEST_CASE("a daemon that takes a hanging node for one that is back keeps its "
          "hold") {
  tells("hung-node-of-an-epo-is-given-up-once-it-is-off", "did not come back",
        "what-hangs-is-back");
}

TEST_CASE("a daemon that goes by its plan copies disks against the settings") {
  tells("no-copy-of-disks-once-a-reload-forbids-it", "balance.disk_moves is",
        "disk-moves-of-the-plan");
}

TEST_CASE("a daemon that seeks no commands that have ended runs one again") {
  tells("next-master-repeats-no-command-that-has-ended", "job 2 success",
        "ended-commands-are-not-sought", true);
  tells("older-journal-repeats-no-command-that-has-ended", "job 2 success",
        "ended-commands-are-not-sought", true);
}

TEST_CASE("a daemon that tells of nobody that is left keeps still") {
  tells("opt-in-by-a-reload-tells-who-is-left", "is left as it is",
        "nobody-is-left");
}

TEST_CASE("a daemon that takes a refusal for a failure fails an event") {
  tells("short-trouble-of-luxid-fails-no-event", "ALERT evacuate of node2",
        "refused-is-failed", true);
}

TEST_CASE("a daemon that notes in coarse grains what it sees ends a word") {
  tells("short-restart-ends-no-word", "counts as off no longer",
        "words-are-seen-in-coarse-grains", true);
}

TEST_CASE("a daemon that knows a mark by this life only drains a node again") {
  tells("undrained-in-an-absence-stays-undrained",
        "cd59b182-9291-4a84-a993-606d86363927 begins to evacuate node2",
        "absences-hide-what-a-person-meant", true);
}

TEST_CASE("a daemon that takes no word twice starts nothing in time") {
  tells("word-said-again-counts-from-then", "failover of db3",
        "word-said-again-is-none");
}

TEST_CASE("law S1 forgives no start by hand for a warning of long ago") {
  // Ends with the two homes that ADR 0044 names: a home that falls silent and
  // is marked offline between two opcodes.
  auto end = std::string{"at 119m job-durations x20\n"
                         "at 120m report node2 "
                         "{\"status\": \"evacuate-failover\"}\n"
                         "at 7450s luxi down\n"
                         "at 7460s network node2 cut\n"
                         "at 7461s node node2 offline\n"
                         "run 140m\n"};
  auto begin
    = std::string{"world small-5n\n"
                  "seed 1\n"
                  "config " ORDERLY_SOURCE_DIR "/configs/examples/prompt.toml\n"
                  "set maintenance.mode act\n"
                  "set maintenance.interval 30s\n"
                  "set maintenance.debounce_failover 1\n"
                  "at 1m job-durations x20\n"
                  "at 2m power node3 off\n"
                  "at 3m20s tag instance:db3 add "
                  "ganeti:watcher:autorepair:suspend\n"
                  "at 20m job-durations x1\n"
                  "at 21m tag instance:db3 del "
                  "ganeti:watcher:autorepair:suspend\n"
                  "at 30m node node3 returned\n"
                  "at 60m instance db3 stop\n"
                  "at 61m instance db3 start\n"};
  auto found = run(begin + end);
  CHECK_THAT(found.story, Catch::Contains("may not stop"));
  CHECK(found.laws.count("S1") == 1);
}

TEST_CASE("a daemon that tells of no failure twice keeps still") {
  tells("failure-of-a-lesser-repair-is-no-silence", "instance web3: a person",
        "failures-of-all-kinds-are-told-once");
}

TEST_CASE("a daemon that calls nobody beside stuck fences comes late") {
  tells("who-waits-is-called-beside-a-stuck-fence", "+7m44s node4 fencing",
        "whoever-waits-beside-a-stuck-fence-asks");
}

TEST_CASE("a daemon that forgets half a reinstallation with its tag is still") {
  tells("empty-disks-are-told-when-the-tag-is-taken", "was ended half way",
        "half-a-reinstallation-is-none");
  tells("what-we-shut-down-is-told-when-the-tag-is-taken",
        "gnt-instance startup tmp1", "half-a-reinstallation-is-none");
}

TEST_CASE(
  "what a person had marked offline and switched off and on by hand gets "
  "a boot for its return") {
  tells("marked-off-and-on-for-long-gets-no-second-boot",
        "may have been switched on", "marked-off-is-no-boot", true);
}

TEST_CASE("what a reinstallation shut down stays down after a person took its "
          "tag away") {
  tells("next-reinstallation-starts-what-the-last-shut-down",
        "reinstallation of tmp1, start of tmp1, remove from tmp1 "
        "orderly:token:f130a316",
        "taken-tag-keeps-it-down");
}

TEST_CASE("a reinstallation that was canceled over its new disks is a "
          "success") {
  tells("canceled-reinstallation-is-no-success", "tmp1 repaired",
        "trail-tells-of-no-disks", true);
}

} // namespace orderly::mutants_wait_mutants_test
