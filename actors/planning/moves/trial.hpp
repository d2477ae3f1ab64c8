// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Moves that may be taken back: each is made on the placement itself, and all
// that are not kept are undone in reverse. Whoever asks "what if" about more
// than one move uses it.

#pragma once

#include "actors/planning/moves/moves.hpp"

namespace orderly::planning {

class trial {
public:
  explicit trial(placement& p) : p_(p) {
    // nop
  }

  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;

  /// Takes back what was not kept.
  ~trial() { undo(0); }

  std::size_t size() const { return made_.size(); }

  /// Makes the move if it may be made; says why not otherwise.
  refusal make(const move& m, bool ignore_soft);

  /// Makes what a caller has worked out.
  void make(const move& m, const outcome& x);

  /// Takes moves back until so many are left.
  void undo(std::size_t left);

  /// From here on they stay.
  void keep() { made_.clear(); }

private:
  struct made {
    int instance = -1;
    place from;
    int count = 0;
    std::array<int, 3> nodes{};
    std::array<node_state, 3> states{};
  };

  placement& p_;
  std::vector<made> made_;
};

} // namespace orderly::planning
