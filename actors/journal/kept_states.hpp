// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is on disk under each key, with the calendar that dated it: that is the
// field "calendar" of a state, and nobody else sees it.

#pragma once

#include "actors/journal/calendars.hpp"
#include "messages/protocol/journal.hpp"

#include <map>
#include <string>
#include <string_view>

namespace orderly {

class kept_states {
public:
  /// All of it was read; the rest as for `calendars::begin`.
  void load(std::map<std::string, fields> found, std::string_view calendar,
            instant now, instant last);

  /// An entry is to be written, dated by the calendar of that name.
  static void stamp(journal_entry& entry, std::string_view calendar);

  /// What is to be written beside the next entries, so that they can be told
  /// later: true with a row's key and state in `row`, each time that something
  /// changed.
  bool take_news(std::string_view calendar, journal_entry& row);

  /// It is on disk.
  void keep(const journal_entry& entry);

  /// Adds what is kept under `key`, as it was given, by the calendar of now.
  void tell(recalled& to, const std::string& key) const;

  /// Likewise for each key that begins so.
  void tell_all(recalled& to, const std::string& prefix) const;

private:
  using kept = std::map<std::string, fields>::value_type;

  void tell(recalled& to, const kept& x) const;

  std::map<std::string, fields> states_;
  calendars calendars_;
  bool written_ = false; ///< of `calendars_`, or on the way there
};

} // namespace orderly
