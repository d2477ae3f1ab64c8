// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about power, homes and guards: S1 S2 S3 S5 S6 S8 S17 S20.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

using namespace orderly::mutants;

TEST_CASE("laws S1 and S3 are broken by a daemon that takes an unknown power "
          "status for off") {
  // The node is only cut off: it has power and runs its instances.
  // Without a reset before, no command is sent that might take effect.
  shows("set host_ha.recovery_attempts_max 0\n"
        "at 1m bmc node5 hang\n"
        "at 2m network node5 cut\n"
        "at 2m storage node5 cut\n"
        "run 20m\n",
        {"unknown-is-off"}, {"S1", "S3"});
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

TEST_CASE("law S8 is broken by a daemon that takes the loss of its own link "
          "for the death of all others") {
  shows("at 2m uplink cut\n"
        "run 10m\n",
        {"activity-does-not-count", "no-storm-guard"}, {"S8"});
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
