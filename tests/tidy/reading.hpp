// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// As much of C++ as the house rules need: code without comments and texts,
// lines, words, and the blocks between braces.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::tidy {

enum class texts { kept, blanked };

/// The code without comments, with blanks in their place; line numbers stay.
/// String and character literals lose their contents if `blanked`.
std::string code_of(std::string_view text, texts what);

std::vector<std::string> lines_of(std::string_view text);

/// True if `word` stands in `line` with no letter, digit or underscore around
/// it; `after` tells where it ends.
bool has_word(std::string_view line, std::string_view word,
              std::size_t* after = nullptr);

/// A statement, or the head of a block, and where it stands.
struct statement {
  std::string text;
  std::size_t line = 0; ///< of its end
  bool in_function = false;
};

/// A function: what stands before its brace, and its lines.
struct function_block {
  std::string head;
  std::size_t first_line = 0;
  std::size_t last_line = 0;
};

/// Walks through the braces of `code` (as of `code_of`, texts blanked).
struct walk {
  std::function<void(const statement&)> on_statement;
  std::function<void(const function_block&)> on_function;

  void through(std::string_view code) const;
};

} // namespace orderly::tidy
