// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a cluster has and uses in sum, as hspace prints it.

#pragma once

#include "actors/planning/moves/placement.hpp"

namespace orderly::io::htools {

struct totals {
  planning::mib free_memory = 0;
  planning::mib available_memory = 0; ///< free and not reserved
  planning::mib used_memory = 0;
  planning::mib overhead = 0;    ///< of nodes' own systems, and missing
  planning::mib most_memory = 0; ///< available on one node
  planning::mib free_disk = 0;
  planning::mib available_disk = 0;
  planning::mib used_disk = 0;
  planning::mib most_disk = 0;
  std::int64_t free_spindles = 0;
  std::int64_t used_spindles = 0;
  std::int64_t used_cpus = 0;
  double normed_cpus = 0; ///< used, in physical ones at full density
  double memory = 0;
  double disk = 0;
  double cpus = 0;
  std::int64_t virtual_cpus = 0; ///< that the policy allows
  std::int64_t spindles = 0;
  std::int64_t instances = 0;
  double score = 0;
};

totals totals_of(const planning::placement& p);

/// Nodes that are short of memory, and instances that are on one.
struct bad_items {
  int nodes = 0;
  int instances = 0;
};

bad_items bad_of(const planning::placement& p);

} // namespace orderly::io::htools
