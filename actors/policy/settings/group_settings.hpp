// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of host HA by all of their names, ours and the two spellings of the
// seed, and those that a node group has of its own:
//
//   [host_ha.groups]
//   rack7 = ["degraded_period = 30s", "kvm.ha.activity.check.max.attempts = 5"]
//
// What the group says goes before what the cluster's settings say, and that
// before the default. How much runs at once is the cluster's alone. Pure; used
// by the node actor, the desk and the check of settings.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/ids.hpp"

#include <memory>
#include <string>
#include <vector>

namespace orderly {

/// One setting, and what the seed calls it.
struct ha_setting {
  std::string key; ///< ours, as in TOML: "host_ha.activity_checks"
  std::vector<std::string> others;
  bool of_groups = true; ///< a group may have its own
};

const std::vector<ha_setting>& ha_settings();

/// By any name, in any spelling of case, ours without "host_ha." too; null:
/// there is none.
const ha_setting* ha_setting_named(const std::string& name);

/// Its value as people write it: durations in seconds, words in capitals.
std::string value_of(const settings& s, const ha_setting& x);

/// Sets it from such a text, or from one with a unit. What is wrong, a clause;
/// empty: it was set.
std::string set_value(settings& into, const ha_setting& x,
                      const std::string& text);

/// What holds for nodes of this group: `all` itself, if it has nothing of its
/// own. What is wrong in its list, or not its own to set, is left out.
std::shared_ptr<const settings>
settings_of_group(const std::shared_ptr<const settings>& all,
                  const group_name& group);

/// How long a node of this group may take to answer.
millis check_timeout_of(const settings& s, const group_name& group);

/// The same of the group that gives its nodes most, or of the cluster: whoever
/// waits for news of all nodes waits so long.
millis longest_check_timeout(const settings& s);

/// Likewise how long an activity check may take.
millis longest_activity_timeout(const settings& s);

/// Likewise how long a node may boot.
millis longest_recovery_wait(const settings& s);

/// Where a value comes from.
enum class value_origin { built_in, cluster, group };

const char* to_string(value_origin x);

value_origin origin_of(const settings& s, const group_name& group,
                       const ha_setting& x);

/// What is wrong with the lists of groups, a sentence each that names the key.
std::vector<std::string> wrong_in_groups(const settings& s);

/// What sentences call the list of one group: `host_ha.groups."rack7"`.
std::string group_settings_key(const std::string& name);

} // namespace orderly
