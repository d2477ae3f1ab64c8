// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about the moment in which an act leaves, about proofs, and about what is
// promised to persons: S1 S2 S3 S5 S8 S31 S32 S33 S34 S35 S41.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_moment_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S32 is broken by a daemon whose jobs ask no guard before they "
          "leave") {
  // The queue is asked again while the look is still good.
  shows("set cluster.job_match_grace 15s\n"
        "at 2m power node3 off\n"
        "upon needs-repair instance:web3 queue drain on\n"
        "at 136s pause on\n"
        "at 137s queue drain off\n"
        "run 10m\n",
        {"last-say-asks-no-guard"}, {"S32"});
}

TEST_CASE(
  "laws S1 and S31 are broken by a daemon that does not ask the old home "
  "before a failover") {
  // The node comes back between two health checks, while a word counts.
  shows("set host_ha.check_interval 2m\n"
        "set storm.settle 5s\n"
        "at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m bmc node3 fail\n"
        "at 2m power node3 off\n"
        "at 25m orderly confirm-off node3 --reason dark\n"
        "at 60m power node3 on\n"
        "at 61m30s instance web3 start\n"
        "at 61m35s tag cluster add ganeti:watcher:autorepair:failover\n"
        "run 1h10m\n",
        {"homes-are-not-asked"}, {"S1", "S31"});
}

TEST_CASE("law S2 is broken by a daemon that takes a word from before it was "
          "away for hours") {
  // The node was returned meanwhile, and taken out again.
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m bmc node3 fail\n"
        "at 2m power node3 off\n"
        "at 25m orderly confirm-off node3 --reason dark\n"
        "at 30m daemon kill\n"
        "at 40m node node3 returned\n"
        "at 41m bmc node3 fail\n"
        "at 42m tag cluster add ganeti:watcher:autorepair:failover\n"
        "at 6h node node3 offline\n"
        "at 361m network node3 cut\n"
        "at 362m daemon start\n"
        "run 370m\n",
        {"word-outlives-absence"}, {"S2"});
}

TEST_CASE(
  "laws S2 and S3 are broken by a daemon that believes a fence although "
  "somebody ordered the node on since") {
  shows("set host_ha.check_interval 10s\n"
        "set host_ha.check_timeout 9s\n"
        "at 2m power node3 off\n"
        "upon fencing node:node3 after 2s orderly power on node3\n"
        "run 12m\n",
        {"fence-outlives-the-order", "order-ends-no-treatment"}, {"S2", "S3"});
}

TEST_CASE("law S31 is broken by a daemon that does not look again before a "
          "power-off") {
  // The fence is stuck, the node comes back by itself, and then its controller.
  shows("at 1m bmc node3 fail\n"
        "at 2m network node3 cut\n"
        "at 2m storage node3 cut\n"
        "at 25m network node3 heal\n"
        "at 25m storage node3 heal\n"
        "at 26m bmc node3 ok\n"
        "run 40m\n",
        {"last-look-is-skipped", "life-ends-no-treatment"}, {"S31", "S34"});
}

TEST_CASE("law S31 is broken by a daemon that does not look again before a "
          "reset") {
  // The first reset fails; in the pause the node comes back.
  shows("set host_ha.recovery_attempts_max 3\n"
        "set host_ha.retry_base 2m\n"
        "set host_ha.retry_max 4m\n"
        "at 1m bmc node3 fail\n"
        "at 2m network node3 cut\n"
        "at 2m storage node3 cut\n"
        "at 2m50s network node3 heal\n"
        "at 2m50s storage node3 heal\n"
        "at 3m30s bmc node3 ok\n"
        "run 30m\n",
        {"last-look-is-skipped", "life-ends-no-treatment"}, {"S31", "S34"});
}

