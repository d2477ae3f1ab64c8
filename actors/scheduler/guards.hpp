// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the scheduler's guards say about an act, whoever else holds a permit;
// used by the scheduler only.

#pragma once

#include "actors/scheduler/scheduler.hpp"

namespace orderly::scheduler_parts {

inline constexpr const char* companions_first
  = "waits for its companions to be seen before anything destructive";

storm::rules storm_rules(const settings& s);
budget::rules budget_rules(const settings& s);

permit refused(std::string why, instant retry_at, bool storm = false);

/// Until then what else is in trouble is waited for. After a start of ours each
/// node is looked at once: who was dead before is nobody's news. An instance
/// that fails over has seen its node fenced: only a start of ours is so near. A
/// single pass looks at no node.
instant settled_at(const scheduler_state& st, const permit_request& wanted,
                   const settings& rules);

/// What forbids every such act, begun or not: the right to act is missing,
/// host HA only observes, a person paused.
permit standing_guards(const scheduler_state& st, const permit_request& wanted,
                       instant at);

/// What the guards say about a new act; granted means "go on".
permit guards(const scheduler_state& st, const permit_request& wanted,
              instant at);

/// One more try of what was begun, or what was decided before the disk took its
/// time: the budget has no say, but what forbids every act has. In a storm it
/// is perhaps our own link that makes them all silent, and after a start each
/// node is looked at first. The owner must hold a permit.
permit renew(scheduler_state& st, const permit_request& wanted, instant at);

} // namespace orderly::scheduler_parts
