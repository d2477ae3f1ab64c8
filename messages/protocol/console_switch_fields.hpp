// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fields of errands that turn switches: those of host HA, and settings of
// the cluster. console_fields.hpp has those of all else, and is the only one to
// include this.

#pragma once

#include "messages/errand.hpp"
#include "messages/protocol/console_event_fields.hpp"

namespace orderly::wire {

template <>
inline constexpr auto last_of<ha_action> = ha_action::settings;
template <>
inline constexpr auto last_of<ha_scope> = ha_scope::cluster;

template <>
inline constexpr auto last_of<setting_action> = setting_action::unset;

template <class Each>
void fields_of(Each& each, setting_errand& x) {
  auto& [action, key, value] = x;
  each(action, key, value);
}

template <class Each>
void fields_of(Each& each, ha_errand& x) {
  auto& [action, scope, names, provider] = x;
  each(action, scope, names, provider);
}

template <class Each>
void fields_of(Each& each, ha_card& x) {
  auto& [provider, enabled, treated, state, why] = x;
  each(provider, enabled, treated, state, why);
}

} // namespace orderly::wire
