// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/match.hpp"

#include <charconv>
#include <regex>

namespace orderly::sim::conformance {

namespace {

constexpr const char* id_form
  = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

constexpr const char* digits_form = "[0-9]+";

std::string escaped(char c) {
  static const std::string special{R"(\^$.|?*+()[]{})"};
  return special.find(c) == std::string::npos ? std::string{c}
                                              : std::string{'\\'} + c;
}

struct form {
  std::string expression;
  std::vector<std::string> names; ///< of the blanks, in order
};

form form_of(const std::string& pattern, bool globs) {
  form x;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    auto c = pattern[i];
    auto end = c == '{' ? pattern.find('}', i) : std::string::npos;
    if (end != std::string::npos && end > i + 1) {
      auto name = pattern.substr(i + 1, end - i - 1);
      auto is_id = name[0] == 'U';
      x.expression += std::string{"("} + (is_id ? id_form : digits_form) + ")";
      x.names.push_back(std::move(name));
      i = end;
    } else if (globs && c == '*') {
      x.expression += ".*";
    } else if (globs && c == '?') {
      x.expression += ".";
    } else {
      x.expression += escaped(c);
    }
  }
  return x;
}

bool is_in_run(const std::string& text, const blanks& with) {
  std::int64_t number = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && number >= to_unix(with.began)
         && number <= to_unix(with.ended);
}

/// May the blank `name` be `value`? Then it is from now on.
bool fill(const std::string& name, const std::string& value, blanks& with) {
  if (name == "now")
    return is_in_run(value, with);
  if (auto i = with.filled.find(name); i != with.filled.end())
    return i->second == value;
  if (name[0] == 'U') {
    if (with.old_ids.count(value) != 0)
      return false;
    for (const auto& [other, taken] : with.filled)
      if (other[0] == 'U' && taken == value)
        return false;
  }
  with.filled[name] = value;
  return true;
}

bool pair_from(std::size_t i, const std::vector<std::string>& patterns,
               std::vector<std::string>& left, const blanks& with,
               const next_step& then) {
  if (i == patterns.size()) {
    auto mine = with;
    return then(mine);
  }
  for (std::size_t k = 0; k < left.size(); ++k) {
    auto mine = with;
    if (!fits(patterns[i], left[k], mine, false))
      continue;
    auto taken = left[k];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    auto good = pair_from(i + 1, patterns, left, mine, then);
    left.insert(left.begin() + static_cast<std::ptrdiff_t>(k), taken);
    if (good)
      return true;
  }
  return false;
}

} // namespace

bool fits(const std::string& pattern, const std::string& text, blanks& with,
          bool globs) {
  auto x = form_of(pattern, globs);
  std::smatch found;
  if (!std::regex_match(text, found, std::regex{x.expression}))
    return false;
  auto mine = with;
  for (std::size_t i = 0; i < x.names.size(); ++i)
    if (!fill(x.names[i], found[i + 1].str(), mine))
      return false;
  with = std::move(mine);
  return true;
}

bool pair_up(const std::vector<std::string>& patterns,
             const std::vector<std::string>& texts, bool all,
             const blanks& with, const next_step& then) {
  if (patterns.size() > texts.size()
      || (all && patterns.size() != texts.size()))
    return false;
  auto left = texts;
  return pair_from(0, patterns, left, with, then);
}

std::set<std::string> ids_in(const std::string& text) {
  std::set<std::string> result;
  const std::regex form{id_form};
  for (std::sregex_iterator i{text.begin(), text.end(), form}, none; i != none;
       ++i)
    result.insert(i->str());
  return result;
}

} // namespace orderly::sim::conformance
