// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a storage that a node shares with its neighbours says of whether the
// node is active. Pure: who can look hands in what was seen, and gets back an
// answer and what to keep for the next look.
//
//   heartbeat young ----------------------------------------> active
//   else, by the newest write to a volume of the node:
//     first look of an incident   after the suspicion ------> active
//     a later look                after the newest of before -> active
//   else, if something could not be read --------------------> unknown
//   else ----------------------------------------------------> inactive

#pragma once

#include "messages/sighting.hpp"

#include <optional>
#include <string>
#include <vector>

namespace orderly::checks {

/// A heartbeat is written every minute; one that is younger proves life.
inline constexpr millis heartbeat_proves = seconds{61};

/// What was seen on one storage, at one time.
struct storage_sight {
  bool readable = true; ///< false: nothing else here means anything
  /// When the node wrote its heartbeat last, by the storage's clock; nullopt:
  /// there is none.
  std::optional<instant> heartbeat;
  /// Of each volume of its instances when it was written last; nullopt: that
  /// one could not be read, or is not where it should be.
  std::vector<std::optional<instant>> volumes;
};

/// What a look leaves for the next one. It counts in its incident only: what
/// was newest in an older one says nothing of this.
struct storage_record {
  instant suspect; ///< when the suspicion of its incident began
  instant newest;  ///< the last write that was seen

  friend bool operator==(const storage_record&, const storage_record&)
    = default;
};

struct storage_answer {
  activity verdict = activity::unknown;
  std::string evidence;
  /// To be kept; nullopt: what was kept stays.
  std::optional<storage_record> keep;
};

/// `suspect` is when the suspicion began, which names the incident; `last`
/// what was kept.
storage_answer judge_storage(const storage_sight& seen, instant suspect,
                             const std::optional<storage_record>& last,
                             instant now);

/// Of several storages: activity on any of them wins; else one that could not
/// tell leaves it open; only if each that could tell stood still it is
/// inactive. nullopt is a storage of a kind that never shows activity: it says
/// nothing, and if there are no others nobody knows. No storage at all: nothing
/// of the node is on any, so that nothing moves.
activity judge_storages(const std::vector<std::optional<activity>>& all);

} // namespace orderly::checks
