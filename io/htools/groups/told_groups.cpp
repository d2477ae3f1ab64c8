// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/told.hpp"

namespace orderly::io::htools {

using namespace planning;

told_groups tell_groups(const cluster& c, const build_options& build,
                        group_moves allowed,
                        const std::vector<int>& instances) {
  told_groups r{c,  allowed, report_groups(c, build), partitions_of(c), {},
                {}, {}};
  r.alone = lone_groups(c, r.partitions);
  crossing_map map{c, {group_moves::automatic, crossing_cause::asked}};
  auto count = static_cast<int>(c.groups.size());
  for (auto i : instances) {
    told_instance x;
    x.instance = i;
    for (int g = 0; g < count; ++g) {
      x.into.push_back(g == map.home(i) ? barrier::none : map.into(i, g));
      x.nodes.push_back(x.into.back() == barrier::none ? map.nodes_for(i, g)
                                                       : std::vector<int>{});
    }
    r.instances.push_back(std::move(x));
  }
  if (!instances.empty())
    return r;
  for (int from = 0; from < count; ++from)
    for (int to = 0; to < count; ++to)
      if (from != to)
        r.crossings.push_back({from, to, {}});
  for (int i = 0; i < static_cast<int>(c.instances.size()); ++i) {
    auto from = map.home(i);
    for (int to = 0; from >= 0 && to < count; ++to)
      if (to != from) {
        auto row = from * (count - 1) + to - (to > from ? 1 : 0);
        ++r.crossings[at(row)]
            .counts[static_cast<std::size_t>(map.into(i, to))];
      }
  }
  return r;
}

} // namespace orderly::io::htools
