// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is wrong with tags that look like auto-repair tags and are none, in
// sentences for people. Such a tag is never acted upon (a suspend holds all
// the same) and never removed: somebody has to be told.

#pragma once

#include "actors/policy/repair/tags.hpp"

namespace orderly {

/// Control bytes, bytes beyond ASCII and the backslash as \xNN; of a text
/// longer than `most` bytes only the beginning, and how long it is.
std::string printable(std::string_view text, std::size_t most = 160);

/// What is wrong with one tag: "'repair' is no repair type (...)". Empty: it
/// is none of ours, or as it should be.
std::string oddity(std::string_view tag);

/// How many sentences `oddities` gives at most, before "and N more".
inline constexpr std::size_t oddities_max = 20;

/// A sentence for each malformed tag: object, tag, what is wrong. `where` is
/// "instance web1", "group g1" or "cluster".
std::vector<std::string> oddities(const std::vector<std::string>& all,
                                  const std::string& where);

} // namespace orderly
