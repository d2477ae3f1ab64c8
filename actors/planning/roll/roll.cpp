// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/roll.hpp"

#include <algorithm>

namespace orderly::planning {

void order_rounds(const cluster& c, std::vector<reboot_round>& rounds) {
  std::stable_sort(rounds.begin(), rounds.end(),
                   [](const reboot_round& a, const reboot_round& b) {
                     return a.nodes.size() > b.nodes.size();
                   });
  auto is_slave = [&c](int n) { return !c.nodes[at(n)].master; };
  for (auto& r : rounds)
    std::stable_partition(r.nodes.begin(), r.nodes.end(), is_slave);
  std::stable_partition(rounds.begin(), rounds.end(),
                        [&](const reboot_round& r) {
                          return r.nodes.empty() || is_slave(r.nodes.back());
                        });
}

bool has_mirror(const instance_spec& x) {
  return x.disks == disk_template::drbd && x.primary >= 0 && x.secondary >= 0;
}

bool goes_down(const instance_spec& x) {
  auto bound = x.disks == disk_template::plain || x.disks == disk_template::file
               || x.disks == disk_template::drbd;
  return bound && !has_mirror(x) && uses_memory(x);
}

bool is_swap(const instance_spec& x, place where) {
  return where.primary == x.secondary && where.secondary == x.primary;
}

} // namespace orderly::planning
