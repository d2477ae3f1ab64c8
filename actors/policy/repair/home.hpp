// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the copy on the home, and what becomes of it when the two
// copies exchange their roles. Used by `recall_copy` and `remember_copy`.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

#include <optional>

namespace orderly::autorepair {

/// Fills in what is known of the copy on the home. It has a mirror.
void recall_home(const state& s, const mirror_news& heard, facts& seen);

/// The same knowledge after the instance has gone to its mirror: what was wrong
/// on its old home is wrong with the copy there, and what was wrong with the
/// copy is wrong on its home. nullopt: it has not. It has a mirror.
std::optional<state> in_new_roles(const state& s, const facts& seen);

/// Is that answer, heard then, of the copies that there are now? One from
/// before our last job that made a copy may be of another.
inline bool is_of_these(const state& s, instant at) {
  return s.remade == never || at > s.remade;
}

} // namespace orderly::autorepair
