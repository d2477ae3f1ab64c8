// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/crowd.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// When each node began to ask for what was not begun yet.
std::vector<std::pair<instant, node_name>>
askers(const std::vector<event_standing>& all) {
  std::map<node_name, instant> first;
  for (const auto& x : all) {
    if (x.phase != event_phase::noted)
      continue;
    auto [i, is_new] = first.emplace(x.node, x.ctime);
    if (!is_new)
      i->second = std::min(i->second, x.ctime);
  }
  std::vector<std::pair<instant, node_name>> result;
  for (const auto& [node, at] : first)
    result.emplace_back(at, node);
  std::sort(result.begin(), result.end());
  return result;
}

/// The largest set of nodes that began within one window.
std::set<node_name>
together(const std::vector<std::pair<instant, node_name>>& all) {
  std::size_t best = 0;
  std::size_t from = 0;
  std::size_t begin = 0;
  for (std::size_t end = 0; end < all.size(); ++end) {
    while (all[end].first - all[begin].first > crowd_window)
      ++begin;
    if (end + 1 - begin > best) {
      best = end + 1 - begin;
      from = begin;
    }
  }
  std::set<node_name> result;
  for (std::size_t i = 0; i < best; ++i)
    result.insert(all[from + i].second);
  return result;
}

} // namespace

crowd crowd_of(const crowd& before, const std::vector<event_standing>& all,
               std::size_t nodes) {
  auto least = std::max(crowd_least, (nodes + crowd_part - 1) / crowd_part);
  auto now = askers(all);
  crowd result;
  result.nodes = together(now);
  if (result.nodes.size() < least && before.open) {
    // Who waits since then is part of it, whoever else has gone.
    std::set<node_name> still;
    for (const auto& [at, name] : now)
      if (before.nodes.count(name) != 0)
        still.insert(name);
    if (still.size() >= least)
      result.nodes = std::move(still);
  }
  if (result.nodes.size() < least)
    return {};
  result.open = true;
  result.text
    = fmt::format("{} of {} nodes began to ask within {} s: their "
                  "collector may be bad",
                  result.nodes.size(), nodes, crowd_window.count() / 1000);
  return result;
}

std::map<node_name, std::size_t> overrun(const std::vector<event_standing>& all,
                                         std::size_t most) {
  std::map<node_name, std::size_t> result;
  for (const auto& x : all)
    if (!is_final(x.phase))
      ++result[x.node];
  std::erase_if(result, [most](const auto& x) { return x.second <= most; });
  return result;
}

} // namespace orderly::maintenance
