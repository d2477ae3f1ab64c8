// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A role is small: whoever holds it can do no more than it needs.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <iterator>
#include <regex>

namespace orderly::tidy {

std::vector<offence> check_roles(const source_file& f) {
  static const std::regex role{R"(\busing\s+(\w+)\s*=([^;]*);)"};
  static const std::regex handler{R"(\b(reacts_to|replies_to)\s*<)"};
  std::vector<offence> result;
  if (!f.path.starts_with("messages/protocol/"))
    return result;
  auto code = code_of(f.text, texts::blanked);
  for (std::sregex_iterator i{code.begin(), code.end(), role}, none; i != none;
       ++i) {
    auto body = (*i)[2].str();
    auto count = static_cast<std::size_t>(
      std::distance(std::sregex_iterator{body.begin(), body.end(), handler},
                    std::sregex_iterator{}));
    auto line
      = 1 + std::count(code.begin(), code.begin() + i->position(), '\n');
    if (count > handlers_max)
      result.push_back({f.path, static_cast<std::size_t>(line),
                        (*i)[1].str() + " has " + std::to_string(count)
                          + " handlers; put it together from roles of at most "
                          + std::to_string(handlers_max)});
  }
  return result;
}

} // namespace orderly::tidy
