// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/squeeze/figures.hpp"

#include "actors/planning/search/exact.hpp"

#include <algorithm>
#include <numeric>

namespace orderly::planning {

bool can_go_anywhere(const placement& p, int instance) {
  const auto& x = p.instances[at(instance)];
  return p.places[at(instance)].primary >= 0 && !x.forthcoming && !x.mirrored
         && is_candidate(p, instance, {});
}

squeeze_figures::squeeze_figures(const placement& p,
                                 const std::vector<bool>& may_go,
                                 const spare_room& spare)
  : all_(p.states.size()) {
  std::vector<int> listed(p.states.size(), -1);
  for (int n = 0; n < p.node_count(); ++n) {
    const auto& f = p.facts[at(n)];
    if (!f.online)
      continue;
    listed[at(n)] = static_cast<int>(nodes_.size());
    const auto& s = p.states[at(n)];
    one x;
    x.node = n;
    x.may_go = may_go[at(n)];
    x.whole = static_cast<double>(p.unallocated(n, s));
    // Something must stay free beside the spare room.
    x.memory = x.whole - static_cast<double>(spare.memory + 1);
    x.cpus
      = f.vcpu_ratio * f.total_cpus - static_cast<double>(s.cpus + spare.cpus);
    fixed_ += x.may_go ? 0 : 1;
    nodes_.push_back(x);
  }
  for (int i = 0; i < p.instance_count(); ++i) {
    if (!can_go_anywhere(p, i))
      continue;
    auto home = listed[at(p.places[at(i)].primary)];
    auto memory = static_cast<double>(p.instances[at(i)].memory);
    auto cpus = static_cast<double>(p.instances[at(i)].vcpus);
    memory_ += memory;
    cpus_ += cpus;
    if (home < 0)
      continue;
    auto& x = nodes_[at(home)];
    x.memory += memory;
    x.whole += memory;
    x.cpus += cpus;
    ++x.held;
  }
}

void squeeze_figures::add(sums& s, const one& x) const {
  s.memory += x.memory;
  s.cpus += x.cpus;
  s.whole += x.whole;
  s.greatest = std::max(s.greatest, x.whole);
}

bool squeeze_figures::is_enough(const sums& s, double part) const {
  constexpr double rounding = 1e-3;
  auto memory = memory_ * (1 + part);
  return s.memory + rounding >= memory
         && s.cpus + rounding >= cpus_ * (1 + part)
         && s.whole - s.greatest + rounding >= memory;
}

std::vector<squeeze_figures::one>
squeeze_figures::sorted(double one::*figure) const {
  auto result = nodes_;
  std::stable_sort(
    result.begin(), result.end(), [figure](const one& a, const one& b) {
      return a.may_go != b.may_go ? b.may_go : a.*figure > b.*figure;
    });
  return result;
}

least_nodes squeeze_figures::least() const {
  constexpr double rounding = 1e-3;
  least_nodes result{std::max(1, fixed_), fixed_ > 0
                                            ? squeeze_limit::fixed
                                            : squeeze_limit::one_stays};
  // The greatest by each figure: whoever stays has no more of it.
  auto need = [&](double one::*figure, double sum, bool one_lost,
                  squeeze_limit why) {
    double has = 0;
    double greatest = 0;
    int count = 0;
    for (const auto& x : sorted(figure)) {
      if (count >= fixed_ && has - (one_lost ? greatest : 0) + rounding >= sum)
        break;
      has += x.*figure;
      greatest = std::max(greatest, x.*figure);
      ++count;
    }
    if (count > result.count)
      result = {count, why};
  };
  need(&one::memory, memory_, false, squeeze_limit::memory);
  need(&one::cpus, cpus_, false, squeeze_limit::cpus);
  need(&one::whole, memory_, true, squeeze_limit::a_loss);
  return result;
}

squeeze_figures::sums
squeeze_figures::sums_of(const std::vector<bool>& stays) const {
  sums s;
  for (const auto& x : nodes_)
    if (stays[at(x.node)])
      add(s, x);
  return s;
}

/// `weight` is how much size counts beside what need not move: 0 to 1.
std::vector<bool> squeeze_figures::best(int count, double weight) const {
  double most = 1;
  double memory = 1;
  double cpus = 1;
  for (const auto& x : nodes_) {
    most = std::max(most, static_cast<double>(x.held));
    memory = std::max(memory, x.memory);
    cpus = std::max(cpus, x.cpus);
  }
  auto scarce = sums_of(std::vector<bool>(all_, true));
  auto by_cpus = scarce.cpus * memory_ < scarce.memory * cpus_;
  auto worth = [&](const one& x) {
    auto size = by_cpus ? x.cpus / cpus : x.memory / memory;
    return (1 - weight) * x.held / most + weight * size;
  };
  auto order = nodes_;
  std::stable_sort(order.begin(), order.end(), [&](const one& a, const one& b) {
    return a.may_go != b.may_go ? b.may_go : worth(a) > worth(b);
  });
  std::vector<bool> result(all_, false);
  for (std::size_t k = 0; k < order.size() && k < at(count); ++k)
    result[at(order[k].node)] = true;
  return result;
}

std::optional<std::vector<bool>> squeeze_figures::choose(int count,
                                                         double part) const {
  auto is_good = [&](double weight) {
    return is_enough(sums_of(best(count, weight)), part);
  };
  if (is_good(0))
    return best(count, 0);
  if (!is_good(1)) {
    auto largest = best(count, 1);
    if (is_enough(sums_of(largest), 0))
      return largest;
    return std::nullopt;
  }
  // The least weight of size that gives enough of it.
  double low = 0;
  double high = 1;
  constexpr int halvings = 12;
  for (int k = 0; k < halvings; ++k) {
    auto middle = (low + high) / 2;
    (is_good(middle) ? high : low) = middle;
  }
  return best(count, high);
}

} // namespace orderly::planning
