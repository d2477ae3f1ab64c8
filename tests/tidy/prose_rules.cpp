// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nothing is decided by comparing with a sentence, nor, in what decides, with
// any text of ours: what one part tells another is an enum, a flag, or a
// constant that both name. Texts that come from outside, from the journal file
// or from a tag are read in files that do nothing else.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

namespace orderly::tidy {

namespace {

/// Files that read words back which they, or another program, have written.
bool is_reader(const std::string& path) {
  static constexpr std::array readers{
    "/fields.cpp",                      // the journal
    "/tags.cpp",                        // tags of the cluster
    "/tag_oddities.cpp",                // likewise
    "/intents.cpp",                     // reason trails of jobs
    "/job_errors.cpp",                  // Ganeti's errors
    "/codes.hpp",                       // the table of journal codes
    "sim/laws/entry_words.cpp",         // the journal, for its judges
    "sim/laws/job_words.cpp",           // reason trails and errors, likewise
    "sim/laws/setting_words.cpp",       // what groups have of their own
    "sim/laws/tag_words.cpp",           // tags, likewise
    "sim/faults/apply.cpp",             // the faults of a drill
    "sim/faults/apply_world.cpp",       // likewise
    "sim/swarm/hunt.cpp",               // the file of a hunt
    "io/htools/formats/json_value.cpp", // what the JSON library says
    "io/sqlite/schema.cpp",             // how a database file begins
  };
  // A judge reads tags in a file of its own.
  return path != "sim/laws/tags.cpp"
         && std::any_of(readers.begin(), readers.end(),
                        [&](const char* end) { return path.ends_with(end); });
}

bool is_code_of_ours(const std::string& path) {
  for (const auto* folder : {"actors/", "messages/", "sim/", "io/"})
    if (path.starts_with(folder))
      return true;
  return false;
}

/// Nothing outside is read there: who compares with a word gave it out before.
/// The rest reads requests, options, files and drills, word by word.
bool reads_no_words(const std::string& path) {
  for (const auto* folder : {"actors/", "messages/", "sim/ganeti/", "sim/laws/",
                             "sim/ports/", "sim/state/"})
    if (path.starts_with(folder))
      return true;
  return false;
}

/// Texts of all kinds as the plain ones that they mean: `"x"sv`, `R"(x)"` and
/// `std::string{"x"}` are `"x"`.
std::string plain(const std::string& code) {
  static const std::regex raw{R"rx(R"(\w*)\(([^"]*)\)\1")rx"};
  static const std::regex suffixed{R"rx(("[^"]*")sv?\b)rx"};
  static const std::regex wrapped{
    R"rx((std::)?string(_view)?\s*[{(]\s*("[^"]*")\s*[)}])rx"};
  // `f` are fields of the journal's: what it counts is called so there.
  static const std::regex field{R"rx(\bf\.count\()rx"};
  auto result = std::regex_replace(code, raw, "\"$2\"");
  result = std::regex_replace(result, field, "f.number(");
  result = std::regex_replace(result, suffixed, "$1");
  return std::regex_replace(result, wrapped, "$3");
}

/// What looks for its argument in a text, or for a text among others.
const std::string seekers
  = R"rx(|(\b(starts_with|ends_with|r?find|compare)\([^;"]*)rx"
    R"rx(|\b(find_(first|last)(_not)?_of|count|contains|search|equal)rx"
    R"rx(|(is_|are_)?(any|one)(_of)?|among|str(n|case|ncase)?cmp|memcmp|strstr))rx"
    R"rx(\((?!\))[^;"?]*))rx";

