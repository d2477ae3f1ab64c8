// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where an instance that does not exist yet should go: every node, or every
// pair of nodes, is tried and scored; the best that passes a last check is the
// answer. hail and hspace ask it.

#pragma once

#include "actors/planning/score/set_score.hpp"
#include "messages/result.hpp"

#include <functional>

namespace orderly::planning {

/// Why nodes were no answer, by Ganeti's names and in its order.
enum class failure {
  memory,
  disk,
  cpu,
  n1,
  tags,
  migration,
  disk_count,
  spindles,
  internal,
};

inline constexpr std::size_t failure_kinds = 9;

/// `FailMem`.
std::string_view name_of(failure x);

failure failure_of(refusal x);

/// How often each happened.
using failure_counts = std::array<std::int64_t, failure_kinds>;

/// May there be such an instance at all?
std::optional<failure> policy_refusal(const instance_spec& x,
                                      const instance_policy& policy,
                                      bool exclusive_storage);

/// What an instance takes away on dedicated nodes; see dedicated.hpp.
struct lost_room {
  std::vector<std::int64_t> places; ///< of each least size, the largest first
  mib free_disk = 0;                ///< that stays

  auto operator<=>(const lost_room&) const = default;
};

struct allocation {
  outcome what;
  double score = 0;
  std::optional<lost_room> lost = {}; ///< instead of a score
};

struct allocation_result {
  failure_counts failures{};
  std::int64_t successes = 0;
  std::optional<allocation> best;
};

struct allocation_rules {
  bool ignore_soft = false;
  /// Asked of the best in turn until it says yes; all are good without it.
  std::function<bool(int instance, const outcome&)> is_good;
};

/// One or two nodes for an instance with such disks.
int nodes_needed(disk_template x);

/// `targets` ascending; only those that are online count. `scores` shows the
/// nodes that the score is of. The fault says when there are no targets.
result<allocation_result> allocate(const placement& p, int instance,
                                   const instance_spec& spec,
                                   std::vector<int> targets, int nodes,
                                   set_score& scores,
                                   const allocation_rules& rules);

/// The same for a pair whose primary is given.
allocation_result allocate_beside(const placement& p, int instance,
                                  const instance_spec& spec, int primary,
                                  std::vector<int> targets, set_score& scores,
                                  const allocation_rules& rules);

/// The instance on that node or pair, or why not; the score is not judged.
outcome try_allocation(const placement& p, int instance, place where,
                       bool ignore_soft);

} // namespace orderly::planning
