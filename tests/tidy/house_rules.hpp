// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The house rules as code: which folder may include what, which words are
// banned where, how long a file may be. Pure: a file in, its offences out;
// tidy_test.cpp feeds it the tree, and a wrong text for each rule.

#pragma once

#include "tests/tidy/rooms.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace orderly::tidy {

struct source_file {
  std::string path; ///< from the top of the tree: `actors/power/oob.cpp`
  std::string text;
};

struct offence {
  std::string path;
  std::size_t line = 0;
  std::string what; ///< a sentence
};

/// `path:line: what`.
std::string to_string(const offence& x);

/// Everything that is wrong with `f`, by line.
std::vector<offence> offences_of(const source_file& f, const room_table& rooms);

// The single rules, each by itself.

/// May a file of that folder include what it includes? Files of no room are
/// programs and tests, which may include all.
std::vector<offence> check_includes(const source_file& f,
                                    const room_table& rooms);

constexpr std::size_t files_in_room_max = 40;

/// All code is in a room, and no folder is too full to be seen at once.
std::vector<offence> check_rooms(const std::vector<source_file>& tree,
                                 const room_table& rooms);

/// Tests lie in folders that are called as the rooms are.
std::vector<offence> check_mirrors(const source_file& f,
                                   const room_table& rooms);

/// A room has a README, and tests, unless the rule says who else tests it.
std::vector<offence> check_furnished(const std::vector<std::string>& paths,
                                     const room_table& rooms);

/// No clock, dice, thread or hash order where runs must repeat exactly.
std::vector<offence> check_words(const source_file& f);

/// No mutable static inside a function where runs must repeat exactly.
std::vector<offence> check_statics(const source_file& f);

/// At most 400 lines a file and 60 a function (tests: files only).
std::vector<offence> check_sizes(const source_file& f);

/// The licence lines, `#pragma once`, and no leftovers for later.
std::vector<offence> check_form(const source_file& f);

/// Nobody decides by comparing with a sentence, nor, where nothing outside is
/// read, with any text.
std::vector<offence> check_prose(const source_file& f);

/// Nobody decides by comparing with a constant whose text is a sentence: one of
/// the same file, or of a header that it includes.
std::vector<offence> check_constants(const std::vector<source_file>& tree);

constexpr std::size_t handlers_max = 6;

/// A role has no more handlers than that, wherever it is written down.
std::vector<offence> check_roles(const source_file& f);

/// No shell waits for a time that has no name, nor for ever for anybody but the
/// journal.
std::vector<offence> check_durations(const source_file& f);

constexpr std::size_t small_below = 30;

/// An idea, in its header and its source file, that has fewer lines than that
/// is read by several, or by another room.
std::vector<offence> check_small(const std::vector<source_file>& tree);

/// No test that is hidden, or allowed to fail, by its tags.
std::vector<offence> check_tags(const source_file& f);

/// What a room's tests set up is called a rig: a bench measures.
std::vector<offence> check_rigs(const source_file& f);

} // namespace orderly::tidy
