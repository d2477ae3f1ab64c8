// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the balance machine's own files share: what a decision is made from, and
// how the machine waits. Each takes the verdict as it is so far.

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

/// Something holds the next round; told once.
void hold(verdict& v, instant due, std::string text);

} // namespace orderly::balance
