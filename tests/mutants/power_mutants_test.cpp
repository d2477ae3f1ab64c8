// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about power, homes and guards: S1 S2 S3 S5 S6 S8 S17 S19 S20 S43 L6.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_power_mutants_test {

using namespace orderly::mutants;

TEST_CASE("laws S1, S2 and S3 are broken by a daemon that takes an unknown "
          "power status for off") {
  // The node is only cut off: it has power and runs its instances.
  // Without a reset before, no command is sent that might take effect.
  shows("set host_ha.recovery_attempts_max 0\n"
        "at 1m bmc node5 hang\n"
        "at 2m network node5 cut\n"
        "at 2m storage node5 cut\n"
        "run 20m\n",
        {"unknown-is-off"}, {"S1", "S2", "S3"});
}

TEST_CASE("law S43 is broken by a daemon that takes it that nothing runs on a "
          "node that is offline") {
  shows("at 1m node node3 offline\n"
        "at 20m orderly epo node3 node4 --yes\n"
        "run 30m\n",
        {"epo-never-looks"}, {"S43"});
}

TEST_CASE("law S43 is broken by a daemon that gives a node less time to answer "
          "than its group has") {
  shows("group group1 check_timeout = 5s\n"
        "at 30s link node1 node3 slow 1500ms\n"
        "at 2m node node3 offline\n"
        "at 6m orderly epo node3 --yes\n"
        "run 20m\n",
        {"looks-know-no-groups"}, {"S43"});
}

TEST_CASE("law S43 is broken by a daemon that believes its own mark though the "
          "node was switched on since") {
  shows("at 1m orderly epo node3 --yes\n"
        "at 64200ms orderly errand power-1 --stop\n"
        "at 2m power node3 off\n" // by its button
        "at 5m power node3 on\n"
        "at 8m instance web3 start\n"
        "at 12m orderly epo node3 --yes\n"
        "run 20m\n",
        {"off-and-on-again-is-its-own"}, {"S43"});
}

TEST_CASE("law S43 is broken by a daemon that believes its own mark though "
          "somebody took it back and set it again") {
  shows("at 60s orderly epo node3 --yes\n"
        "at 63900ms luxi stall on\n"
        "at 67s node node3 online\n"
        "at 68s instance web3 start\n"
        "at 112s node node3 offline\n"
        "at 113s luxi stall off\n"
        "run 15m\n",
        {"an-old-mark-is-its-own"}, {"S43"});
}

TEST_CASE("law S1 is broken by a daemon for which an answer of a slow node is "
          "soon old") {
  attacks("liar-of-a-slow-node-is-caught", {"slow-answers-are-old"}, {"S1"});
}

TEST_CASE("law S5 is broken by a daemon that forgets by a restart who lived "
          "under a hold") {
  attacks("storm-counts-held-nodes-after-a-restart", {"held-life-is-in-memory"},
          {"S5"});
}

TEST_CASE("law S5 is broken by a daemon whose storm guard always says go") {
  shows("at 2m crash node3\n"
        "at 2m crash node4\n"
        "at 2m crash node5\n"
        "run 20m\n",
        {"no-storm-guard"}, {"S5"});
}

TEST_CASE("law S5 is broken by a daemon that treats many powerless nodes "
          "without its storm guard") {
  shows("at 2m power node3 off\n"
        "at 2m power node4 off\n"
        "at 2m power node5 off\n"
        "run 20m\n",
        {"no-storm-guard"}, {"S5"});
}

TEST_CASE("law S6 is broken by a daemon whose budget always says go") {
  shows("set budget.fences_per_hour_max 1\n"
        "set host_ha.recovery_attempts_max 0\n"
        "at 2m crash node3\n"
        "at 20m crash node5\n"
        "run 40m\n",
        {"no-budget"}, {"S6"});
}

TEST_CASE("law S8 is broken by a daemon that believes to be master for "
          "ever") {
  shows("at 1m master node2\n"
        "at 3m crash node4\n"
        "run 20m\n",
        {"master-for-ever"}, {"S8"});
}

TEST_CASE(
  "laws S5 S8 are broken by an old master that goes on beside the new one") {
  // Cut off from all others it believes that they are dead.
  shows("at 2m uplink cut\n"
        "at 121s second-master node2\n"
        "run 12m\n",
        {"no-storm-guard", "silent-is-no-witness"}, {"S5", "S8"});
}

TEST_CASE("laws S5 S8 are broken by a daemon that takes the loss of its own "
          "link for the death of all others") {
  // Others see what its nodes write, and tell.
  shows("at 1s agents on\n"
        "at 2m uplink cut\n"
        "run 10m\n",
        {"activity-does-not-count", "no-storm-guard", "silent-is-no-witness"},
        {"S34", "S5", "S8"});
}

TEST_CASE("law S17 is broken by a daemon that commands power before its "
          "intent is on disk") {
  shows("set host_ha.recovery_attempts_max 0\n"
        "at 2m crash node3\n"
        "run 20m\n",
        {"act-before-intent"}, {"S17"});
}

TEST_CASE("law S20 is broken by a daemon that takes a fenced node back "
          "without a person") {
  shows("at 2m power node3 off\n"
        "at 10m power node3 on\n"
        "run 20m\n",
        {"back-without-a-person"}, {"S20"});
}

TEST_CASE("law L6 is broken by a daemon that does not go on to the next "
          "helper") {
  shows("set host_ha.recovery_attempts_max 0\n"
        "levels node3 = cluster oob-pdu\n"
        "at 1m bmc node3 fail\n"
        "at 1m bmc node3@oob-pdu ok\n"
        "at 2m crash node3\n"
        "run 30m\n",
        {"level-not-passed-on"}, {"L6"});
}

TEST_CASE("law S19 is broken by a daemon that overrides a person's power-off") {
  // The record is corrected although the node is off, and its controller
  // does not say so: a reset seems the thing to do.
  shows("at 2m orderly power off node5 --ignore-status --yes\n"
        "at 125s bmc node5 fail\n"
        "at 3m orderly node modify --powered=yes node5\n"
        "run 30m\n",
        {"off-is-overridden"}, {"S19"});
}

TEST_CASE("law S25 is broken by a daemon that forgets who is off by order when "
          "the wish for it is over") {
  shows("at 1m tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m tag cluster add ganeti:watcher:autorepair:reinstall\n"
        "at 2m orderly power off node5\n"
        "at 10m network node5 cut\n"
        "at 20m power node5 on\n"
        "at 23m power node5 off\n"
        "run 40m\n",
        {"off-is-forgotten"}, {"S25"});
}

TEST_CASE("law S25 is broken by a daemon to which an order for off counts once "
          "the power was read again") {
  shows("at 1m tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m tag cluster add ganeti:watcher:autorepair:reinstall\n"
        "at 90s pause on\n"
        "at 2m node node5 offline\n"
        "at 130s power node5 off\n"
        "at 10m10s orderly power off node5\n"
        "at 615s pause off\n"
        "run 30m\n",
        {"order-waits-for-a-reading"}, {"S25"});
}

TEST_CASE("law S25 is broken by a daemon that takes an order of which nothing "
          "is known for one that did nothing") {
  shows("at 1m tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m tag cluster add ganeti:watcher:autorepair:reinstall\n"
        "at 110s bmc node5 slow 5s\n"
        "at 2m orderly power off node5\n"
        "at 126s bmc node5 hang\n"
        "at 20m bmc node5 ok\n"
        "run 40m\n",
        {"unknown-is-on"}, {"S25"});
}

} // namespace orderly::mutants_power_mutants_test
