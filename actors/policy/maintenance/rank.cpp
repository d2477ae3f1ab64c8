// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/rank.hpp"

#include <tuple>

namespace orderly::maintenance {

namespace {

bool goes_first(const event_standing& a, const event_standing& b) {
  if (a.action != b.action)
    return a.action > b.action;
  return std::tie(a.ctime, a.uuid) < std::tie(b.ctime, b.uuid);
}

} // namespace

std::set<std::string> acting(const std::vector<event_standing>& all) {
  std::set<std::string> busy; // nodes, by their UUID
  for (const auto& x : all)
    if (is_at_work(x.phase))
      busy.insert(x.node_uuid);
  std::map<std::string, const event_standing*> first;
  for (const auto& x : all) {
    auto waits = x.phase == event_phase::noted && !x.ripe;
    if (is_final(x.phase) || (waits && busy.count(x.node_uuid) != 0))
      continue;
    auto& best = first[x.node_uuid];
    if (best == nullptr || goes_first(x, *best))
      best = &x;
  }
  std::set<std::string> result;
  for (const auto& [node, x] : first)
    result.insert(x->uuid);
  return result;
}

std::set<node_name> at_work(const std::vector<event_standing>& all) {
  std::set<node_name> result;
  for (const auto& x : all)
    if (is_at_work(x.phase))
      result.insert(x.node);
  return result;
}

} // namespace orderly::maintenance
