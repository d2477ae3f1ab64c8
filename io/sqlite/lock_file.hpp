// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A file that says "in use": two daemons must not write one journal. Beside
// the journal and not on it, since closing any descriptor of an SQLite file
// drops SQLite's own locks.

#pragma once

#include <string>

namespace orderly::io {

class lock_file {
public:
  /// Takes the lock at `path`; see `taken` and `text` for what came of it.
  explicit lock_file(const std::string& path);

  ~lock_file(); ///< releases; the file stays

  lock_file(const lock_file&) = delete;
  lock_file& operator=(const lock_file&) = delete;

  [[nodiscard]] bool taken() const { return text_.empty(); }

  /// Why the lock was not taken.
  [[nodiscard]] const std::string& text() const { return text_; }

private:
  int descriptor_ = -1;
  std::string text_;
};

} // namespace orderly::io
