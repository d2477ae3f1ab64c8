// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves of a round, from the question for a permit to the end of the job.
// Used by the balance machine's own files only.

#pragma once

#include "actors/policy/balance/machine.hpp"

namespace orderly::balance {

/// Asks for the permit of a move.
void ask(verdict& v, move& m);

/// Moves that may be given up are, others ask again.
void tend(verdict& v, const situation& x);

/// Moves from before a restart are asked for.
void resume(verdict& v, const situation& x);

void take(verdict& v, const permit_answered& e, const situation& x);
void take(verdict& v, const mirror_answered& e, const situation& x);
void take(verdict& v, const permit_called& e, const situation& x);
void take(verdict& v, const job_event& e, const situation& x);

} // namespace orderly::balance
