// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/wake.hpp"

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/squeeze/order_moves.hpp"
#include "actors/planning/squeeze/packing.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

bool has_figures(const node_spec& x) {
  return x.total_memory > 0;
}

double memory_of(const node_spec& x) {
  return x.total_memory - static_cast<double>(x.node_memory);
}

class waking {
public:
  waking(const cluster& c, const build_options& build,
         const spare_room& minimal, int group)
    : c_(c), build_(build), minimal_(minimal), group_(group) {
    for (auto n : nodes_to_switch_on(c))
      if (c.nodes[at(n)].group == group)
        standby_.push_back(n);
    // As few as possible: the largest first, and those of unknown size last.
    std::stable_sort(standby_.begin(), standby_.end(), [&c](int a, int b) {
      return memory_of(c.nodes[at(a)]) > memory_of(c.nodes[at(b)]);
    });
    guess_figures();
  }

  void run(group_squeeze& result) {
    auto without = attempt(0);
    auto best = without;
    auto all = standby_.size();
    if (without.lacks > 0 && all > 0) {
      auto with_all = attempt(all);
      // What even all do not give, fewer need not give.
      std::size_t failed = 0;
      if (with_all.lacks < without.lacks) {
        best = with_all;
        for (auto count = all; count - failed > 1;) {
          auto middle = failed + (count - failed) / 2;
          auto x = attempt(middle);
          if (x.lacks > with_all.lacks) {
            failed = middle;
            continue;
          }
          count = middle;
          best = std::move(x);
        }
      }
    }
    result.on.assign(standby_.begin(),
                     standby_.begin()
                       + static_cast<std::ptrdiff_t>(best.count));
    result.on_after = result.on_before + static_cast<int>(best.count);
    result.is_well = best.lacks == 0;
    result.is_guessed
      = std::any_of(result.on.begin(), result.on.end(),
                    [this](int n) { return !has_figures(c_.nodes[at(n)]); });
    // Nobody moves to a node of which only a guess says that there is room.
    if (!result.is_guessed)
      result.steps = std::move(best.steps);
  }

private:
  struct found {
    std::size_t count = 0;
    int lacks = 0;
    std::vector<step> steps; ///< in indices of the cluster
  };

  /// A node that nobody has figures of is taken for the smallest that is on.
  void guess_figures() {
    const node_spec* least = nullptr;
    for (const auto& x : c_.nodes)
      if (x.group == group_ && !x.offline
          && (!least || memory_of(x) < memory_of(*least)))
        least = &x;
    guessed_ = c_;
    for (auto n : standby_) {
      auto& x = guessed_.nodes[at(n)];
      if (!least || has_figures(x))
        continue;
      x.total_memory = least->total_memory;
      x.node_memory = least->node_memory;
      x.free_memory = static_cast<mib>(memory_of(*least));
      x.total_disk = least->total_disk;
      x.free_disk = static_cast<mib>(least->total_disk);
      x.total_cpus = least->total_cpus;
      x.node_cpus = least->node_cpus;
    }
  }

  /// With the first `count` of them on, and what moves can do.
  found attempt(std::size_t count) {
    auto c = guessed_;
    for (std::size_t k = 0; k < count; ++k)
      c.nodes[at(standby_[k])].offline = false;
    placement p{c, group_, build_};
    std::vector<bool> stays;
    for (const auto& f : p.facts)
      stays.push_back(f.online);
    auto tried = p;
    {
      trial t{tried};
      packing{tried, t, stays, minimal_, packing_order::roomy}.run(true);
      t.keep();
    }
    auto moves = order_moves(p, tried.places);
    for (const auto& s : moves.steps)
      make_move(p, s.what, try_move(p, s.what, false));
    return {count, lacking(p, minimal_), in_cluster(p, moves.steps)};
  }

  const cluster& c_;
  build_options build_;
  spare_room minimal_;
  int group_;
  std::vector<int> standby_;
  cluster guessed_;
};

} // namespace

int lacking(const placement& p, const spare_room& minimal) {
  int result = 0;
  shared_n1 n1{p};
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& s = p.states[at(n)];
    auto lacks
      = s.short_of_memory || !has_room(p, n, s, minimal) || !n1.covered(n);
    result += p.facts[at(n)].online && lacks ? 1 : 0;
  }
  for (int i = 0; i < p.instance_count(); ++i)
    if (can_go_anywhere(p, i) && !p.facts[at(p.places[at(i)].primary)].online)
      ++result;
  return result;
}

void wake_group(const cluster& c, const build_options& build,
                const spare_room& minimal, group_squeeze& result) {
  waking{c, build, minimal, result.group}.run(result);
}

} // namespace orderly::planning
