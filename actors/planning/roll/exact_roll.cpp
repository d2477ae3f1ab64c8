// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/exact_roll.hpp"

#include "actors/planning/roll/reference_nodes.hpp"

#include <algorithm>
#include <functional>

namespace orderly::planning {

namespace {

/// Some nodes that leave together, and what is where then.
struct emptied {
  std::vector<int> nodes;
  reference_nodes after;
};

/// Empties a node into others; false: it cannot be, and all is undefined.
using clearing = std::function<bool(reference_nodes&, int node,
                                    const std::vector<int>& targets)>;

fault refused(const char* why) {
  return {fault_kind::refused, why};
}

bool clear_primaries(reference_nodes& now, int node,
                     const std::vector<int>& targets) {
  auto leaving = now.primaries(node);
  for (auto i : leaving) {
    if (now.has_mirror(i))
      continue;
    if (std::none_of(targets.begin(), targets.end(),
                     [&](int to) { return now.move_primary(i, to); }))
      return false;
  }
  return true;
}

bool clear_secondaries(reference_nodes& now, int node,
                       const std::vector<int>& targets) {
  auto leaving = now.secondaries(node);
  return std::all_of(leaving.begin(), leaving.end(), [&](int i) {
    return std::any_of(targets.begin(), targets.end(),
                       [&](int to) { return now.move_secondary(i, to); });
  });
}

/// The first nodes that can be emptied together, each if it still can.
emptied empty_greedily(const std::vector<int>& nodes, std::vector<int> targets,
                       const reference_nodes& start, const clearing& clear) {
  emptied result{{}, start};
  for (auto n : nodes) {
    std::vector<int> near;
    for (auto t : targets)
      if (t != n && result.after.group(t) == result.after.group(n))
        near.push_back(t);
    auto tried = result.after;
    if (!clear(tried, n, near))
      continue;
    result.after = std::move(tried);
    result.nodes.push_back(n);
    targets.erase(std::remove(targets.begin(), targets.end(), n),
                  targets.end());
  }
  return result;
}

/// Divides nodes into such parts, each from the same start; false if some
/// cannot be emptied at all.
bool divide(std::vector<int> nodes, const std::vector<int>& targets,
            const reference_nodes& start, const clearing& clear,
            std::vector<emptied>& to) {
  while (!nodes.empty()) {
    auto part = empty_greedily(nodes, targets, start, clear);
    if (part.nodes.empty())
      return false;
    std::vector<int> rest;
    for (auto n : nodes)
      if (std::find(part.nodes.begin(), part.nodes.end(), n)
          == part.nodes.end())
        rest.push_back(n);
    nodes = rest;
    to.push_back(std::move(part));
  }
  return true;
}

bool migrate_off(emptied& x) {
  std::vector<int> leaving;
  for (auto n : x.nodes)
    for (auto i : x.after.primaries(n))
      if (x.after.has_mirror(i))
        leaving.push_back(i);
  return std::all_of(leaving.begin(), leaving.end(),
                     [&x](int i) { return x.after.migrate(i); });
}

} // namespace

result<std::vector<reboot_round>> exact_roll(const cluster& c,
                                             const std::vector<bool>& wanted,
                                             const colouring& colours,
                                             roll_rules rules) {
  reference_nodes start{c};
  std::vector<int> targets;
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (!c.nodes[n].offline)
      targets.push_back(static_cast<int>(n));
  std::vector<emptied> parts;
  for (const auto& nodes : colours.classes)
    if (rules.ignore_non_redundant)
      parts.push_back({nodes, start});
    else if (!divide(nodes, targets, start, clear_primaries, parts))
      return refused("Not enough capacity to move non-redundant instances");
  if (rules.full_evacuation) {
    auto whole = std::move(parts);
    parts.clear();
    for (auto& x : whole)
      if (!migrate_off(x))
        return refused("Failed to migrate instances off nodes");
    for (const auto& x : whole)
      if (!divide(x.nodes, targets, x.after, clear_secondaries, parts))
        return refused("Not enough capacity to move secondaries");
  }
  std::vector<reboot_round> rounds;
  for (const auto& x : parts) {
    reboot_round r;
    for (auto n : x.nodes)
      if (wanted[at(n)])
        r.nodes.push_back(n);
    r.moves = x.after.moves_since(start);
    rounds.push_back(std::move(r));
  }
  order_rounds(c, rounds);
  return rounds;
}

} // namespace orderly::planning
