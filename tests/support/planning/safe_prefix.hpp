// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is a plan safe to stop after any of its steps? Asked of the cluster's own
// figures by the plain rules: nothing is shared with what plans.

#pragma once

#include "actors/planning/search/exact.hpp"
#include "tests/support/planning/plain_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::planning {

/// Each step begins where the instance is and ends on nodes in service of one
/// group that have room; no node of a group beside `loosed` loses N+1 or cover.
/// What the cluster is after all of them.
inline cluster check_prefixes(const cluster& c, const std::vector<step>& steps,
                              const std::vector<bool>& loosed) {
  plain_rules rules{c};
  std::vector<bool> had_n1;
  std::vector<bool> had_cover;
  for (int n = 0; n < rules.count(); ++n) {
    had_n1.push_back(rules.has_n1(n));
    had_cover.push_back(rules.is_covered(n));
  }
  for (const auto& s : steps) {
    auto& x = rules.now().instances[at(s.what.instance)];
    CHECK(s.from == place{x.primary, x.secondary});
    x.primary = s.to.primary;
    x.secondary = s.to.secondary;
    CHECK(rules.is_on(x.primary));
    CHECK(rules.free_memory(x.primary) > 0);
    CHECK(rules.free_cpus(x.primary) >= 0);
    if (x.secondary >= 0) {
      // Whoever fails over leaves its mirror where it was, if that is dead.
      CHECK((rules.is_on(x.secondary) || x.secondary == s.from.primary));
      CHECK(rules.group_of(x.primary) == rules.group_of(x.secondary));
    }
    // What the step did not reach is as it was.
    auto group = rules.group_of(x.primary);
    for (int n = 0; n < rules.count(); ++n) {
      if (rules.group_of(n) != group || !rules.is_on(n) || loosed[at(group)])
        continue;
      if (had_n1[at(n)])
        CHECK(rules.has_n1(n));
      if (had_cover[at(n)])
        CHECK(rules.is_covered(n));
    }
  }
  return rules.now();
}

} // namespace orderly::planning
