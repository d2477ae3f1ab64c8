// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What can be done after a change, in three stages, group by group:
//
//     take off --> mend N+1 and cover --> (gather room, take off again)
//
// Groups that are to be emptied come before all others, new instances last.
// Each stage begins with the cluster that the one before it left.

#pragma once

#include "actors/planning/search/exact.hpp"
#include "actors/planning/whatif/creation.hpp"
#include "actors/planning/whatif/stuck.hpp"

namespace orderly::planning {

class remedy {
public:
  remedy(changed_cluster x, const build_options& build);

  void run();

  /// One group alone, which is not to be emptied.
  void settle(int group);

  /// After all steps, with the new instances.
  const cluster& now() const { return now_; }

  const std::vector<step>& steps() const { return steps_; }

  /// Of all instances that could not leave.
  const std::vector<stuck_instance>& stuck() const { return stuck_; }

  const std::vector<unplaced_instances>& unplaced() const { return unplaced_; }

  /// New instances that found a place are the last so many.
  std::int64_t created() const { return created_; }

private:
  struct state {
    cluster now;
    std::vector<step> steps;
    std::vector<stuck_instance> stuck;
  };

  void leave_group(int group);
  void take_off_and_mend(int group);
  void take_off(int group);
  std::optional<stuck_instance> loses_far_mirror(const placement& p,
                                                 int i) const;
  bool is_new(const placement& p, int i) const;
  bool mend(int group);
  bool gather(int group);
  bool gather_around_new(int group, cluster& bare);
  void create_all();
  void record(const placement& p, place from, const std::vector<move>& moves);
  void carry_out(placement& p, const std::vector<step>& steps);
  std::size_t waiting(int group) const;
  std::vector<bool> local(const placement& p,
                          const std::vector<bool>& of_cluster) const;

  changed_cluster x_;
  build_options build_;
  cluster now_;
  std::vector<bool> is_left_;  ///< of each node: out of service
  std::vector<bool> is_alive_; ///< of each node: can be copied from
  std::vector<step> steps_;
  std::vector<stuck_instance> stuck_;
  std::vector<unplaced_instances> unplaced_;
  std::int64_t created_ = 0;
};

} // namespace orderly::planning
