// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Pieces of the line formats of htools: splitting, and numbers as the
// reference reads and shows them. Used by the readers and writers beside it.

#pragma once

#include "messages/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io::htools {

/// One more piece than there are marks; none of an empty text.
std::vector<std::string_view> split(std::string_view text, char mark);

/// The same as strings of their own.
std::vector<std::string> split_words(std::string_view text, char mark);

/// A whole number, with an optional minus and nothing else.
std::optional<std::int64_t> whole_number(std::string_view text);

/// A decimal number with digits before and after the point.
std::optional<double> decimal_number(std::string_view text);

/// The reference's words for a number that is none, which scripts look for.
std::string number_complaint(std::string_view text);

/// A size in MiB, or in the unit behind it: m, g, t or mib, gib, tib; decimal
/// are M, G, T and mb, gb, tb.
result<std::int64_t> size_in_mib(std::string_view text);

/// As short as it can be, with a point: `6.0`.
std::string short_decimal(double x);

/// What `%.6g` prints in the reference: fixed, or with an exponent if small.
std::string general_decimal(double x);

/// With so many places, a half rounded to even as the
/// reference does: by the shortest decimal text, not by the bits.
std::string fixed_decimal(double x, int places);

/// As a shell reads it back: in quotes if it holds more than letters, digits
/// and points.
std::string shell_word(const std::string& text);

/// A name as a word of a command that root runs: in quotes if it holds more
/// than Ganeti's names and its own quoting leave bare.
std::string command_word(const std::string& name);

std::string join(const std::vector<std::string>& words, char mark);

} // namespace orderly::io::htools
