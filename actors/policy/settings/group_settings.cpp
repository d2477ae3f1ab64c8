// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/group_settings.hpp"

#include "actors/policy/settings/knob_text.hpp"
#include "messages/ascii.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace orderly {

namespace {

/// May be left out in names of ours.
constexpr const char* section = "host_ha.";

std::string trimmed(const std::string& text) {
  auto from = text.find_first_not_of(' ');
  return from == std::string::npos
           ? ""
           : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::optional<knob> knob_of(settings& s, const ha_setting& x) {
  for (auto& k : knobs(s))
    if (k.key == x.key)
      return k;
  return std::nullopt;
}

/// "NAME = VALUE", taken apart.
struct own_value {
  std::string name;
  std::string value;
  const ha_setting* setting = nullptr; ///< null: nobody knows the name
};

own_value taken_apart(const std::string& text) {
  own_value x;
  auto sign = text.find('=');
  x.name = trimmed(text.substr(0, sign));
  if (sign != std::string::npos)
    x.value = trimmed(text.substr(sign + 1));
  x.setting = ha_setting_named(x.name);
  return x;
}

/// What is wrong with one of the values of a group, a clause; `seen` are the
/// names by which it was set already.
std::string wrong_with(const own_value& x, settings& s,
                       std::map<std::string, std::string>& seen) {
  if (x.setting == nullptr)
    return fmt::format("has '{}', which is no setting of host HA", x.name);
  if (!x.setting->of_groups)
    return fmt::format("has {}, which holds for the whole cluster: set {}",
                       x.name, x.setting->key);
  auto [i, first] = seen.emplace(x.setting->key, x.name);
  if (!first)
    return fmt::format("has one setting by two names, {} and {}", i->second,
                       x.name);
  auto wrong = set_value(s, *x.setting, x.value);
  return wrong.empty() ? "" : fmt::format("has {}, which {}", x.name, wrong);
}

/// What a group has of its own is set, as far as nothing is wrong with it.
void take_own(settings& s, const std::vector<std::string>& own) {
  std::map<std::string, std::string> seen;
  for (const auto& text : own)
    wrong_with(taken_apart(text), s, seen);
}

/// The knob of a setting of host HA, for its bounds. To list all knobs costs
/// far more than to read a value, and the bounds of one never change.
const knob& bounds_of(const ha_setting& x) {
  static const auto all = [] {
    std::map<std::string, knob> found;
    settings any;
    for (auto& k : knobs(any)) {
      k.value = static_cast<millis*>(nullptr); // `any` ends here
      found.emplace(k.key, k);
    }
    return found;
  }();
  return all.at(x.key);
}

/// What a group has of its own for a time, by the rules of `wrong_with`, or
/// else `otherwise`. Asked at each word of a node and of a mirror, so nothing
/// is copied for it.
millis own_time(const std::vector<std::string>& own, const ha_setting& x,
                millis otherwise) {
  for (const auto& text : own)
    if (auto set = taken_apart(text); set.setting == &x) {
      set_time_from_text(bounds_of(x), set.value, otherwise);
      break; // what names it once more is refused
    }
  return otherwise;
}

/// What the cluster has, or the group that has most; `x` is a time.
millis longest(const settings& s, const ha_setting& x, millis of_cluster) {
  auto most = of_cluster;
  for (const auto& [group, own] : s.host_ha.groups)
    most = std::max(most, own_time(own, x, of_cluster));
  return most;
}

const ha_setting& check_timeout() {
  static const auto& x = *ha_setting_named("host_ha.check_timeout");
  return x;
}

const ha_setting& activity_timeout() {
  static const auto& x = *ha_setting_named("host_ha.activity_timeout");
  return x;
}

const ha_setting& recovery_wait() {
  static const auto& x = *ha_setting_named("host_ha.recovery_wait");
  return x;
}

} // namespace

const std::vector<ha_setting>& ha_settings() {
  static const std::vector<ha_setting> all{
    {"host_ha.check_timeout", {"kvm.ha.health.check.timeout"}},
    {"host_ha.activity_timeout", {"kvm.ha.activity.check.timeout"}},
    {"host_ha.activity_interval_base", {}},
    {"host_ha.activity_interval_max",
     {"kvm.ha.activity.check.interval", "kvm.ha.max_activity_check_interval"}},
    {"host_ha.activity_checks", {"kvm.ha.activity.check.max.attempts"}},
    {"host_ha.activity_failure_ratio", {"kvm.ha.activity.check.failure.ratio"}},
    {"host_ha.degraded_period", {"kvm.ha.degraded.max.period"}},
    {"host_ha.recovery_timeout",
     {"kvm.ha.recover.timeout", "kvm.ha.recovery.timeout"}},
    {"host_ha.recovery_wait",
     {"kvm.ha.recover.wait.period", "kvm.ha.recovery.wait_time"}},
    {"host_ha.recovery_attempts_max", {"kvm.ha.recover.failure.threshold"}},
    {"host_ha.restart_operation", {"kvm.ha.recovery.restart_operation"}},
    {"host_ha.fence_timeout", {"kvm.ha.fence.timeout"}},
    {"host_ha.retry_base", {"ha.retry.base"}},
    {"host_ha.retry_max", {"ha.retry.max"}},
    {"host_ha.check_interval", {"ha.health.check.interval"}, false},
    {"host_ha.probes_parallel_max",
     {"ha.max.concurrent.health.check.operations"},
     false},
    {"host_ha.probes_queued_max",
     {"ha.max.pending.health.check.operations"},
     false},
    {"host_ha.activity_parallel_max",
     {"ha.max.concurrent.activity.check.operations"},
     false},
    {"host_ha.activity_queued_max",
     {"ha.max.pending.activity.check.operations"},
     false},
    // Resets and fences are helper programs alike, and share their slots.
    {"power.concurrency",
     {"ha.max.concurrent.recovery.operations",
      "ha.max.concurrent.fence.operations"},
     false},
    {"power.queued_max",
     {"ha.max.pending.recovery.operations", "ha.max.pending.fence.operations"},
     false}};
  return all;
}

const ha_setting* ha_setting_named(const std::string& name) {
  auto word = lowered(name);
  auto whole = section + word;
  const auto& all = ha_settings();
  auto i = std::find_if(all.begin(), all.end(), [&](const ha_setting& x) {
    return x.key == word || x.key == whole
           || std::find(x.others.begin(), x.others.end(), word)
                != x.others.end();
  });
  return i == all.end() ? nullptr : &*i;
}

std::string value_of(const settings& s, const ha_setting& x) {
  auto copy = s;
  auto found = knob_of(copy, x);
  return found ? text_of(*found) : std::string{};
}

std::string set_value(settings& into, const ha_setting& x,
                      const std::string& text) {
  auto found = knob_of(into, x);
  return found ? set_from_text(*found, text) : "is not there";
}

std::shared_ptr<const settings>
settings_of_group(const std::shared_ptr<const settings>& all,
                  const group_name& group) {
  auto i = all->host_ha.groups.find(group);
  if (i == all->host_ha.groups.end())
    return all;
  auto own = std::make_shared<settings>(*all);
  take_own(*own, i->second);
  return own;
}

millis check_timeout_of(const settings& s, const group_name& group) {
  auto i = s.host_ha.groups.find(group);
  if (i == s.host_ha.groups.end())
    return s.host_ha.check_timeout;
  return own_time(i->second, check_timeout(), s.host_ha.check_timeout);
}

millis longest_check_timeout(const settings& s) {
  return longest(s, check_timeout(), s.host_ha.check_timeout);
}

millis longest_activity_timeout(const settings& s) {
  return longest(s, activity_timeout(), s.host_ha.activity_timeout);
}

millis longest_recovery_wait(const settings& s) {
  return longest(s, recovery_wait(), s.host_ha.recovery_wait);
}

const char* to_string(value_origin x) {
  return x == value_origin::group     ? "group"
         : x == value_origin::cluster ? "cluster"
                                      : "default";
}

value_origin origin_of(const settings& s, const group_name& group,
                       const ha_setting& x) {
  auto i = s.host_ha.groups.find(group);
  auto own = i != s.host_ha.groups.end() && x.of_groups
             && std::any_of(i->second.begin(), i->second.end(),
                            [&](const std::string& text) {
                              return taken_apart(text).setting == &x;
                            });
  if (own)
    return value_origin::group;
  return value_of(s, x) == value_of(settings{}, x) ? value_origin::built_in
                                                   : value_origin::cluster;
}

std::vector<std::string> wrong_in_groups(const settings& s) {
  std::vector<std::string> result;
  for (const auto& [group, all] : s.host_ha.groups) {
    auto own = s;
    std::map<std::string, std::string> seen;
    for (const auto& text : all)
      if (auto wrong = wrong_with(taken_apart(text), own, seen); !wrong.empty())
        result.push_back(
          fmt::format("{} {}.", group_settings_key(group), wrong));
    const auto& h = own.host_ha;
    if (h.activity_interval_max < h.activity_interval_base)
      result.push_back(fmt::format("{} has an activity_interval_max that is "
                                   "shorter than activity_interval_base.",
                                   group_settings_key(group)));
    if (h.retry_max < h.retry_base)
      result.push_back(fmt::format("{} has a retry_max that is shorter than "
                                   "retry_base.",
                                   group_settings_key(group)));
    // A proof must outlive a reading that came to nothing, and its look.
    if (auto least = 2 * (h.check_interval + h.check_timeout);
        s.autorepair.proof_max_age < least)
      result.push_back(fmt::format(
        "{} makes twice check_interval and check_timeout ({} ms) longer than "
        "autorepair.proof_max_age ({} ms).",
        group_settings_key(group), least.count(),
        s.autorepair.proof_max_age.count()));
  }
  return result;
}

std::string group_settings_key(const std::string& name) {
  constexpr std::size_t shown_max = 80;
  return fmt::format("host_ha.groups.\"{}\"",
                     name.size() > shown_max ? name.substr(0, shown_max) + "..."
                                             : name);
}

} // namespace orderly
