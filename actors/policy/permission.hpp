// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How far may an instance be repaired? Nearest object wins; within one object
// suspend beats enable and the least destructive type wins (spec repair A.3).

#pragma once

#include "actors/policy/tags.hpp"

#include <string>
#include <vector>

namespace orderly {

struct permission {
  enum class verdict { not_enabled, suspended, enabled };

  verdict what = verdict::not_enabled;
  tags::repair_type up_to = tags::repair_type::fix_storage; ///< if enabled
  std::optional<instant> until; ///< if suspended: nullopt is for ever
  std::string source; ///< "tag ganeti:...:failover on group g1"; never empty
};

/// Tags of the instance, of the group of its primary node, of the cluster.
permission permission_of(const std::string& instance,
                         const std::vector<std::string>& instance_tags,
                         const std::string& group,
                         const std::vector<std::string>& group_tags,
                         const std::vector<std::string>& cluster_tags,
                         instant now);

/// Suspend tags in `all` whose time has passed.
std::vector<std::string> expired_suspends(const std::vector<std::string>& all,
                                          instant now);

/// "enabled up to failover by tag ... on cluster": for `explain`.
std::string describe(const permission& p);

} // namespace orderly
