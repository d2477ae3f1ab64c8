// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The greatest flow from one point of a net to another, and which points are
// on the source's side of the least cut: Dinic's algorithm, in whole numbers.

#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace orderly::planning {

class flow_net {
public:
  static constexpr std::int64_t no_bound
    = std::numeric_limits<std::int64_t>::max() / 4;

  explicit flow_net(int points) : arcs_of_(static_cast<std::size_t>(points)) {
    // nop
  }

  void connect(int from, int to, std::int64_t capacity);

  std::int64_t greatest(int source, int sink);

  /// After greatest(): could more come from the source to here?
  bool is_behind(int point) const {
    return level_[static_cast<std::size_t>(point)] >= 0;
  }

private:
  struct arc {
    int to = -1;
    std::int64_t left = 0;
  };

  bool measure(int source, int sink);
  std::int64_t push(int point, int sink, std::int64_t most);

  std::vector<arc> arcs_; ///< each one, and behind it the way back
  std::vector<std::vector<std::size_t>> arcs_of_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

} // namespace orderly::planning
