// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/permission.hpp"

#include "actors/policy/base/utc.hpp"
#include "actors/policy/repair/tag_oddities.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

using verdict = permission::verdict;

std::string source_of(const std::string& tag, const std::string& where) {
  return "tag " + printable(tag) + " on " + printable(where, 300);
}

permission allowing(tags::repair_type type, std::string source) {
  permission p;
  p.what = verdict::enabled;
  p.up_to = type;
  p.source = std::move(source);
  return p;
}

permission suspending(const tags::suspend& x, std::string source) {
  permission p;
  p.what = verdict::suspended;
  p.until = x.until;
  p.source = std::move(source);
  if (x.malformed)
    p.source += " (its time is none)";
  return p;
}

} // namespace

tag_opinion::tag_opinion(const std::vector<std::string>& all,
                         const std::string& where) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& text = all[i];
    auto tag = tags::parse(text);
    if (!tag)
      continue;
    if (const auto* type = std::get_if<tags::policy>(&*tag)) {
      if (!allowed_ || type->type < allowed_->up_to)
        allowed_ = allowing(type->type, source_of(text, where));
    } else if (const auto* stop = std::get_if<tags::suspend>(&*tag)) {
      auto& best = stop->until ? longest_ : for_ever_;
      if (!best || (stop->until && *stop->until > *best->until))
        best = suspending(*stop, source_of(text, where));
      if (stop->until)
        endings_.push_back({*stop->until, i, text});
    }
  }
  std::sort(endings_.begin(), endings_.end(),
            [](const ending& a, const ending& b) {
              return std::tie(a.until, a.place) < std::tie(b.until, b.place);
            });
}

const permission* tag_opinion::at(instant now) const {
  if (for_ever_)
    return &*for_ever_;
  if (longest_ && *longest_->until > now)
    return &*longest_;
  return allowed_ ? &*allowed_ : nullptr;
}

std::vector<std::string> tag_opinion::expired(instant now) const {
  auto end = std::find_if(endings_.begin(), endings_.end(),
                          [&](const ending& x) { return x.until > now; });
  std::vector<ending> over{endings_.begin(), end};
  std::sort(over.begin(), over.end(),
            [](const ending& a, const ending& b) { return a.place < b.place; });
  std::vector<std::string> result;
  result.reserve(over.size());
  for (auto& x : over)
    result.push_back(std::move(x.text));
  return result;
}

std::optional<instant> tag_opinion::changes_after(instant now) const {
  for (const auto& x : endings_)
    if (x.until > now)
      return x.until;
  return std::nullopt;
}

permission permission_of(const std::string& instance,
                         const tag_opinion& of_instance,
                         const std::string& group, const tag_opinion& of_group,
                         const tag_opinion& of_cluster, instant now) {
  for (const auto* object : {&of_instance, &of_group, &of_cluster})
    if (const auto* word = object->at(now))
      return *word;
  permission none;
  none.source = fmt::format("no autorepair tag on instance {}, group {} or the "
                            "cluster",
                            instance, group);
  return none;
}

permission permission_of(const std::string& instance,
                         const std::vector<std::string>& instance_tags,
                         const std::string& group,
                         const std::vector<std::string>& group_tags,
                         const std::vector<std::string>& cluster_tags,
                         instant now) {
  const tag_opinion nothing;
  tag_opinion near{instance_tags, "instance " + instance};
  if (near.at(now) != nullptr)
    return permission_of(instance, near, group, nothing, nothing, now);
  tag_opinion middle{group_tags, "group " + group};
  if (middle.at(now) != nullptr)
    return permission_of(instance, nothing, group, middle, nothing, now);
  return permission_of(instance, nothing, group, nothing,
                       tag_opinion{cluster_tags, "cluster"}, now);
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

instant next_suspend_end(const std::vector<std::string>& all, instant now) {
  auto first = never;
  for (const auto& text : all) {
    auto tag = tags::parse(text);
    const auto* found = tag ? std::get_if<tags::suspend>(&*tag) : nullptr;
    if (found != nullptr && found->until && *found->until > now
        && (first == never || *found->until < first))
      first = *found->until;
  }
  return first;
}

std::string describe(const permission& p) {
  switch (p.what) {
  case verdict::not_enabled:
    return "not enabled: " + p.source;
  case verdict::suspended:
    if (p.held)
      return "held: " + p.source;
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
