// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who boots, so that it could be seen, does so in peace: S45.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_boots_test {

using namespace orderly::sim;

namespace {

/// Resets it now.
bool breaks(hand_played& x, power_verb verb = power_verb::cycle) {
  x.phase("node5", verb == power_verb::off ? "fencing" : "recovering");
  x.broken();
  x.command("node5", verb);
  return x.broken().count("S45") == 1;
}

/// Loses its power, is read off, and is switched on by hand later.
void flap(hand_played& x) {
  x.fault("power node5 off");
  x.wait(minutes{2});
  x.power("node5", power_verb::status);
  x.wait(seconds{30});
  x.fault("power node5 on");
}

} // namespace

TEST_CASE("S45: no reset or fence meets a boot after the node was read off") {
  hand_played x;
  x.wait(minutes{1});
  x.phase("node5", "suspect");
  flap(x);
  SECTION("reset") {
    x.wait(seconds{30});
    CHECK(breaks(x));
  }
  SECTION("fenced") {
    x.wait(seconds{30});
    CHECK(breaks(x, power_verb::off));
  }
  SECTION("on so shortly that no look can have seen it") {
    x.wait(seconds{5});
    CHECK_FALSE(breaks(x));
  }
  SECTION("it had the time that it takes, and answers nothing") {
    x.fault("network node5 cut");
    x.wait(minutes{2});
    CHECK_FALSE(breaks(x));
  }
  SECTION("it crashed again") {
    x.fault("crash node5");
    x.wait(seconds{30});
    CHECK_FALSE(breaks(x));
  }
  SECTION("it comes and goes") {
    for (auto i = 0; i < 3; ++i) {
      x.wait(seconds{10});
      x.power("node5", power_verb::status);
      flap(x);
    }
    x.wait(seconds{30});
    CHECK_FALSE(breaks(x));
  }
}

TEST_CASE("S45: what nobody read off may have been on all the while") {
  hand_played x;
  x.wait(minutes{1});
  x.phase("node5", "suspect");
  x.fault("power node5 off");
  x.wait(minutes{2});
  SECTION("not at all") {
  }
  SECTION("before its trouble") {
    x.power("node5", power_verb::status);
    x.wait(seconds{30});
    x.phases("node5", {"available", "suspect"});
  }
  x.fault("power node5 on");
  x.wait(seconds{30});
  CHECK_FALSE(breaks(x));
}

TEST_CASE("S45: the power of what is in trouble is read often enough") {
  hand_played x;
  x.wait(minutes{1});
  x.phase("node5", "suspect");
  x.wait(seconds{10});
  auto seen = true;
  SECTION("its controller is well") {
  }
  SECTION("its controller has failed and is mended") {
    x.fault("bmc node5 hang");
    seen = false;
  }
  SECTION("it was watched anew since") {
    x.phases("node5", {"checking", "degraded", "suspect"});
  }
  x.fault("power node5 off");
  x.wait(minutes{3});
  if (!seen)
    x.fault("bmc node5 ok");
  x.fault("power node5 on");
  x.wait(seconds{30});
  CHECK(breaks(x) == seen);
}

TEST_CASE("S45: no reset meets a boot that began while nobody was there") {
  hand_played x;
  x.wait(minutes{1});
  auto treated = false;
  auto away = millis{minutes{10}};
  SECTION("for long") {
  }
  SECTION("for a moment") {
    away = seconds{80};
  }
  SECTION("and that was in trouble before") {
    treated = true;
    x.phase("node5", "suspect");
  }
  x.fault("power node5 off");
  x.lab.daemon_ended = x.t;
  x.wait(away - seconds{20});
  x.fault("power node5 on");
  x.wait(seconds{20});
  x.lab.daemon_since = x.t;
  x.wait(seconds{5});
  if (!treated)
    x.phase("node5", "suspect");
  x.wait(seconds{15});
  CHECK(breaks(x) == (!treated && away > minutes{2}));
}

} // namespace orderly::laws_boots_test
