// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is told, and what is known of jobs and copies when nobody answers: S1
// S14 S18 S23 S31 S33 S36 S38 L2.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_heard_mutants_test {

using namespace orderly::mutants;

TEST_CASE(
  "law S18 is broken by a daemon that tells the end of an errand before "
  "it is on disk") {
  shows("seed 5\n"
        "at 109s job-durations x20\n"
        "at 110s migrate web2 node3\n"
        "at 115s job-durations x1\n"
        "at 2m orderly epo node3 --yes\n"
        "at 150s journal slow\n"
        "at 150500ms network node5 cut\n"
        "at 151900ms orderly errand power-1 --stop\n"
        "at 152300ms daemon kill\n"
        "at 160s journal ok\n"
        "at 160s network node5 heal\n"
        "at 161s daemon start\n"
        "run 20m\n",
        {"end-is-told-from-memory"}, {"S18", "S31"});
}

TEST_CASE("law S1 is broken by a daemon that tells nobody that a failover goes "
          "on") {
  shows("seed 1\n"
        "at 120358ms power node3 off\n"
        "upon job-ended instance:web3 job-durations x40\n"
        "at 3m5s power node3 on\n"
        "at 253s instance web3 start\n"
        "run 30m\n",
        {"unstopped-is-not-told"}, {"S1"});
}

TEST_CASE(
  "law S19 is broken by a daemon that fences what a person has cycled") {
  shows("at 1m bmc node3 fail\n"
        "at 2m crash node3\n"
        "at 5m bmc node3 ok\n"
        "at 5m1s orderly power cycle node3 --yes\n"
        "run 15m\n",
        {"order-ends-no-treatment", "look-asks-no-boot"}, {"S19"});
}

TEST_CASE("law S14 is broken by a daemon that counts tries by settings of "
          "yesterday") {
  shows("upon job-submitted instance:web3 nth 2 jobs fail 1000\n"
        "at 1m mirror web3 faulty\n"
        "at 6m50s jobs fail 0\n"
        "at 7m set-live autorepair.tries_max 1\n"
        "run 30m\n",
        {"tries-of-old-settings"}, {"S14"});
}

TEST_CASE(
  "law L2 is broken by a daemon that waits for a job and tells nobody") {
  shows("at 30s fail-next web1 lost\n"
        "at 40s migrate web1 node2\n"
        "at 50s tag instance:web3 add "
        "ganeti:watcher:autorepair:pending:failover:abc:1767225600:1\n"
        "at 2m power node3 off\n"
        "run 3h\n",
        {"awaited-is-not-told"}, {"L2"});
}

TEST_CASE("laws S38 and S40 are broken by a daemon that hears of no mirror "
          "because one is "
          "silent") {
  shows("set host_ha.daemon_port 0\n"
        "at 1m noded node5 down\n"
        "at 2m mirror web2 faulty\n"
        "at 40m power node2 off\n"
        "run 60m\n",
        {"one-silences-all"}, {"S38", "S40"});
}

TEST_CASE("law S33 is broken by a daemon that tells a word before it has "
          "looked") {
  shows("at 1m bmc node3 fail\n"
        "at 2m network node3 cut\n"
        "at 20m orderly confirm-off node3 --reason dark\n"
        "at 2380000ms daemon kill\n"
        "at 40m network node3 heal\n"
        "at 2882989ms daemon start\n"
        "run 1h\n",
        {"word-is-told-unlooked"}, {"S33"});
}

TEST_CASE("law S11 is broken by a daemon that lets whoever asks first go "
          "first after a start") {
  const std::string text
    = "world made-5-20-1\n"
      "seed 9\n"
      "set host_ha.check_interval 3s\n"
      "set host_ha.check_timeout 2s\n"
      "set host_ha.activity_timeout 1s\n"
      "set host_ha.activity_checks 4\n"
      "set host_ha.activity_interval_base 4s\n"
      "set host_ha.activity_interval_max 9s\n"
      "set storm.settle 6s\n"
      "set balance.enabled true\n"
      "set balance.interval 5m\n"
      "set balance.threshold 0.01\n"
      "at 1069303ms jobs lose 100\n"
      "at 1751810ms power node4 off\n"
      "at 31m38s daemon kill\n"
      "at 3311064ms node node1 vm-incapable\n"
      "at 56m7s daemon start\n"
      "run 70m\n";
  auto sound = run(text, {});
  INFO(sound.story);
  CHECK(sound.laws == names{});
  auto broken = run(text, {"asked-first-goes-first"});
  INFO(broken.story);
  CHECK(broken.laws == names{"S11"});
}

