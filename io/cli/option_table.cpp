// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/option_table.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

std::string short_form(const option_form& x) {
  if (x.letter == 0)
    return {};
  return x.argument == takes::maybe
           ? fmt::format("-{}[{}]", x.letter, x.placeholder)
           : fmt::format("-{}", x.letter);
}

std::string long_form(const option_form& x) {
  switch (x.argument) {
  case takes::nothing:
    break;
  case takes::maybe:
    return fmt::format("--{}[={}]", x.name, x.placeholder);
  case takes::value:
    return fmt::format("--{}={}", x.name, x.placeholder);
  }
  return "--" + x.name;
}

namespace {

std::string lines_of(const std::vector<const option_form*>& all) {
  std::size_t a = 0;
  std::size_t b = 0;
  for (const auto* x : all) {
    a = std::max(a, short_form(*x).size());
    b = std::max(b, long_form(*x).size());
  }
  std::string text;
  for (const auto* x : all)
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", short_form(*x), a,
                        long_form(*x), b, x->help);
  return text;
}

/// One line, with its end; those that it may mean follow.
std::string complaint(const misused_option& x) {
  switch (x.how) {
  case misuse::unknown:
    return fmt::format("unrecognized option `{}'\n", x.typed);
  case misuse::unclear:
    return fmt::format("option `{}' is ambiguous; could be one of:\n{}",
                       x.typed, lines_of(x.candidates));
  case misuse::takes_no_argument:
    return fmt::format("option `--{}' doesn't allow an argument\n",
                       x.what->name);
  case misuse::needs_argument:
    break;
  }
  // A long name in full, whatever was typed of it.
  auto shown = x.typed.starts_with("--") ? "--" + x.what->name : x.typed;
  return fmt::format("option `{}' requires an argument {}\n", shown,
                     x.what->placeholder);
}

} // namespace

std::string option_lines(const option_table& table) {
  std::vector<const option_form*> all;
  for (const auto& x : table)
    all.push_back(&x);
  return lines_of(all);
}

taken_apart::taken_apart(const std::vector<std::string>& args,
                         const option_table& table) {
  option_ranks ranks(2);
  for (const auto& x : table)
    ranks[x.ours ? 1 : 0].push_back(&x);
  auto read = read_words(args, ranks);
  found = std::move(read.found);
  others = std::move(read.others);
  for (const auto& x : read.wrong) {
    errors += complaint(x);
    // A letter has no other spelling that could be meant.
    if (x.how == misuse::unknown && x.typed.starts_with("--"))
      unknown.push_back(x.typed.substr(2));
  }
}

std::size_t taken_apart::count(std::string_view name) const {
  auto same = [&](const given_option& x) { return x.what->name == name; };
  return static_cast<std::size_t>(
    std::count_if(found.begin(), found.end(), same));
}

} // namespace orderly
