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

  /// A place, for as long as it is kept; null: all are taken.
  std::shared_ptr<void> take() {
    if (taken_.fetch_add(1) >= most_) {
      taken_.fetch_sub(1);
      return nullptr;
    }
    return {this,
            [me = shared_from_this()](void*) { me->taken_.fetch_sub(1); }};
  }

private:
  std::uint32_t most_;
  std::atomic<std::uint32_t> taken_ = 0;
};

} // namespace orderly::io::http
