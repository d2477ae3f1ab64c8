// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/traffic.hpp"

#include "actors/planning/search/job_sets.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

class copies {
public:
  explicit copies(const cluster& c)
    : c_(c), in_(c.nodes.size()), out_(c.nodes.size()) {
    // nop
  }

  void add(const step& s) {
    const auto& x = c_.instances[at(s.what.instance)];
    auto memory = uses_memory(x) ? x.memory : 0;
    auto now = s.from;
    for (const auto& part : parts_of(s.what))
      switch (part.kind) {
      case move_part::what::migrate:
        copy(now.primary, now.secondary, memory);
        std::swap(now.primary, now.secondary);
        break;
      case move_part::what::migrate_to:
        copy(now.primary, part.node, memory);
        now.primary = part.node;
        break;
      case move_part::what::replace_disks:
        copy(now.primary, part.node, x.disk);
        now.secondary = part.node;
        break;
      }
  }

  traffic sum() const {
    traffic result;
    for (std::size_t n = 0; n < in_.size(); ++n) {
      result.copied += in_[n];
      result.busiest = std::max({result.busiest, in_[n], out_[n]});
    }
    return result;
  }

private:
  void copy(int from, int to, mib size) {
    if (from < 0 || to < 0 || is_dead(c_.nodes[at(from)]))
      return;
    out_[at(from)] += size;
    in_[at(to)] += size;
  }

  const cluster& c_;
  std::vector<mib> in_;
  std::vector<mib> out_;
};

} // namespace

traffic traffic_of(const cluster& c, const std::vector<step>& steps) {
  copies all{c};
  for (const auto& s : steps)
    all.add(s);
  return all.sum();
}

} // namespace orderly::planning
