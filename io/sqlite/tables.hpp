// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rows of a journal. Each has a checksum, and a seal over all of them is
// written with every commit: a row that is not as it was written, and one that
// is gone, are found when they are read. Used by the journal file.

#pragma once

#include "io/sqlite/database.hpp"
#include "messages/journal_entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace orderly::io {

/// A row of `SELECT * FROM entries`, or of `SELECT * FROM states`; throws
/// `damaged_rows` if it is not as it was written.
journal_entry read_entry(const statement& row);
std::pair<std::string, fields> read_state(const statement& row);

/// The same, without a look at the checksum.
journal_entry entry_of(const statement& row);
std::pair<std::string, fields> state_of(const statement& row);

/// The value behind `key`, 0 if it was never set. Throws likewise.
std::int64_t read_meta(database& db, const char* key);

class tables {
public:
  explicit tables(database& db) : db_(db) {
    // nop
  }

  /// Reads every row; throws `damaged_rows` if one is not as it was written,
  /// or is not there. Nothing else may be asked before.
  void verify();

  // --- to be called within a transaction that ends with `seal` ---------------

  /// Throws if its number does not follow.
  void insert(const journal_entry& e);

  /// An empty state removes the key.
  void keep_state(const std::string& key, const fields& state);

  /// Removes all entries but the newest `keep`.
  void trim(std::uint32_t keep);

  void seal();

  // ----------------------------------------------------------------------------

  void set_meta(const char* key, std::int64_t value);

  [[nodiscard]] std::int64_t meta(const char* key) {
    return read_meta(db_, key);
  }

  [[nodiscard]] journal_contents read(std::uint32_t recent_max);

  [[nodiscard]] std::uint64_t last_seq() const { return last_seq_; }

private:
  /// The checksum of the state behind `key`.
  std::optional<std::int64_t> sum_of(const std::string& key);

  [[nodiscard]] std::int64_t seal_value() const;

  database& db_;
  std::uint64_t last_seq_ = 0;
  std::int64_t entries_ = 0;
  std::int64_t states_ = 0;
  std::int64_t states_sum_ = 0; ///< of their checksums
};

} // namespace orderly::io
