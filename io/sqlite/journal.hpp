// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal as one SQLite file: entries, and the states that they left
// behind. A plain class for one thread at a time; the journal port runs it.
//
//            open/read                 append: done
//   closed ------------> open --------------------------> open
//     ^                   |  |
//     |  append: failed   |  | the path does not name our file any more, or
//     +-------------------+  | it is older than what we wrote: put back from
//                            v a backup
//                           lost: for ever
//
//   What a failed commit did is unknown: only a new read from the file can
//   tell. What is lost is neither written nor read again in this life.

#pragma once

#include "io/sqlite/known_time.hpp"
#include "io/sqlite/place.hpp"
#include "messages/duty.hpp"
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

  /// Opens or creates the file and checks every row. A file that is not ours,
  /// in use or of an unknown version is refused and left as it is. One of ours
  /// that is damaged is set aside by the first opening, and what is whole in
  /// it goes on in a new one; by a later one it is refused. Returns the last
  /// sequence number.
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

  /// To be called once a minute with who is on duty by then: a later life shall
  /// know how long nobody was. A minute of ours that began on the disk counts,
  /// so that what the cluster's actors were told of an absence is there first.
  void note_duty(duty x);

  /// Nothing that is written would be found again, or what was written is not
  /// there.
  [[nodiscard]] bool lost() const { return !lost_.empty(); }

private:
  struct content;

  /// Throws if the end of it is not there.
  void check_tail(content& fresh) const;

  /// As it is at the path, checked.
  std::unique_ptr<content> open_content();

  /// The same, by the first opening in this life.
  std::unique_ptr<content> first_content();

  /// In the place of a damaged file.
  std::unique_ptr<content> begin_anew(const std::string& why);

  /// Counts this start, and refuses a journal from before another one.
  void begin_life(content& fresh);

  /// Throws if somebody took the file away from us.
  void check_place();

  [[noreturn]] void lose(std::string why);

  [[nodiscard]] fault failure(const std::exception& error,
                              const char* doing) const;

  std::string path_;
  std::uint32_t keep_entries_;
  std::unique_ptr<content> content_;
  place place_;
  std::string lost_;          ///< why; empty: it is not
  std::string damage_;        ///< what was found in this life
  known_time worked_;         ///< as in `journal_contents`
  bool unnoted_ = false;      ///< likewise
  duty duty_ = duty::unknown; ///< a minute ago
  bool written_ = false;    ///< by this life, and the last append did not fail
  bool numbered_ = false;   ///< the journal says that its lock has a number
  bool alive_ = false;      ///< it was open once in this life
  std::uint64_t known_ = 0; ///< last number that was acknowledged or read
};

} // namespace orderly::io
