// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Makes text from outside fit to be shown: names and reasons may hold bytes
// that break a page, a terminal or a scraper.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orderly::io::http {

/// The same text with every byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// The size of a control character at the start of a text, 0 if none is. Those
/// that turn the direction of writing would let one name pass for another.
std::size_t control_size(std::string_view text);

/// One line of valid UTF-8: control characters, and those that turn the
/// direction of writing, become blanks.
std::string one_line(std::string_view text);

/// `one_line`, safe inside HTML text and quoted attributes.
std::string escape_html(std::string_view text);

} // namespace orderly::io::http
