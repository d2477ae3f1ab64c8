// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Auto-repair tags as the laws read them: written a second time, so that a
// mistake of the policy is not repeated by its judge.

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <string>
#include <vector>

namespace orderly::sim {

/// 0 fix-storage, 1 migrate, 2 failover, 3 reinstall; -1: no such type.
int repair_level(const std::string& type);

/// May something of `level` be done, by the tags of instance, group, cluster?
bool tags_permit(const std::vector<std::string>& instance_tags,
                 const std::vector<std::string>& group_tags,
                 const std::vector<std::string>& cluster_tags, int level,
                 instant now);

/// An unfinished repair written on an instance.
struct pending_tag {
  int level = -1;
  incident_id id;
};

std::vector<pending_tag> pending_tags(const std::vector<std::string>& tags);

/// A repair that failed stands on the instance.
bool has_failure_tag(const std::vector<std::string>& tags);

} // namespace orderly::sim
