// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Could every node be lost? The reference's own answer: a node can if all its
// mirrored instances fail over, each of its shared ones finds a best node in
// the group, and each of the rest could be created anew there. Soft limits do
// not count. Allocation asks it of every candidate, hcheck of every node. Only
// nodes in service take anything over, unless it is asked by the rule of 3.0.

#pragma once

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/score/set_score.hpp"

namespace orderly::planning {

class global_n1 {
public:
  /// `p` must outlive it; it changes during a question and is what it was
  /// after it.
  explicit global_n1(placement& p);

  /// The placement is another: all is looked at anew.
  void reset();

  /// Only these nodes count.
  void only(const std::vector<int>& nodes);

  /// Can it be lost as the placement is now?
  bool can_lose(int node);

  /// Can every node that counts be lost?
  bool holds();

  /// The same, if the instance, which is nowhere, were there.
  bool holds_with(int instance, const outcome& x);

  /// The placement changed: the instance is elsewhere, or is new.
  void moved(int instance);

private:
  /// What a node holds, in the order in which it leaves.
  struct load_of {
    std::vector<int> mirrored;
    std::vector<int> shared;
    std::vector<int> pinned; ///< largest memory first
  };

  enum class answer { unknown, yes, no };

  load_of take_stock(int node) const;
  bool ask(int node);
  bool place_all(int node, const load_of& x, trial& t);
  std::optional<bool> foretell(int node, const load_of& x) const;
  bool has_slots(int node, const load_of& x) const;
  bool move_shared(int instance, const std::vector<int>& targets,
                   set_score& scores, trial& t);
  bool create_pinned(int instance, const std::vector<int>& targets,
                     set_score& scores, trial& t);
  bool is_untouched(int node, const outcome& x) const;

  placement& p_;
  std::vector<std::vector<int>> held_; ///< primaries, the last to come last
  std::vector<int> where_;             ///< of each instance, as held_ has it
  std::vector<bool> counts_;
  std::vector<answer> answers_; ///< for the placement as it is
  std::vector<int> group_of_;
  std::map<int, std::vector<int>> groups_;
  std::map<int, std::vector<int>> refuges_; ///< of each group
  std::vector<int> all_;
  int extra_ = -1;  ///< the instance that is there for one question
  int suspect_ = 0; ///< the node that failed last
};

} // namespace orderly::planning
