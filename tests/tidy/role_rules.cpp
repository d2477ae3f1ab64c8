// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A role is small: whoever holds it can do no more than it needs.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <string>

namespace orderly::tidy {

namespace {

using counts = std::map<std::string, std::size_t>;

/// Templates of the file that stand for a handler: `template <class T> using
/// hears = caf::reacts_to<T>;`.
std::string handlers_of(const std::string& code) {
  static const std::regex alias{
    R"(template\s*<[^>]*>\s*using\s+(\w+)\s*=[^;]*\b(reacts_to|replies_to)\b)"};
  std::string names = "reacts_to|replies_to";
  for (std::sregex_iterator i{code.begin(), code.end(), alias}, none; i != none;
       ++i)
    names += "|" + (*i)[1].str();
  return R"(\b()" + names + R"()\s*<)";
}

/// What stands in `body`, and in the role of the same file that it extends. An
/// actor that is put together from whole roles (`extend_with`) is no role.
std::size_t count_in(const std::string& body, const std::regex& handler,
                     const counts& before) {
  static const std::regex base{R"(^\s*(\w+)::extend\s*<)"};
  auto result = static_cast<std::size_t>(
    std::distance(std::sregex_iterator{body.begin(), body.end(), handler},
                  std::sregex_iterator{}));
  std::smatch found;
  if (std::regex_search(body, found, base)) {
    auto i = before.find(found[1].str());
    result += i == before.end() ? 0 : i->second;
  }
  return result;
}

} // namespace

std::vector<offence> check_roles(const source_file& f) {
  static const std::regex role{R"(\busing\s+(\w+)\s*=([^;]*);)"};
  std::vector<offence> result;
  auto ours = f.path.starts_with("messages/") || f.path.starts_with("actors/")
              || f.path.starts_with("io/") || f.path.starts_with("sim/");
  if (!ours || f.text.find("s_to") == std::string::npos)
    return result;
  auto code = code_of(f.text, texts::blanked);
  const std::regex handler{handlers_of(code)};
  counts all;
  for (std::sregex_iterator i{code.begin(), code.end(), role}, none; i != none;
       ++i) {
    auto name = (*i)[1].str();
    auto count = count_in((*i)[2].str(), handler, all);
    all[name] = count;
    auto line
      = 1 + std::count(code.begin(), code.begin() + i->position(), '\n');
    if (count > handlers_max)
      result.push_back({f.path, static_cast<std::size_t>(line),
                        name + " has " + std::to_string(count)
                          + " handlers; put it together from roles of at most "
                          + std::to_string(handlers_max)});
  }
  return result;
}

} // namespace orderly::tidy
