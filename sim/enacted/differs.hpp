// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where actors show something else than the machine alone does, and why that is
// so. Used by conformance and by the test that plays timelines on both.

#pragma once

#include "sim/timelines/play.hpp"

#include <optional>
#include <span>
#include <string>

namespace orderly::sim::enacted {

using timelines::json;

/// The first row, in time, that only one of the two has.
struct clash {
  int second = 0;
  std::string key;  ///< `transition_counts`, ...; or what has no rows
  std::string kind; ///< "Suspect>Fencing", "fence", a code; or empty
  int machine = 0;  ///< so many of that kind in that second
  int actors = 0;
};

/// Of what was seen, under every key that `expect` may have; nullopt: nothing
/// differs.
std::optional<clash> first_clash(const json& machine, const json& actors);

/// A difference that is meant.
struct difference {
  const char* name;
  const char* why; ///< a sentence
  bool (*explains)(const timelines::timeline& what, const clash& found,
                   const json& actors);
};

std::span<const difference> differences();

/// Which of them it is; null: none.
const difference* explanation(const timelines::timeline& what,
                              const clash& found, const json& actors);

} // namespace orderly::sim::enacted
