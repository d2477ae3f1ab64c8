// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/agent_keys.hpp"

#include <string_view>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

/// No agent has it.
constexpr const char* nobody = "-";

} // namespace

std::vector<std::string> tagged_keys(const std::vector<std::string>& tags) {
  constexpr std::string_view prefix = agent_tag;
  std::vector<std::string> keys;
  for (const auto& tag : tags)
    if (tag.size() > prefix.size() && tag.rfind(prefix, 0) == 0)
      keys.push_back(tag.substr(prefix.size()));
  return keys;
}

std::vector<std::string> known_keys(const std::vector<std::string>& tags,
                                    const std::string& met, bool tagged_only) {
  auto keys = tagged_keys(tags);
  if (!keys.empty())
    return keys;
  if (tagged_only)
    return {nobody};
  if (!met.empty())
    return {met};
  return {};
}

std::string how_to_trust(const std::string& node, const std::string& key) {
  return fmt::format("if {} is what 'orderly-agent --fingerprint' prints on "
                     "{}, type 'gnt-node add-tags {} {}{}', and remove the tag "
                     "of another key",
                     key, node, node, agent_tag, key);
}

} // namespace orderly::maintenance
