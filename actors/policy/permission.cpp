// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/permission.hpp"

#include "actors/policy/utc.hpp"

#include <optional>

#include <fmt/format.h>

namespace orderly {

namespace {

using verdict = permission::verdict;

/// What one object says: its last suspension that is still active.
std::optional<permission> suspension(const std::vector<std::string>& all,
                                     const std::string& where, instant now) {
  std::optional<permission> best;
  for (const auto& text : all) {
    auto tag = tags::parse(text);
    const auto* found = tag ? std::get_if<tags::suspend>(&*tag) : nullptr;
    if (found == nullptr || (found->until && *found->until <= now))
      continue;
    auto longer
      = !best
        || (best->until && (!found->until || *found->until > *best->until));
    if (!longer)
      continue;
    best.emplace();
    best->what = verdict::suspended;
    best->until = found->until;
    best->source = fmt::format("tag {} on {}", text, where);
    if (found->malformed)
      best->source += " (its time is no number)";
  }
  return best;
}

/// What one object allows: the least destructive of its types.
std::optional<permission> allowance(const std::vector<std::string>& all,
                                    const std::string& where) {
  std::optional<permission> best;
  for (const auto& text : all) {
    auto tag = tags::parse(text);
    const auto* found = tag ? std::get_if<tags::policy>(&*tag) : nullptr;
    if (found == nullptr || (best && best->up_to <= found->type))
      continue;
    best.emplace();
    best->what = verdict::enabled;
    best->up_to = found->type;
    best->source = fmt::format("tag {} on {}", text, where);
  }
  return best;
}

std::optional<permission> opinion(const std::vector<std::string>& all,
                                  const std::string& where, instant now) {
  if (auto result = suspension(all, where, now))
    return result;
  return allowance(all, where);
}

} // namespace

permission permission_of(const std::string& instance,
                         const std::vector<std::string>& instance_tags,
                         const std::string& group,
                         const std::vector<std::string>& group_tags,
                         const std::vector<std::string>& cluster_tags,
                         instant now) {
  if (auto near = opinion(instance_tags, "instance " + instance, now))
    return *near;
  if (auto near = opinion(group_tags, "group " + group, now))
    return *near;
  if (auto near = opinion(cluster_tags, "cluster", now))
    return *near;
  permission none;
  none.source = fmt::format("no autorepair tag on instance {}, group {} or the "
                            "cluster",
                            instance, group);
  return none;
}

std::vector<std::string> expired_suspends(const std::vector<std::string>& all,
                                          instant now) {
  std::vector<std::string> result;
  for (const auto& text : all) {
    auto tag = tags::parse(text);
    const auto* found = tag ? std::get_if<tags::suspend>(&*tag) : nullptr;
    if (found != nullptr && found->until && *found->until <= now)
      result.push_back(text);
  }
  return result;
}

std::string describe(const permission& p) {
  switch (p.what) {
  case verdict::not_enabled:
    return "not enabled: " + p.source;
  case verdict::suspended:
    if (p.until)
      return fmt::format("suspended until {} by {}", utc_text(*p.until),
                         p.source);
    return "suspended for ever by " + p.source;
  case verdict::enabled:
    return fmt::format("enabled up to {} by {}", tags::to_string(p.up_to),
                       p.source);
  }
  return "?";
}

} // namespace orderly
