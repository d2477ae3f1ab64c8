// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/strangers.hpp"

#include "actors/policy/settings/power_levels.hpp"
#include "messages/host_name.hpp"
#include "messages/nearest.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace orderly {

namespace {

/// More are one and the same mistake.
constexpr std::size_t told_max = 20;

using names = std::vector<std::string>;

bool is_among(const names& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

std::string meant(const std::string& typed, const names& known) {
  auto full = std::find_if(known.begin(), known.end(), [&](const auto& x) {
    return is_same_host(typed, x);
  });
  auto word = full == known.end() ? nearest(typed, known) : *full;
  return word.empty() ? word : fmt::format("; did you mean '{}'?", word);
}

std::string no_node(const std::string& name, const names& nodes) {
  return fmt::format("names no node of the cluster, and holds for nobody{}",
                     meant(name, nodes));
}

std::string no_group(const std::string& name, const names& groups) {
  return fmt::format("names no group that has a node, and holds for nobody{}",
                     meant(name, groups));
}

} // namespace

std::vector<key_of_nobody>
keys_of_nobody(const settings& s, const std::vector<node_name>& nodes,
               const std::vector<group_name>& groups) {
  constexpr std::string_view group_mark = of_group;
  std::vector<key_of_nobody> result;
  for (const auto& [key, programs] : s.power.levels) {
    auto is_group = key.starts_with(group_mark);
    auto name = is_group ? key.substr(group_mark.size()) : key;
    if (result.size() == told_max || key == "*"
        || is_among(is_group ? groups : nodes, name))
      continue;
    result.push_back({power_levels_key(key), is_group ? no_group(name, groups)
                                                      : no_node(name, nodes)});
  }
  for (const auto& [name, values] : s.host_ha.groups)
    if (result.size() < 2 * told_max && !is_among(groups, name))
      result.push_back(
        {fmt::format("host_ha.groups.\"{}\"", name), no_group(name, groups)});
  return result;
}

} // namespace orderly
