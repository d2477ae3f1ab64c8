// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The next step against what is wrong with an instance, and what stands in
// its way; for the autorepair machine, which works it out once before it asks
// for a permit and once more before it acts.

#pragma once

#include "actors/policy/autorepair.hpp"

namespace orderly::autorepair {

struct plan {
  tags::repair_type type = tags::repair_type::fix_storage; ///< it takes
  act_kind act = act_kind::record;
  opcode op;
  node_name from; ///< left by the step
  node_name onto; ///< takes the load; empty: the cluster picks
};

/// nullopt: nothing is wrong, or this version does nothing about it.
std::optional<plan> plan_for(const facts& seen);

enum class obstacle_kind { none, proof, room };

struct obstacle {
  obstacle_kind kind = obstacle_kind::none;
  std::string text; ///< a sentence for people
};

/// Why the step may not be taken yet, whatever the tags allow.
obstacle obstacle_to(const plan& p, const facts& seen, const rules& r,
                     instant now);

/// "add tag ... to instance X, group G or the cluster".
std::string tag_to_add(tags::repair_type type, const facts& seen);

/// "fail over", "migrate", ...: what comes after "would".
const char* verb_of(act_kind act);

} // namespace orderly::autorepair
