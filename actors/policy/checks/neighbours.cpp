// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/neighbours.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::checks {

std::vector<node_name> choose_neighbours(const neighbour& subject,
                                         std::vector<neighbour> all) {
  std::erase_if(all, [&](const neighbour& x) {
    return x.name == subject.name || x.group != subject.group
           || x.family != subject.family || !x.online || !x.heard
           || x.in_trouble || !x.able || x.looking >= questions_most;
  });
  std::sort(all.begin(), all.end(), [](const neighbour& a, const neighbour& b) {
    return std::tie(a.looking, a.name) < std::tie(b.looking, b.name);
  });
  std::vector<node_name> result;
  for (auto& x : all)
    result.push_back(std::move(x.name));
  return result;
}

} // namespace orderly::checks
