// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Files of Ganeti and of our own: small, on a local disk, and replaced as a
// whole by whoever writes them.

#pragma once

#include "messages/result.hpp"

#include <string>

namespace orderly::io {

/// As much as Ganeti lets an ssconf file have.
inline constexpr std::size_t small_file_max = 128 * 1024;

/// All of a regular file; fails beyond `most`.
result<std::string> read_small(const std::string& path,
                               std::size_t most = small_file_max);

/// Puts `text` there with mode 0600, whole or not at all, and on the disk when
/// this returns; a sentence if it is not.
std::string write_small(const std::string& path, const std::string& text);

/// A file that is read again when it has changed.
class watched_file {
public:
  explicit watched_file(std::string path) : path_(std::move(path)) {
    // nop
  }

  /// True if it is another file, or another text, than the last time; then
  /// `now` has it, or why it cannot be read.
  bool look();

  [[nodiscard]] const result<std::string>& now() const { return now_; }

  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
  std::string mark_; ///< of the file: number, size, times
  result<std::string> now_{
    fault{fault_kind::not_found, "it was not looked at yet"}};
};

} // namespace orderly::io
