// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A file that says "in use": two daemons must not write one journal. Beside
// the journal and not on it, since closing any descriptor of an SQLite file
// drops SQLite's own locks. It also says which entry was the last that anybody
// was told of: a log that was damaged ends before it, and looks whole. Its
// second line says when whoever used it watched the cluster last.

#pragma once

#include "io/sqlite/known_time.hpp"
#include "messages/result.hpp"

#include <cstdint>
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

  /// `io` if the disk kept it from being taken, which may end; else `refused`.
  [[nodiscard]] fault_kind kind() const { return kind_; }

  /// Best effort; one that is not `durable` may be an older one after a power
  /// loss. False if it could not be written.
  bool note(std::uint64_t seq, bool durable = false) const;

  /// 0 if nothing is there that we wrote.
  [[nodiscard]] std::uint64_t noted() const;

  /// Its user was on duty then; never: somebody else is. Best effort.
  void note_duty(const known_time& x) const;

  /// Somebody's duty was noted, ours or another one's.
  [[nodiscard]] bool notes_duty() const;

  /// With 0 for what is not there as we wrote it.
  [[nodiscard]] known_time noted_duty() const;

private:
  int descriptor_ = -1;
  std::string text_;
  fault_kind kind_ = fault_kind::refused;
};

} // namespace orderly::io
