// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/leaving.hpp"

#include "actors/planning/place/losses.hpp"

#include <limits>

namespace orderly::planning {

/// Its mirror can take over.
bool leaving::mirror_serves(int i) const {
  auto to = p_.places[at(i)].secondary;
  return to >= 0 && p_.facts[at(to)].online && !is_left(to) && !closed_[at(to)];
}

std::vector<int> leaving::targets(int i) const {
  auto old = p_.places[at(i)];
  std::vector<int> except{old.primary, old.secondary};
  for (int n = 0; n < p_.node_count(); ++n)
    if (left_[at(n)] || closed_[at(n)])
      except.push_back(n);
  return nodes_of_group(p_, p_.group_of(old.primary), except);
}

/// The moves of one step, to a place that takes N+1 from no node if there is
/// one; else from as few as can be.
std::variant<std::vector<move>, std::string> leaving::step(int i, leave what,
                                                           bool& costs_n1) {
  auto group = p_.group_of(p_.places[at(i)].primary);
  auto where = targets(i);
  if (what == leave::primary && p_.instances[at(i)].mirrored)
    return evacuate_one(p_, i, what, group, where, ignore_soft_);
  loss_count losses{p_};
  auto least = std::numeric_limits<int>::max();
  auto found = evacuate_one(p_, i, what, group, where, ignore_soft_,
                            [&](const outcome& x) {
                              auto lost = losses.after(i, x);
                              least = std::min(least, lost);
                              return lost == 0;
                            });
  if (!std::holds_alternative<std::string>(found)
      || least == std::numeric_limits<int>::max())
    return found;
  costs_n1 = true;
  return evacuate_one(
    p_, i, what, group, where, ignore_soft_,
    [&](const outcome& x) { return losses.after(i, x) <= least; });
}

/// False: it stays where it is now.
bool leaving::go(int i, leave what, left_behind& into) {
  auto found = step(i, what, into.costs_n1);
  if (auto* why = std::get_if<std::string>(&found)) {
    into.why = *why;
    return false;
  }
  const auto& made = std::get<std::vector<move>>(found);
  into.moves.insert(into.moves.end(), made.begin(), made.end());
  return true;
}

left_behind leaving::take_off(int i) {
  left_behind result;
  if (!leaves_home(i)) {
    go(i, leave::secondary, result);
  } else if (!p_.instances[at(i)].mirrored) {
    go(i, leave::primary, result);
  } else if (!mirror_serves(i)) {
    go(i, leave::all, result);
  } else if (go(i, leave::primary, result)) {
    go(i, leave::secondary, result); // its old home is its mirror by then
  }
  return result;
}

} // namespace orderly::planning
