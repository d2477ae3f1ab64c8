// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about what persons were told, what the calendar says and what is read
// right before an act: S1 S2 S5 S9 S12 S18 S25 S26 S31 S32 S36 S37 S38.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_told_mutants_test {

using namespace orderly::mutants;

namespace {

/// Does the story say so, with these defects?
bool says(const std::string& text, const std::string& words,
          const names& defects) {
  return run(quick + text, defects).story.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a daemon that tells of a faulty copy only where it acts leaves an "
          "instance down in silence") {
  tells("faulty-copy-is-told-while-nobody-acts",
        "web3 ALERT Instance web3 waits for a person",
        "observers-tell-no-copy");
}

TEST_CASE("law S36 is broken by a daemon that confirms a stop before it is on "
          "disk") {
  shows("at 1m job-durations x20\n"
        "at 2m orderly power off node3 --yes\n"
        "at 2m10s journal slow\n"
        "at 2m11s power node5 off\n"
        "at 132800ms orderly errand power-1 --stop\n"
        "at 133500ms daemon kill\n"
        "at 2m16s journal ok\n"
        "at 2m20s daemon start\n"
        "run 5m\n",
        {"stop-is-told-at-once"}, {"S36", "S37"});
}

TEST_CASE("law S37 is broken by a daemon whose commands do not ask their "
          "errand") {
  shows("levels node3 = cluster oob-pdu\n"
        "at 1m bmc node3@oob-pdu ok\n"
        "at 1m bmc node3 hang\n"
        "at 2m orderly power off node3 --yes\n"
        "at 2m30s orderly errand power-1 --stop\n"
        "run 6m\n",
        {"commands-ask-no-errand"}, {"S37"});
}

TEST_CASE("laws S9 S12 S18 S31 S39 are broken by a daemon that begins what it "
          "refused") {
  shows("world made-5-20-1\n"
        "seed 8\n"
        "at 53s journal fail\n"
        "at 8m28s noded node3 down\n"
        "at 625100ms suspend 430s\n"
        "at 10m28s orderly epo node2 node4 --yes\n"
        "at 13m12s journal ok\n"
        "run 18m\n",
        {"refused-is-begun"}, {"S9", "S12", "S18", "S31", "S39"});
}

TEST_CASE("laws S1 and S2 are broken by a daemon that judges a word anew after "
          "it was away") {
  shows("set host_ha.enabled false\n"
        "at 2m bmc node3 hang\n"
        "at 2m network node3 cut\n"
        "at 4m orderly confirm-off node3 --reason dark\n"
        "at 4m2s suspend 9m\n"
        "at 5m network node3 heal\n"
        "at 12m network node3 cut\n"
        "run 20m\n",
        {"word-is-judged-anew", "word-outlives-the-right"}, {"S1", "S2"});
}

TEST_CASE("the drill of a calendar that was set back over a reboot tells a "
          "daemon that goes on with an order of hours ago") {
  const auto text = "at 1m job-durations x20\n"
                    "at 2m orderly power off node3 --yes\n"
                    "at 2m3s machine reboot\n"
                    "at 3h clock step -5h\n"
                    "at 4h job-durations x1\n"
                    "at 4h daemon start\n"
                    "run 4h5m\n";
  CHECK_FALSE(says(text, "power node3 off\n", {}));
  CHECK(says(text, "power node3 off\n", {"later-calendar-is-young"}));
}

TEST_CASE("the drill of a node that was returned tells a daemon that marks it "
          "offline by an order from before") {
  const auto text = "set power.concurrency 1\n"
                    "at 1m node node3 offline\n"
                    "at 2m bmc node2 slow 40s\n"
                    "at 2m node node2 offline\n"
                    "at 3m orderly power off node2 node3 --yes\n"
                    "at 3m20s node node3 online\n"
                    "run 10m\n";
  CHECK_FALSE(says(text, "power node3 off\n", {}));
  CHECK(says(text, "power node3 off\n",
             {"returned-is-marked-again", "rows-wait-blindly"}));
}

TEST_CASE("a machine is not fenced by a daemon that takes names for machines") {
  const auto text = "at 1m add-node node6\n"
                    "at 2m orderly epo node6 --yes\n"
                    "at 10m remove-node node6\n"
                    "at 11m power node6 on\n"
                    "at 12m add-node node6\n"
                    "at 20m power node6 off\n"
                    "run 30m\n";
  CHECK(says(text, "Fenced node node6", {}));
  CHECK_FALSE(says(text, "Fenced node node6", {"names-are-machines"}));
}

TEST_CASE("what is asked for once is used up by a daemon that does not look at "
          "its home") {
  const auto text = "at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
                    "at 2m power node3 off\n"
                    "at 2m3s tag instance:web3 add ganeti:watcher:autorepair:"
                    "pending:failover:ticket-1:1767225723:\n"
                    "run 15m\n";
  CHECK(says(text, "instance web3 runs on node4", {}));
  CHECK_FALSE(
    says(text, "instance web3 runs on node4", {"homes-end-well-unseen"}));
}

TEST_CASE("a daemon that waits for no slower group fences in a storm") {
  // No law judges it: nobody has seen the others yet.
  const auto* text = "world two-groups\n"
                     "group group2 check_timeout = 20s\n"
                     "at 5m power node3 off\n"
                     "at 5m power node2 off\n"
                     "at 5m power node4 off\n"
                     "at 5m power node6 off\n"
                     "at 5m power node8 off\n"
                     "run 10m\n";
  CHECK_FALSE(says(text, "node3 fencing", {}));
  CHECK(says(text, "node3 fencing", {"storms-know-no-groups"}));
}

TEST_CASE("law S5 is broken by a daemon that acts before it has looked at each "
          "node") {
  shows("world made-6-30-1\n"
        "seed 2\n"
        "set host_ha.check_interval 10s\n"
        "set host_ha.check_timeout 10s\n"
        "set storm.settle 15s\n"
        "levels node2 = !\n"
        "at 18m10s crash node2\n"
        "at 28m power node3 off\n"
        "at 28m12s daemon kill\n"
        "at 29m55s crash node5\n"
        "at 30m4s daemon start\n"
        "run 50m\n",
        {"first-looks-are-not-waited-for"}, {"S5"});
}

TEST_CASE("law S25 is broken by a daemon that destroys copies by what it read "
          "before") {
  shows("world made-5-30-1\n"
        "seed 5001321\n"
        "set host_ha.check_interval 3s\n"
        "set host_ha.check_timeout 2s\n"
        "at 1s tag cluster del ganeti:watcher:autorepair:failover\n"
        "at 1s tag instance:inst28 add ganeti:watcher:autorepair:reinstall\n"
        "at 10m power node3 off\n"
        "at 10m12s power node3 on\n"
        "run 40m\n",
        {"copies-are-read-once"}, {"S25"});
}

TEST_CASE("laws S19 and S26 are broken by a daemon whose resets ask no hold") {
  shows(
    "world made-3-6-1\n"
    "seed 6108633\n"
    "set host_ha.check_interval 3s\n"
    "set host_ha.check_timeout 2s\n"
    "at 8m29s bmc node3 slow 30s\n"
    "at 8m29s crash node3\n"
    "at 9m46s orderly epo node3 --yes\n"
    "run 30m\n",
    {"reset-asks-no-hold", "reset-asks-no-order", "reset-asks-no-eligibility"},
    {"S19", "S26"});
}

TEST_CASE("laws S38 and S40 are broken by a daemon that fails over to a copy "
          "that it has "
          "read as faulty") {
  shows("at 20s mirror web3 faulty\n"
        "at 20s tag instance:web3 add ganeti:watcher:autorepair:suspend\n"
        "at 15m tag instance:web3 del ganeti:watcher:autorepair:suspend\n"
        "at 15m power node3 off\n"
        "run 30m\n",
        {"faulty-copy-is-good"}, {"S38", "S40"});
}

TEST_CASE("the drill of a mark that ended unheard tells a daemon that does not "
          "ask about it") {
  const auto text = "at 2m power node3 off\n"
                    "upon job-ended node:node3 daemon kill\n"
                    "at 2m20s node node3 returned\n"
                    "at 4m daemon start\n"
                    "run 10m\n";
  CHECK(says(text, "eligible again", {}));
  CHECK_FALSE(says(text, "eligible again", {"mark-is-not-asked-about"}));
}

TEST_CASE("law S1 is broken by a master that lets its forerunner's jobs run") {
  shows("at 10s second-daemon node2\n"
        "at 2m power node3 off\n"
        "upon job-ended instance:db3 job-durations x40\n"
        "at 3m daemon kill\n"
        "at 3m master node2\n"
        "at 3m5s power node3 on\n"
        "at 4m10s instance db3 start\n"
        "run 14m\n",
        {"strays-run-on"}, {"S1"});
}

TEST_CASE("law S1 is broken by a daemon that lets overdue jobs go on") {
  shows("set cluster.job_deadline 1m\n"
        "at 2m power node3 off\n"
        "upon job-ended instance:db3 job-durations x80\n"
        "at 3m20s power node3 on\n"
        "at 5m instance db3 start\n"
        "run 25m\n",
        {"overdue-runs-on", "strays-run-on"}, {"S1"});
}

TEST_CASE("laws S38 and S40 are broken by a daemon that sees no mirrors while "
          "auto-repair is off") {
  shows("at 6m set-live autorepair.enabled false\n"
        "at 8m mirror web3 faulty\n"
        "at 40m set-live autorepair.enabled true\n"
        "at 39m55s power node3 off\n"
        "run 45m\n",
        {"mirrors-unseen-while-off"}, {"S38", "S40"});
}

TEST_CASE("law S1 is broken by a daemon that judges nothing that it found") {
  shows("seed 2\n"
        "at 1m job-durations x20\n"
        "at 2m power node3 off\n"
        "upon job instance:web3 nth 2 luxi drop-replies on\n"
        "at 3m17s daemon kill\n"
        "at 3m18s luxi drop-replies off\n"
        "at 3m20s node node3 returned\n"
        "at 3m28s daemon start\n"
        "at 4m28s instance db3 start\n"
        "at 4m28s instance web3 start\n"
        "at 5m28s node node3 offline\n"
        "run 20m\n",
        {"found-is-not-judged"}, {"S1"});
}

TEST_CASE(
  "law S1 is broken by a daemon that gives grace to homes that answer") {
  shows("seed 5\n"
        "at 1m job-durations x20\n"
        "at 2m power node3 off\n"
        "at 3m28s daemon kill\n"
        "at 3m33s power node3 on\n"
        "at 4m38s instance web3 start\n"
        "at 4m40s daemon start\n"
        "run 8m\n",
        {"grace-in-spite-of-life"}, {"S1"});
}

TEST_CASE("law S36 is broken by a daemon that forgets a pause in its start") {
  shows("at 30s pause on\n"
        "at 40s pause off\n"
        "at 1m daemon kill\n"
        "at 1m journal slow\n"
        "at 1m1s daemon start\n"
        "at 1m5s pause on\n"
        "at 1m30s journal ok\n"
        "at 2m power node3 off\n"
        "run 5m\n",
        {"early-pauses-are-lost"}, {"S36"});
}

} // namespace orderly::mutants_told_mutants_test
