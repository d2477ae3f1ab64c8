// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/house_rules.hpp"

#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <regex>
#include <string_view>

namespace orderly::tidy {

namespace {

constexpr std::size_t file_lines_max = 400;
constexpr std::size_t function_lines_max = 60;

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

bool ends(std::string_view text, std::string_view with) {
  return text.size() >= with.size()
         && text.substr(text.size() - with.size()) == with;
}

template <class List>
bool has(const List& xs, std::string_view x) {
  return std::find(std::begin(xs), std::end(xs), x) != std::end(xs);
}

bool is_cpp(std::string_view path) {
  return ends(path, ".cpp") || ends(path, ".hpp");
}

/// Must a run of this file's code repeat exactly?
bool must_repeat(std::string_view path) {
  return begins(path, "messages/") || begins(path, "actors/")
         || begins(path, "sim/") || begins(path, "io/cli/");
}

} // namespace

std::string to_string(const offence& x) {
  return x.path + ":" + std::to_string(x.line) + ": " + x.what;
}

std::vector<offence> check_words(const source_file& f) {
  struct ban {
    const char* word;
    const char* instead;
  };

  static const ban bans[] = {
    {"system_clock", "the time is what the actor clock says"},
    {"high_resolution_clock", "the time is what the actor clock says"},
    {"clock_gettime", "the time is what the actor clock says"},
    {"gettimeofday", "the time is what the actor clock says"},
    {"random_device", "dice are seeded by the actor's name"},
    {"rand", "dice are seeded by the actor's name"},
    {"srand", "dice are seeded by the actor's name"},
    {"sleep_for", "wait by a delayed message"},
    {"sleep_until", "wait by a delayed message"},
    {"std::thread", "actors are the only concurrency"},
    {"std::jthread", "actors are the only concurrency"},
    {"std::async", "actors are the only concurrency"},
    {"detached", "a detached actor is a thread"},
    {"getenv", "settings come in by settings.hpp"},
    {"unordered_map", "its order differs from run to run"},
    {"unordered_set", "its order differs from run to run"},
    {"unordered_multimap", "its order differs from run to run"},
    {"unordered_multiset", "its order differs from run to run"},
  };
  static const std::regex distribution{R"(\bstd::\w+_distribution\b)"};
  // As the argument of a template it is only a type.
  static const std::regex steady{R"(\bsteady_clock\b(?!\s*[,>]))"};
  std::vector<offence> result;
  if (!must_repeat(f.path))
    return result;
  auto lines = lines_of(code_of(f.text, texts::blanked));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    auto add = [&](const std::string& word, const std::string& instead) {
      result.push_back({f.path, i + 1, word + " is banned here: " + instead});
    };
    if (line.find("#include") != std::string::npos)
      continue;
    for (const auto& x : bans)
      if (has_word(line, x.word))
        add(x.word, x.instead);
    if (std::regex_search(line, distribution))
      add("std::*_distribution", "each library draws differently");
    // The bench measures real time.
    if (f.path != "sim/bench/bench.cpp" && std::regex_search(line, steady))
      add("steady_clock", "the time is what the actor clock says");
  }
  return result;
}

std::vector<offence> check_statics(const source_file& f) {
  std::vector<offence> result;
  if (!must_repeat(f.path))
    return result;
  walk w;
  w.on_statement = [&](const statement& s) {
    if (!s.in_function)
      return;
    auto head = s.text.substr(0, s.text.find_first_of("=("));
    auto lasts = has_word(head, "static") || has_word(head, "thread_local");
    if (lasts && !has_word(head, "const") && !has_word(head, "constexpr"))
      result.push_back({f.path, s.line,
                        "a mutable static in a function: it outlives the "
                        "actor and ties runs together"});
  };
  w.through(code_of(f.text, texts::blanked));
  return result;
}

std::vector<offence> check_sizes(const source_file& f) {
  std::vector<offence> result;
  if (!is_cpp(f.path))
    return result;
  auto lines = lines_of(f.text).size();
  if (lines > file_lines_max)
    result.push_back({f.path, lines,
                      std::to_string(lines) + " lines: more than "
                        + std::to_string(file_lines_max)
                        + " in a file, split it by meaning"});
  if (begins(f.path, "tests/"))
    return result;
  walk w;
  w.on_function = [&](const function_block& x) {
    auto length = x.last_line - x.first_line + 1;
    if (length > function_lines_max)
      result.push_back({f.path, x.first_line,
                        std::to_string(length) + " lines: more than "
                          + std::to_string(function_lines_max)
                          + " in a function"});
  };
  w.through(code_of(f.text, texts::blanked));
  return result;
}

