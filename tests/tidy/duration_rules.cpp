// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How long something takes has a name, so that whoever reads it knows what is
// waited for, and whoever changes it finds all that goes by it. Without an end
// a shell waits for the journal alone: nothing goes on before that has
// answered, and it takes all others along when it ends.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <regex>

namespace orderly::tidy {

std::vector<offence> check_durations(const source_file& f) {
  // What is divided by is a unit, and what is compared with zero is none.
  static const std::regex literal{
    R"(([-+(,=?:<>]|return)\s*(millis|seconds|minutes|hours)\{[1-9])"};
  static const std::regex named{R"(\bconstexpr\b)"};
  static const std::regex endless{R"(\bcaf::infinite\b)"};
  static const std::regex journal{R"(\b(\w+\.)*(journal|book)\s*,\s*$)"};
  std::vector<offence> result;
  auto shell = f.path.starts_with("actors/")
               && !f.path.starts_with("actors/policy/")
               && !f.path.starts_with("actors/planning/");
  if (!shell)
    return result;
  auto lines = lines_of(code_of(f.text, texts::blanked));
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i], literal)
        && !std::regex_search(lines[i], named))
      result.push_back({f.path, i + 1,
                        "a duration without a name; say in a constant what is "
                        "waited for, or take one of shell/patience.hpp"});
  auto code = code_of(f.text, texts::blanked);
  for (std::sregex_iterator i{code.begin(), code.end(), endless}, none;
       i != none; ++i) {
    auto before = code.substr(0, static_cast<std::size_t>(i->position()));
    if (!std::regex_search(before.substr(before.rfind('(') + 1), journal))
      result.push_back({f.path, lines_of(before).size(),
                        "an endless wait; only the journal is waited for "
                        "without end, take one of shell/patience.hpp"});
  }
  return result;
}

} // namespace orderly::tidy
