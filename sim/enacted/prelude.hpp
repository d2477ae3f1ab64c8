// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a timeline begins: settings, names that put the checks on its beat, and
// how a host comes into the state that is given. Most states are those of a
// node's actor that its supervisor has just restarted in them; what a restart
// does not leave as it is, for it knows of resets, is brought about by a
// trouble before the beginning, under rules that are quicker.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "sim/enacted/playground.hpp"
#include "sim/walk/cast.hpp"

namespace orderly::sim::enacted {

/// The settings of a timeline. One that cannot be set throws.
settings rules_of(const playground& all);

/// What is done before second 0, and when.
struct prelude {
  instant begin;      ///< the daemon's
  instant node_begin; ///< of the nodes' actors
  bool kept = false;  ///< those find the state in the journal
  settings quick;     ///< in force until `given_at`, unless `kept`
};

/// Throws std::invalid_argument if that state cannot be brought about.
prelude plan_prelude(playground& all, const settings& rules);

/// What the journal keeps of a host in that state.
void keep_state(walking::paper& book, const host& x, const playground& all,
                const prelude& how, const settings& rules);

/// Names hosts such that each is checked first so long after its actor began.
void name_hosts(playground& all, const settings& rules, std::uint64_t seed,
                millis first_check);

/// A seed under which the one host is; 0: there is none.
std::uint64_t seed_for(const playground& all, const settings& rules,
                       millis first_check);

/// From `begin` to the next checks of the beat.
millis to_beat(const playground& all, instant begin);

} // namespace orderly::sim::enacted
