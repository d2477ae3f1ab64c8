// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The values of the options of one power command, read and bounded, and what
// is wrong with them. Used by power_options alone.

#pragma once

#include "io/cli/option_table.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orderly::power {

/// A text to leave with and its exit code; empty while all is well.
struct mistake {
  std::string text;
  int code = 0;

  explicit operator bool() const { return !text.empty(); }
};

/// Typed so that nobody can know what is meant.
mistake senseless(std::string text);

/// Understood, and refused as Ganeti's tools do.
mistake refused(std::string text);

/// A name is empty.
mistake no_name();

/// Values are read by name; what is missing or bad reads as nothing, and the
/// first bad one is kept in `wrong`.
class values {
public:
  explicit values(const taken_apart& parts) : parts_(parts) {
    // nop
  }

  [[nodiscard]] bool has(std::string_view name) const {
    return parts_.has(name);
  }

  /// The only argument of `name`; null if there is none.
  const std::string* text(std::string_view name);

  /// Seconds, maybe with a fraction, from `low` to `high`.
  std::optional<millis> span(std::string_view name, double low, double high);

  /// From 1 to `high`.
  std::optional<std::uint32_t> number(std::string_view name,
                                      std::uint32_t high);

  /// yes or no, also spelled true or false.
  std::optional<bool> flag(std::string_view name);

  void complain(std::string what);

  mistake wrong;

private:
  const taken_apart& parts_;
};

} // namespace orderly::power
