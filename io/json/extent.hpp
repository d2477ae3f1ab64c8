// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How deep a JSON text is nested and how many values it holds, before anything
// of it is kept: copying and writing go as deep as a value does, and a value of
// two bytes takes fifty and more in memory. Used by the readers of what luxid
// and the remote API answer.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orderly::io {

inline constexpr std::size_t nesting_most = 64;

/// Ten thousand nodes and a hundred thousand instances of luxid's have half of
/// that, and fifty thousand instances of the remote API.
inline constexpr std::size_t values_most = 8'000'000;

/// Why such a text is not read, as the end of a sentence; empty: it may be.
/// What is in members named `unread` is not counted: the reader keeps none of
/// it.
std::string why_too_much(std::string_view text, std::string_view unread = {});

} // namespace orderly::io
