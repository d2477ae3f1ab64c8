// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the balance machine's own files share: what a decision is made from, and
// what one has done for another. Each takes the verdict as it is so far.

#pragma once

#include "actors/policy/balance/balance.hpp"

#include <string>

namespace orderly::balance {

/// What a decision is made from.
struct situation {
  const facts& seen;
  const rules& limits;
  instant now;
};

/// Nothing is to be done until `due`.
void rest(verdict& v, instant due, std::string text);

// --- moves.cpp: the moves of a round

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
