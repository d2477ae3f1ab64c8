// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was true when it was gathered, and is used when it is old: S1 S14 S17
// S19 S25 L2, and where nobody but the story tells.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_stale_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S17 is broken by a daemon that gives an order again which has "
          "ended") {
  attacks("order-that-ended-is-not-commanded-again-after-a-restart",
          {"ended-order-begins-anew"}, {"S17"});
}

TEST_CASE("a daemon that takes the calendar for the time spends more than its "
          "budget") {
  tells("budget-outlives-a-calendar-set-ahead",
        "+8m35s node4 fencing: 4 of 4 activity checks", "old-dates-stay", true);
}

TEST_CASE("a daemon that forgets over restarts what it saw switches off what "
          "came back") {
  tells("power-off-that-was-seen-done-is-not-given-again",
        "that is not recorded", "worked-is-not-kept");
  tells("node-is-recorded-off-only-if-it-still-reads-so",
        "that is not recorded", "waiting-row-looks-at-nothing");
  tells("order-without-the-right-is-not-done-later",
        "the right to act came too late", "right-is-waited-for-anew");
}

TEST_CASE("a daemon that does after an order what it decided before resets what "
          "a person switched off") {
  tells("reset-decided-before-an-order-is-dropped",
        "it was decided before tester switched the node",
        "decided-before-is-done-after");
}

TEST_CASE(
  "a daemon in which an old order outdates a reading leaves a node on") {
  tells("epo-takes-what-was-read-on-since-the-order",
        "power record of node3 stays off, by tester (power-2)",
        "old-order-outdates-a-reading");
}

TEST_CASE("a daemon that gives no time to boot treats a node that came back") {
  tells("word-is-void-once-the-node-is-returned",
        "gets the time that a boot may take", "return-is-no-boot");
}

TEST_CASE("law S1 is broken by a daemon that moves what is stopped by a bare "
          "failover") {
  attacks("an-event-opens-the-disks-of-what-is-stopped",
          {"event-opens-no-disks"}, {"S1", "S2", "S33"});
  attacks("balancing-opens-the-disks-of-what-is-stopped",
          {"balancing-opens-no-disks"}, {"S1"});
}

TEST_CASE("law L2 is broken by a daemon that leaves a node to a late command") {
  attacks("a-late-command-keeps-no-failover-off-its-node",
          {"late-command-keeps-its-node"}, {"L2"});
}

TEST_CASE("law S14 is broken by a daemon that seeks jobs under the name of "
          "now") {
  attacks("a-failed-failover-is-known-under-a-former-name",
          {"former-names-are-forgotten"}, {"S14"});
}

TEST_CASE("a daemon that forgets a command over a restart does not tell of "
          "it") {
  tells("stop-after-a-restart-forgets-a-power-on",
        "whether it was done is not known", "restart-forgets-a-command");
}

TEST_CASE("a daemon in which a dead node is filled leaves down what it ran") {
  tells("job-that-fills-a-dead-node-holds-no-failover",
        "world instance db3 runs on node1", "dead-nodes-are-filled");
}

TEST_CASE("a daemon in which any tag tells of the failure leaves the ready tag "
          "where it is") {
  tells("failed-event-takes-its-ready-tag-back",
        "job 13: tag node2 with maintd:repairfailed",
        "any-tag-tells-of-failure");
}

TEST_CASE("a daemon that removes an untrue ready tag once leaves it over a "
          "restart") {
  tells("removal-of-a-ready-tag-outlives-a-restart",
        "success: remove from node2 maintd:repairready",
        "untrue-tags-are-left");
}

TEST_CASE("a daemon that gives an order however long the disk held it back "
          "cycles what is well") {
  tells("an-order-that-the-disk-held-back-does-not-leave",
        "world power node3 cycled", "the-disk-holds-no-order-up", true);
}

TEST_CASE("a daemon that forgets the word behind a reading leaves down what it "
          "was about") {
  tells("a-word-behind-a-reading-counts-over-a-restart",
        "world instance web3 runs on node4", "words-behind-readings-end");
}

TEST_CASE("a daemon that judges a failover by what it finds much later leaves "
          "the instance down") {
  tells("a-failover-of-before-the-restart-may-have-worked",
        "+24m20s world instance db2 runs on node4", "late-effects-are-judged");
}

TEST_CASE("a daemon that does not see what a called back reinstallation left "
          "blames it for a person's move") {
  tells("a-called-back-reinstallation-is-judged-by-the-next-reading",
        "its disks may be new and empty", "effects-are-not-seen", true);
}

TEST_CASE("a daemon that judges jobs by the permission takes a mirror for a "
          "reinstallation") {
  tells("what-a-job-did-is-no-matter-of-its-permission",
        "its disks may be new and empty", "permission-tells-of-disks", true);
}

TEST_CASE("a daemon that judges jobs by the permission leaves down what it "
          "called back itself") {
  tells("what-was-called-back-under-a-stronger-permission-is-no-failure",
        "instance db3 runs on node1", "permission-tells-the-act");
}

