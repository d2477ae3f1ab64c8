// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a reading of the cluster changed. The two records are walked side by
// side once; all else costs as much as there is that changed: a cluster has
// tens of thousands of instances, and some of them change in a reading.

#pragma once

#include "actors/cluster/cluster.hpp"

namespace orderly {

/// Walks two lists that are sorted by name side by side: `both(old, new)` for
/// what is in both, `came(new)` and `went(old)` for the rest.
template <class Record, class Both, class Came, class Went>
void compare(const std::vector<Record>& before,
             const std::vector<Record>& after, Both both, Came came,
             Went went) {
  auto i = before.begin();
  auto k = after.begin();
  while (i != before.end() || k != after.end()) {
    auto order = i == before.end()  ? 1
                 : k == after.end() ? -1
                                    : i->name.compare(k->name);
    if (order < 0)
      went(*i++);
    else if (order > 0)
      came(*k++);
    else
      both(*i++, *k++);
  }
}

/// Which instances came, went, or differ in their own records.
picture_change change_of(const cluster_picture& before,
                         const cluster_record& after);

/// Everything that can make an instance look different in the new picture
/// although its own record is the same. Room that came or went is not here:
/// those who wait for it are attentive and look at every picture.
struct picture_changes {
  bool all = false; ///< tags of the cluster or of a group
  std::set<node_name> nodes;
  std::set<instance_name> jobs;
};

picture_changes changes_between(const cluster_record& before,
                                const cluster_record& after);

/// Brings `lodgers` up to date after a reading.
void relodge(cluster_state& st, const picture_change& change);

/// Brings `homes` up to date after a reading. The nodes where something that
/// should run is at home now and was not before, or the other way round.
std::set<node_name> rehome(cluster_state& st, const picture_change& change);

/// Who looks different after a reading, or waits for any: places in the
/// picture, in order. By `lodgers` of that picture.
std::vector<std::size_t> concerned(const cluster_state& st,
                                   const picture_changes& around,
                                   const picture_change& change);

} // namespace orderly
