// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A flat record of named values: what a machine's state is kept as in the
// journal, readable by people and by later versions (unknown names are
// ignored, missing ones take a default).

#pragma once

#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace orderly {

/// An instant as a value, which is told from a number: "@1767225600000".
/// Several are joined by '+'.
std::string dated(instant value);

/// Of one value; `never` if it is none. Also without the '@', as older versions
/// wrote it.
instant instant_of(std::string_view value);

class fields {
public:
  using map_type = std::map<std::string, std::string, std::less<>>;

  fields() = default;

  explicit fields(map_type values) : values_(std::move(values)) {
    // nop
  }

  void put(std::string_view name, std::string_view value);
  void put(std::string_view name, std::int64_t value);
  void put(std::string_view name, instant value); ///< as `dated` writes it

  /// The same unless there is nothing to tell: an empty text, `never`, 0. Most
  /// of a state is.
  void put_known(std::string_view name, std::string_view value);
  void put_known(std::string_view name, std::int64_t value);
  void put_known(std::string_view name, instant value);

  /// The text under `name`, or empty.
  [[nodiscard]] std::string text(std::string_view name) const;

  /// The number under `name`; `fallback` if it is missing or no number.
  [[nodiscard]] std::int64_t number(std::string_view name,
                                    std::int64_t fallback = 0) const;

  /// Likewise as a count: 0 if it is less, the most if it is more.
  [[nodiscard]] std::uint32_t count(std::string_view name) const;

  /// The instant under `name`, `never` if missing.
  [[nodiscard]] instant when(std::string_view name) const;

  [[nodiscard]] bool has(std::string_view name) const {
    return values_.find(name) != values_.end();
  }

  [[nodiscard]] bool empty() const { return values_.empty(); }

  void erase(std::string_view name);

  /// The calendar was set by so much, ahead or (negative) back, since the
  /// instants in it were put: they get their dates by the one of now.
  void shift(millis by);

  [[nodiscard]] const map_type& all() const { return values_; }

  friend bool operator==(const fields&, const fields&) = default;

private:
  map_type values_;
};

} // namespace orderly
