// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The storm guard: more troubled nodes than one failure explains means that
// the trouble may be ours. Then nothing new that destroys is started; what
// runs goes on, what recovers recovers (S5, S7).

#pragma once

#include "messages/ids.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace orderly::storm {

struct rules {
  std::uint32_t nodes_max = 2;
  std::uint32_t percent_max = 20;
  millis cooldown{};
};

struct state {
  bool open = false;  ///< a storm is on
  instant since;      ///< when it began
  instant calm_since; ///< last time the count fell to the limit
  std::uint32_t troubled = 0;
  std::uint32_t nodes = 0;

  friend bool operator==(const state&, const state&) = default;
};

/// How many troubled nodes of `nodes` are still no storm: the larger of the
/// absolute limit and the percentage (rounded down), but never half of them:
/// then it is our own view that is in doubt.
std::uint32_t limit(const rules& r, std::uint32_t nodes);

/// New counts, or time has passed.
state step(const state& s, std::uint32_t troubled, std::uint32_t nodes,
           const rules& r, instant now);

/// May one more node become the object of a destructive act? The node itself
/// is among the troubled ones already.
struct answer {
  bool go = true;
  std::string why; ///< "storm: 12 of 40 nodes are in trouble, limit 8"
};

/// "3 of 5 nodes are in trouble, limit 2".
std::string standing_text(const state& s, const rules& r);

answer may_act(const state& s, const rules& r);

} // namespace orderly::storm
