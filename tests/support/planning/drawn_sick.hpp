// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Drawn clusters of two or three small groups, filled to a part, in which a
// node is dead. The same seed gives the same cluster.

#pragma once

#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/samples.hpp"

namespace orderly::planning::samples {

inline cluster draw_sick(std::uint64_t seed, int percent, bool mirrors) {
  dice d{seed};
  auto c = racks(2 + d.roll(2), 3 + d.roll(2));
  auto per_group = static_cast<int>(c.nodes.size() / c.groups.size());
  for (int n = 0; n < static_cast<int>(c.nodes.size()); ++n)
    while (true) {
      auto size = 500 * (1 + d.roll(8));
      if (c.nodes[at(n)].free_memory - size < 100 * (100 - percent))
        break;
      auto base = n - n % per_group;
      auto other = base + (n - base + 1 + d.roll(per_group - 1)) % per_group;
      auto dies = n % per_group == 0;
      if (mirrors && d.chance(30))
        add(c, n, size, disk_template::drbd, other);
      else
        add(c, n, size,
            !dies && d.chance(15) ? disk_template::plain : disk_template::ext);
    }
  samples::lose(c, 0);
  if (d.chance(20))
    samples::lose(c, per_group);
  return c;
}

} // namespace orderly::planning::samples
