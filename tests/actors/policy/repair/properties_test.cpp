// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair machine under random events in a random world: whatever
// comes in whatever order, the laws hold, and no repair is forgotten.

#include "tests/actors/policy/repair/storm.hpp"

namespace orderly::repair_properties_test {

using namespace orderly::autorepair;

TEST_CASE("200,000 random events break none of the laws of auto-repair, and "
          "when they are over no repair is left behind") {
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    lab::storm s{seed};
    for (int i = 0; i < 2000; ++i)
      s.turn();
    s.calm_down();
    CAPTURE(s.machine.why, s.machine.stage);
    CHECK(s.machine.phase == phase::healthy);
    CHECK(s.machine.stage == stage::idle);
    CHECK(s.record.primary != s.dead);
    CHECK(standing(s.machine, s.seen(), s.limits, s.now).settled);
    for (const auto& tag : s.record.tags)
      CHECK_FALSE(lab::is_pending(tag));
    for (const auto& [what, n] : s.counts)
      counts[what] += n;
  }
  // The storm must get somewhere, or it would prove nothing.
  CHECK(counts["instance-failover"] > 100);
  CHECK(counts["instance-migrate"] > 20);
  CHECK(counts["replace-disks"] > 100);
  CHECK(counts["recreate-disks"] > 10);
  CHECK(counts["note"] > 50);
  CHECK(counts["withdraw"] > 10);
  CHECK(counts["failure"] > 20);
  CHECK(counts["success"] > 50);
  CHECK(counts["enoperm"] > 20);
}

} // namespace orderly::repair_properties_test
