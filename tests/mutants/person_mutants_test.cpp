// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about persons and their power: S2 S3 S4 S18 S23 S26 S31. S19 and L6 are
// with the other laws about power.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_person_mutants_test {

using namespace orderly::mutants;

TEST_CASE(
  "laws S18 and S31 are broken by a daemon that goes on with what an older "
  "journal calls open") {
  // Its person was told at 32 minutes that it failed.
  shows("at 1m jobs lose 1000\n"
        "at 2m orderly power off node3 --yes\n"
        "at 3m journal backup\n"
        "at 35m node node3 offline\n"
        "at 40m jobs lose 0\n"
        "at 41m journal restore\n"
        "at 42m daemon kill\n"
        "at 43m daemon start\n"
        "run 50m\n",
        {"older-journal-is-believed"}, {"S18", "S31"});
}

TEST_CASE("law S3 is broken by a daemon that forgets whose word it took") {
  shows("at 1m bmc node3 fail\n"
        "at 2m power node3 off\n"
        "at 10m orderly confirm-off node3 --reason \"it is dark\"\n"
        "run 20m\n",
        {"nameless-word"}, {"S3"});
}

TEST_CASE(
  "laws S2 and S3 are broken by a daemon that takes a word after it was "
  "refused") {
  // The journal is away while the word is to be written down.
  shows("levels node3 = !\n"
        "at 2m network node3 cut\n"
        "at 5m orderly confirm-off node3 --reason \"it is dark\"\n"
        "at 5m500ms journal fail\n"
        "at 20m journal ok\n"
        "run 40m\n",
        {"word-outlives-its-no"}, {"S2", "S3"});
}

TEST_CASE("law S4 is broken by a daemon that wakes what it has fenced") {
  shows("at 2m power node3 off\n"
        "at 10m daemon kill\n"
        "at 11m daemon start\n"
        "run 20m\n",
        {"fenced-is-woken"}, {"S4"});
}

TEST_CASE("law S18 is broken by a daemon that switches off many nodes without "
          "asking how many") {
  shows("world made-9-9-1\n"
        "at 2m orderly power off node2 node3 node4 node5 node6 node7 --yes\n"
        "run 10m\n",
        {"uncounted"}, {"S18"});
}

TEST_CASE("law S18 is broken by a daemon that switches what nobody named") {
  shows("at 2m orderly power off node3 --yes\n"
        "run 10m\n",
        {"one-more-than-named"}, {"S18", "S31"});
}

TEST_CASE("law S26 is broken by a daemon whose auto-repair does not know of an "
          "emergency power-off") {
  shows("at 2m orderly epo node5 --yes\n"
        "run 20m\n",
        {"holds-are-ignored"}, {"S26"});
}

TEST_CASE("the drill of a stopped errand tells a daemon that leaves the mark "
          "in the queue") {
  const auto text = quick
                    + "at 1m job-durations x40\n"
                      "at 2m migrate web3 node4\n"
                      "at 2m5s orderly power off node3 --yes\n"
                      "at 2m10s orderly errand power-1 --stop\n"
                      "run 1h\n";
  auto marked = [&text](const names& defects) {
    auto story = run(text, defects).story;
    return story.find("success: set offline=yes on node3") != story.npos;
  };
  CHECK_FALSE(marked({}));
  CHECK(marked({"stop-leaves-the-mark"}));
}

TEST_CASE("the drill of a dead node that was put online tells a daemon that "
          "keeps silent about it") {
  const auto text = quick
                    + "at 2m power node3 off\n"
                      "at 20m node node3 online\n"
                      "run 1h\n";
  auto told = [&text](const names& defects) {
    auto story = run(text, defects).story;
    return story.find("is in service by the record, and fails") != story.npos;
  };
  CHECK(told({}));
  CHECK_FALSE(told({"dead-stays-fenced"}));
}

TEST_CASE("the drill of a node that was taken back tells a daemon that marks "
          "it offline again") {
  // They marked the node offline, said that it is off, and took it back.
  const auto text = quick
                    + "at 1m bmc node3 fail\n"
                      "at 2m power node3 off\n"
                      "at 2m1s node node3 offline\n"
                      "at 10m orderly confirm-off node3 --reason \"dark\"\n"
                      "at 1820s node node3 returned\n"
                      "run 1h\n";
  auto marked = [&text](const names& defects) {
    auto story = run(text, defects).story;
    return story.find("success: mark node3 offline") != story.npos;
  };
  CHECK_FALSE(marked({}));
  CHECK(marked({"mark-is-set-again"}));
}

TEST_CASE(
  "a daemon that goes on with orders of before an absence cuts off what "
  "people did by hand meanwhile") {
  for (const auto* drill : {"epo-on-of-before-an-absence-takes-no-mark-back",
                            "order-of-before-an-absence-cuts-nothing-off",
                            "epo-of-before-an-absence-cuts-nothing-off",
                            "power-on-of-before-an-absence-is-not-given"})
    tells(drill, "nobody watched for", "errands-outlive-an-absence");
}

TEST_CASE("a daemon that is not told of known jobs tells as failed what is "
          "done") {
  tells("modify-over-a-restart-waits-for-its-job", "Modified node node3",
        "known-jobs-are-not-told");
  tells("epo-over-a-restart-waits-for-its-jobs", "4 instances: 4 done",
        "known-jobs-are-not-told");
}

TEST_CASE("a daemon whose orders wait blindly cuts off who came back") {
  for (const auto* drill : {"row-that-waits-sees-its-node-come-back",
                            "epo-row-that-waits-sees-its-node-come-back"})
    tells(drill, "back again meanwhile; if it is still wanted",
          "rows-wait-blindly");
  tells("power-on-that-waits-sees-its-node-go-again", "out again meanwhile",
        "rows-wait-blindly");
}

TEST_CASE("a daemon that records what it read before a restart records what is "
          "not so") {
  tells("power-on-is-read-again-before-its-record", "that is not recorded",
        "record-rests-on-an-old-reading");
}

TEST_CASE("a daemon that forgets a drain has what was to stay empty filled") {
  tells("undo-of-a-power-off-drains-again",
        "node3 was marked offline: gnt-node modify --drained=yes node3",
        "undo-forgets-the-drain");
}

TEST_CASE("law S23 is broken by a daemon to which minus one is a time") {
  attacks("suspension-until-minus-one-holds", {"minus-one-is-over"}, {"S23"});
}

} // namespace orderly::mutants_person_mutants_test
