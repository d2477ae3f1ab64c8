// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/advise.hpp"

#include "actors/planning/whatif/added_nodes.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace orderly::planning {

namespace {

constexpr mib mib_of_gib = 1024;

/// The least number for which it holds, if it holds for all that are greater;
/// in any case one for which it holds while the one before it does not.
std::optional<std::int64_t>
least(std::int64_t most, const std::function<bool(std::int64_t)>& holds) {
  std::int64_t failed = 0;
  std::int64_t found = 1;
  while (!holds(found)) {
    if (found == most)
      return std::nullopt;
    failed = found;
    found = std::min(most, 2 * found);
  }
  while (found - failed > 1) {
    auto middle = failed + (found - failed) / 2;
    (holds(middle) ? found : failed) = middle;
  }
  return found;
}

using is_good = std::function<bool(const what_if_answer&)>;

/// Nothing that this group's own nodes could mend is left. Those that leave an
/// emptied group are the others' guests.
bool is_group_good(const what_if_answer& a, int group) {
  auto is_bad = [group](const group_state& g) {
    return g.group == group && !g.is_well();
  };
  auto waits_here = [&](const stuck_instance& s) {
    auto home = a.now.instances[at(s.instance)].primary;
    return s.kind == stuck_kind::no_room && !a.is_emptied[at(group)]
           && a.now.nodes[at(home)].group == group;
  };
  auto is_meant_for_it
    = [group](const unplaced_instances& u) { return u.what.group == group; };
  return std::none_of(a.after.begin(), a.after.end(), is_bad)
         && std::none_of(a.stuck.begin(), a.stuck.end(), waits_here)
         && std::none_of(a.unplaced.begin(), a.unplaced.end(), is_meant_for_it);
}

/// Is there less memory in the group than its instances and those that are
/// meant for it use? What is out of service does not count, nor what is there.
bool lacks_memory(const cluster& c, const std::vector<wanted_instances>& wanted,
                  int group) {
  double left = 0;
  auto counts = [&](int n) {
    return n >= 0 && c.nodes[at(n)].group == group && !c.nodes[at(n)].offline;
  };
  for (int n = 0; n < static_cast<int>(c.nodes.size()); ++n)
    if (counts(n))
      left += c.nodes[at(n)].total_memory
              - static_cast<double>(c.nodes[at(n)].node_memory);
  for (const auto& i : c.instances)
    if (counts(i.primary) && uses_memory(i))
      left -= static_cast<double>(i.memory);
  for (const auto& w : wanted)
    if (w.group == group)
      left -= static_cast<double>(w.size.memory) * static_cast<double>(w.count);
  return left <= 0;
}

/// A node of each size that the group has, the smallest first.
std::vector<int> kinds_of(const cluster& c, int group) {
  constexpr std::size_t most_kinds = 4;
  std::vector<int> result;
  auto key = [&c](int n) {
    const auto& x = c.nodes[at(n)];
    return std::tuple{x.total_memory, x.total_cpus, x.total_disk, x.pools};
  };
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (c.nodes[n].group == group && has_figures(c.nodes[n]))
      result.push_back(static_cast<int>(n));
  std::stable_sort(result.begin(), result.end(),
                   [&](int a, int b) { return key(a) < key(b); });
  result.erase(std::unique(result.begin(), result.end(),
                           [&](int a, int b) { return key(a) == key(b); }),
               result.end());
  // The largest help most.
  if (result.size() > most_kinds)
    result.erase(result.begin(), result.end() - most_kinds);
  return result;
}

/// Buys for one group after the other. What there is to buy is told apart by
/// its type; the ways of both are the same.
class adviser {
public:
  adviser(const cluster& c, const build_options& build) : c_(c), build_(build) {
    // nop
  }

  template <class Purchase>
  std::optional<std::vector<Purchase>> buy(change_set x, what_if_answer now) {
    std::vector<Purchase> result;
    auto begin = x;
    auto take = [&](const Purchase& found) {
      add(x, found);
      result.push_back(found);
      if (auto again = what_if(c_, x, build_))
        now = std::move(*again);
    };
    for (std::size_t g = 0; g < c_.groups.size(); ++g) {
      auto group = static_cast<int>(g);
      auto good
        = [group](const what_if_answer& a) { return is_group_good(a, group); };
      if (good(now))
        continue;
      std::optional<Purchase> found;
      find_least(x, group, good, found);
      if (!found)
        return std::nullopt;
      take(*found);
    }
    if (!has_room_for_all(now)) {
      auto best = best_anywhere<Purchase>(x, now);
      if (!best)
        return std::nullopt;
      take(*best);
    }
    if (result.size() > 1) {
      merge(result);
      trim(begin, result);
    }
    return result;
  }

private:
  /// What is bought twice of one kind is bought once.
  template <class Purchase>
  static void merge(std::vector<Purchase>& all) {
    for (auto i = all.begin(); i != all.end(); ++i)
      for (auto k = i + 1; k != all.end();)
        if (is_alike(*i, *k)) {
          amount(*i) += amount(*k);
          k = all.erase(k);
        } else {
          ++k;
        }
  }

