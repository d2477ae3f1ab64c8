// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/exact_squeeze.hpp"

#include <algorithm>
#include <limits>

namespace orderly::planning {

namespace {

/// Until nothing gains any more, however little.
search_rules to_the_end() {
  search_rules r;
  r.min_gain = 0;
  r.min_gain_limit = 0;
  r.min_score = -std::numeric_limits<double>::infinity();
  return r;
}

class squeezer {
public:
  squeezer(const cluster& c, const spare_factors& spare,
           const build_options& build)
    : c_(c),
      build_(build),
      minimal_(spare_of(c.policy.standard, spare.minimal)),
      target_(spare_of(c.policy.standard, spare.target)) {
    // nop
  }

  switch_plan run() {
    switch_plan result;
    if (!all_have_room(placement{c_, std::nullopt, build_}, minimal_)) {
      result.kind = switch_plan::what::on;
      switch_on(result);
      return result;
    }
    result.nodes = choose_off();
    if (!result.nodes.empty()) {
      result.kind = switch_plan::what::off;
      result.steps = std::move(steps_);
    }
    return result;
  }

private:
  /// The cluster with these nodes switched, as balancing leaves it; steps_ are
  /// how it got there.
  placement balanced(const std::vector<int>& nodes, bool offline) {
    set_offline(nodes, offline);
    placement p{c_, std::nullopt, build_};
    set_offline(nodes, !offline);
    steps_ = balance(p, to_the_end()).steps;
    return p;
  }

  void set_offline(const std::vector<int>& nodes, bool offline) {
    for (auto n : nodes)
      c_.nodes[at(n)].offline = offline;
  }

  /// The reference asks nodes that are off, too.
  bool all_have_room(const placement& p, const spare_room& x) const {
    for (int n = 0; n < p.node_count(); ++n)
      if (!has_room(p, n, p.states[at(n)], x))
        return false;
    return true;
  }

  bool all_are_online(const placement& p) const {
    return std::all_of(p.places.begin(), p.places.end(),
                       [&p](place x) { return p.facts[at(x.primary)].online; });
  }

  bool will_do(const std::vector<int>& nodes, bool offline,
               const spare_room& x) {
    auto p = balanced(nodes, offline);
    return all_are_online(p) && all_have_room(p, x);
  }

  std::vector<int> choose_off() {
    std::vector<int> result;
    auto candidates = nodes_to_switch_off(c_);
    placement p{c_, std::nullopt, build_};
    std::vector<step> best;
    for (auto k = candidates.size(); k-- > 0;) {
      auto wider = result;
      wider.insert(wider.begin(), candidates[k]);
      // Most sets that will not do need no balancing to see it.
      if (!may_do(p, wider) || !will_do(wider, true, target_))
        continue;
      result = std::move(wider);
      best = std::move(steps_);
    }
    steps_ = std::move(best);
    return result;
  }

  /// False only where no moves at all could empty the nodes and leave the
  /// target's room on each that stays on.
  bool may_do(const placement& p, const std::vector<int>& off) const {
    auto on = std::vector<bool>(p.states.size());
    for (std::size_t n = 0; n < on.size(); ++n)
      on[n] = p.facts[n].online;
    for (auto n : off)
      on[at(n)] = false;
    double memory = 0;
    double cpus = 0;
    for (std::size_t n = 0; n < on.size(); ++n) {
      const auto& s = p.states[n];
      const auto& f = p.facts[n];
      if (on[n]) {
        memory += static_cast<double>(p.unallocated(static_cast<int>(n), s)
                                      - target_.memory);
        cpus += f.vcpu_ratio * f.total_cpus
                - static_cast<double>(s.cpus + target_.cpus);
      }
    }
    for (int i = 0; i < p.instance_count(); ++i) {
      auto where = p.places[at(i)];
      if (on[at(where.primary)])
        continue;
      if (!is_candidate(p, i, {}))
        return false;
      memory -= static_cast<double>(p.instances[at(i)].memory);
      cpus -= static_cast<double>(p.instances[at(i)].vcpus);
    }
    constexpr double rounding = 1e-3;
    return memory >= 0 && cpus >= -rounding;
  }

  void switch_on(switch_plan& result) {
    auto candidates = nodes_to_switch_on(c_);
    for (std::size_t k = 0; k <= candidates.size(); ++k) {
      result.nodes.assign(candidates.begin(),
                          candidates.begin() + static_cast<std::ptrdiff_t>(k));
      result.enough = will_do(result.nodes, false, minimal_);
      if (result.enough)
        break;
    }
    result.steps = std::move(steps_);
  }

  cluster c_;
  build_options build_;
  spare_room minimal_;
  spare_room target_;
  std::vector<step> steps_; ///< of the last balancing
};

} // namespace

switch_plan squeeze_exactly(const cluster& c, const spare_factors& spare,
                            const build_options& build) {
  return squeezer{c, spare, build}.run();
}

} // namespace orderly::planning
