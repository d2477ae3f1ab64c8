// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/law_tags.hpp"

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

bool suspends(const std::vector<std::string>& parts, instant now) {
  if (parts.empty() || parts[0] != "suspend")
    return false;
  auto until = parts.size() == 2 ? parts[1] : std::string{};
  auto is_number
    = !until.empty() && until.size() < 18
      && until.find_first_not_of("0123456789") == std::string::npos;
  // No time, or nonsense: for ever.
  return !is_number || std::atoll(until.c_str()) > to_unix(now);
}

/// What one object says: -2 nothing, -1 suspended, else the level.
int opinion(const std::vector<std::string>& tags, instant now) {
  auto least = -2;
  for (const auto& tag : tags) {
    auto parts = parts_of(tag);
    if (suspends(parts, now))
      return -1;
    auto level = parts.size() == 1 ? repair_level(parts[0]) : -1;
    if (level >= 0 && (least < 0 || level < least))
      least = level;
  }
  return least;
}

} // namespace

int repair_level(const std::string& type) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (type == types[i])
      return static_cast<int>(i);
  return -1;
}

bool tags_permit(const std::vector<std::string>& instance_tags,
                 const std::vector<std::string>& group_tags,
                 const std::vector<std::string>& cluster_tags, int level,
                 instant now) {
  for (const auto* tags : {&instance_tags, &group_tags, &cluster_tags}) {
    auto word = opinion(*tags, now);
    if (word != -2)
      return word >= level;
  }
  return false;
}

std::vector<pending_tag> pending_tags(const std::vector<std::string>& tags) {
  std::vector<pending_tag> result;
  for (const auto& tag : tags) {
    auto parts = parts_of(tag);
    if (parts.size() == 5 && parts[0] == "pending")
      result.push_back({repair_level(parts[1]), parts[2]});
  }
  return result;
}

bool has_failure_tag(const std::vector<std::string>& tags) {
  for (const auto& tag : tags) {
    auto parts = parts_of(tag);
    if (parts.size() == 6 && parts[0] == "result" && parts[4] == "failure")
      return true;
  }
  return false;
}

} // namespace orderly::sim
