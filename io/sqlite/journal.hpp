// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal as one SQLite file: entries, and the states that they left
// behind. A plain class for one thread at a time; the journal port runs it.
//
//            open/read                 append: done
//   closed ------------> open --------------------------> open
//     ^                   |
//     |  append: failed   |   what a failed commit did is unknown: only a new
//     +-------------------+   read from the file can tell

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/result.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace orderly::io {

class journal_file {
public:
  /// `keep_entries`: older entries are removed each time the file is opened.
  journal_file(std::string path, std::uint32_t keep_entries);

  ~journal_file(); ///< closes

  journal_file(const journal_file&) = delete;
  journal_file& operator=(const journal_file&) = delete;

  /// Opens or creates the file and checks it. A file that is damaged, not
  /// ours, in use or of an unknown version is refused and left as it is.
  /// Returns the last sequence number.
  result<std::uint64_t> open();

  /// Makes all of `batch` durable in one transaction, and returns the last
  /// sequence number. Numbers must grow. After a failure nobody knows what
  /// is in the file: it is closed, and only `open` or `read` open it again.
  result<std::uint64_t> append(const journal_batch& batch);

  /// Everything that a start needs. Opens the file if it is closed.
  result<journal_contents> read(std::uint32_t recent_max);

  /// Closes the file. Harmless if it is closed.
  void close();

  [[nodiscard]] bool is_open() const { return content_ != nullptr; }

private:
  struct content;

  [[nodiscard]] fault failure(const std::exception& error,
                              const char* doing) const;

  std::string path_;
  std::uint32_t keep_entries_;
  std::unique_ptr<content> content_;
};

} // namespace orderly::io
