// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/stuck.hpp"

#include <map>

namespace orderly::planning {

namespace {

const std::string& name_at(const placement& p, int node) {
  return p.source->nodes[at(p.node_index[at(node)])].name;
}

const char* words_of(refusal x) {
  switch (x) {
  case refusal::memory:
    return "too little memory";
  case refusal::disk:
    return "too little disk";
  case refusal::cpu:
    return "too many virtual CPUs";
  case refusal::tags:
    return "an instance there that it excludes by its tags";
  case refusal::spindles:
    return "too few spindles";
  case refusal::migration:
    return "tags that forbid the migration";
  case refusal::storage:
    return "no way to its volumes";
  case refusal::out_of_service:
    return "a node that is out of service";
  case refusal::closed:
  case refusal::none:
    break;
  }
  return "N+1 would be lost";
}

} // namespace

std::optional<stuck_instance>
stuck_for_good(const placement& p, int instance,
               const std::vector<bool>& is_alive) {
  const auto& spec = spec_of(p, instance);
  auto where = p.places[at(instance)];
  stuck_instance r{p.instance_index[at(instance)], stuck_kind::own_disks, {}};
  if (spec.disks == disk_template::plain || spec.disks == disk_template::file) {
    r.why = "its disks (" + std::string{name_of(spec.disks)} + ") are on "
            + name_at(p, where.primary) + " alone and cannot be moved";
    return r;
  }
  if (!p.instances[at(instance)].mirrored)
    return std::nullopt;
  if (where.secondary < 0) {
    r.kind = stuck_kind::apart;
    r.why = "its mirror is not in the group of its node "
            + name_at(p, where.primary);
    return r;
  }
  if (is_alive[at(where.primary)] || is_alive[at(where.secondary)])
    return std::nullopt;
  r.kind = stuck_kind::no_copy;
  r.why = "both its nodes, " + name_at(p, where.primary) + " and "
          + name_at(p, where.secondary)
          + ", are out of service, and one of them already was before";
  return r;
}

stuck_instance stuck_on(const placement& p, int instance,
                        const std::vector<int>& targets) {
  stuck_instance r{p.instance_index[at(instance)], stuck_kind::no_room, {}};
  auto where = p.places[at(instance)];
  auto mirrored = p.instances[at(instance)].mirrored;
  const auto& home = p.facts[at(where.primary)];
  auto serves = mirrored && where.secondary >= 0
                && (p.facts[at(where.secondary)].online
                    || (home.dead && !p.facts[at(where.secondary)].dead));
  auto no = refusal::none;
  if (serves && !home.online)
    no = try_move(p, {instance, move_kind::failover, -1}, false).why;
  if (no != refusal::none) {
    r.why = "its mirror on " + name_at(p, where.secondary)
            + " cannot take over: " + words_of(no);
    return r;
  }
  auto kind = !mirrored   ? move_kind::failover_to
              : home.dead ? move_kind::failover_and_replace
                          : move_kind::replace_secondary;
  std::map<refusal, int> counts;
  for (auto t : targets)
    if (t != where.primary && t != where.secondary)
      ++counts[try_move(p, {instance, kind, t}, false).why];
  auto what = mirrored ? "no node takes its mirror" : "no node takes it";
  r.why = what;
  if (counts.empty())
    r.why += ": no other node of the group is in service";
  else if (counts.size() == 1 && counts.count(refusal::storage) > 0)
    r.kind = stuck_kind::storage;
  const char* mark = ": ";
  for (const auto& [why, count] : counts) {
    r.why += mark + std::string{words_of(why)} + " (" + std::to_string(count)
             + (count == 1 ? " node)" : " nodes)");
    mark = ", ";
  }
  return r;
}

} // namespace orderly::planning