TEST_CASE("law S34 is broken by a daemon that goes on treating a node that has "
          "answered for an hour") {
  shows("at 2m network node3 cut\n"
        "upon recovering node:node3 bmc node3 fail\n"
        "at 4m master node2\n"
        "at 5m network node3 heal\n"
        "at 5m bmc node3 ok\n"
        "at 60m master node1\n"
        "at 60m network node3 cut\n"
        "at 65m network node3 heal\n"
        "run 70m\n",
        {"life-ends-no-treatment", "fence-outlives-its-term"}, {"S34"});
}

TEST_CASE("law S1 is broken by a daemon whose own link is cut and that takes "
          "all for silent") {
  shows("set host_ha.check_interval 2m\n"
        "at 0s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 36078ms power node3 off\n"
        "at 1m bmc node3 fail\n"
        "at 1602200ms orderly confirm-off node3 --reason \"it is dark\"\n"
        "at 3600094ms power node3 on\n"
        "at 3685025ms uplink cut\n"
        "at 61m30s instance web3 start\n"
        "at 3695025ms tag cluster add ganeti:watcher:autorepair:failover\n"
        "run 70m\n",
        {"silence-of-all-counts"}, {"S1"});
}

TEST_CASE("law S23 is broken by a daemon that takes what it holds back for "
          "never sent") {
  shows("seed 1\n"
        "at 2m power node3 off\n"
        "at 132500ms job-durations x12\n"
        "at 132500ms luxi drop-replies on\n"
        "upon job instance:web3 nth 2 after 200ms daemon kill\n"
        "at 135s luxi drop-replies off\n"
        "at 136s daemon start\n"
        "at 136900ms journal slow\n"
        "at 154s tag instance:web3 add ganeti:watcher:autorepair:suspend\n"
        "at 155s job-durations x1\n"
        "at 170s journal ok\n"
        "at 4m node node3 returned\n"
        "at 6m tag instance:web3 del ganeti:watcher:autorepair:suspend\n"
        "run 20m\n",
        {"held-back-was-never-sent"}, {"S23"});
}

TEST_CASE("law S31 is broken by a daemon that switches off what a person has "
          "marked offline") {
  shows("seed 5\n"
        "at 2m crash node3\n"
        "at 2m bmc node3 fail\n"
        "at 12m node node3 offline\n"
        "at 28m10s bmc node3 ok\n"
        "run 45m\n",
        {"fence-asks-no-mark"}, {"S31"});
}

TEST_CASE("law S38 is broken by a daemon for which a copy that was left behind "
          "twice was left behind once") {
  shows("seed 5\n"
        "at 2m node node3 offline\n"
        "at 124s node node3 online\n"
        "at 3m room node1 full\n"
        "at 3m room node4 full\n"
        "at 3m room node5 full\n"
        "at 7m node node3 offline\n"
        "at 7m1s power node3 off\n"
        "at 29m power node2 off\n"
        "at 29m30s power node3 on\n"
        "at 32m node node3 online\n"
        "run 45m\n",
        {"behind-is-behind-once", "well-is-no-news"}, {"S38"});
}

TEST_CASE("law S38 is broken by a daemon for which a copy stays good while its "
          "node is silent") {
  shows("seed 5\n"
        "at 1m pause on\n"
        "at 2m network node3 cut\n"
        "at 2m link node2 node3 cut\n"
        "at 8m power node2 off\n"
        "at 12m network node3 heal\n"
        "at 14m pause off\n"
        "run 30m\n",
        {"silence-leaves-a-copy"}, {"S38"});
}

} // namespace orderly::mutants_heard_mutants_test
