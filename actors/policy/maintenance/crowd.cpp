// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/crowd.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// Since when a node asks for something, and whether that waits to begin.
struct asker {
  instant at;
  node_name node;
  bool waits = false;
};

/// When each node began to ask for what has not ended yet.
std::vector<asker> askers(const std::vector<event_standing>& all) {
  std::map<node_name, asker> first;
  for (const auto& x : all) {
    if (is_final(x.phase))
      continue;
    auto& one = first.try_emplace(x.node, asker{x.ctime, x.node}).first->second;
    one.at = std::min(one.at, x.ctime);
    one.waits = one.waits || x.phase == event_phase::noted;
  }
  std::vector<asker> result;
  for (auto& [node, one] : first)
    result.push_back(std::move(one));
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::tie(a.at, a.node) < std::tie(b.at, b.node);
  });
  return result;
}

/// The largest set of nodes that began within one window, whoever of them was
/// let begin meanwhile; one of them waits still.
std::set<node_name> together(const std::vector<asker>& all, millis window) {
  std::size_t best = 0;
  std::size_t from = 0;
  std::size_t begin = 0;
  std::size_t waiting = 0;
  for (std::size_t end = 0; end < all.size(); ++end) {
    waiting += all[end].waits ? 1 : 0;
    for (; all[end].at - all[begin].at > window; ++begin)
      waiting -= all[begin].waits ? 1 : 0;
    if (waiting > 0 && end + 1 - begin > best) {
      best = end + 1 - begin;
      from = begin;
    }
  }
  std::set<node_name> result;
  for (std::size_t k = from; k < from + best; ++k)
    result.insert(all[k].node);
  return result;
}

} // namespace

crowd crowd_of(const crowd& before, const std::vector<event_standing>& all,
               std::size_t nodes, millis interval) {
  auto least = std::max(crowd_least, (nodes + crowd_part - 1) / crowd_part);
  auto now = askers(all);
  crowd result;
  result.nodes = together(now, crowd_window + interval);
  if (result.nodes.size() < least && before.open) {
    // Who waits since then is part of it, whoever else has gone.
    std::set<node_name> still;
    for (const auto& one : now)
      if (before.nodes.count(one.node) != 0)
        still.insert(one.node);
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
