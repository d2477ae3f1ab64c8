// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Orders that people, or another master, have overtaken.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_order_mutants_test {

using namespace orderly::mutants;

TEST_CASE("a daemon that goes on as if it had been the master all the time "
          "switches on what others have switched off") {
  for (const auto* drill :
       {"order-of-before-another-master-is-not-gone-on-with",
        "order-of-before-the-cluster-was-away-is-not-gone-"
        "on-with"})
    tells(drill, "nobody watched for 14 min", "absence-of-this-life-is-none");
  for (const auto* drill :
       {"order-that-waits-over-a-restart-under-another-master-is-over",
        "own-job-that-ends-hides-no-absence"})
    tells(drill, "nobody watched for", "absence-of-this-life-is-none");
}

TEST_CASE("a daemon that looks at no number cuts off who came back unseen") {
  for (const auto* drill :
       {"power-off-of-before-a-short-absence-cuts-nothing-off",
        "power-off-of-before-a-short-sleep-cuts-nothing-off",
        "epo-of-before-a-short-absence-cuts-nothing-off",
        "row-that-waits-over-a-short-absence-sees-its-node-come-back",
        "mark-taken-away-in-a-short-absence-is-not-set-again"})
    tells(drill, "and back again meanwhile", "numbers-tell-no-turn");
  tells("mark-of-a-person-outlives-an-order-of-before-an-absence",
        "and out again meanwhile", "numbers-tell-no-turn");
}

TEST_CASE("a daemon that sees no turn while a row runs acts under their "
          "hands") {
  tells("epo-on-takes-no-later-mark-away", "and out again meanwhile",
        "rows-wait-blindly");
  tells("power-on-that-waits-for-a-failover-sees-its-node-go-again",
        "and out again meanwhile", "rows-wait-blindly");
}

TEST_CASE("a daemon that takes all tags for old ones undoes a younger word") {
  tells("younger-tag-of-a-setting-outlives-an-older-order",
        "somebody has set it since", "tags-of-others-are-old-ones");
}

TEST_CASE("a daemon whose disk was late does what was told as not begun") {
  tells("ha-enable-held-up-by-the-disk-is-not-in-force", "stays as it was",
        "late-enable-counts");
  tells("resume-held-up-by-the-disk-ends-no-pause",
        "it took too long to write down that it was resumed",
        "late-resume-counts");
  tells("power-on-held-up-by-the-disk-is-dropped",
        "came to nothing: not commanded", "orders-of-persons-keep");
}

TEST_CASE("law S5 is broken by a daemon that hears of an order to switch off "
          "by the next reading only") {
  attacks("storm-remembers-whom-an-order-left-on",
          {"order-off-is-known-once-read"}, {"S5"});
  attacks("storm-remembers-whom-no-controller-switched",
          {"order-off-is-known-once-read"}, {"S5"});
}

TEST_CASE("a daemon that keeps to a former helper switches by it") {
  tells("persons-command-leaves-by-no-former-helper",
        "its power control is another one by now",
        "former-helper-acts-for-persons");
}

TEST_CASE("a daemon that looks no more records what is not so") {
  tells("what-went-off-again-is-not-recorded-on", "it is not recorded on",
        "what-went-off-is-recorded-on");
  tells("what-is-back-in-service-is-not-recorded-off",
        "somebody took it back into service", "what-serves-is-recorded-off");
  tells("liar-is-caught-while-its-off-is-recorded",
        "it is recorded off all the same", "liar-is-not-caught-late");
}

TEST_CASE("a daemon that is no master any more takes a word in vain") {
  tells("word-is-not-taken-without-the-right-to-act",
        "not taken: the master is", "word-outlives-the-right");
}

TEST_CASE("a daemon that takes every mark for an epo's takes away a "
          "person's") {
  tells("epo-on-leaves-a-mark-that-no-epo-set",
        "no emergency power-off holds it", "marks-of-others-are-an-epos");
}

} // namespace orderly::mutants_order_mutants_test
