// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many more instances there is room for: one after the other is allocated
// until none fits, all of one size, or each as large as still fits. hspace
// counts them.

#pragma once

#include "actors/planning/place/allocate.hpp"
#include "actors/planning/place/global_n1.hpp"

namespace orderly::planning {

/// What of a size shrinks, and how it is asked for.
using size_key = std::array<mib, 5>;

struct filling_rules {
  int nodes = 1;            ///< of each instance
  std::vector<int> targets; ///< that may be used
  std::vector<int> guarded; ///< that global N+1 is asked of
  bool capacity = true;     ///< keep global N+1
  /// Keep it when a smaller size is looked for. The reference does so for pairs
  /// too, which it allocates without asking.
  bool capacity_of_smaller = true;
  std::optional<std::int64_t> limit; ///< at most so many
  /// More instances, or sizes in a row that fit nowhere, are a slip of whoever
  /// says how large the nodes are, or an instance is: to count them one by one
  /// would never end.
  std::size_t countable = 1'000'000;
};

/// An instance that found room.
struct filled {
  instance_spec spec;
  place where;
};

struct filling {
  failure_counts failures{}; ///< why there was no more
  std::vector<filled> made;
};

/// A cluster that is being filled. The placement holds an instance that is
/// nowhere, the last one: the pattern of what is allocated.
class filler {
public:
  filler(placement p, filling_rules rules);

  /// As many as fit of this size. The fault says that there are no targets.
  std::optional<fault> fill(const instance_spec& size);

  /// Starts with the first size; when none fits, what fails most often is made
  /// smaller. Then the same from the next size on, beside what was made.
  std::optional<fault> fill_tiered(const std::vector<instance_spec>& sizes);

  const filling& result() const { return result_; }

  const placement& nodes() const { return p_; }

private:
  struct known {
    failure_counts failures;
    bool fits = false;
  };

  /// A size of which there is no more, and why.
  struct tier {
    instance_spec size;
    failure_counts failures;
    std::optional<std::int64_t> limit; ///< of those that follow
  };

  const known* look(const instance_spec& size, bool capacity);
  std::optional<instance_spec> shrunk_until_it_fits(instance_spec size,
                                                    failure by);
  std::optional<instance_spec> step_back(std::vector<tier>& waiting);
  void take(const instance_spec& size);
  void forget();
  std::optional<fault> fill(const instance_spec& size,
                            std::optional<std::int64_t> limit);
  std::optional<fault> fill_tiers_of(instance_spec size,
                                     std::optional<std::int64_t> limit);
  std::optional<fault> fill_singly(const instance_spec& size,
                                   std::optional<std::int64_t> limit);
  bool fill_batch(const instance_spec& size, std::int64_t most);
  std::int64_t guess_step(const instance_spec& size) const;

  placement p_;
  filling_rules rules_;
  int pattern_;
  global_n1 n1_;
  set_score scores_;
  filling result_;
  /// What was tried since the last instance was made, by size.
  std::map<size_key, known> tried_;
  /// Where a walk to smaller sizes that passed this one ended: each size is
  /// passed once, or the walks of many would take their number squared.
  std::map<std::pair<size_key, failure>, std::size_t> walked_;
  std::vector<std::optional<instance_spec>> walk_ends_;
  std::optional<fault> fault_;
  std::optional<allocation> next_; ///< of the size that was tried last
};

/// A step smaller in what failed; nothing if it is too small for that already.
std::optional<instance_spec> shrunk(instance_spec size, failure by);

} // namespace orderly::planning