TEST_CASE("a daemon that takes what a dying home failed for a failure leaves "
          "the instance down") {
  tells("a-lost-migration-of-a-dying-home-fails-nothing",
        "instance web2 runs on node3", "failed-migration-denies-a-failover");
  tells("an-overdue-migration-of-a-dying-home-fails-nothing",
        "instance web2 runs on node3", "failed-migration-denies-a-failover");
}

TEST_CASE("law S34 is broken by a daemon for which a reset that worked counts "
          "over a restart") {
  attacks("a-reset-that-worked-counts-no-more-over-a-restart",
          {"a-reset-that-worked-counts"}, {"S34"});
}

TEST_CASE("a daemon that forgets the marks of an emergency power-off cannot "
          "take it back") {
  tells("an-epo-restarted-long-after-its-mark-keeps-its-hold",
        "instance db4 runs on node4", "old-marks-are-forgotten");
}

TEST_CASE("a daemon that supposes holds tells of some that are not there") {
  tells("an-epo-without-holds-does-not-say-that-it-holds",
        "Automation leaves node3, node4 alone", "holds-are-supposed", true);
}

TEST_CASE("a daemon that does not look whether a node was on names an undo "
          "that cuts it off") {
  tells("a-power-on-that-changed-nothing-names-no-undo",
        "orderly power off node3", "what-was-on-is-undone", true);
}

TEST_CASE("a daemon whose way back goes by the record leaves off what is off") {
  tells("epo-on-switches-on-what-the-record-has-in-service",
        "+20m31s world power node3 on", "epo-on-goes-by-the-record");
}

TEST_CASE("law L8 is broken by a daemon for which an answer counts for ever") {
  attacks("an-answer-of-before-its-power-on-is-no-return",
          {"answers-count-for-ever"}, {"L8"});
}

TEST_CASE("a daemon that takes an undrained node for one event's drains it by "
          "the next") {
  tells("an-evacuation-that-a-person-ended-ends-all-of-its-node",
        "+4m07s 62d1abff-debd-4a00-80dd-842f44d90718 job 6: drain node2",
        "given-up-means-one");
}

TEST_CASE("a daemon that remembers an offline mark that is gone cancels an "
          "evacuation at its end") {
  tells("an-offline-mark-that-was-set-back-to-drained-cancels-nothing",
        "evacuate of node2 is canceled", "old-offline-marks-count", true);
}

TEST_CASE("a daemon that believes a liar's off tells that an emergency "
          "power-off is done") {
  tells("an-epo-believes-no-liars-off", "power record of node5 on -> off",
        "liars-off-is-done", true);
}

TEST_CASE("a daemon that asks liars first leaves on what it could cut off") {
  tells("an-epo-tries-the-honest-level-behind-a-liar",
        "+20m09s world power node5 off", "liars-come-first");
}

TEST_CASE(
  "a daemon that believes one reading takes empty disks for full ones") {
  tells("a-torn-reading-forgets-no-empty-disks",
        "its disks may be new and empty", "one-reading-tells-of-disks");
}

TEST_CASE("a daemon for which marks go when it is noticed drops what was asked "
          "for since") {
  tells("what-is-asked-after-the-marks-went-begins",
        "job 8: tag node2 with maintd:repairready",
        "marks-go-when-it-is-noticed");
}

TEST_CASE(
  "a daemon that takes an emergency power-off for a person's hand drops "
  "what is asked for") {
  tells("the-way-back-of-an-epo-ends-one-event-only",
        "job 13: tag node2 with maintd:repairready",
        "an-epo-takes-marks-as-a-person");
}

TEST_CASE("a daemon that takes every order for a boot resets too late") {
  tells("order-that-was-not-commanded-holds-the-reset",
        "+5m02s world power node4 cycled", "failed-order-may-boot");
}

TEST_CASE("law S25 is broken by a daemon in which an old answer ends a "
          "wish") {
  attacks("an-answer-from-before-an-order-ends-no-wish",
          {"old-answer-ends-a-wish"}, {"S25"});
}

TEST_CASE("law S1 is broken by a daemon in which a word is about a name") {
  attacks("a-word-is-about-the-machine-it-was-given-of",
          {"word-is-about-a-name"}, {"S1"});
}

TEST_CASE("a daemon that does not heed a reload leaves a node untreated") {
  tells("power-control-by-a-reload-is-used", "node3 fenced: proved off",
        "reload-is-not-heeded");
}

TEST_CASE("a daemon that takes an old reading for a new one switches a node "
          "on that was off") {
  tells("epo-goes-by-no-reading-from-before-the-record", "world power node6 on",
        "on-is-for-ever", true);
}

TEST_CASE("a daemon that reads between removal and setting forgets a repair") {
  tells("restart-while-the-next-try-is-armed-goes-on", "db3 repaired",
        "tag-between-is-gone");
  tells("called-back-step-needs-its-permission-after-a-restart",
        "web3 repaired", "tag-between-is-gone", true);
}

TEST_CASE("a daemon that judges its ready tag once leaves a false one") {
  tells("ready-tag-of-a-node-taken-back-is-removed",
        "is not so: node2 is not marked offline", "ready-is-judged-once");
}

