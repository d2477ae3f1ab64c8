// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which agent speaks for a node: the one that is met first there is written
// down, and no other counts from then on. Used by the intake only.

#pragma once

#include "actors/maintenance/standings.hpp"

namespace orderly::intake_parts {

/// By which keys the agent of that node is known.
std::vector<std::string> keys_for(const intake_state& st,
                                  const node_record& node);

/// From the journal.
void recall_keys(intake_state& st, const recalled& before);

/// The first agent of a node that was believed is the only one from now on.
void meet(self_ptr self, const diagnosis& x);

/// Those of nodes that are gone.
void forget_keys(self_ptr self);

} // namespace orderly::intake_parts
