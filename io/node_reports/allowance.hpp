// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the answers under way may take of memory, all nodes together: each node
// may send as much as a long report, and there may be thousands of nodes.

#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace orderly::io::node_reports {

class allowance {
public:
  /// So much of each answer is not counted: what reports are like.
  static constexpr std::size_t free = std::size_t{48} * 1024;
  static constexpr std::size_t together = std::size_t{16} * 1024 * 1024;

  explicit allowance(std::size_t most = together) : most_(most) {
    // nop
  }

  [[nodiscard]] std::size_t used() const { return used_; }

  /// What one answer holds of it; given back at its end.
  class share {
  public:
    explicit share(std::shared_ptr<allowance> of) : of_(std::move(of)) {
      // nop
    }

    ~share() { of_->used_ -= held_; }

    share(const share&) = delete;
    share& operator=(const share&) = delete;

    /// The answer has grown to `bytes`. False: there is no room for that.
    [[nodiscard]] bool grow_to(std::size_t bytes) {
      auto counted = bytes > free ? bytes - free : 0;
      if (counted <= held_)
        return true;
      if (counted - held_ > of_->most_ - of_->used_)
        return false;
      of_->used_ += counted - held_;
      held_ = counted;
      return true;
    }

  private:
    std::shared_ptr<allowance> of_;
    std::size_t held_ = 0;
  };

private:
  std::size_t most_;
  std::size_t used_ = 0;
};

} // namespace orderly::io::node_reports
