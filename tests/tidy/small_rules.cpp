// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Files that were cut off: an idea of a few lines that only its neighbour
// reads is half of the neighbour's.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orderly::tidy {

namespace {

/// `NAME.hpp`, and `NAME.cpp` if there is one.
struct idea {
  std::string header; ///< its path; empty: there is none
  std::size_t longest = 0;
  std::set<std::string> readers; ///< stems of the files that include it
};

bool is_production(const std::string& path) {
  auto is = [&](const char* room) { return path.starts_with(room); };
  return (path.ends_with(".hpp") || path.ends_with(".cpp"))
         && (is("actors/") || is("io/") || is("messages/") || is("sim/"));
}

std::string stem_of(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

std::string room_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

std::map<std::string, idea> ideas_of(const std::vector<source_file>& tree) {
  static const std::regex include{R"rx(#include "([^"]+)\.hpp")rx"};
  std::map<std::string, idea> all;
  for (const auto& f : tree) {
    if (!is_production(f.path))
      continue;
    auto stem = stem_of(f.path);
    auto& own = all[stem];
    own.longest = std::max(own.longest, lines_of(f.text).size());
    if (f.path.ends_with(".hpp"))
      own.header = f.path;
    for (std::sregex_iterator i{f.text.begin(), f.text.end(), include}, none;
         i != none; ++i)
      if ((*i)[1] != stem)
        all[(*i)[1]].readers.insert(stem);
  }
  return all;
}

} // namespace

std::vector<offence> check_small(const std::vector<source_file>& tree) {
  std::vector<offence> result;
  for (const auto& [stem, x] : ideas_of(tree)) {
    if (x.header.empty() || x.longest >= small_below || x.readers.size() > 1)
      continue;
    auto what = std::to_string(x.longest) + " lines ";
    if (x.readers.empty())
      result.push_back({x.header, 1, what + "that nobody reads: remove them"});
    else if (room_of(*x.readers.begin()) == room_of(stem))
      result.push_back({x.header, 1,
                        what + "that only " + *x.readers.begin()
                          + " reads: they belong there"});
  }
  return result;
}

} // namespace orderly::tidy
