// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Texts with blanks to fill in: `{U1}` is a new UUID, the same wherever it is
// named, `{J1}` the id of the job with that label, `{now}` a whole second of
// the run. Filling in is a search: a choice that fits one text may not fit
// the next.

#pragma once

#include "messages/job.hpp"
#include "messages/time.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace orderly::sim::conformance {

/// What blanks may be, and what they are so far.
struct blanks {
  std::map<std::string, std::string> filled; ///< `U1` -> the UUID
  std::set<std::string> old_ids;             ///< UUIDs that are not new
  instant began;
  instant ended;
};

/// Does `pattern` become `text` if the blanks are filled in well? Fills those
/// that were open. With `globs`, `*` and `?` have their usual meaning.
bool fits(const std::string& pattern, const std::string& text, blanks& with,
          bool globs);

/// Goes on with the search; false: this way is blocked.
using next_step = std::function<bool(blanks&)>;

/// Pairs every pattern with a text of its own so that `then` is content. If
/// `all`, no text may be left over.
bool pair_up(const std::vector<std::string>& patterns,
             const std::vector<std::string>& texts, bool all,
             const blanks& with, const next_step& then);

/// All UUIDs in `text`.
std::set<std::string> ids_in(const std::string& text);

} // namespace orderly::sim::conformance
