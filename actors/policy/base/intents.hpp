// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The ids of our jobs. They stand in the jobs' reason trails, the one trace
// that every daemon of ours and every life of it can read, so they are put
// together and read here and nowhere else:
//
//   4711/web1/3-failover           an act of the repair 4711, its third step
//   4711/web1/3-failover-note      tags only: its job's id, while it waits
//   4711/web1/3-failover-2-note    likewise, tried once more
//   4711/web1/4-tag                tags only
//   4711/0-asked                   tags only: a person asked for the repair
//   n-node3-1700000000000/offline-1    marks a fenced node offline
//   balance-7-1700000000-web1      a move of the seventh balancing round
//   event-4711-3-drain             the third job of the repair event 4711

#pragma once

#include "messages/ids.hpp"
#include "messages/permit.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace orderly {

/// `base` ends with a slash, as `4711/web1/`.
intent_id act_intent(const std::string& base, std::uint32_t step, act_kind act);
intent_id tag_intent(const std::string& base, std::uint32_t step);
intent_id asked_intent(const incident_id& repair);

/// Is it the intent of such a job?
bool is_asked(const intent_id& intent);

enum class note_try { first, second };

/// Of the job that notes the id of the job with the intent `act`.
intent_id note_intent(const intent_id& act, note_try which);

/// What the step with that intent does; nothing if it is none of a repair.
std::optional<act_kind> act_of(const intent_id& intent);

/// Does its job repair something, and not only write tags? Nobody's job does
/// not.
bool is_act(const intent_id& intent);

/// Of the job that moves an instance in that balancing round.
intent_id move_intent(std::uint64_t round, instant at,
                      const instance_name& name);

/// Is it the intent of such a job, whoever sent it?
bool is_move(const intent_id& intent);

/// Of the job of a repair event with that number; `what` is one word.
intent_id event_intent(const std::string& uuid, std::uint64_t number,
                       const std::string& what);

/// Is it the intent of such a job, whoever sent it?
bool is_of_event(const intent_id& intent);

/// ... and does that job run a node's repair command?
bool is_command(const intent_id& intent);

/// What happens to a node from one trouble on.
incident_id node_incident(const node_name& node, instant now);

/// Of the job that marks a fenced node offline, try by try.
intent_id mark_intent(const incident_id& incident, std::uint32_t number);

/// Is it the intent of such a job, whoever sent it?
bool is_mark(const intent_id& intent);

} // namespace orderly
