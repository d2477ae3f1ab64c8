// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What host HA does to a node that may boot, or that nobody sees.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_boot_mutants_test {

using namespace orderly::mutants;

TEST_CASE("a daemon that does not ask how long nobody watched resets a node in "
          "its boot") {
  tells("node-that-boots-after-an-absence-is-not-reset",
        "it may have been switched on meanwhile", "absence-is-no-matter");
}

TEST_CASE("law S45 is broken by a daemon that knows no boot of whom it treated "
          "before an absence") {
  attacks("stuck-fence-resets-nobody-who-boots-after-an-absence",
          {"absence-is-no-boot-of-whom-we-treat"}, {"S45"});
  attacks("sent-reset-resets-nobody-who-boots-after-an-absence",
          {"absence-is-no-boot-of-whom-we-treat"}, {"S45"});
}

TEST_CASE("a daemon for which one that died in its first minute never lived "
          "resets a node in its boot") {
  attacks("absence-after-a-first-minute-is-one", {"first-minute-is-no-life"},
          {"S45"});
}

TEST_CASE("law S45 is broken by a daemon that reads the power before its last "
          "look alone") {
  attacks("boot-in-the-last-look-of-a-fence-is-seen", {"off-is-read-once"},
          {"S45"});
}

TEST_CASE("a daemon that goes by the off of a helper that it does not believe "
          "waits for a boot that nobody began") {
  tells("off-of-a-liar-before-a-fence-is-no-boot", "node3 recovered",
        "liars-off-makes-a-boot", true);
}

TEST_CASE("a daemon that gives one boot only cuts the one after a second loss "
          "of power") {
  tells("second-boot-after-mains-flap-has-its-time",
        "+9m00s node3 available: health check passed, 1811 answers",
        "only-one-boot");
}

TEST_CASE("a daemon that counts no boots waits for a controller that says now "
          "this and now that") {
  tells("flapping-controller-is-waited-for-three-times",
        "+5m30s world power node3 cycled", "boots-are-not-counted");
}

TEST_CASE(
  "a daemon whose disk held up a person's order for minutes cuts off what "
  "was mended meanwhile") {
  tells("order-that-the-disk-held-up-does-not-leave",
        "came to nothing: not commanded", "orders-of-persons-keep");
}

TEST_CASE("a daemon that asks again what nobody sees has a fence that never "
          "leaves") {
  tells("fence-that-nobody-sees-is-looked-at-anew",
        "node3 suspect: the fence is withdrawn", "unseen-acts-wait");
  tells("reset-that-nobody-sees-is-looked-at-anew", "node3 suspect: the reset",
        "unseen-acts-wait");
}

TEST_CASE("a daemon that believes a controller which is mute at each fence "
          "never fences") {
  tells("controller-that-is-mute-at-each-fence-is-no-ground",
        "+2m55s node5 recovering: reset 1 of 1 failed, nothing to reset",
        "mute-fences-go-on");
}

TEST_CASE("a daemon that stood by before, and takes that for an absence, lets "
          "a dead node wait") {
  tells("stand-by-since-its-restart-guesses-no-boot",
        "+1h04m40s world power node3 cycled", "standby-was-the-watch");
}

TEST_CASE("a daemon of which any life watched forgets an absence") {
  tells("second-restart-forgets-no-absence",
        "it may have been switched on meanwhile", "any-life-is-on-duty");
}

TEST_CASE("a daemon that reads no power while it waits cuts boots") {
  attacks("power-is-read-while-a-reset-is-held", {"silent-is-not-read"},
          {"S45"});
  tells("boot-between-two-tries-of-a-reset-is-seen", "power status on again",
        "silent-is-not-read");
  tells("power-is-read-in-the-wait-of-a-reset", "its power was found off",
        "silent-is-not-read");
  tells("off-by-hand-beside-a-stuck-fence-is-seen", "+15m54s node3 fenced",
        "silent-is-not-read");
}

TEST_CASE(
  "a daemon that acts on one reading cuts off who is at work, or boots") {
  tells("active-node-is-not-fenced-for-one-reading",
        "node3 fencing:", "the-active-are-read", true);
  tells("off-for-a-moment-after-a-reset-is-not-acted-on",
        "power-off:", "one-off-is-no-power", true);
}

TEST_CASE("a daemon that takes what it has not looked at for heard of resets "
          "in a boot") {
  tells("enabled-before-its-first-look-boots",
        "it may have been switched on meanwhile", "unlooked-is-heard");
}

TEST_CASE("a daemon that counts no time without readings resets in a boot") {
  tells("protected-again-may-have-been-off",
        "it may have been switched on meanwhile", "unprotected-is-no-time-off");
}

TEST_CASE("a daemon for which a boot of before an absence is this one resets "
          "in it") {
  attacks("boot-of-before-an-absence-is-not-the-one-after",
          {"boots-of-before-an-absence-count"}, {"S45"});
}

TEST_CASE("a daemon that does not know how long it slept resets in a boot") {
  tells("sleep-is-an-absence", "+20m59s node3 available",
        "sleep-is-no-absence");
}

TEST_CASE("a daemon that begins a trouble anew after an absence resets in a "
          "boot") {
  tells("suspect-before-an-absence-boots", "+20m59s node3 available",
        "suspects-begin-anew");
  tells("degraded-before-an-absence-boots", "+20m59s node3 available",
        "suspects-begin-anew");
}

TEST_CASE("a daemon that reads the power of a boot once sees no loss in it") {
  tells("power-lost-again-in-a-boot-is-seen", "+21m31s node3 suspect",
        "boot-is-read-once");
}

TEST_CASE("a daemon whose guess no answer ends waits for what hangs") {
  tells("answer-after-an-absence-ends-the-guess", "+20m43s node3 recovering",
        "guess-lasts");
}

TEST_CASE("a daemon that forgets its resets with a withdrawn fence resets "
          "without end") {
  tells("withdrawn-fence-keeps-its-resets", "+33m02s node3 fencing",
        "blind-acts-forget");
}

TEST_CASE("a daemon that forgives no mute fence never fences what reads off") {
  tells("mute-fences-are-forgiven", "node5 fenced: proved off",
        "mute-fences-are-kept");
}

} // namespace orderly::mutants_boot_mutants_test
