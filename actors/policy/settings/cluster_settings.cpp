// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/cluster_settings.hpp"

#include "actors/policy/settings/knob_text.hpp"
#include "messages/ascii.hpp"
#include "messages/nearest.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace orderly {

namespace {

/// Leaves room for the longest key in a tag of Ganeti, of 128 bytes.
constexpr std::size_t value_length_max = 60;

/// A tag of the right beginning, taken apart at the first colon behind it.
struct tag_parts {
  std::string key;
  std::string value;
};

tag_parts split_tag(const std::string& tag) {
  auto rest = tag.substr(setting_tag_prefix.size());
  auto colon = rest.find(':');
  if (colon == std::string::npos)
    return {rest, {}};
  return {rest.substr(0, colon), rest.substr(colon + 1)};
}

/// Sets it, if it fits what is there already; else why not.
std::string set_if_it_fits(settings& into, const std::string& key,
                           const std::string& value) {
  if (value.size() > value_length_max)
    return fmt::format("has a value of {} bytes; {} are allowed", value.size(),
                       value_length_max);
  auto tried = into;
  auto all = knobs(tried);
  auto k = std::find_if(all.begin(), all.end(),
                        [&](const knob& x) { return x.key == key; });
  if (k == all.end())
    return "is no setting";
  if (auto wrong = set_from_text(*k, value); !wrong.empty())
    return wrong;
  if (auto wrong = contradictions(tried); !wrong.empty())
    return fmt::format("is {}, which does not fit the settings file: {}", value,
                       wrong.front());
  into = tried;
  return {};
}

std::string no_such_key(const std::string& key) {
  std::vector<std::string> known;
  for (const auto& x : cluster_settings())
    known.push_back(x.key);
  auto near = nearest(key, known);
  return fmt::format("names no setting of the cluster{}",
                     near.empty() ? "" : fmt::format("; is {} meant?", near));
}

} // namespace

const std::vector<cluster_setting>& cluster_settings() {
  static const std::vector<cluster_setting> all{
    {"maintenance.interval", "roundDelay"},
    {"maintenance.nodes_max", "maxParallelEvacuations"},
    {"maintenance.debounce", "debounce"},
    {"maintenance.debounce_failover", "debounceFailover"},
    {"autorepair.enabled", "autorepair"},
    {"balance.enabled", "balance"},
    {"balance.threshold", "balanceThreshold"},
    {"balance.disk_moves", "balanceDiskMoves"},
    {"balance.dynamic_load", "balanceDynamicLoad"},
    {"cluster.job_deadline", "jobTimeout"}};
  return all;
}

const cluster_setting* cluster_setting_named(const std::string& name) {
  auto word = lowered(name);
  const auto& all = cluster_settings();
  auto i = std::find_if(all.begin(), all.end(), [&](const auto& x) {
    return x.key == word || lowered(x.original) == word;
  });
  return i == all.end() ? nullptr : &*i;
}

std::string setting_tag(const std::string& key, const std::string& value) {
  return fmt::format("{}{}:{}", setting_tag_prefix, key, value);
}

std::vector<std::string>
setting_tags_among(const std::vector<std::string>& tags) {
  std::vector<std::string> result;
  std::copy_if(
    tags.begin(), tags.end(), std::back_inserter(result),
    [](const std::string& x) { return x.starts_with(setting_tag_prefix); });
  return result;
}

std::vector<std::string> tags_of_setting(const std::vector<std::string>& tags,
                                         const std::string& key) {
  auto result = setting_tags_among(tags);
  std::erase_if(result, [&](const auto& x) { return split_tag(x).key != key; });
  return result;
}

settings_reading read_setting_tags(const std::vector<std::string>& tags,
                                   const settings& file,
                                   const setting_texts& before) {
  settings_reading result;
  auto now = file;
  auto ours = setting_tags_among(tags);
  for (const auto& x : cluster_settings()) {
    auto of_key = tags_of_setting(ours, x.key);
    if (of_key.empty())
      continue;
    std::string why;
    auto value = split_tag(of_key.front()).value;
    if (of_key.size() > 1)
      why = fmt::format("is one of {} tags of {}", of_key.size(), x.key);
    else
      why = set_if_it_fits(now, x.key, value);
    if (why.empty()) {
      result.values.emplace(x.key, value);
      continue;
    }
    for (const auto& tag : of_key)
      result.unheeded.push_back({tag, why, of_key.size() > 1});
    if (auto was = before.find(x.key);
        was != before.end() && set_if_it_fits(now, x.key, was->second).empty())
      result.values.insert(*was);
  }
  for (const auto& tag : ours) {
    auto p = split_tag(tag);
    auto known
      = std::any_of(cluster_settings().begin(), cluster_settings().end(),
                    [&](const auto& x) { return x.key == p.key; });
    if (!known)
      result.unheeded.push_back({tag, no_such_key(p.key), false});
  }
  return result;
}

settings with_texts(const settings& file, const setting_texts& values) {
  auto result = file;
  for (const auto& [key, value] : values)
    set_if_it_fits(result, key, value);
  return result;
}

std::string why_not_set(const settings& in_force, const std::string& key,
                        const std::string& value) {
  auto tried = in_force;
  return set_if_it_fits(tried, key, value);
}

std::string setting_text(const settings& s, const std::string& key) {
  auto copy = s;
  for (const auto& k : knobs(copy))
    if (k.key == key)
      return text_of(k);
  return {};
}

bool is_same_setting(const std::string& key, const std::string& one,
                     const std::string& other) {
  settings a;
  settings b;
  auto set = [&key](settings& into, const std::string& text) {
    for (const auto& k : knobs(into))
      if (k.key == key)
        return set_from_text(k, text).empty();
    return false;
  };
  return set(a, one) && set(b, other)
         && setting_text(a, key) == setting_text(b, key);
}

} // namespace orderly
