// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The pieces that the balance machine is made of. Each takes the verdict as it
// is so far. Used by the machine's own files only.

#pragma once

#include "actors/policy/balance/balance.hpp"

namespace orderly::balance {

/// What a decision is made from.
struct situation {
  const facts& seen;
  const rules& limits;
  instant now;
};

/// Nothing is to be done until `due`.
void rest(verdict& v, instant due, std::string text);

/// Something holds the next round; told once.
void hold(verdict& v, instant due, std::string text);

/// What is not told again as long as nothing else was.
void tell_once(verdict& v, std::string text);

/// A move is no longer part of its round; it was not sent.
void drop(verdict& v, std::vector<move>::iterator m, const std::string& why);

/// Asks for the permit of a move.
void ask(verdict& v, move& m);

/// All moves of the round have ended.
void end_round(verdict& v, const situation& x);

/// Moves that may be given up are, others ask again.
void tend(verdict& v, const situation& x);

/// Moves from before a restart are asked for.
void resume(verdict& v, const situation& x);

void take(verdict& v, const permit_answered& e, const situation& x);
void take(verdict& v, const mirror_answered& e, const situation& x);
void take(verdict& v, const permit_called& e, const situation& x);
void take(verdict& v, const job_event& e, const situation& x);

} // namespace orderly::balance
