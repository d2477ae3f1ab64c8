// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hwhatif found, in sentences and as JSON: the same facts twice.

#pragma once

#include "actors/planning/whatif/advise.hpp"
#include "actors/planning/whatif/room_left.hpp"
#include "io/htools/options/options.hpp"

namespace orderly::io::htools {

/// How many standard instances a group takes, before and after.
struct group_room {
  int group = -1;
  planning::room_count before;
  planning::room_count after;
};

struct told_what_if {
  const planning::cluster& before;
  const planning::what_if_answer& answer;
  std::vector<std::string> words; ///< the changes, in an order of their own
  std::vector<group_room> rooms;
  whatif_choice link;
  std::optional<planning::advice> advice; ///< if it was asked for
};

/// Lines with their ends; the moves only if `with_moves`.
std::string what_if_text(const told_what_if& x, bool with_moves);

/// One object in a line, with its end.
std::string what_if_json(const told_what_if& x);

} // namespace orderly::io::htools