std::vector<offence> check_form(const source_file& f) {
  std::vector<offence> result;
  auto lines = lines_of(f.text);
  // The program prints this file, and it is compared with what it prints.
  auto printed = f.path == "configs/orderlyd.toml";
  auto mark = is_cpp(f.path) ? std::string{"// "} : std::string{"# "};
  // Scripts begin with how they are run.
  auto first = std::size_t{!lines.empty() && begins(lines[0], "#!")};
  auto is = [&](std::size_t i, const std::string& wanted) {
    return i < lines.size() && lines[i] == wanted;
  };
  auto licensed
    = is(first, mark + "SPDX-FileCopyrightText: the orderly authors")
      && is(first + 1, mark + "SPDX-License-Identifier: BSD-2-Clause");
  if (!licensed && !printed)
    result.push_back(
      {f.path, first + 1, "the two SPDX lines have to come first"});
  if (ends(f.path, ".hpp") && !has(lines, "#pragma once"))
    result.push_back({f.path, 1, "a header without #pragma once"});
  // Written apart, or this file would offend.
  for (const auto* word : {"TO"
                           "DO",
                           "FIX"
                           "ME",
                           "X"
                           "XX",
                           "HA"
                           "CK"})
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (has_word(lines[i], word))
        result.push_back(
          {f.path, i + 1,
           std::string{word} + ": do it now, or write an issue"});
  return result;
}

std::vector<offence> check_tags(const source_file& f) {
  static const std::regex test{R"((TEST_CASE|SCENARIO)\w*\s*\()"};
  static const std::regex hiding{R"rx("(\[[^"\]]*\])*\[(\.|!|hide\]))rx"};
  std::vector<offence> result;
  if (!is_cpp(f.path) || !begins(f.path, "tests/"))
    return result;
  // Where a test begins is told by the code without texts; what its tags are
  // by the same place with them.
  auto bare = code_of(f.text, texts::blanked);
  auto full = code_of(f.text, texts::kept);
  for (std::sregex_iterator i{bare.begin(), bare.end(), test}, none; i != none;
       ++i) {
    auto from = static_cast<std::size_t>(i->position());
    auto to = std::min(bare.find(')', from), bare.size());
    auto line
      = 1 + std::count(full.begin(), full.begin() + i->position(), '\n');
    if (std::regex_search(full.substr(from, to - from), hiding))
      result.push_back({f.path, static_cast<std::size_t>(line),
                        "a test hidden or excused by its tags never fails"});
  }
  return result;
}

std::vector<offence> check_rigs(const source_file& f) {
  static const std::regex bench{R"(\b(\w+_)?bench\b)"};
  std::vector<offence> result;
  // What measures lies beside them: tests/programs, tests/testbed.
  auto of_a_room
    = begins(f.path, "tests/actors/") || begins(f.path, "tests/io/")
      || begins(f.path, "tests/sim/") || begins(f.path, "tests/messages/");
  if (!of_a_room || !is_cpp(f.path))
    return result;
  auto add = [&](std::size_t line) {
    result.push_back(
      {f.path, line, "a bench measures: what a test sets up is a rig"});
  };
  auto name = f.path.substr(f.path.rfind('/') + 1);
  if (std::regex_search(name, bench))
    add(1);
  auto lines = lines_of(code_of(f.text, texts::blanked));
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find("#include") == std::string::npos
        && std::regex_search(lines[i], bench))
      add(i + 1);
  return result;
}

std::vector<offence> offences_of(const source_file& f,
                                 const room_table& rooms) {
  auto result = check_includes(f, rooms);
  for (auto& x : check_mirrors(f, rooms))
    result.push_back(std::move(x));
  for (auto* rule :
       {check_words, check_statics, check_sizes, check_form, check_prose,
        check_roles, check_durations, check_tags, check_rigs})
    for (auto& x : rule(f))
      result.push_back(std::move(x));
  std::stable_sort(
    result.begin(), result.end(),
    [](const offence& a, const offence& b) { return a.line < b.line; });
  return result;
}

} // namespace orderly::tidy
