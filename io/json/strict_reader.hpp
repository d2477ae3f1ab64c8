// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads a JSON object that must be just so: every key known, once, of the
// right type and within bounds. Used for what clients send.

#pragma once

#include "messages/result.hpp"
#include "messages/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace orderly::io::http {

/// Parses `body`; fails as `bad_input` if it is no JSON object, or if a key
/// is there twice, anywhere.
result<nlohmann::json> parse_strictly(const std::string& body);

/// The members of one object. The first mistake is kept and names its place;
/// what is missing stays as it was.
class strict_reader {
public:
  /// `place` is empty for the outermost object. Both must outlive this.
  strict_reader(const nlohmann::json& from, std::string place);

  void read(const char* name, bool& into);
  void read(const char* name, std::optional<bool>& into);

  /// Text of at most `bytes_max` bytes.
  void read(const char* name, std::string& into, std::size_t bytes_max);
  void read(const char* name, std::optional<std::string>& into,
            std::size_t bytes_max);

  /// Names of things: 1 to 255 bytes, no control characters or blanks.
  void read_name(const char* name, std::string& into);
  void read_names(const char* name, std::vector<std::string>& into,
                  std::size_t count_max);

  /// Whole numbers from `low` to `high`.
  void read(const char* name, std::optional<std::uint32_t>& into,
            std::uint32_t low, std::uint32_t high);

  /// Any whole number that is not negative.
  void read(const char* name, std::optional<std::uint64_t>& into);

  /// Milliseconds: 0, or from `low` to `high`.
  void read(const char* name, millis& into, millis low, millis high);

  /// The member `name`, which is then known; null if it is missing.
  const nlohmann::json* member(const char* name);

  [[nodiscard]] std::string place_of(const std::string& name) const;

  void complain(const std::string& name, const std::string& what);

  /// The first mistake, if only that a key is unknown; empty: there is none.
  [[nodiscard]] std::string wrong() const;

private:
  [[nodiscard]] bool is_name(const nlohmann::json& x) const;

  const nlohmann::json& from_;
  std::string place_;
  std::set<std::string> known_;
  std::string wrong_;
};

} // namespace orderly::io::http
