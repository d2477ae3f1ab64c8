// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A proof that groups cannot be emptied: instances flow from their pools to
// the groups that they may be in, as if they were divisible and nodes of a
// group were one. Where not even that fits, no plan of any length does, whoever
// moves; the least cut says what is short, and where.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/groups/group_cut.hpp"
#include "actors/planning/moves/placement.hpp"

#include <array>

namespace orderly::planning {

enum class resource { memory, disk, cpus };

inline constexpr std::size_t resource_kinds = 3;

struct shortage {
  resource of = resource::memory;
  std::int64_t missing = 0;
  std::int64_t wanted = 0; ///< by those that may only be in `groups`
  std::int64_t room = 0;   ///< that these have, with what they have now
  std::vector<int> groups;
  /// Where the volumes are of who leaves and is short; nothing for none.
  std::vector<std::optional<storage_pool>> pools;
};

class room_flow {
public:
  room_flow(const cluster& c, const crossing_map& map, const group_cuts& cuts,
            const build_options& build);

  /// What is short if these groups are to be empty; nothing if nothing is by
  /// this measure. `emptied` is of each group.
  std::optional<shortage> look(const std::vector<bool>& emptied) const;

private:
  using amounts = std::array<std::int64_t, resource_kinds>;

  /// Instances that are alike in where they are and may be.
  struct sort_of {
    int home = -1;
    std::optional<storage_pool> pool;
    std::vector<bool> open; ///< each group

    auto operator<=>(const sort_of&) const = default;
  };

  struct demand {
    amounts leaving{}; ///< in another group
    amounts staying{}; ///< where they are now
  };

  void add_room(const placement& p, int group);
  std::optional<shortage> look(const std::vector<bool>& emptied,
                               resource of) const;

  std::vector<amounts> room_; ///< of each group, with what is there now
  std::map<sort_of, demand> demands_;
};

} // namespace orderly::planning
