// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the journal has of an instance: the rows of its decisions, and what is
// kept under its name, with the uuid of whom it is about. What stays true under
// another name is kept under the uuid, with the name that it bore then. Both
// are written in one commit, so that what is found under the name is of now
// only if the uuid says that name.

#pragma once

#include "actors/instance/seen.hpp"

#include <string>
#include <vector>

namespace orderly::instance_parts {

/// The row of a decision, and behind it what it tells: in one commit, for the
/// state, which the caller adds to the first, knows that it was told.
std::vector<journal_entry> rows_of(self_ptr self, std::string why,
                                   const std::vector<autorepair::action>& all);

/// What is known of the copy on its mirror's node.
copy_answer copy_of(self_ptr self);

/// Under which keys the journal has something of this instance.
std::vector<std::string> keys_of(const instance_state& st);

/// Adds to such rows what is kept of the instance from now on.
void keep(self_ptr self, std::vector<journal_entry>& rows);

/// Begins with what was kept of this instance, whatever it was called then.
/// What is of another one, which bore its name, is dropped.
void take_kept(self_ptr self, const recalled& before);

} // namespace orderly::instance_parts
