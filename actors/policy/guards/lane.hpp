// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A lane: operations of one kind, of which so many run and so many wait. Who
// has waited longest comes first, and gets the place of who has not when all
// are taken. Pure; its owner starts what has its turn and tells when it ended.
// Used for checks by the collector.

#pragma once

#include "messages/time.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace orderly {

class lane {
public:
  /// Names one operation; never given twice.
  using ticket = std::uint64_t;

  struct bounds {
    std::uint32_t parallel_max = 1;
    std::uint32_t queued_max = 0;
  };

  /// What became of one that came.
  struct entry {
    ticket mine = 0;
    bool admitted = false;
    /// Who lost its place to it, and is refused.
    std::optional<ticket> displaced;
  };

  /// `since` is when its object had its last turn: the earliest comes first,
  /// and of two the one that came first. Unless it was not admitted it waits
  /// now; see `next`. Those that are `slow`, because they will probably
  /// run into their time limit, take at most half of the room to run.
  entry offer(instant since, const bounds& within, bool slow = false);

  /// Whose turn it is; it runs now. nullopt: nobody's.
  std::optional<ticket> next(const bounds& within);

  /// One that ran came to an end.
  void ended(ticket x);

  [[nodiscard]] std::size_t running() const { return running_.size(); }

  [[nodiscard]] std::size_t waiting() const {
    return waiting_.size() + waiting_slowly_.size();
  }

private:
  using queue = std::set<std::pair<instant, ticket>>;

  queue waiting_;
  queue waiting_slowly_;
  std::map<ticket, bool> running_; ///< slow or not
  std::size_t slow_running_ = 0;
  ticket last_ = 0;
};

} // namespace orderly
