// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How far may an instance be repaired? Nearest object wins; within one object
// suspend beats enable and the least destructive type wins (spec repair A.3).
//
// Tags of groups and clusters are shared by thousands of instances: they are
// digested once into a `tag_opinion`, which then answers for any time.

#pragma once

#include "actors/policy/repair/tags.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly {

struct permission {
  enum class verdict { not_enabled, suspended, enabled };

  verdict what = verdict::not_enabled;
  tags::repair_type up_to = tags::repair_type::fix_storage; ///< if enabled
  std::optional<instant> until; ///< if suspended: nullopt is for ever
  std::string source; ///< "tag ganeti:...:failover on group g1"; never empty
  /// Suspended not by a tag but by what a person does: `source` says what.
  bool held = false;

  friend bool operator==(const permission&, const permission&) = default;
};

/// What the tags of one object say about repairs.
class tag_opinion {
public:
  /// No tags at all.
  tag_opinion() = default;

  /// `where` is "instance web1", "group g1" or "cluster".
  tag_opinion(const std::vector<std::string>& all, const std::string& where);

  /// nullopt: the object has no opinion, the next one is asked.
  [[nodiscard]] const permission* at(instant now) const;

  /// Suspend tags whose time has passed, in the order they were given.
  [[nodiscard]] std::vector<std::string> expired(instant now) const;

  /// When the next suspension runs out, so that `at` or `expired` may change;
  /// nullopt: never, as long as the tags stay the same.
  [[nodiscard]] std::optional<instant> changes_after(instant now) const;

private:
  struct ending {
    instant until;
    std::size_t place = 0; ///< among the tags given
    std::string text;
  };

  std::optional<permission> for_ever_;
  std::optional<permission> longest_; ///< suspension with a time
  std::optional<permission> allowed_;
  std::vector<ending> endings_; ///< by time
};

/// Opinions of the instance, of the group of its primary node, of the
/// cluster; the names are for the sentence that says where nothing was found.
permission permission_of(const std::string& instance,
                         const tag_opinion& of_instance,
                         const std::string& group, const tag_opinion& of_group,
                         const tag_opinion& of_cluster, instant now);

/// The same from the tags themselves.
permission permission_of(const std::string& instance,
                         const std::vector<std::string>& instance_tags,
                         const std::string& group,
                         const std::vector<std::string>& group_tags,
                         const std::vector<std::string>& cluster_tags,
                         instant now);

/// Suspend tags in `all` whose time has passed.
std::vector<std::string> expired_suspends(const std::vector<std::string>& all,
                                          instant now);

/// When the first suspend tag in `all` that still holds is over; `never` if
/// none of them ever is.
instant next_suspend_end(const std::vector<std::string>& all, instant now);

/// "enabled up to failover by tag ... on cluster": for `explain`.
std::string describe(const permission& p);

} // namespace orderly
