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

bool contains(const std::vector<std::string>& all, const std::string& x);

/// 0 fix-storage, 1 migrate, 2 failover, 3 reinstall; -1: no such type.
int repair_risk(const std::string& type);

/// May something of `risk` be done, by the tags of instance, group, cluster?
bool tags_permit(const std::vector<std::string>& instance_tags,
                 const std::vector<std::string>& group_tags,
                 const std::vector<std::string>& cluster_tags, int risk,
                 instant now);

/// Is a suspension what counts for the instance?
bool tags_suspend(const std::vector<std::string>& instance_tags,
                  const std::vector<std::string>& group_tags,
                  const std::vector<std::string>& cluster_tags, instant now);

/// A suspension with a time that is over: it should not be there any more.
/// `over_at` is its time.
bool is_past_suspend(const std::string& tag, instant now, instant& over_at);

/// Begins like an auto-repair tag, whatever comes then.
bool is_repair_tag(const std::string& tag);

/// What a step that may be done but once removes first.
bool is_token(const std::string& tag);

/// The mark of who removed one: "orderly:void:ID:N"?
bool is_void_mark(const std::string& tag);

/// The mark of a repair whose pending tag came with a token: of whichever, or
/// of this one.
bool is_unbegun_mark(const std::string& tag);
bool is_unbegun(const std::vector<std::string>& tags, const incident_id& id);

enum class mark_kind {
  none, ///< of no repair, or malformed
  pending,
  success,
  failure,
  enoperm,
};

/// A pending or result tag that others can read.
struct repair_mark {
  mark_kind kind = mark_kind::none;
  incident_id id = {};
  std::vector<job_id> jobs = {};
};

repair_mark mark_of(const std::string& tag);

/// An unfinished repair written on an instance.
struct pending_tag {
  int risk = -1;
  incident_id id;
};

std::vector<pending_tag> pending_tags(const std::vector<std::string>& tags);

/// A repair that failed stands on the instance.
bool has_failure_tag(const std::vector<std::string>& tags);

} // namespace orderly::sim
