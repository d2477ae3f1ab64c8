// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Defects of resets and fences that were held, or waited for their turn, while
// the node came back: what spoke for them is old by then.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_waited_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S34 is broken by a reset that was held and asks for no activity "
          "again") {
  attacks("reset-that-was-held-asks-for-activity-again",
          {"held-act-asks-no-activity"}, {"S34"});
}

TEST_CASE("a reset that waited for its turn and asks for no activity cycles a "
          "node that works") {
  tells("reset-that-waited-for-its-turn-asks-for-activity-again",
        "power node3 cycled", "held-act-asks-no-activity", true);
}

TEST_CASE("a fence that was held and asks for no activity switches off a node "
          "that works") {
  tells("fence-that-was-held-asks-for-activity-again", "power node3 off",
        "held-act-asks-no-activity", true);
}

TEST_CASE("law S34 is broken by a reset that forgets what the node said while "
          "it waited") {
  attacks("reset-that-waits-is-withdrawn-by-an-answer",
          {"waiting-order-forgets-answers"}, {"S34"});
}

TEST_CASE("law S34 is broken by a reset that forgets what the node said while "
          "controllers hung") {
  attacks("levels-that-hang-before-a-reset-forget-no-answer",
          {"waiting-order-forgets-answers"}, {"S34"});
}

TEST_CASE("a reset goes by the helper that a person has just taken away") {
  tells("power-control-that-was-taken-away-is-not-used", "power node3 cycled",
        "former-helper-is-called", true);
}

TEST_CASE("a reset leaves that the settings permit no more") {
  tells("resets-that-are-not-permitted-any-more-do-not-leave",
        "power node3 cycled", "reset-is-permitted-for-ever", true);
}

TEST_CASE("a fence for lost power that goes on by a reading of long ago "
          "switches off a node that works") {
  tells("lost-power-that-is-not-read-any-more-is-no-fence", "power-off try 8",
        "unread-power-is-off", true);
}

TEST_CASE("a node that is treated again while it is silent is reset in its "
          "boot") {
  tells("treated-again-while-silent-it-may-boot", "reset worked",
        "treated-again-is-no-boot", true);
}

TEST_CASE("law S25 is broken by a daemon to which a fence of before the node "
          "worked again is a death") {
  attacks("fence-of-before-it-lived-is-no-death",
          {"fence-of-before-it-lived-counts"}, {"S25"});
}

TEST_CASE("law S25 is broken by a daemon to which a person's cycle that ends "
          "off is a death") {
  attacks("cycle-that-ends-off-loses-no-data",
          {"cycle-that-ends-off-is-a-death"}, {"S25"});
}

TEST_CASE("law S9 is broken by an older journal that does not know the mark of "
          "its own note") {
  attacks("note-of-an-older-journals-wait-permits-nothing",
          {"mark-is-not-read"}, {"S9"});
}

TEST_CASE("law S9 is broken by a job that failed before it removed its mark") {
  attacks("error-at-the-token-permits-nothing", {"mark-is-not-read"}, {"S9"});
}

TEST_CASE("a job that luxid read late is not called back when it is permitted "
          "no more") {
  tells("late-job-that-is-permitted-no-more-is-called-back",
        "new empty disks for tmp1", "stray-is-permitted-by-its-note", true);
}

TEST_CASE("a reset that worked is given up, and falls into its own boot, when "
          "its power is not read") {
  tells("reset-that-worked-unread-is-not-repeated", "reset 2 of 3 permitted",
        "reset-that-worked-unread-has-failed", true);
}

TEST_CASE("a reset that finds its node on, which was off, cuts its boot") {
  tells("next-reset-of-what-was-off-sees-a-boot", "world power node3 cycled",
        "command-sees-no-return", true);
}

TEST_CASE("a fence whose tries read off, and then on, cuts a boot") {
  tells("held-fence-that-reads-off-and-on-sees-a-boot", "Fenced node node3",
        "command-sees-no-return", true);
}

TEST_CASE("a node that is taken back while orderlyd is away is reset in its "
          "boot") {
  tells("taken-back-while-away-it-may-boot", "reset worked",
        "unfit-is-forgotten", true);
}

TEST_CASE("law L2 is broken by a daemon to which a cycle that failed is an "
          "order to be off") {
  attacks("cycle-that-failed-is-no-off-by-order", {"failed-cycle-is-an-off"},
          {"L2"});
}

TEST_CASE("law L8 is broken by a daemon to which a lesser pending tag permits "
          "all that is permitted") {
  attacks("lesser-pending-tag-silences-nothing",
          {"lesser-tag-hides-the-policy"}, {"L8"});
}

TEST_CASE("a person's word does not give up what an order left off") {
  tells("word-gives-up-what-a-cycle-left-off", "reinstallation of tmp1",
        "word-leaves-what-was-switched-off");
}

} // namespace orderly::mutants_waited_mutants_test
