// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fields of auto-repair tags, read one by one: for the parser, and for
// those who say what is wrong with a tag that does not parse.

#pragma once

#include "actors/policy/repair/tags.hpp"

namespace orderly::tags {

/// Never empty: a text without `mark` is one part.
std::vector<std::string_view> split(std::string_view text, char mark);

/// True if `text` began with `what`, which is then gone.
bool drop_prefix(std::string_view& text, std::string_view what);

/// A decimal number, perhaps with a minus, and nothing else; of any size.
bool is_integer(std::string_view text);

/// nullopt also for seconds whose milliseconds are no int64.
std::optional<instant> time_from(std::string_view text);

/// Of a suspension: a time that may come. `-1` is mostly meant as "for ever".
std::optional<instant> end_from(std::string_view text);

std::optional<repair_result> repair_result_from(std::string_view text);

/// nullopt also for a number that is below zero or no 64 bit number.
std::optional<job_id> job_from(std::string_view text);

} // namespace orderly::tags
