// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Command lines taken apart by a table of options, as Ganeti's tools do:
// options and other words in any order, letters glued together, long names cut
// short as long as they are clear, and no options after `--`. What was wrong is
// told without words: each program has those of its original.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orderly {

enum class takes { nothing, maybe, value };

/// An option as it is typed, and as help shows it. Tables have more for each.
struct option_form {
  char letter; ///< 0: none
  std::string name;
  takes argument;
  std::string placeholder;
  std::string help;
};

/// A table by rank: a short form that would be unclear means the option of the
/// first rank that fits. The options must outlive what is read with them.
using option_ranks = std::vector<std::vector<const option_form*>>;

/// One option as it was given, with its argument if there was one.
struct given_option {
  const option_form* what;
  std::optional<std::string> argument;
};

enum class misuse { unknown, unclear, needs_argument, takes_no_argument };

struct misused_option {
  misuse how;
  std::string typed;       ///< `-x`, `--na`
  const option_form* what; ///< null if it is unknown or unclear
  std::vector<const option_form*> candidates; ///< what it may mean, if unclear
};

struct words_read {
  std::vector<given_option> found;
  std::vector<std::string> others;
  std::vector<misused_option> wrong; ///< in the order in which they came
};

words_read read_words(const std::vector<std::string>& args,
                      const option_ranks& table);

} // namespace orderly
