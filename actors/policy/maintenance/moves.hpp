// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Emptying a node: which instances leave it when, and which cannot. Used by the
// event's machine only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

/// Moves what is on the node, and says when it is empty.
void evacuate(verdict& v, const situation& x);

/// Why this move is not right any more; empty: it is.
std::string against_move(const state& s, const work& w, const situation& x);

/// It begins with a question to its home, and goes on with what that answers.
[[nodiscard]] bool asks_home(const state& s, const work& w);

/// Between the opcodes of such a job its home must not be marked offline, so
/// nothing of ours shall hold it up there: Ganeti does one after the other
/// anyway, for all lock the node that is left.
[[nodiscard]] bool goes_alone(const state& s, const work& w, const rules& r);

/// Which job of ours it would wait for there; empty: none that is known.
std::string crowded(const state& s, const work& w, const situation& x);

} // namespace orderly::maintenance
