// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Clusters of which one group can be emptied for certain: what it holds was
// cut to fill the rooms of the others to a part of them. The same seed gives
// the same cluster.

#pragma once

#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/samples.hpp"

namespace orderly::planning::samples {

struct planted {
  int groups = 3;   ///< beside the one that is to be emptied, which is the last
  int nodes = 10;   ///< with a room, in each of them
  int percent = 90; ///< of each room that the planted instances fill
};

/// Each of the other groups has one node more, with nothing on it: it has just
/// the room that its fullest node needs when it dies, so whoever fills it takes
/// the group's cover. Two to four instances of 5 to 15 GiB belong in each room.
inline cluster plant(std::uint64_t seed, const planted& f) {
  constexpr mib gib = 1024;
  constexpr mib whole = 262'144;
  dice d{seed};
  auto c = racks(f.groups + 1, f.nodes + 1);
  for (auto& n : c.nodes) {
    n.total_memory = whole;
    n.free_memory = whole;
  }
  std::vector<mib> leaving;
  for (int g = 0; g < f.groups; ++g) {
    mib most = 0;
    for (int k = 0; k < f.nodes; ++k) {
      mib sum = 0;
      for (auto left = 2 + d.roll(3); left > 0; --left) {
        leaving.push_back(5 * gib + 64 * d.roll(10 * 16 + 1));
        sum += leaving.back();
      }
      most = std::max(most, sum);
      // Something that stays leaves just the room, and one more MiB, since
      // nothing may be filled wholly.
      auto room = sum * 100 / f.percent + 1;
      add(c, g * (f.nodes + 1) + k, whole - room, disk_template::plain);
    }
    add(c, g * (f.nodes + 1) + f.nodes, whole - most - gib,
        disk_template::plain);
  }
  // They come in no order, on nodes that have room for all of them.
  for (auto k = leaving.size(); k > 1; --k)
    std::swap(leaving[k - 1], leaving[at(d.roll(static_cast<int>(k)))]);
  auto first = f.groups * (f.nodes + 1);
  for (std::size_t k = 0; k < leaving.size(); ++k)
    add(c, first + static_cast<int>(k) % (f.nodes + 1), leaving[k]);
  return c;
}

} // namespace orderly::planning::samples
