// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an errand was asked for, as its machine reads it. Private to this
// folder.

#pragma once

#include "actors/policy/errand/errand.hpp"

namespace orderly::errand {

/// Is it an epo, and which?
inline const epo_errand* epo_of(const state& s) {
  return std::get_if<epo_errand>(&s.asked.what);
}

inline bool is_epo_off(const state& s) {
  const auto* x = epo_of(s);
  return x != nullptr && !x->on;
}

inline bool is_epo_on(const state& s) {
  const auto* x = epo_of(s);
  return x != nullptr && x->on;
}

/// "--all", "--groups rack1" or the names: what an epo was about.
std::string epo_names(const epo_errand& x);

/// The switch command of its node rows.
inline power_verb switch_verb(const state& s) {
  if (const auto* x = epo_of(s))
    return x->on ? power_verb::on : power_verb::off;
  return verb_of(s.asked);
}

/// What an on or off brings about.
inline power_state state_wanted(const state& s) {
  return switch_verb(s) == power_verb::on ? power_state::on : power_state::off;
}

/// Does it switch nodes on, for good or again?
bool raises(const state& s);

/// How long a run of a power helper may take, as the person said it; zero:
/// as the settings say.
millis helper_limit(const state& s);

/// Is that the node that was asked for, and no other one under its name?
inline bool is_meant(const row& r, const node_record& node) {
  return r.uuid.empty() || r.uuid == node.uuid;
}

} // namespace orderly::errand
