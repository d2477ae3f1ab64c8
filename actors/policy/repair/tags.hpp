// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The auto-repair tags of Ganeti: grammar of spec repair A.1. Tags that are
// none of ours are never touched.

#pragma once

#include "messages/standing.hpp"
#include "messages/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orderly::tags {

inline constexpr std::string_view prefix = "ganeti:watcher:autorepair:";

/// Ganeti's limit on a tag's length, in bytes.
inline constexpr std::size_t length_max = 128;

using orderly::repair_type;
using orderly::to_string;

std::optional<repair_type> repair_type_from(std::string_view text);

enum class repair_result { success, failure, enoperm };

const char* to_string(repair_result x);

struct policy {
  repair_type type = repair_type::fix_storage;

  friend bool operator==(const policy&, const policy&) = default;
};

struct suspend {
  std::optional<instant> until; ///< nullopt: for ever
  bool malformed = false;       ///< no number: treated as for ever

  friend bool operator==(const suspend&, const suspend&) = default;
};

struct pending {
  repair_type type = repair_type::fix_storage;
  incident_id id;
  instant at;
  std::vector<job_id> jobs;

  friend bool operator==(const pending&, const pending&) = default;
};

struct result {
  repair_type type = repair_type::fix_storage;
  incident_id id;
  instant at;
  repair_result outcome = repair_result::success;
  std::vector<job_id> jobs;

  friend bool operator==(const result&, const result&) = default;
};

using tag = std::variant<policy, suspend, pending, result>;

/// nullopt: not an auto-repair tag (or a malformed one, except suspend).
std::optional<tag> parse(std::string_view text);

/// The text of a tag. Job lists that would pass `length_max` are shortened:
/// the first and the last ids that fit are kept. Only an id that is too long
/// by itself, see `has_room_for_result`, makes a tag pass the limit.
std::string format(const tag& x);

/// True if the result of such a repair can be written: its id is not empty,
/// and short enough.
bool has_room_for_result(const pending& x);

} // namespace orderly::tags
