// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about repair events: S42; S1, S2 and S40 for their moves.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_event_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S42 is broken by a daemon that marks before all has left") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 1m report node2 {\"status\": \"evacuate\"}\n"
        "run 6m\n",
        {"left-before-it-is-empty", "lodgers-are-overlooked"}, {"S42"});
}

TEST_CASE("laws S1 and S2 are broken by an event that fails over what its home "
          "could not stop") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 1s job-durations x5\n"
        "at 1m report node2 {\"status\": \"evacuate-failover\"}\n"
        "at 115s network node2 cut\n"
        "run 6m\n",
        {"a-silent-home-is-passed-over"}, {"S1", "S2"});
}

TEST_CASE(
  "law S1 is broken by an order whose mark comes between the opcodes of "
  "a move") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 1m bmc node2 slow 20s\n"
        "at 2m report node2 {\"status\": \"evacuate-failover\"}\n"
        "upon move event:b66a368d-2f66-4d95-b4e7-ddd39711d8f3 after 1200ms "
        "orderly power off node2 --yes\n"
        "run 5m\n",
        {"marks-by-an-old-reading"}, {"S1"});
}

TEST_CASE("an order whose mark waits for no repair leaves beside its move") {
  auto marks_beside = [](const names& defects) {
    auto story = run(quick
                       + "at 1s bmc node3 slow 30s\n"
                         "at 1m instance web3 stop\n"
                         "at 1m50s job-durations x10\n"
                         "at 1m52s migrate db3 node5\n"
                         "at 2m node node3 drained\n"
                         "at 2m16s instance web3 start\n"
                         "at 2m17s orderly power off node3 --yes\n"
                         "at 2m20s job-durations x1\n"
                         "run 10m\n",
                     defects)
                   .story;
    auto mark = story.find("set offline=yes on node3");
    auto end = story.find("web3 job 4 canceled");
    REQUIRE(mark != std::string::npos);
    REQUIRE(end != std::string::npos);
    return mark < end;
  };
  CHECK_FALSE(marks_beside({}));
  CHECK(marks_beside({"marks-beside-a-repair"}));
}

TEST_CASE("law S40 is broken by an event that takes what is marked down for "
          "stopped") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 1m instance web2 down\n"
        "at 2m storage node3 cut\n"
        "at 4m report node2 {\"status\": \"evacuate-failover\"}\n"
        "run 10m\n",
        {"down-is-taken-for-stopped", "stopped-disks-stay-closed"}, {"S40"});
}

TEST_CASE("law S40 is broken by an event that moves what is stopped with its "
          "disks closed") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 1m30s link node2 node3 cut\n"
        "at 2m20s instance web2 stop\n"
        "at 2m40s report node2 {\"status\": \"evacuate\"}\n"
        "run 15m\n",
        {"stopped-disks-stay-closed"}, {"S40"});
}

TEST_CASE("law S40 is broken by an event that gives up the better copy") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "set autorepair.enabled false\n"
        "at 1s job-durations x10\n"
        "at 1m migrate web2 node3\n"
        "at 65s mirror web2 faulty\n"
        "at 3m report node2 {\"status\": \"evacuate\"}\n"
        "run 10m\n",
        {"better-copy-is-given-up"}, {"S40"});
}

TEST_CASE("law S40 is broken by an event after a restart that has forgotten "
          "what the home lacks") {
  shows("set maintenance.mode act\n"
        "set maintenance.interval 30s\n"
        "at 3m mirror web3 faulty\n"
        "at 3m05s power node3 off\n"
        "at 3m29s set-live autorepair.enabled false\n"
        "at 6m node node3 returned\n"
        "at 14m report node3 {\"status\": \"evacuate\"}\n"
        "at 17m daemon kill\n"
        "at 17m05s node node3 offline\n"
        "at 17m10s daemon start\n"
        "run 20m\n",
        {"homes-fault-is-forgotten"}, {"S40"});
}

TEST_CASE("law S1 is broken by an event whose call-back waits for our disk, if "
          "it opens none") {
  attacks("event-call-back-waits-for-no-disk",
          {"call-back-waits-for-our-disk", "event-opens-no-disks"}, {"S1"});
}

TEST_CASE(
  "law S1 is broken by an event that leaves what it gave up to nobody") {
  attacks("late-move-of-a-living-event-is-called-back",
          {"given-up-is-no-stray"}, {"S1"});
}

TEST_CASE("law S40 is broken by an event that asks about copies only once") {
  attacks("event-asks-its-mirror-again-after-a-slow-disk",
          {"copies-are-asked-once"}, {"S40"});
}

} // namespace orderly::mutants_event_mutants_test