TEST_CASE("laws S1, S31 and S33 are broken by a daemon that believes an off "
          "beside daemons that answer") {
  // The fence is stuck, and the node comes back by itself. Without a reset
  // before, an off that is read needs no command.
  shows("set host_ha.recovery_attempts_max 0\n"
        "at 1m bmc node3 fail\n"
        "at 2m network node3 cut\n"
        "at 2m storage node3 cut\n"
        "at 25m network node3 heal\n"
        "at 25m storage node3 heal\n"
        "at 26m bmc node3 lies-off\n"
        "run 45m\n",
        {"off-beside-answers-is-proof", "life-ends-no-treatment",
         "homes-are-not-asked"},
        {"S1", "S31", "S33"});
}

TEST_CASE("laws S2 and S33 are broken by a daemon whose proofs live for ever") {
  // A person takes node3 out and switches it off; its controller is unplugged,
  // and it is booted and used by hand.
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2m node node3 offline\n"
        "at 2m10s power node3 off\n"
        "at 10m bmc node3 hang\n"
        "at 20m power node3 on\n"
        "at 25m instance web3 start\n"
        "at 25m instance db3 start\n"
        "at 1h tag cluster add ganeti:watcher:autorepair:failover\n"
        "run 1h20m\n",
        {"homes-are-not-asked", "proof-lives-for-ever"},
        {"S1", "S2", "S31", "S33"});
}

TEST_CASE("law S2 is broken by a daemon whose proofs live for ever, though "
          "the node is off") {
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2m node node3 offline\n"
        "at 2m10s power node3 off\n"
        "at 10m bmc node3 hang\n"
        "at 1h tag cluster add ganeti:watcher:autorepair:failover\n"
        "run 1h20m\n",
        {"proof-lives-for-ever"}, {"S2"});
}

TEST_CASE("laws S31 and S34 are broken by a daemon that goes on after its "
          "restart where it stopped") {
  // It dies in the middle of a fence. People mend the node and use it.
  shows("at 1m bmc node3 hang\n"
        "at 2m network node3 cut\n"
        "at 2m storage node3 cut\n"
        "upon fencing node:node3 after 5s daemon kill\n"
        "at 30m node node3 returned\n"
        "at 24h daemon start\n"
        "run 24h20m\n",
        {"restart-goes-on-with-old-trouble", "absence-is-no-matter"},
        {"S31", "S34"});
}

TEST_CASE("law S32 is broken by a daemon that keeps its permit through a "
          "pause") {
  // The fence is stuck when a person pauses orderly, and the controller
  // answers again after that.
  shows("at 1m bmc node3 hang\n"
        "at 2m crash node3\n"
        "at 20m pause on\n"
        "at 25m bmc node3 ok\n"
        "run 40m\n",
        {"pause-does-not-hold-retries"}, {"S32"});
}

TEST_CASE("law S5 is broken by a daemon that goes on with a fence in a storm") {
  // The fence of node02 is stuck, then others go, and its controller answers.
  shows("world made-20-40-1\n"
        "set storm.nodes_max 2\n"
        "set storm.percent_max 10\n"
        "at 1m bmc node02 fail\n"
        "at 2m crash node02\n"
        "at 20m network node03 cut\n"
        "at 20m network node04 cut\n"
        "at 20m network node05 cut\n"
        "at 20m network node06 cut\n"
        "at 22m bmc node02 ok\n"
        "run 40m\n",
        {"storm-is-not-asked-again"}, {"S5"});
}

TEST_CASE("law S5 is broken by a daemon that does not count the nodes which "
          "nobody can switch") {
  shows("world made-10-20-1\n"
        "levels * = !\n"
        "levels node02 = cluster\n"
        "levels node03 = cluster\n"
        "at 10m crash node02\n"
        "at 10m crash node03\n"
        "at 10m crash node04\n"
        "at 10m crash node05\n"
        "run 30m\n",
        {"nodes-without-control-do-not-count"}, {"S5"});
}

