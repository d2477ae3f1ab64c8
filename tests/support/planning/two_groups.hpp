// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Two drawn groups in one cluster, for tests of what looks at all groups.

#pragma once

#include "tests/support/planning/samples.hpp"

namespace orderly::planning::samples {

/// The second group's names begin with "b-".
inline cluster two_groups(std::uint64_t seed, int nodes, int instances) {
  auto c = draw(seed, nodes, instances, {});
  auto more = draw(seed + 1000, nodes, instances, {});
  c.groups.push_back({"b-g", "b-u", {}, {}, {}, {}});
  for (auto& n : more.nodes) {
    n.name = "b-" + n.name;
    n.group = 1;
    c.nodes.push_back(n);
  }
  for (auto& i : more.instances) {
    i.name = "b-" + i.name;
    i.primary += nodes;
    i.secondary += i.secondary < 0 ? 0 : nodes;
    c.instances.push_back(i);
  }
  return c;
}

} // namespace orderly::planning::samples
