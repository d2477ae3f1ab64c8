// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The options of one command of those that imitate Ganeti's tools: what help
// says of them, and what is said of a wrong command line. Pure.

#pragma once

#include "io/options/read_words.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orderly {

struct option : option_form {
  option(char one, std::string typed, takes after, std::string shown_as,
         std::string about, std::string offered, bool is_ours)
    : option_form{one, std::move(typed), after, std::move(shown_as),
                  std::move(about)},
      completion(std::move(offered)),
      ours(is_ours) {
    // nop
  }

  std::string completion; ///< what a shell could offer, as Ganeti spells it
  bool ours;              ///< the original has none of that name
};

using option_table = std::vector<option>;

/// `-L[SOCKET]`, or nothing.
std::string short_form(const option_form& x);

/// `--reason=REASON`.
std::string long_form(const option_form& x);

/// One line an option, in three columns.
std::string option_lines(const option_table& table);

/// A command line, and what is wrong with it in words. Where an option of ours
/// would make a short form of the original's unclear, the original's is meant.
class taken_apart {
public:
  /// `table` must outlive this.
  taken_apart(const std::vector<std::string>& args, const option_table& table);

  /// How often the option was given.
  [[nodiscard]] std::size_t count(std::string_view name) const;

  [[nodiscard]] bool has(std::string_view name) const {
    return count(name) > 0;
  }

  std::vector<given_option> found;
  std::vector<std::string> others;
  std::string errors;               ///< a line each
  std::vector<std::string> unknown; ///< names that no option has
};

} // namespace orderly
