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

TEST_CASE("a daemon that dates all by the last step of the calendar begins "
          "what it should not") {
  tells("report-counts-once-over-two-steps-back", "drains node2",
        "all-is-from-before-the-last-step", true);
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
