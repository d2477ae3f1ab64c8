// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/options.hpp"

#include "io/htools/options/option_table.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

/// What words a tool takes beside its options, as --help shows them; null for
/// those that take none.
const char* words_of(tool of) {
  switch (of) {
  case tool::hail:
    return "REQUEST";
  case tool::hscan:
    return "[ADDRESS...]";
  case tool::hwhatif:
    return "[CHANGE...]";
  case tool::hgroups:
    return "show [INSTANCE...] | redistribute | empty [GROUP] | load";
  default:
    return nullptr;
  }
}

/// In the words of the reference.
std::string complaint(const misused_option& x) {
  switch (x.how) {
  case misuse::unknown:
    break;
  case misuse::unclear: {
    std::string matching;
    for (const auto* o : x.candidates)
      matching += "\n  --" + o->name;
    return fmt::format("option `{}' is ambiguous; could be one of:{}", x.typed,
                       matching);
  }
  case misuse::needs_argument:
    return fmt::format("option `{}' requires an argument {}", x.typed,
                       x.what->placeholder);
  case misuse::takes_no_argument:
    return fmt::format("option `{}' doesn't allow an argument", x.typed);
  }
  return fmt::format("unrecognized option `{}'", x.typed);
}

} // namespace

std::string usage(tool of) {
  const auto* words = words_of(of);
  auto result = fmt::format("Usage: {} [OPTION...]{}{}\n", name_of(of),
                            words ? " " : "", words ? words : "");
  for (const auto& o : options_of(of)) {
    auto name = "--" + o.name;
    if (o.argument == takes::value)
      name += "=" + o.placeholder;
    if (o.argument == takes::maybe)
      name += "[=" + o.placeholder + "]";
    auto letter = o.letter == 0 ? std::string{} : std::string{'-', o.letter};
    result += fmt::format("  {:2}  {:24} {}\n", letter, name, o.help);
  }
  return result + examples_of(of);
}

std::variant<tool_options, option_fault>
read_options(tool of, const std::vector<std::string>& arguments) {
  auto table = options_of(of);
  option_ranks ranks(1);
  for (const auto& o : table)
    ranks.front().push_back(&o);
  auto read = read_words(arguments, ranks);
  if (!read.wrong.empty())
    return option_fault{2,
                        "Command line error: " + complaint(read.wrong.front())
                          + "\n\n" + usage(of)};
  tool_options result;
  std::string wrong;
  for (const auto& x : read.found) {
    // All forms of the table are rows of it.
    const auto& row = static_cast<const option&>(*x.what);
    auto said = row.set(result, x.argument.value_or(""));
    if (wrong.empty())
      wrong = said;
  }
  if (!wrong.empty())
    return option_fault{1, "Error while parsing command line arguments:\n"
                             + wrong + "\n"};
  result.words = std::move(read.others);
  if (!words_of(of) && !result.words.empty() && !result.help && !result.version)
    return option_fault{1, "Error: This program doesn't take any arguments.\n"};
  return result;
}

std::variant<hbal_options, option_fault>
read_hbal_options(const std::vector<std::string>& arguments) {
  return read_options(tool::hbal, arguments);
}

std::string hbal_usage() {
  return usage(tool::hbal);
}

} // namespace orderly::io::htools