bool compares(const std::string& text, const std::string& path) {
  // A text in which two letters follow each other is a word.
  static const std::regex with_word{
    std::string{}
    + R"rx((==|!=)\s*"[^"]*[A-Za-z]{2}|[A-Za-z]{2}[^"]*"\s*(==|!=))rx"
      R"rx(|(==|!=)\s*\([^()"]*\?\s*"[^"]*[A-Za-z]{2})rx"
    + seekers + R"rx("[^"]*[A-Za-z]{2})rx"};
  // One with a blank before a word is part of a sentence.
  static const std::regex with_sentence{
    std::string{}
    + R"rx((==|!=)\s*"[^"]* [^"]*[A-Za-z]{2})rx"
      R"rx(|"[^"]* [^"]*[A-Za-z]{2}[^"]*"\s*(==|!=))rx"
      R"rx(|(==|!=)\s*\([^()"]*\?\s*"[^"]* [^"]*[A-Za-z]{2})rx"
    + seekers + R"rx("[^"]* [^"]*[A-Za-z]{2})rx"};
  auto code = plain(text);
  return std::regex_search(code,
                           reads_no_words(path) ? with_word : with_sentence);
}

/// Two texts of ours against each other: what one says decides something. Files
/// that are named here ask only whether it is news (ADR 0051).
bool compares_told(const std::string& code, const std::string& path) {
  static constexpr std::array news{
    "actors/policy/balance/balance.cpp",
    "actors/policy/errand/relied.cpp",
    "actors/policy/foresight/forecast.cpp",
    "actors/policy/host_ha/treat.cpp",
    "actors/policy/host_ha/watch.cpp",
    "actors/policy/maintenance/life.cpp",
    "actors/policy/repair/decide.cpp",
    "actors/policy/repair/moves.cpp",
    "actors/maintenance/event.cpp",
    "actors/maintenance/intake.cpp",
    "actors/scheduler/leader.cpp",
  };
  // A scoped name beside it, or an empty text: no sentence.
  static const std::regex left{
    R"rx((\.|->)(why|text|reason|told|evidence)\s*(==|!=)\s*(?!""|\w+::)[\w*])rx"};
  static const std::regex right{
    R"rx([\w)]\s*(==|!=)\s*[\w.>()-]*(\.|->)(why|text|reason|told|evidence)\b)rx"
    R"rx((?!\s*(\(|\.|->|::)))rx"};
  static const std::regex scoped{R"rx(\w+::\w+\s*(==|!=))rx"};
  if (!reads_no_words(path)
      || std::find(news.begin(), news.end(), path) != news.end())
    return false;
  return std::regex_search(code, left)
         || (std::regex_search(code, right)
             && !std::regex_search(code, scoped));
}

/// A member that has one of few values: who reads it will compare it with
/// words, wherever that is.
bool is_word_kept_as_text(const std::string& code, const std::string& path) {
  static const std::regex member{
    R"rx(^ +(std::optional<)?std::string>? )rx"
    R"rx((kind|type|stage|phase|mode|verb|action|outcome|scope)\s*[;={])rx"};
  auto is_told = path.starts_with("messages/") || path.starts_with("actors/");
  return is_told && path.ends_with(".hpp") && std::regex_search(code, member);
}

offence named(const source_file& f, std::size_t line) {
  return {f.path, line,
          "compares with a text; make it an enum, a flag or a named constant, "
          "or read it in a file that does nothing else"};
}

/// A constant whose text is a sentence, and where its name means that.
struct told {
  std::string name;
  std::size_t from = 0;
  std::size_t to = 0;
  bool shared = false; ///< with who includes the file
};