  /// A later purchase may do what an earlier one was for: of each as little as
  /// is enough beside the others.
  template <class Purchase>
  void trim(const change_set& x, std::vector<Purchase>& all) const {
    for (std::size_t k = 0; k < all.size();) {
      auto unit = unit_of(all[k]);
      auto enough = [&](std::int64_t units) {
        auto less = all;
        amount(less[k]) = units * unit;
        return does(x, less);
      };
      auto units = amount(all[k]) / unit;
      if (!enough(units - 1)) {
        ++k;
        continue;
      }
      auto found = enough(0) ? 0 : *least(units - 1, enough);
      amount(all[k]) = found * unit;
      if (found == 0)
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
      k = 0; // the others may have become too much by it
    }
  }

  /// What is left may go to any group: the one where the least is enough, of
  /// equals the first.
  template <class Purchase>
  std::optional<Purchase> best_anywhere(const change_set& x,
                                        const what_if_answer& now) const {
    std::optional<Purchase> best;
    for (std::size_t g = 0; g < c_.groups.size(); ++g) {
      if (now.now.groups[g].allocation == alloc_policy::unallocable)
        continue;
      std::optional<Purchase> found;
      find_least(x, static_cast<int>(g), has_room_for_all, found);
      if (found && (!best || amount(*found) < amount(*best)))
        best = found;
    }
    return best;
  }

  static std::int64_t& amount(nodes_to_add& b) { return b.count; }

  static std::int64_t& amount(memory_to_add& b) { return b.each; }

  static std::int64_t unit_of(const nodes_to_add&) { return 1; }

  static std::int64_t unit_of(const memory_to_add&) { return mib_of_gib; }

  static bool is_alike(const nodes_to_add& a, const nodes_to_add& b) {
    return a.group == b.group && a.like == b.like;
  }

  static bool is_alike(const memory_to_add& a, const memory_to_add& b) {
    return a.group == b.group;
  }

  void add(change_set& to, const nodes_to_add& b) const {
    if (b.count > 0)
      to.added.push_back({b.count, c_.nodes[at(b.like)].name, 0, 0, 0, {}});
  }

  void add(change_set& to, const memory_to_add& b) const {
    if (b.each > 0)
      to.memory.push_back({{true, c_.groups[at(b.group)].name}, b.each});
  }

  /// A change that is refused does not do, and neither does one that leaves
  /// less memory than is wanted: that is seen without planning.
  template <class Purchase>
  bool does(change_set x, const Purchase& b, const is_good& good) const {
    add(x, b);
    auto changed = apply(c_, x);
    if (!changed || lacks_memory(changed->now, changed->wanted, b.group))
      return false;
    auto answer = what_if(c_, x, build_);
    return answer && good(*answer);
  }

  /// All of them together, and nothing else.
  template <class Purchase>
  bool does(change_set x, const std::vector<Purchase>& all) const {
    for (const auto& b : all)
      add(x, b);
    auto answer = what_if(c_, x, build_);
    return answer && has_room_for_all(*answer);
  }

  /// Of as many nodes the smaller ones.
  void find_least(const change_set& x, int group, const is_good& good,
                  std::optional<nodes_to_add>& best) const {
    for (auto like : kinds_of(c_, group)) {
      auto most = best ? best->count - 1 : most_nodes_tried;
      if (most == 0)
        return;
      auto found = least(most, [&](std::int64_t count) {
        return does(x, nodes_to_add{group, like, count}, good);
      });
      if (found)
        best = nodes_to_add{group, like, *found};
    }
  }

  void find_least(const change_set& x, int group, const is_good& good,
                  std::optional<memory_to_add>& best) const {
    auto found = least(most_gib_tried, [&](std::int64_t gib) {
      return does(x, memory_to_add{group, gib * mib_of_gib}, good);
    });
    if (found)
      best = memory_to_add{group, *found * mib_of_gib};
  }

  const cluster& c_;
  const build_options& build_;
};

} // namespace

advice advise(const cluster& c, const change_set& x,
              const what_if_answer& answer, const build_options& build) {
  advice result;
  result.is_needed = !has_room_for_all(answer);
  if (!result.is_needed)
    return result;
  adviser a{c, build};
  result.nodes = a.buy<nodes_to_add>(x, answer);
  result.memory = a.buy<memory_to_add>(x, answer);
  return result;
}

} // namespace orderly::planning
