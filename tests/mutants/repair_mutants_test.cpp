// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about instances, jobs and tags: S1 S2 S9 S10 S11 S12 S14 S17 S23 S25 S31
// S33 S44.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_repair_mutants_test {

using namespace orderly::mutants;

TEST_CASE("laws S1, S2, S31 and S33 are broken by a daemon that fails over "
          "without proof that the old home is down") {
  // A person marks a node offline that lives, and runs its instances.
  shows("at 2m node node5 offline\n"
        "run 20m\n",
        {"homes-are-not-asked", "no-proof"}, {"S1", "S2", "S31", "S33"});
}

TEST_CASE("law S44 is broken by a daemon that starts whatever went down while "
          "its reinstallation waited") {
  shows("at 5s tag instance:tmp1 add ganeti:watcher:autorepair:reinstall\n"
        "at 1m job-durations x20\n"
        "at 2m power node5 off\n"
        "at 8m33s instance tmp1 down\n"
        "run 30m\n",
        {"starts-what-was-stopped"}, {"S44"});
}

TEST_CASE("law S9 is broken by a daemon that does not ask for permission") {
  shows("at 1m tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1m tag cluster add ganeti:watcher:autorepair:fix-storage\n"
        "at 2m power node3 off\n"
        "run 20m\n",
        {"all-is-permitted"}, {"S9"});
}

TEST_CASE("law S10 is broken by a daemon that repairs what is suspended") {
  shows("at 1m tag instance:web3 add ganeti:watcher:autorepair:suspend\n"
        "at 2m power node3 off\n"
        "run 20m\n",
        {"all-is-permitted"}, {"S10"});
}

TEST_CASE("law S12 is broken by a daemon that overtakes a repair which "
          "somebody has asked for") {
  shows("at 1m tag instance:web3 add ganeti:watcher:autorepair:suspend\n"
        "at 2m power node3 off\n"
        "at 10m tag instance:web3 add "
        "ganeti:watcher:autorepair:pending:failover:by-ann:1767226200:\n"
        "at 12m tag instance:web3 del ganeti:watcher:autorepair:suspend\n"
        "run 20m\n",
        {"queue-is-ignored"}, {"S12"});
}

TEST_CASE("law S23 is broken by a daemon that tidies up the mark of a failed "
          "repair") {
  shows("at 1m tag instance:web3 add "
        "ganeti:watcher:autorepair:result:failover:"
        "5b27f8a1-4c5b-4a36-9b6c-0d3a5c7d1e11:1767225000:failure:12\n"
        "run 10m\n",
        {"failures-are-tidied-up"}, {"S23"});
}

TEST_CASE("law S25 is broken by a daemon that takes a drained node for a dead "
          "one") {
  shows("at 1m tag instance:tmp1 add ganeti:watcher:autorepair:reinstall\n"
        "at 2m node node5 drained\n"
        "run 20m\n",
        {"homes-are-not-asked", "drained-is-dead"}, {"S25", "S31"});
}

TEST_CASE("law S11 is broken by a daemon whose table of reservations always "
          "has room") {
  // web3 is being moved onto node4, which takes long, when a person gives
  // node4 up.
  shows("at 1m job-durations x30\n"
        "at 2m power node3 off\n"
        "at 5m node node4 drained\n"
        "run 60m\n",
        {"always-fits"}, {"S11"});
}

TEST_CASE("law S10 is broken by a daemon that does not see the mark of a "
          "failed repair") {
  shows("at 1m tag instance:web3 add "
        "ganeti:watcher:autorepair:result:failover:"
        "5b27f8a1-4c5b-4a36-9b6c-0d3a5c7d1e11:1767225000:failure:12\n"
        "at 2m power node3 off\n"
        "run 20m\n",
        {"failed-is-forgotten"}, {"S10"});
}

TEST_CASE("law S14 is broken by a daemon that repairs on after its own "
          "failover failed") {
  shows("at 1m fail-next web3 error\n"
        "at 2m power node3 off\n"
        "run 30m\n",
        {"failed-is-forgotten"}, {"S14"});
}

TEST_CASE("law S17 is broken by a daemon that sends a job again "
          "without a look into the queue") {
  shows("at 1m mirror web3 faulty\n"
        "at 2m luxi drop-replies on\n"
        "at 10m luxi drop-replies off\n"
        "run 11m\n",
        {"sent-twice", "late-is-as-good"}, {"S17"});
}

TEST_CASE("laws S1, S2 and S31 are broken by a daemon that carries out a "
          "decision however late its commit is") {
  shows("at 2m power node3 off\n"
        "upon job-ended instance:web3 journal fail\n"
        "at 1h node node3 returned\n"
        "at 1h watcher on\n"
        "at 3h journal ok\n"
        "run 3h20m\n",
        {"homes-are-not-asked", "late-is-as-good"}, {"S1", "S2", "S31"});
}

