// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How deep a JSON text is nested and how many values it holds, before anything
// of it is kept: copying and writing go as deep as a value does, and a value of
// two bytes takes fifty in memory. Used by the reader of replies.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orderly::io {

inline constexpr std::size_t nesting_most = 64;

/// Ten thousand nodes and a hundred thousand instances have half of that.
inline constexpr std::size_t values_most = 8'000'000;

/// Why such a text is not read, as the end of a sentence; empty: it may be.
std::string why_too_much(std::string_view text);

} // namespace orderly::io
