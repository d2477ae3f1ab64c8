// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/laws/setting_words.hpp"

#include "sim/state/lab_state.hpp"

#include <algorithm>
#include <cstdlib>

namespace orderly::sim {

namespace {

/// What the group has of its own by that name, in seconds or "ms", or what the
/// cluster has.
millis own_time(const settings& rules, const group_name& group,
                const std::string& name, millis of_cluster) {
  const auto mine = name + " = ";
  auto own = rules.host_ha.groups.find(group);
  if (own != rules.host_ha.groups.end())
    for (const auto& text : own->second)
      if (text.starts_with(mine)) {
        auto number = std::atoi(text.c_str() + mine.size());
        return text.ends_with("ms") ? millis{number} : seconds{number};
      }
  return of_cluster;
}

} // namespace

millis patience_of(const settings& rules, const group_name& group) {
  return own_time(rules, group, "check_timeout", rules.host_ha.check_timeout);
}

millis boot_time_of(const settings& rules, const group_name& group) {
  return own_time(rules, group, "recovery_wait", rules.host_ha.recovery_wait);
}

millis longest_patience(const settings& rules) {
  auto most = rules.host_ha.check_timeout;
  for (const auto& [group, own] : rules.host_ha.groups)
    most = std::max(most, patience_of(rules, group));
  return most;
}

} // namespace orderly::sim
