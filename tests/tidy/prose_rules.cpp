// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nothing is decided by comparing with a sentence, or with any text of ours:
// what one part tells another is an enum, a flag, or a constant that both
// name. Texts that come from outside, from the journal file or from a tag are
// read in files that do nothing else.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <array>
#include <regex>

namespace orderly::tidy {

namespace {

/// Files that read words back which they, or another program, have written.
bool is_reader(const std::string& path) {
  static constexpr std::array readers{
    "/fields.cpp",       // the journal
    "/tags.cpp",         // tags of the cluster
    "/tag_oddities.cpp", // likewise
    "/intents.cpp",      // reason trails of jobs
    "/job_errors.cpp",   // Ganeti's errors
    "/codes.hpp",        // the table of journal codes
  };
  return std::any_of(readers.begin(), readers.end(),
                     [&](const char* end) { return path.ends_with(end); });
}

} // namespace

std::vector<offence> check_prose(const source_file& f) {
  // A text in which two letters follow each other is a word.
  static const std::regex compared{
    R"rx((==|!=)\s*"[^"]*[A-Za-z]{2}|[A-Za-z]{2}[^"]*"\s*(==|!=))rx"
    R"rx(|\b(starts_with|ends_with|r?find|compare)\([^;"]*"[^"]*[A-Za-z]{2})rx"};
  std::vector<offence> result;
  auto ours = f.path.starts_with("actors/") || f.path.starts_with("messages/");
  if (!ours || is_reader(f.path))
    return result;
  auto lines = lines_of(code_of(f.text, texts::kept));
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i], compared))
      result.push_back({f.path, i + 1,
                        "compares with a text; make it an enum, a flag or a "
                        "named constant, or read it in a file that does "
                        "nothing else"});
  return result;
}

} // namespace orderly::tidy
