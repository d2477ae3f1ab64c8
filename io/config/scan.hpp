// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A first look at a TOML text, before the TOML library sees it: the library
// is known to misbehave on odd bytes outside strings and comments.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace orderly::io {

/// A place in a text and what is wrong there; lines and columns from 1.
struct bad_place {
  int line = 0;
  int column = 0;
  std::string text;
};

/// The first byte or quote of `text` that no settings file may have, if any:
/// control characters and broken UTF-8 anywhere, non-ASCII outside strings
/// and comments, strings that are not closed, more than the allowed size.
std::optional<bad_place> scan_toml(std::string_view text);

} // namespace orderly::io
