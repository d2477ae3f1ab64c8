// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A file descriptor with one owner, and what the system says of a failure.

#pragma once

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace orderly::io {

/// Closes what was not given away.
class descriptor {
public:
  explicit descriptor(int x) : x_(x) {
    // nop
  }

  ~descriptor() {
    if (x_ >= 0)
      ::close(x_);
  }

  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  [[nodiscard]] int get() const { return x_; }

  int release() { return std::exchange(x_, -1); }

private:
  int x_;
};

/// Of the call that failed last.
inline std::string system_text() {
  return std::generic_category().message(errno);
}

} // namespace orderly::io
