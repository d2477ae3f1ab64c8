// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/laws/tag_words.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace orderly::sim {

namespace {

constexpr std::array<const char*, 4> types{"fix-storage", "migrate", "failover",
                                           "reinstall"};

/// The parts between colons of an auto-repair tag; empty for other tags.
std::vector<std::string> parts_of(const std::string& tag) {
  static const std::string prefix = "ganeti:watcher:autorepair:";
  std::vector<std::string> result;
  if (tag.compare(0, prefix.size(), prefix) != 0)
    return result;
  auto rest = tag.substr(prefix.size());
  for (;;) {
    auto colon = rest.find(':');
    result.push_back(rest.substr(0, colon));
    if (colon == std::string::npos)
      return result;
    rest = rest.substr(colon + 1);
  }
}

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 18
         && text.find_first_not_of("0123456789") == std::string::npos;
}

bool suspends(const std::vector<std::string>& parts, instant now) {
  if (parts.empty() || parts[0] != "suspend")
    return false;
  auto until = parts.size() == 2 ? parts[1] : std::string{};
  // No time, or nonsense: for ever.
  auto end = is_number(until) ? std::atoll(until.c_str()) : 0;
  return end == 0 || end > to_unix(now);
}

/// What one object says: -2 nothing, -1 suspended, else the risk.
int opinion(const std::vector<std::string>& tags, instant now) {
  auto least = -2;
  for (const auto& tag : tags) {
    auto parts = parts_of(tag);
    if (suspends(parts, now))
      return -1;
    auto risk = parts.size() == 1 ? repair_risk(parts[0]) : -1;
    if (risk >= 0 && (least < 0 || risk < least))
      least = risk;
  }
  return least;
}

} // namespace

bool contains(const std::vector<std::string>& all, const std::string& x) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

int repair_risk(const std::string& type) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (type == types[i])
      return static_cast<int>(i);
  return -1;
}

bool tags_permit(const std::vector<std::string>& instance_tags,
                 const std::vector<std::string>& group_tags,
                 const std::vector<std::string>& cluster_tags, int risk,
                 instant now) {
  for (const auto* tags : {&instance_tags, &group_tags, &cluster_tags}) {
    auto word = opinion(*tags, now);
    if (word != -2)
      return word >= risk;
  }
  return false;
}

bool tags_suspend(const std::vector<std::string>& instance_tags,
                  const std::vector<std::string>& group_tags,
                  const std::vector<std::string>& cluster_tags, instant now) {
  for (const auto* tags : {&instance_tags, &group_tags, &cluster_tags}) {
    auto word = opinion(*tags, now);
    if (word != -2)
      return word == -1;
  }
  return false;
}

bool is_past_suspend(const std::string& tag, instant now, instant& over_at) {
  auto parts = parts_of(tag);
  if (parts.size() != 2 || parts[0] != "suspend" || !is_number(parts[1])
      || suspends(parts, now))
    return false;
  over_at = instant{seconds{std::atoll(parts[1].c_str())}};
  return true;
}

bool is_repair_tag(const std::string& tag) {
  return !parts_of(tag).empty();
}

bool is_token(const std::string& tag) {
  return tag.starts_with("orderly:token:");
}

bool is_void_mark(const std::string& tag) {
  return tag.starts_with("orderly:void:");
}

bool is_unbegun_mark(const std::string& tag) {
  return tag.starts_with("orderly:unbegun:");
}

bool is_unbegun(const std::vector<std::string>& tags, const incident_id& id) {
  return std::find(tags.begin(), tags.end(), "orderly:unbegun:" + id)
         != tags.end();
}

namespace {

mark_kind kind_of(const std::vector<std::string>& parts) {
  if (parts.size() == 5 && parts[0] == "pending")
    return mark_kind::pending;
  if (parts.size() != 6 || parts[0] != "result")
    return mark_kind::none;
  return parts[4] == "success"   ? mark_kind::success
         : parts[4] == "failure" ? mark_kind::failure
         : parts[4] == "enoperm" ? mark_kind::enoperm
                                 : mark_kind::none;
}

} // namespace

repair_mark mark_of(const std::string& tag) {
  auto parts = parts_of(tag);
  auto kind = kind_of(parts);
  if (kind == mark_kind::none || repair_risk(parts[1]) < 0 || parts[2].empty()
      || !is_number(parts[3]))
    return {};
  auto jobs = parts.back();
  std::vector<job_id> ids;
  while (!jobs.empty()) {
    auto plus = jobs.find('+');
    if (!is_number(jobs.substr(0, plus)))
      return {};
    ids.push_back(std::strtoull(jobs.c_str(), nullptr, 10));
    if (plus == std::string::npos)
      break;
    jobs = jobs.substr(plus + 1);
    if (jobs.empty())
      return {};
  }
  return {kind, parts[2], std::move(ids)};
}

std::vector<pending_tag> pending_tags(const std::vector<std::string>& tags) {
  std::vector<pending_tag> result;
  for (const auto& tag : tags) {
    auto mark = mark_of(tag);
    if (mark.kind == mark_kind::pending)
      result.push_back({repair_risk(parts_of(tag)[1]), mark.id});
  }
  return result;
}

bool has_failure_tag(const std::vector<std::string>& tags) {
  return std::any_of(tags.begin(), tags.end(), [](const std::string& tag) {
    return mark_of(tag).kind == mark_kind::failure;
  });
}

} // namespace orderly::sim