TEST_CASE("law S1 is broken by a daemon that removes the first token only") {
  attacks("token-of-a-repair-behind-is-removed-under-a-suspension",
          {"token-behind-stands"}, {"S1"});
}

TEST_CASE("law S19 is broken by a daemon for which an answer is of now") {
  attacks("answer-from-before-a-cycle-ends-no-boot", {"answer-is-of-now"},
          {"S19"});
}

TEST_CASE("a daemon that reads no power under a pause cuts off what boots") {
  auto fenced = [](const names& defects) {
    auto found
      = run_attack("held-fence-of-a-used-up-reset-sees-a-boot", defects);
    return found.story.find("ALERT Fenced node node3") != std::string::npos;
  };
  // One of the two is enough.
  CHECK_FALSE(fenced({}));
  CHECK_FALSE(fenced({"held-act-reads-no-power"}));
  CHECK(fenced({"held-act-reads-no-power", "silent-is-not-read"}));
}

TEST_CASE("a daemon that counts nodes which left sees no storm") {
  tells("storm-counts-no-node-that-left", "ALERT storm", "removed-node-counts");
}

TEST_CASE("a daemon that writes the end of a repair as it was found long ago "
          "leaves down what may be repaired") {
  tells("enoperm-is-judged-anew-before-it-leaves",
        "+5m51s web3 web3 is in order again", "end-is-not-judged-anew");
  tells("failure-is-judged-anew-after-a-restart",
        "+1h00m18s world instance db3 runs on node2", "end-is-not-judged-anew");
  tells("no-success-beside-a-failure-tag", "calls back the job, the tag web3",
        "end-is-not-judged-anew");
}

TEST_CASE("a daemon that takes what passes for a failed repair leaves an "
          "instance down") {
  tells("next-master-waits-for-room-too", "db3 runs on",
        "no-room-is-a-failure-elsewhere");
  tells("home-that-died-unnoticed-fails-no-repair", "db3 runs on node2",
        "failed-migration-denies-a-failover");
}

TEST_CASE("a daemon that forgets a waiting token job lets it run under a "
          "suspension") {
  tells("token-job-under-a-suspension-is-called-back-after-a-restart",
        "job 2 canceled", "token-job-is-forgotten");
}

TEST_CASE("a daemon that forgets an off resets what boots") {
  tells("off-unknown-on-is-a-boot", "power status on again",
        "silence-forgets-an-off");
  tells("lost-power-that-reads-on-later-is-a-boot", "power status on again",
        "off-is-of-another-incident");
  tells("boot-that-is-over-is-kept-by-no-switch",
        "+7m32s node3 suspect: health check failed",
        "boot-that-is-over-counts");
}

TEST_CASE("a daemon that goes on with the incident of before an absence "
          "counts what it saw then") {
  tells("suspect-over-a-restart-is-a-new-trouble",
        "restarted, and its trouble is looked for again",
        "suspect-keeps-its-incident");
}

TEST_CASE(
  "law S34 is broken by a daemon that keeps the incident of a boot that "
  "it has not seen") {
  attacks("boot-over-an-absence-is-of-another-trouble",
          {"recovered-keeps-its-incident"}, {"S34"});
}

TEST_CASE("law S2 is broken by a daemon that believes an off while a cycle may "
          "run on") {
  attacks("cycle-under-way-at-a-restart-keeps-failovers-back",
          {"cycle-is-over-at-a-restart"}, {"S2"});
}

TEST_CASE("a daemon whose orders are called like another's takes its jobs") {
  tells("job-of-another-daemons-order-is-not-taken", "db4@node2 job 1 success",
        "orders-are-called-alike", true);
}

TEST_CASE("a daemon that tells of a pause only who asks first holds a fence in "
          "silence") {
  tells("pause-after-the-permit-is-told",
        "+2m36s scheduler ALERT paused by tester",
        "pause-is-told-to-who-asks-first");
}

TEST_CASE("daemons that count alike draw the same token") {
  tells("two-masters-draw-different-tokens", "token:by-ann:257820731",
        "daemons-draw-alike");
}

TEST_CASE("a daemon that is restarted often and looks at no recovered node "
          "never fences it") {
  tells("recovered-over-a-short-restart-keeps-its-resets",
        "ALERT Fenced node node3", "recovered-sees-no-trouble");
}

TEST_CASE("a verdict that is overtaken by the record is told for ever") {
  tells("failure-of-a-cut-reinstall-is-written-once",
        "how it ends is judged anew", "cut-verdict-is-overtaken", true);
}

TEST_CASE("an event that tells only when all is on disk calls its own moves "
          "back") {
  tells("slow-journal-calls-no-move-of-its-own-back", "of node2 failed",
        "event-tells-at-the-end", true);
}

TEST_CASE("a daemon that takes every cancel for a person's fails an event") {
  tells("next-master-calls-moves-back-and-nothing-failed",
        "ALERT evacuate of node2 failed", "cancel-is-a-persons", true);
}

} // namespace orderly::mutants_stale_mutants_test
