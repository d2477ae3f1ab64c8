// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/extra.hpp"

#include <algorithm>

namespace orderly::sim {

const std::vector<extra_story>& extra_stories() {
  static const std::vector<extra_story> all = {
    {"persons", 3, draw_persons},
    {"world", 2, draw_world},
    {"reboot", 4, draw_reboot},
  };
  return all;
}

std::vector<later_event> draw_extra(std::uint64_t seed, const world_plan& plan,
                                    millis faults_for) {
  std::vector<later_event> result;
  for (const auto& x : extra_stories()) {
    auto d = dice_for(seed, x.name);
    if (d.below(x.one_in) != 0)
      continue;
    for (auto& [at, what] : x.draw(d, plan, faults_for))
      result.emplace_back(std::min(at, faults_for), std::move(what));
  }
  return result;
}

} // namespace orderly::sim