TEST_CASE("law S5 is broken by a daemon that counts nodes which are out of "
          "service among those that live") {
  // Ten of twenty live.
  std::string text = "world made-20-20-1\n"
                     "set storm.nodes_max 1\n"
                     "set storm.percent_max 20\n";
  for (auto i = 11; i <= 20; ++i)
    text += "at 1m node node" + std::to_string(i) + " offline\n";
  shows(text
          + "at 10m crash node02\n"
            "at 10m crash node03\n"
            "at 10m crash node04\n"
            "run 20m\n",
        {"offline-nodes-count"}, {"S5"});
}

TEST_CASE("law S5 is broken by a daemon to which a failed power-off leaves its "
          "node wanted off") {
  shows("at 1m bmc node3 fail\n"
        "at 1m bmc node4 fail\n"
        "at 2m orderly power off node3 node4 --yes\n"
        "at 5m bmc node3 ok\n"
        "at 5m bmc node4 ok\n"
        "at 5m node node3 online\n"
        "at 5m node node4 online\n"
        "at 8m network node3 cut\n"
        "at 8m network node4 cut\n"
        "at 8m network node5 cut\n"
        "run 20m\n",
        {"failed-off-blinds-the-guard"}, {"S5"});
}

TEST_CASE("law S8 is broken by a daemon whose right to act counts from the "
          "answer") {
  // The last answer comes late, and from before the master moved.
  shows("at 1m luxi slow 18s\n"
        "at 121s master node2\n"
        "at 124s crash node4\n"
        "at 130s luxi down\n"
        "run 5m\n",
        {"lease-counts-from-arrival"}, {"S8"});
}

TEST_CASE("law S1 is broken by a daemon that switches a node on under a "
          "failover that relies on its being off") {
  // What ran there is started soon after its boot.
  shows("at 1m job-durations x40\n"
        "at 2m power node3 off\n"
        "at 5m orderly power on node3\n"
        "upon power-on node:node3 after 80s instance web3 start\n"
        "run 30m\n",
        {"raised-under-a-failover"}, {"S1"});
}

TEST_CASE("law S35 is broken by a daemon that fills a node which a person has "
          "ordered off") {
  // The order is accepted, and its first job takes its time.
  shows("at 1m job-durations x40\n"
        "at 3m10s orderly power off node4\n"
        "at 2m power node3 off\n"
        "run 30m\n",
        {"reserved-target-is-filled"}, {"S35"});
}

TEST_CASE("law S41 is broken by a daemon that goes on with repairs when they "
          "are switched off") {
  auto how = GENERATE("enabled false", "mode observe");
  shows(std::string{"at 2m power node3 off\n"
                    "at 2m2s set-live autorepair."}
          + how + "\nrun 8m\n",
        {"switch-is-not-heard"}, {"S41"});
}

TEST_CASE("laws S31 and S33 are broken by a daemon for which a silence is of "
          "the moment in which a slow witness speaks") {
  attacks("silence-of-before-a-slow-witness-resets-nobody",
          {"late-silence-is-of-now", "nothing-is-heard-while-it-pays"},
          {"S31"});
  attacks("silence-of-before-a-slow-witness-proves-nothing",
          {"late-silence-is-of-now"}, {"S33"});
}

TEST_CASE("laws S3 and S33 are broken by a daemon for which a word counts by a "
          "look from before its controller was asked") {
  attacks("word-about-an-unwatched-node-needs-a-last-look",
          {"word-counts-on-an-old-look"}, {"S3", "S33"});
}

TEST_CASE("law S31 is broken by a daemon that hears nobody while a permit is "
          "paid") {
  attacks("node-heard-while-a-permit-is-paid-is-not-fenced",
          {"nothing-is-heard-while-it-pays"}, {"S31"});
}

TEST_CASE("law S5 is broken by a daemon that judges a permit before its price "
          "is on disk only") {
  attacks("permit-overtaken-by-a-storm-is-not-given", {"paid-is-judged"},
          {"S5"});
}

TEST_CASE("law S19 is broken by a daemon that resets what an order is about to "
          "take away") {
  attacks("order-that-takes-a-node-off-holds-its-reset",
          {"reset-asks-no-order"}, {"S19"});
}

} // namespace orderly::mutants_moment_mutants_test
