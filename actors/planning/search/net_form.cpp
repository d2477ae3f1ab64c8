// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/net_form.hpp"

namespace orderly::planning {

namespace {

double cost_of(const instance_facts& x, move_kind kind) {
  constexpr double mib_for_one = gib_for_one_migration * 1024;
  auto disks = 1 + static_cast<double>(x.disk) / mib_for_one;
  switch (kind) {
  case move_kind::failover:
  case move_kind::failover_to:
    return migration_cost;
  case move_kind::replace_secondary:
    return disks;
  case move_kind::replace_and_failover:
  case move_kind::failover_and_replace:
    return disks + migration_cost;
  case move_kind::replace_primary:
    return disks + 2 * migration_cost;
  }
  return migration_cost;
}

} // namespace

std::optional<move> single_move(int instance, place from, place to) {
  using k = move_kind;
  if (from == to)
    return std::nullopt;
  if (from.secondary < 0)
    return move{instance, k::failover_to, to.primary};
  if (to.primary == from.primary)
    return move{instance, k::replace_secondary, to.secondary};
  if (to.primary == from.secondary) {
    if (to.secondary == from.primary)
      return move{instance, k::failover, -1};
    return move{instance, k::failover_and_replace, to.secondary};
  }
  if (to.secondary == from.primary)
    return move{instance, k::replace_and_failover, to.primary};
  if (to.secondary == from.secondary)
    return move{instance, k::replace_primary, to.primary};
  return std::nullopt;
}

double cost_of(const placement& p, const move& m) {
  return cost_of(p.instances[at(m.instance)], m.kind);
}

net_cost net_cost_of(const placement& p, int instance, place from, place to) {
  if (from == to)
    return {};
  const auto& x = p.instances[at(instance)];
  if (auto m = single_move(instance, from, to))
    return {1, cost_of(x, m->kind)};
  return {2, cost_of(x, move_kind::replace_and_failover)
               + cost_of(x, move_kind::replace_secondary)};
}

std::vector<std::vector<move>> ways(const placement& p, int instance,
                                    place to) {
  using k = move_kind;
  auto from = p.places[at(instance)];
  if (from == to)
    return {};
  if (auto m = single_move(instance, from, to)) {
    if (from.secondary < 0 || m->kind == k::failover
        || m->kind == k::replace_secondary)
      return {{*m}};
    // What the one move does in one job can be done in two where it may not.
    auto t = m->target;
    if (m->kind == k::replace_and_failover)
      return {
        {*m},
        {{instance, k::replace_secondary, t}, {instance, k::failover, -1}}};
    if (m->kind == k::failover_and_replace)
      return {
        {*m},
        {{instance, k::failover, -1}, {instance, k::replace_secondary, t}}};
    // The secondary need not host it for a while if it is mirrored anew.
    return {{*m},
            {{instance, k::replace_and_failover, t},
             {instance, k::replace_secondary, to.secondary}}};
  }
  // Both nodes are new: one move for each of them.
  return {{{instance, k::replace_and_failover, to.primary},
           {instance, k::replace_secondary, to.secondary}},
          {{instance, k::failover_and_replace, to.primary},
           {instance, k::failover_and_replace, to.secondary}},
          {{instance, k::replace_secondary, to.secondary},
           {instance, k::replace_primary, to.primary}},
          {{instance, k::replace_primary, to.primary},
           {instance, k::replace_secondary, to.secondary}}};
}

} // namespace orderly::planning
