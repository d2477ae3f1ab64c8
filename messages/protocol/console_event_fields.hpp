// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The fields of repair events, as console_fields.hpp has them of all else.

#pragma once

#include "messages/event.hpp"

namespace orderly::wire {

/// The last value of each enum that crosses: what is beyond it is an error. One
/// that is not here does not compile.
template <class Enum>
inline constexpr auto last_of = nullptr;

template <>
inline constexpr auto last_of<event_action> = event_action::evacuate_failover;
template <>
inline constexpr auto last_of<event_phase> = event_phase::forgotten;

template <>
inline constexpr auto last_of<hearing> = hearing::failed;
template <>
inline constexpr auto last_of<event_verb> = event_verb::forget;
template <>
inline constexpr auto
  last_of<event_order_answer::outcome> = event_order_answer::outcome::refused;

template <class Each>
void fields_of(Each& each, instance_place& x) {
  auto& [primary, secondary] = x;
  each(primary, secondary);
}

template <class Each>
void fields_of(Each& each, departure& x) {
  auto& [from, at] = x;
  each(from, at);
}

template <class Each>
void fields_of(Each& each, event_standing& x) {
  // That it is late, or was given up, is for others of its node, and no
  // console's.
  auto& [uuid, node, node_uuid, action, original, identity, phase, jobs, tag,
         ctime, mtime, serial_no, observed, ripe, willing, commands, late,
         begun, given_up, blocked, left, open, why]
    = x;
  each(uuid, node, node_uuid, action, original, identity, phase, jobs, tag,
       ctime, mtime, serial_no, observed, ripe, willing, commands, begun,
       blocked, left, open, why);
}

template <class Each>
void fields_of(Each& each, agent_row& x) {
  auto& [node, how, why, key, tagged, met, asked, heard, missed] = x;
  each(node, how, why, key, tagged, met, asked, heard, missed);
}

template <class Each>
void fields_of(Each& each, event_order& x) {
  auto& [uuid, verb, who, serial_no] = x;
  each(uuid, verb, who, serial_no);
}

template <class Each>
void fields_of(Each& each, event_order_answer& x) {
  auto& [what, text] = x;
  each(what, text);
}

} // namespace orderly::wire
