// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was sent is found and stopped, what was half made is not relied on, and
// what is off by order is not lost.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_found_mutants_test {

using namespace orderly::mutants;

TEST_CASE(
  "a daemon that seeks after its grace what is called back wipes a copy "
  "that is in service") {
  tells("lost-answer-is-sought-at-once-when-called-back",
        "new empty disks for tmp1", "called-back-is-sought-later", true);
  tells("restart-seeks-at-once-what-is-called-back", "new empty disks for tmp1",
        "called-back-is-sought-later", true);
}

TEST_CASE("a daemon that says once to cancel wipes a copy that answers") {
  tells("cancel-that-luxid-lost-is-said-again", "new empty disks for tmp1",
        "cancel-is-said-once", true);
}

TEST_CASE(
  "a daemon that takes a mirror for whole by its name fails over to half "
  "a copy") {
  tells("half-made-mirror-is-no-copy-of-what-is-stopped",
        "1767225687:success:2", "half-made-is-whole", true);
  tells("half-made-mirror-is-no-copy", "instance web3 runs on node2",
        "half-made-is-whole", true);
  tells("half-made-mirror-of-an-event-is-no-copy",
        "instance web3 runs on node1", "new-mirrors-are-not-asked", true);
}

TEST_CASE(
  "a daemon that goes by the last order gives up what the first switched "
  "off") {
  for (const auto* drill :
       {"second-cycle-in-vain-loses-no-data", "power-on-in-vain-loses-no-data",
        "order-for-off-of-what-is-off-loses-no-data"})
    tells(drill, "new empty disks for tmp1", "later-order-gives-up-the-first",
          true);
  tells("order-for-off-under-a-stuck-fence-loses-no-data",
        "new empty disks for tmp1", "order-under-a-fence-is-none", true);
  tells("switched-on-by-order-it-has-lived", "new empty disks for tmp1",
        "switched-on-by-order-is-no-news", true);
}

TEST_CASE("a daemon that waits for no reading starts what a person's word of "
          "before calls off") {
  tells("word-waits-for-what-its-controller-says", "failover of db5 to node4",
        "word-waits-for-no-reading", true);
}

TEST_CASE(
  "a daemon that reads no power of who is degraded or returned cuts its "
  "boot") {
  tells("boot-of-a-degraded-node-is-seen", "power node3 cycled",
        "degraded-are-not-read", true);
  tells("boot-of-a-returned-node-is-seen", "power node3 cycled",
        "returned-are-not-read", true);
  tells("boot-of-long-ago-hides-no-later-one", "reset 1 of 1 permitted",
        "boot-of-long-ago-is-the-last", true);
}

TEST_CASE(
  "a daemon that keeps old dates cuts boots and forgets what it has spent "
  "this hour") {
  tells("set-calendar-cuts-no-boot-after-a-reset", "power node3 off",
        "old-dates-stay", true);
  tells("budget-of-the-hour-over-a-step-ahead", "power node3 cycled",
        "old-dates-stay", true);
}

TEST_CASE("law S1 is broken by a daemon from whom its places hide a job that "
          "was found after a restart") {
  attacks("halted-failover-with-a-place-is-called-back",
          {"places-hide-a-job-that-was-found"}, {"S1"});
}

} // namespace orderly::mutants_found_mutants_test
