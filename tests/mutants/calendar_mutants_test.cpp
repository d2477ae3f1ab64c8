// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was written down bears dates of a calendar that was set back since.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_calendar_mutants_test {

using namespace orderly::mutants;

TEST_CASE("a daemon whose events keep their old dates begins what it should "
          "not") {
  tells("old-report-is-not-fresh-by-a-calendar-set-back", "drains node2",
        "old-dates-stay", true);
}

TEST_CASE("a daemon that thinks it knows how long its machine was away runs an "
          "instance twice") {
  attacks("word-lapses-by-a-reboot-over-a-step-back",
          {"reboot-is-no-absence", "undated-is-young"}, {"S1"});
  tells("enabled-after-a-reboot-over-a-step-back-boots",
        "power-cycle:", "start-takes-no-time", true);
}

TEST_CASE("a daemon that mixes up what came first before its machine was "
          "started gives up data") {
  attacks("order-off-outlives-a-set-calendar-and-a-reboot",
          {"former-calendars-are-lost"}, {"S25"});
}

TEST_CASE("a daemon that goes by the length of a silence from before its "
          "machine was started gives up the only good copy") {
  tells("silence-of-a-copy-is-long-over-a-reboot", "its copy counts as behind",
        "aged-silence-is-short");
}

TEST_CASE("a daemon that counts boots from before its machine was started "
          "resets in one") {
  attacks("boots-of-before-a-reboot-are-used-up-by-none", {"aged-boots-count"},
          {"S45"});
  attacks("boot-of-before-a-reboot-is-not-the-one-of-now", {"aged-boots-count"},
          {"S45"});
}

TEST_CASE("a daemon that forgets the budget when its machine is started acts "
          "more often than it may") {
  tells("budget-outlives-a-reboot-by-a-calendar-ahead",
        "node3 power-cycle:", "aged-acts-are-over", true);
}

TEST_CASE("a daemon that takes a calendar that was set over a reboot for time "
          "that has passed gives up a job") {
  tells("job-under-way-is-not-overdue-by-a-reboot", "is overdue",
        "aged-deadlines-run-out", true);
}

TEST_CASE("a daemon that takes an old report for one of now begins what it "
          "should not") {
  tells("old-report-is-not-fresh-by-a-reboot-over-a-step-back", "drains node2",
        "undated-report-is-fresh", true);
}

TEST_CASE("a daemon that sees no marks of others drains again what a person "
          "took back") {
  tells("next-master-drains-not-what-was-taken-back",
        "somebody took the marks of node2 away while it waited",
        "marks-of-others-are-not-seen");
  tells("mark-seen-by-who-waits-is-known-after-a-restart",
        "somebody took the marks of node2 away while it waited",
        "marks-of-others-are-not-seen");
}

TEST_CASE("a daemon that waits for the old calendar is silent of a job that "
          "hangs") {
  tells("deadline-of-a-job-does-not-move-with-the-calendar", "is overdue",
        "old-dates-stay");
}

TEST_CASE("a daemon that asks for its mode once removes what it should not") {
  tells("suspension-is-removed-by-nobody-who-only-observes",
        "withdrawn before it was sent", "who-observes-removes");
}

} // namespace orderly::mutants_calendar_mutants_test
