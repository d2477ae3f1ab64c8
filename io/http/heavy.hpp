// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many large answers may be under way at once: each is kept in memory until
// its last byte has left, and slow readers take their time. Used by the routes.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace orderly::io::http {

inline constexpr std::size_t heavy_bytes = 256 * 1024;

class heavy_limit : public std::enable_shared_from_this<heavy_limit> {
public:
  explicit heavy_limit(std::uint32_t most) : most_(most) {
    // nop
  }

  /// A place, for as long as it is kept; null: all are taken. Who may give
  /// orders has places of its own, as many again: whoever only reads keeps
  /// nobody from looking who has to act.
  std::shared_ptr<void> take(bool may_order) {
    auto& taken = may_order ? by_owners_ : by_readers_;
    if (taken.fetch_add(1) >= most_) {
      taken.fetch_sub(1);
      return nullptr;
    }
    return {this,
            [me = shared_from_this(), &taken](void*) { taken.fetch_sub(1); }};
  }

private:
  std::uint32_t most_;
  std::atomic<std::uint32_t> by_readers_ = 0;
  std::atomic<std::uint32_t> by_owners_ = 0;
};

} // namespace orderly::io::http
