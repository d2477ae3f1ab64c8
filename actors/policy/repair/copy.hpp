// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the two copies of a mirrored instance, on its home and on
// its mirror; what becomes of it when they exchange their roles; and how the
// journal keeps it. Whoever looks at copies has `recall_copy` and
// `remember_copy`.

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

/// The job under way has ended: the copy that it was to make is whole, or
/// half made.
void note_made(state& s, const job_event& what);

/// Likewise the last of ours that did not end well, whose end was asked for.
void note_made(state& s, const job_standing& job);

/// What the journal keeps of the copies, and of the shutdown: where it may run.
/// Used for the whole state, and for what outlives the name of the instance.
void put_copy(fields& f, const state& s);

void read_copy(state& s, const fields& f);

} // namespace orderly::autorepair
