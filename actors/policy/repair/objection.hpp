// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Why a step that was asked for may not be taken after all.

#pragma once

#include "actors/policy/repair/moves.hpp"

#include <string>

namespace orderly::autorepair {

/// What speaks against the step that was asked for.
struct hindrance {
  std::string text;         ///< empty: nothing
  bool lacks_proof = false; ///< a proof alone is missing, and may still come
};

hindrance hindrance_of(const state& s, const situation& x);

/// Why the step that was asked for may not be taken after all, or empty.
std::string objection(const state& s, const situation& x);

} // namespace orderly::autorepair
