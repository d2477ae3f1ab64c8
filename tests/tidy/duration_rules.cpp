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

namespace {

bool is_shell(const std::string& path) {
  return path.starts_with("actors/") && !path.starts_with("actors/policy/")
         && !path.starts_with("actors/planning/");
}

bool is_outside(const std::string& path) {
  return path.starts_with("io/") || path.starts_with("sim/");
}

/// Where the call that opens at `open` ends.
std::size_t end_of_call(const std::string& code, std::size_t open) {
  auto depth = 0;
  for (auto i = open; i < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return code.size();
}

/// Waits of actors, and of threads, outside of the shells.
void check_waits(const source_file& f, std::vector<offence>& into) {
  static const std::regex wait{
    R"(\b(delayed_(anon_)?send|request(<[^()]*>)?|run_delayed|sleep_for)\s*\()"};
  static const std::regex literal{
    R"((millis|seconds|minutes|hours)[{(]\s*[1-9])"};
  auto code = code_of(f.text, texts::blanked);
  for (std::sregex_iterator i{code.begin(), code.end(), wait}, none; i != none;
       ++i) {
    auto from = static_cast<std::size_t>(i->position() + i->length()) - 1;
    auto call = code.substr(from, end_of_call(code, from) - from);
    if (std::regex_search(call, literal))
      into.push_back({f.path, lines_of(code.substr(0, from)).size(),
                      "a wait without a name; say in a constant what is waited "
                      "for"});
  }
}

} // namespace

std::vector<offence> check_durations(const source_file& f) {
  // What is divided by is a unit, and what is compared with zero is none. A
  // variable in a function is no name: it says nothing of who else waits so.
  static const std::regex literal{
    R"(([-+(,=?:<>]|return)\s*(millis|seconds|minutes|hours)[{(]\s*[1-9])"
    R"(|\b(millis|seconds|minutes|hours)\s+\w+\s*[{(]\s*[1-9])"};
  static const std::regex named{R"(\bconstexpr\b)"};
  static const std::regex endless{R"(\bcaf::infinite\b)"};
  static const std::regex journal{R"(\b(\w+\.)*(journal|book)\s*,\s*$)"};
  std::vector<offence> result;
  if (is_outside(f.path))
    check_waits(f, result);
  if (!is_shell(f.path))
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
