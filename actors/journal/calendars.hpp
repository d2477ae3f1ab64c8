// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The calendars that dated what is kept, and how it is told by that of now (ADR
// 0053). One is named "START/OFFSET": the start of this machine, and by how
// many milliseconds the calendar was ahead of the clock that counts from there.

#pragma once

#include "messages/fields.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace orderly {

class calendars {
public:
  calendars() = default;

  /// As they were kept; of former starts only those in `named` are.
  calendars(const fields& kept, const std::set<std::string>& named);

  /// This life of the daemon goes by the calendar `name` (empty: nobody knows),
  /// which says `now`. By the last calendar before, it was `last` when
  /// something was written down; `never`: nothing was.
  ///
  /// By how much the calendar was set while the machine was started nobody
  /// knows. It is taken to go on, but a machine needs 20 s to start: so the
  /// order of all dates is kept, and nothing was done later than before that.
  void begin(std::string_view name, instant now, instant last);

  /// The calendar is called that now: it was set. True if it is to be written
  /// down; one that is only slewed has not changed.
  bool follow(std::string_view name);

  /// By so much a date of that calendar is to be shifted, to be one of now.
  /// nullopt: nobody knows.
  [[nodiscard]] std::optional<millis> since(std::string_view name) const;

  /// Of this start of the machine: there is nothing to guess.
  [[nodiscard]] bool is_sure(std::string_view name) const;

  /// Of an earlier one.
  [[nodiscard]] bool is_former(std::string_view name) const;

  [[nodiscard]] fields kept() const;

private:
  void shift(millis by);

  std::string start_; ///< the last; empty: none that is known
  /// By start: as if each had gone on to now, and had been set with that of
  /// now.
  std::map<std::string, millis, std::less<>> offsets_;
};

/// "START/OFFSET" has that start; empty: it is no name of a calendar.
[[nodiscard]] std::string start_in(std::string_view name);

} // namespace orderly
