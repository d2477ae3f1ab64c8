// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The repair tags of one instance put in order (spec repair A.5), for the
// autorepair machine. Tags keep their text as read: that is what a removal
// must name.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

namespace orderly::autorepair {

struct standing_pending {
  tags::pending tag;
  std::string text;
};

struct standing_result {
  tags::result tag;
  std::string text;
};

/// Of each sort of tag so many are taken in hand at a time, so that a job and
/// its row in the journal have a bound; the others get their turn later.
inline constexpr std::size_t tags_at_once = 500;

struct tag_record {
  std::vector<standing_pending> queue; ///< one an id, by time, then id
  /// Copies of an id in the queue, and pendings that a result has ended.
  std::vector<std::string> superseded;
  std::vector<std::string> unusable; ///< pendings whose id fits in no result
  std::vector<standing_pending> strange;  ///< whose id is another instance's
  std::vector<standing_result> successes; ///< by time
  std::vector<standing_result> failures;  ///< by time
  std::vector<standing_result> enoperms;  ///< by time
  std::vector<std::string> expired;       ///< suspensions that are over
  std::vector<std::string> tokens;        ///< of repairs that are over
  /// Marks of tokens that were removed, and of repairs that are over.
  std::vector<std::string> voids;
  std::vector<std::string> unbegun; ///< marks of repairs in the queue
  std::vector<std::string> armed;   ///< of those that are not; none of our own
};

tag_record read_tags(const std::vector<std::string>& all, instant now);

/// What a pending tag permits it permits one instance: that which took its
/// repair up first. Those that are another's are no part of the queue.
void set_apart(tag_record& r, const state& s, const facts& seen);

/// What is odd about such a tag, a clause.
std::string strange_text(const standing_pending& p, const facts& seen);

/// A step of that type is permitted, by the tags or by a repair that was begun;
/// nothing suspends it and no failed repair stands there.
bool may_be_repaired(const tag_record& tags, const permission& may,
                     tags::repair_type type);

/// Is there a result of that repair?
bool has_ended(const tag_record& tags, const incident_id& id);

/// Did its pending tag come with a token, and has no step of it run?
bool is_unbegun(const tag_record& tags, const incident_id& id);

/// The pending tag of that id in the queue, or nullptr.
const standing_pending* find(const tag_record& tags, const incident_id& id);

/// The tags of the instance; a picture older than our last tag job is
/// corrected by what that job wrote.
std::vector<std::string> tags_on(const state& s, const facts& seen);

/// `a` and those of `b` that are not in it.
std::vector<job_id> joined(std::vector<job_id> a, const std::vector<job_id>& b);

} // namespace orderly::autorepair
