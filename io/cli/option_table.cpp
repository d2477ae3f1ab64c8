// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/option_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

std::string short_form(const option& x) {
  if (x.letter == 0)
    return {};
  return x.argument == takes::maybe
           ? fmt::format("-{}[{}]", x.letter, x.placeholder)
           : fmt::format("-{}", x.letter);
}

std::string long_form(const option& x) {
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

std::string option_lines(const option_table& table) {
  std::size_t a = 0;
  std::size_t b = 0;
  for (const auto& x : table) {
    a = std::max(a, short_form(x).size());
    b = std::max(b, long_form(x).size());
  }
  std::string text;
  for (const auto& x : table)
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", short_form(x), a,
                        long_form(x), b, x.help);
  return text;
}

taken_apart::taken_apart(const std::vector<std::string>& args,
                         const option_table& table)
  : table_(table) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto& arg = args[i];
    if (arg == "--") {
      others.insert(others.end(),
                    args.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    args.end());
      break;
    }
    // An argument of its own that the option needs, if there is one left.
    const auto* next = i + 1 < args.size() ? &args[i + 1] : nullptr;
    auto used = false;
    if (arg.starts_with("--"))
      used = take_long(arg.substr(2), next);
    else if (arg.size() > 1 && arg[0] == '-')
      used = take_letters(std::string_view{arg}.substr(1), next);
    else
      others.push_back(arg);
    i += used ? 1 : 0;
  }
}

std::size_t taken_apart::count(std::string_view name) const {
  auto same = [&](const given_option& x) { return x.what->name == name; };
  return static_cast<std::size_t>(
    std::count_if(found.begin(), found.end(), same));
}

bool taken_apart::take_long(const std::string& text, const std::string* next) {
  auto equals = text.find('=');
  auto name = text.substr(0, equals);
  std::optional<std::string> argument;
  if (equals != std::string::npos)
    argument = text.substr(equals + 1);
  const auto* x = named(name);
  if (x == nullptr)
    return false;
  if (x->argument == takes::nothing && argument) {
    errors += fmt::format("option `--{}' doesn't allow an argument\n", x->name);
    return false;
  }
  auto borrow = x->argument == takes::value && !argument;
  if (borrow && next == nullptr) {
    errors += fmt::format("option `--{}' requires an argument {}\n", x->name,
                          x->placeholder);
    return false;
  }
  if (borrow)
    argument = *next;
  found.push_back({x, std::move(argument)});
  return borrow;
}

bool taken_apart::take_letters(std::string_view text, const std::string* next) {
  while (!text.empty()) {
    auto letter = text.front();
    text.remove_prefix(1);
    auto i = std::find_if(table_.begin(), table_.end(),
                          [&](const option& o) { return o.letter == letter; });
    if (letter == 0 || i == table_.end()) {
      errors += fmt::format("unrecognized option `-{}'\n", letter);
      continue;
    }
    if (i->argument == takes::nothing) {
      found.push_back({&*i, std::nullopt});
      continue;
    }
    auto rest = text.empty() ? std::optional<std::string>{}
                             : std::optional<std::string>{text};
    auto borrow = i->argument == takes::value && !rest;
    if (borrow && next == nullptr) {
      errors += fmt::format("option `-{}' requires an argument {}\n", letter,
                            i->placeholder);
      return false;
    }
    found.push_back({&*i, borrow ? std::optional{*next} : std::move(rest)});
    return borrow;
  }
  return false;
}

/// An exact name wins, then the only one that begins so; where ours would
/// make a short form of the original's unclear, the original's is meant.
const option* taken_apart::named(const std::string& name) {
  option_table fits;
  const option* last = nullptr;
  for (auto with_ours : {false, true}) {
    for (const auto& x : table_) {
      if (x.name == name)
        return &x;
      if (x.ours == with_ours && x.name.starts_with(name)) {
        fits.push_back(x);
        last = &x;
      }
    }
    if (!fits.empty())
      break;
  }
  if (fits.size() == 1)
    return last;
  if (fits.empty()) {
    errors += fmt::format("unrecognized option `--{}'\n", name);
    unknown.push_back(name);
  } else {
    errors += fmt::format("option `--{}' is ambiguous; could be one of:\n{}",
                          name, option_lines(fits));
  }
  return nullptr;
}

} // namespace orderly
