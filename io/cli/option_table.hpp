// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Command lines taken apart by a table of options, in the manner of Ganeti's
// tools. Pure; used by whatever reads the options of one command.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly {

enum class takes { nothing, maybe, value };

struct option {
  char letter; ///< 0: none
  std::string name;
  takes argument;
  std::string placeholder;
  std::string help;
  std::string completion; ///< what a shell could offer, as Ganeti spells it
  bool ours;              ///< the original has none of that name
};

using option_table = std::vector<option>;

/// `-L[SOCKET]`, or nothing.
std::string short_form(const option& x);

/// `--reason=REASON`.
std::string long_form(const option& x);

/// One line an option, in three columns.
std::string option_lines(const option_table& table);

/// One option as it was given, with its argument if there was one.
struct given_option {
  const option* what;
  std::optional<std::string> argument;
};

/// Options and other arguments in any order, long names cut short as long as
/// they are clear; nothing after `--` is an option.
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

private:
  bool take_long(const std::string& text, const std::string* next);
  bool take_letters(std::string_view text, const std::string* next);
  const option* named(const std::string& name);

  const option_table& table_;
};

} // namespace orderly