std::vector<told> told_in(const std::string& code) {
  static const std::regex constant{
    R"rx(((inline )?\bconst(expr)?\b[^;(){}="]*?)(\w+)(\[\])?\s*[={(]\s*)rx"
    R"rx((std::string(_view)?\s*[{(]\s*)?R?")rx"};
  static const std::regex sentence{
    R"rx(^[^"]*"[^"]*[A-Za-z]{2}[^"]* [^"]*[A-Za-z]{2})rx"};
  std::vector<told> result;
  for (std::sregex_iterator i{code.begin(), code.end(), constant}, none;
       i != none; ++i) {
    auto at = static_cast<std::size_t>(i->position());
    auto end = std::min(code.find(';', at), code.size());
    if (!std::regex_search(code.substr(at, end - at), sentence))
      continue;
    // Within a function its name means something else after the brace.
    auto line = code.rfind('\n', at) + 1;
    auto is_local = code[line] == ' ';
    result.push_back(
      {(*i)[4].str(), end,
       is_local ? std::min(code.find("\n}", at), code.size()) : code.size(),
       (*i)[2].matched});
  }
  return result;
}

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Is what stands in `code` at `from` to `to` compared with something?
bool is_compared(std::string_view code, std::size_t from, std::size_t to) {
  auto before = code.substr(0, from);
  while (!before.empty() && (before.back() == ' ' || before.back() == '\n'))
    before.remove_suffix(1);
  auto after = code.substr(to);
  after.remove_prefix(std::min(after.find_first_not_of(" \n"), after.size()));
  // A member, or of another scope: not the constant.
  if (before.ends_with(".") || before.ends_with("->") || before.ends_with("::")
      || after.starts_with("(") || after.starts_with("::"))
    return false;
  if (before.ends_with("==") || before.ends_with("!=")
      || after.starts_with("==") || after.starts_with("!="))
    return true;
  // An argument of what looks for it?
  auto open = before.find_last_of("(;{}");
  if (open == std::string_view::npos || before[open] != '('
      || (!before.ends_with("(") && !before.ends_with(",")))
    return false;
  before = before.substr(0, open);
  for (const auto* call : {"starts_with", "ends_with", "find", "compare"})
    if (before.ends_with(call))
      return true;
  return false;
}

void look_for(const told& what, const source_file& f, const std::string& code,
              std::vector<offence>& into) {
  auto at = code.find(what.name, what.from);
  for (; at < what.to; at = code.find(what.name, at + 1)) {
    auto end = at + what.name.size();
    if (!is_word_char(code[at - 1])
        && (end == code.size() || !is_word_char(code[end]))
        && is_compared(code, at, end))
      into.push_back(named(
        f, 1
             + static_cast<std::size_t>(std::count(
               code.begin(), code.begin() + static_cast<long>(at), '\n'))));
  }
}

} // namespace

std::vector<offence> check_prose(const source_file& f) {
  std::vector<offence> result;
  if (!is_code_of_ours(f.path) || is_reader(f.path))
    return result;
  auto lines = lines_of(code_of(f.text, texts::kept));
  auto bare = lines_of(code_of(f.text, texts::blanked));
  auto breaks_after = [&](std::size_t i) {
    auto from = lines[i + 1].find_first_not_of(' ');
    auto next = std::string_view{lines[i + 1]}.substr(
      std::min(from, lines[i + 1].size()));
    for (const auto* end : {"(", ",", "==", "!="})
      if (lines[i].ends_with(end))
        return true;
    return next.starts_with("==") || next.starts_with("!=");
  };
  auto next_compares = !lines.empty() && compares(lines[0], f.path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto here = next_compares;
    next_compares = i + 1 < lines.size() && compares(lines[i + 1], f.path);
    // It may go on in the next line.
    if (here || compares_told(bare[i], f.path)
        || (!next_compares && i + 1 < lines.size() && breaks_after(i)
            && compares(lines[i] + lines[i + 1], f.path)))
      result.push_back(named(f, i + 1));
    if (is_word_kept_as_text(bare[i], f.path))
      result.push_back({f.path, i + 1,
                        "one of few values kept as a text; make it an enum, "
                        "with its words in one table"});
  }
  return result;
}

std::vector<offence> check_constants(const std::vector<source_file>& tree) {
  std::map<std::string, std::vector<told>> of_headers;
  for (const auto& f : tree)
    if (is_code_of_ours(f.path) && f.path.ends_with(".hpp"))
      for (auto& x : told_in(code_of(f.text, texts::kept)))
        if (x.shared)
          of_headers[f.path].push_back(std::move(x));
  std::vector<offence> result;
  for (const auto& f : tree) {
    if (!is_code_of_ours(f.path) || is_reader(f.path))
      continue;
    auto told_here = told_in(code_of(f.text, texts::kept));
    auto code = code_of(f.text, texts::blanked);
    for (const auto& x : told_here)
      look_for(x, f, code, result);
    for (const auto& [header, constants] : of_headers) {
      auto included = f.text.find("#include \"" + header + "\"");
      for (const auto& x : constants)
        if (included != std::string::npos)
          look_for({x.name, included, code.size()}, f, code, result);
    }
  }
  return result;
}

} // namespace orderly::tidy
