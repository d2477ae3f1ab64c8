// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/load_sums.hpp"

#include "actors/planning/groups/group_healing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orderly::planning {

load_sums::load_sums(const cluster& c, const crossing_map& map,
                     const load_rules& rules)
  : c_(c), rules_(rules), groups_(c.groups.size()) {
  sums empty;
  empty.load.assign(groups_, 0);
  empty.capacity.assign(groups_, 0);
  empty.pinned.assign(groups_, 0);
  all_.assign(rules.measures.size(), empty);
  for (const auto& n : c.nodes)
    for (std::size_t m = 0; m < all_.size(); ++m)
      if (!n.offline)
        all_[m].capacity[at(n.group)]
          += rules.measures[m] == load_measure::memory
               ? n.total_memory
               : n.total_cpus * n.cpu_speed;
  for (int i = 0; i < static_cast<int>(c.instances.size()); ++i) {
    const auto& x = c.instances[at(i)];
    // Who is on a dead node loads nobody.
    if (map.home(i) < 0 || c.nodes[at(x.primary)].offline || x.forthcoming)
      continue;
    auto mirrored = x.disks == disk_template::drbd;
    auto moves = x.auto_balance && uses_memory(x) && can_move(x.disks)
                 && (rules.disk_moves || !mirrored) && map.may_leave(i);
    if (moves)
      movable_.push_back(i);
    for (std::size_t m = 0; m < all_.size(); ++m) {
      all_[m].load[at(map.home(i))] += load_of(i, m);
      all_[m].pinned[at(map.home(i))] += moves ? 0 : load_of(i, m);
    }
  }
  for (auto& s : all_) {
    double sum = 0;
    for (std::size_t g = 0; g < groups_; ++g)
      if (s.capacity[g] > 0) {
        sum += s.load[g];
        s.whole_capacity += s.capacity[g];
      }
    s.mean = s.whole_capacity > 0 ? sum / s.whole_capacity : 0;
    for (std::size_t g = 0; g < groups_; ++g)
      s.squares += square(s, static_cast<int>(g), s.load[g]);
  }
  join_groups(map);
}

double load_sums::load_of(int instance, std::size_t measure) const {
  const auto& x = c_.instances[at(instance)];
  if (rules_.measures[measure] == load_measure::cpu)
    return x.use[load_cpu];
  return uses_memory(x) ? static_cast<double>(x.memory) : 0;
}

bool load_sums::is_open(int group) const {
  return std::all_of(all_.begin(), all_.end(), [group](const sums& s) {
    return s.capacity[at(group)] > 0;
  });
}

double load_sums::square(const sums& s, int group, double held) {
  auto capacity = s.capacity[at(group)];
  if (capacity <= 0)
    return 0;
  auto off = held / capacity - s.mean;
  return capacity / s.whole_capacity * off * off;
}

double load_sums::heat(int group) const {
  auto result = 0.0;
  auto first = true;
  for (const auto& s : all_) {
    auto capacity = s.capacity[at(group)];
    auto off = capacity > 0 ? s.load[at(group)] / capacity - s.mean : 0;
    result = first ? off : std::max(result, off);
    first = false;
  }
  return result;
}

double load_sums::gain(int instance, int from, int to) const {
  auto result = 0.0;
  for (std::size_t m = 0; m < all_.size(); ++m) {
    const auto& s = all_[m];
    auto by = load_of(instance, m);
    auto here = s.load[at(from)];
    auto there = s.load[at(to)];
    auto then = s.squares - square(s, from, here) - square(s, to, there)
                + square(s, from, here - by) + square(s, to, there + by);
    result
      += std::sqrt(std::max(0.0, s.squares)) - std::sqrt(std::max(0.0, then));
  }
  return result;
}

double load_sums::cost(int instance) const {
  return crossing_cost(c_.instances[at(instance)]);
}

void load_sums::shift(int instance, int from, int to) {
  for (std::size_t m = 0; m < all_.size(); ++m) {
    auto& s = all_[m];
    for (auto g : {from, to})
      s.squares -= square(s, g, s.load[at(g)]);
    s.load[at(from)] -= load_of(instance, m);
    s.load[at(to)] += load_of(instance, m);
    for (auto g : {from, to})
      s.squares += square(s, g, s.load[at(g)]);
  }
}

/// Groups between which anything may cross, at once or by way of others.
void load_sums::join_groups(const crossing_map& map) {
  part_.resize(groups_);
  std::iota(part_.begin(), part_.end(), 0);
  for (auto i : movable_) {
    auto home = part_[at(map.home(i))];
    for (int g = 0; g < static_cast<int>(groups_); ++g) {
      auto other = part_[at(g)];
      if (other != home && map.may_enter(i, g))
        std::replace(part_.begin(), part_.end(), other, home);
    }
  }
}

/// What may cross is poured into the groups of each part, the emptiest first,
/// until all stand at one level or above it by what is pinned.
double load_sums::bound(const sums& s) const {
  auto squares = 0.0;
  for (int part = 0; part < static_cast<int>(groups_); ++part) {
    std::vector<std::pair<double, int>> floors; // use by what is pinned
    auto free = 0.0;
    for (int g = 0; g < static_cast<int>(groups_); ++g) {
      if (part_[at(g)] != part || s.capacity[at(g)] <= 0)
        continue;
      floors.emplace_back(s.pinned[at(g)] / s.capacity[at(g)], g);
      free += s.load[at(g)] - s.pinned[at(g)];
    }
    std::sort(floors.begin(), floors.end());
    auto pinned = 0.0;
    auto capacity = 0.0;
    auto level = 0.0;
    for (std::size_t k = 0; k < floors.size(); ++k) {
      pinned += s.pinned[at(floors[k].second)];
      capacity += s.capacity[at(floors[k].second)];
      level = (free + pinned) / capacity;
      if (k + 1 == floors.size() || level <= floors[k + 1].first)
        break;
    }
    for (const auto& [floor, g] : floors)
      squares += square(s, g, std::max(level, floor) * s.capacity[at(g)]);
  }
  return std::sqrt(squares);
}

std::vector<load_state> load_sums::states() const {
  std::vector<load_state> result;
  for (const auto& s : all_) {
    load_state x;
    x.mean = s.mean;
    x.score = std::sqrt(std::max(0.0, s.squares));
    x.bound = std::min(x.score, bound(s));
    for (std::size_t g = 0; g < groups_; ++g) {
      auto is_open = s.capacity[g] > 0;
      x.use.push_back(is_open ? s.load[g] / s.capacity[g] : -1);
      if (is_open && std::abs(x.use.back() - s.mean) > rules_.outlier)
        x.outliers.push_back(static_cast<int>(g));
    }
    result.push_back(std::move(x));
  }
  return result;
}

} // namespace orderly::planning