TEST_CASE("law S1 is broken by a daemon that leaves a failover in the queue "
          "when the node is ordered on") {
  // It waits behind a move of a person's, who does not wait for it.
  shows("at 2m power node3 off\n"
        "at 2m5s job-durations x40\n"
        "at 2m6s migrate web4 node5\n"
        "at 5m orderly power on node3 --ignore-status\n"
        "at 6m30s instance web3 start\n"
        "run 1h30m\n",
        {"never-called-back"}, {"S1"});
}

TEST_CASE("law S14 is broken by a daemon that takes what it cannot find for "
          "what was never sent") {
  // The job failed, and went into the archive.
  shows("seed 7\n"
        "at 1m fail-next web3 error\n"
        "at 2m power node3 off\n"
        "upon job instance:web3 nth 2 luxi drop-replies on\n"
        "at 2m12s luxi drop-replies off\n"
        "at 2m27s archive all\n"
        "run 30m\n",
        {"absent-is-unsent"}, {"S14"});
}

TEST_CASE("law S25 is broken by a daemon that reinstalls over the living copy "
          "of a mirror") {
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2s tag cluster add ganeti:watcher:autorepair:reinstall\n"
        "at 3m power node3 off\n"
        "at 3m5s node node4 offline\n"
        "run 20m\n",
        {"homes-are-not-asked", "mirror-is-no-copy"}, {"S25", "S31"});
}

TEST_CASE("law S25 is broken by a daemon that takes what a person switched off "
          "for lost") {
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2s tag cluster add ganeti:watcher:autorepair:reinstall\n"
        "at 3m orderly power off node3 node4 --yes\n"
        "run 20m\n",
        {"off-by-order-is-lost"}, {"S25"});
}

TEST_CASE("law S12 is broken by a daemon that repairs two instances by one "
          "id") {
  const std::string ticket = "add ganeti:watcher:autorepair:"
                             "pending:failover:ticket-1:1767225723:\n";
  shows("at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 2m power node3 off\n"
        "at 5m tag instance:web3 "
          + ticket + "at 5m10s tag instance:db3 " + ticket + "run 20m\n",
        {"ids-are-of-all"}, {"S12"});
}

TEST_CASE("law S40 is broken by a repair that takes what is marked down for "
          "stopped") {
  shows("set autorepair.mirror_interval 1m\n"
        "at 1m instance web2 down\n"
        "at 2m storage node3 cut\n"
        "at 4m node node2 drained\n"
        "run 10m\n",
        {"down-is-taken-for-stopped", "stopped-moves-with-closed-disks"},
        {"S40"});
}

TEST_CASE("law S40 is broken by a repair that moves what is stopped with its "
          "disks closed") {
  shows("at 1m30s link node2 node3 cut\n"
        "at 4m40s instance web2 stop\n"
        "at 4m45s node node2 drained\n"
        "run 10m\n",
        {"stopped-moves-with-closed-disks"}, {"S40"});
}

TEST_CASE("law S1 is broken by a repair whose job moves what was started since "
          "as if it were stopped") {
  shows("at 1m instance web2 stop\n"
        "at 1m55s migrate db2 node5\n"
        "at 2m node node2 drained\n"
        "at 2m03500ms instance web2 start\n"
        "at 2m08300ms node node2 offline\n"
        "run 3m\n",
        {"any-deed-will-do"}, {"S1"});
}

TEST_CASE("law S1 is broken by a master that lets a former one's migration run "
          "off a node that is offline by now") {
  shows("at 1m second-daemon node4\n"
        "at 1m instance web2 stop\n"
        "at 1m54s job-durations x6\n"
        "at 1m55s migrate db2 node5\n"
        "at 1m56s job-durations x1\n"
        "at 2m node node2 drained\n"
        "at 2m06s daemon kill\n"
        "at 2m06s master node4\n"
        "at 2m30s instance web2 start\n"
        "at 2m50s node node2 offline\n"
        "run 8m\n",
        {"stray-migrations-run-on"}, {"S1"});
}

TEST_CASE("law S40 is broken by a repair that gives up the better copy") {
  shows("at 3m mirror web3 faulty\n"
        "at 3m05s power node3 off\n"
        "at 3m29s set-live autorepair.enabled false\n"
        "at 6m node node3 returned\n"
        "at 14m node node3 drained\n"
        "at 26m set-live autorepair.enabled true\n"
        "run 40m\n",
        {"better-copy-is-given-up"}, {"S40"});
}

} // namespace orderly::mutants_repair_mutants_test
