// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Does the path still name the file that we write? A file that was removed,
// replaced, or written over takes every commit, and nobody finds them again.
// Used by the journal file, around each commit.

#pragma once

#include <cstdint>
#include <string>

namespace orderly::io {

class place {
public:
  explicit place(std::string path) : path_(std::move(path)) {
    // nop
  }

  /// As the files at the path are now, they are ours: after opening, and after
  /// each write of ours.
  void settle();

  /// What somebody did to them since; empty: nothing.
  [[nodiscard]] std::string changed() const;

  /// Likewise, but what we wrote ourselves since is no news: after closing.
  [[nodiscard]] std::string replaced() const;

private:
  struct stamp {
    bool there = false;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t written_ns = 0; ///< since the epoch
  };

  static stamp stamp_of(const std::string& path);

  std::string path_;
  bool settled_ = false;
  stamp main_;
  stamp log_; ///< the write-ahead log: where commits go first
};

} // namespace orderly::io
