// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// By which keys the agent of a node is known: those that tags of the node name,
// or the one that was met there first. All nodes have the cluster's key; this
// tells which of them has spoken.

#pragma once

#include <string>
#include <vector>

namespace orderly::maintenance {

/// Of a node: `orderly:agent:FINGERPRINT`.
inline constexpr const char* agent_tag = "orderly:agent:";

/// What those tags name.
std::vector<std::string> tagged_keys(const std::vector<std::string>& tags);

/// Whose word counts. Empty: whoever answers, who is then the one that was met.
/// `met`: empty if there is none yet. `tagged_only`: without a tag nobody.
std::vector<std::string> known_keys(const std::vector<std::string>& tags,
                                    const std::string& met, bool tagged_only);

/// To a person: what to type if the agent with that key is the right one.
std::string how_to_trust(const std::string& node, const std::string& key);

} // namespace orderly::maintenance
