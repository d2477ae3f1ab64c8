// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/fast_squeeze.hpp"

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/squeeze/order_moves.hpp"
#include "actors/planning/squeeze/packing.hpp"
#include "actors/planning/squeeze/wake.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// What a node is left with must not make the next run switch nodes on again.
spare_room greater(const spare_room& a, const spare_room& b) {
  return {std::max(a.memory, b.memory), std::max(a.cpus, b.cpus)};
}

std::vector<bool> nodes_that_may_go(const placement& p) {
  std::vector<bool> result(p.states.size());
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& x = p.source->nodes[at(p.node_index[at(n)])];
    result[at(n)] = p.facts[at(n)].online && !x.master && !x.master_candidate
                    && p.states[at(n)].secondaries == 0;
  }
  for (int i = 0; i < p.instance_count(); ++i) {
    auto where = p.places[at(i)];
    if (where.primary >= 0 && !can_go_anywhere(p, i))
      result[at(where.primary)] = false;
    if (where.secondary >= 0)
      result[at(where.secondary)] = false;
  }
  return result;
}

/// Looks for fewer nodes in a group that is well.
class emptying {
public:
  emptying(const cluster& c, const placement& p, const spare_room& spare)
    : c_(c), p_(p), spare_(spare), figures_(p, nodes_that_may_go(p), spare) {
    // nop
  }

  void run(group_squeeze& result) {
    result.least = figures_.least();
    // In growing steps up to a number of nodes that will do, then back in
    // halves: most often the least will do, or hardly more.
    auto failed = result.least.count - 1;
    auto most = result.on_before - 1;
    auto count = result.least.count;
    for (auto jump = 1; count <= most && !try_count(count); jump *= 2) {
      failed = count;
      count = count == most ? most + 1 : std::min(most, count + jump);
    }
    if (count > most)
      return;
    while (count - failed > 1) {
      auto middle = failed + (count - failed) / 2;
      (try_count(middle) ? count : failed) = middle;
    }
    result.on_after = count;
    fill(result);
  }

private:
  bool try_count(int count) {
    // By so much together they are larger than needed.
    constexpr std::array<double, 14> parts{0,      0.0025, 0.005,  0.0075, 0.01,
                                           0.0125, 0.015,  0.0175, 0.02,   0.03,
                                           0.04,   0.08,   0.16,   0.32};
    std::vector<bool> last;
    for (auto part : parts) {
      auto stays = figures_.choose(count, part);
      if (!stays)
        return false;
      if (*stays == last)
        continue;
      last = *stays;
      for (auto how : {packing_order::roomy, packing_order::tight})
        if (try_nodes(*stays, how))
          return true;
    }
    return false;
  }

  bool try_nodes(const std::vector<bool>& stays, packing_order how) {
    std::vector<place> goal;
    {
      trial t{p_};
      if (!packing{p_, t, stays, spare_, how}.run(false) || !is_covered(stays))
        return false;
      goal = p_.places;
    }
    auto moves = order_moves(p_, goal);
    if (!moves.whole)
      return false;
    stays_ = stays;
    steps_ = std::move(moves.steps);
    return true;
  }

  /// Could each that stays be lost, with the others off?
  bool is_covered(const std::vector<bool>& stays) {
    auto facts = p_.facts;
    for (std::size_t n = 0; n < stays.size(); ++n)
      p_.facts[n].online = stays[n];
    auto result = shared_n1{p_}.uncovered() == 0;
    p_.facts = std::move(facts);
    return result;
  }

  void fill(group_squeeze& result) {
    std::vector<bool> goes(c_.nodes.size(), false);
    for (int n = 0; n < p_.node_count(); ++n)
      goes[at(p_.node_index[at(n)])] = p_.facts[at(n)].online && !stays_[at(n)];
    for (auto n : nodes_to_switch_off(c_))
      if (goes[at(n)])
        result.off.push_back(n);
    result.steps = in_cluster(p_, steps_);
  }

  const cluster& c_;
  placement p_;
  spare_room spare_;
  squeeze_figures figures_;
  std::vector<bool> stays_; ///< of what was found last
  std::vector<step> steps_;
};

group_squeeze squeeze_group(const cluster& c, int group,
                            const spare_factors& spare,
                            const build_options& build) {
  group_squeeze result;
  result.group = group;
  placement p{c, group, build};
  for (const auto& f : p.facts)
    result.on_before += f.online ? 1 : 0;
  result.on_after = result.on_before;
  const auto& standard = c.groups[at(group)].policy.standard;
  auto minimal = spare_of(standard, spare.minimal);
  result.was_well = lacking(p, minimal) == 0;
  if (!result.was_well)
    wake_group(c, build, minimal, result);
  else
    emptying{c, p, greater(minimal, spare_of(standard, spare.target))}.run(
      result);
  return result;
}

} // namespace

std::vector<step> in_cluster(const placement& p, std::vector<step> steps) {
  auto node = [&p](int n) { return n < 0 ? n : p.node_index[at(n)]; };
  for (auto& s : steps) {
    s.what.instance = p.instance_index[at(s.what.instance)];
    s.what.target = node(s.what.target);
    s.from = {node(s.from.primary), node(s.from.secondary)};
    s.to = {node(s.to.primary), node(s.to.secondary)};
  }
  return steps;
}

std::vector<group_squeeze> squeeze_groups(const cluster& c,
                                          const spare_factors& spare,
                                          const build_options& build) {
  std::vector<group_squeeze> result;
  for (std::size_t g = 0; g < c.groups.size(); ++g)
    if (std::any_of(c.nodes.begin(), c.nodes.end(),
                    [g](const node_spec& n) { return at(n.group) == g; }))
      result.push_back(squeeze_group(c, static_cast<int>(g), spare, build));
  return result;
}

} // namespace orderly::planning
