// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nodes as the reference's hroller keeps them while it empties some: what is
// on each, in the order in which it goes, and what room is left by the limits
// that always hold. A full evacuation puts the picture of one node in the place
// of another, as the reference does, so a picture knows whose it is.

#pragma once

#include "actors/planning/roll/roll.hpp"

namespace orderly::planning {

class reference_nodes {
public:
  /// `c` must outlive it.
  explicit reference_nodes(const cluster& c);

  /// Instances that have it as their primary: the last to come is first.
  const std::vector<int>& primaries(int node) const;

  const std::vector<int>& secondaries(int node) const;

  int group(int node) const { return pictures_[at(node)].group; }

  bool has_mirror(int instance) const;

  // Each is done, or nothing is and the answer is false.

  /// The instance goes to another node; it may be of any kind.
  bool move_primary(int instance, int to);

  /// Its mirror becomes its primary and its primary the mirror.
  bool migrate(int instance);

  bool move_secondary(int instance, int to);

  /// Which instances are elsewhere than in `before`, by the names that the
  /// pictures have; those that only changed roles are left out.
  std::vector<round_move> moves_since(const reference_nodes& before) const;

private:
  struct picture {
    int node = -1;
    int group = -1;
    mib free_memory = 0; ///< that is certain
    mib free_disk = 0;
    std::int64_t free_spindles = 0;
    bool exclusive = false;
    std::vector<int> primaries;
    std::vector<int> secondaries;
  };

  bool add(picture& to, int instance, bool as_primary) const;
  void remove(picture& from, int instance, bool as_primary) const;

  const cluster* c_;
  storage_map storage_;
  std::vector<picture> pictures_;
  std::vector<place> places_;
};

} // namespace orderly::planning
