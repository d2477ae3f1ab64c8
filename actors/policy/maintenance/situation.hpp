// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an event's machine decides from, and what it reads there of its own
// node. Used by the machine's own files only.

#pragma once

#include "actors/policy/maintenance/event.hpp"

namespace orderly::maintenance {

/// What a decision is made from.
struct situation {
  const event_facts& seen;
  const rules& limits;
  instant now;
};

/// The node by the newest picture, or null.
const node_record* node_of(const state& s, const event_facts& seen);

/// "web1 is on node1", of any instance by the newest picture; or empty.
std::string lodger_of(const state& s, const event_facts& seen);

/// The node was drained under it, and takes instances again.
[[nodiscard]] bool is_mark_gone(const state& s, const node_record& node);

/// The picture shows what our jobs did.
[[nodiscard]] bool is_fresh(const state& s, const situation& x);

/// It is lacking in two readings in a row: parts of one may be older than its
/// time says.
[[nodiscard]] bool lacks(instant& since, const situation& x, bool now);

/// So many reports in a row make such an event act, or end what it waits for.
std::uint32_t debounce_of(event_action x, const rules& r);

} // namespace orderly::maintenance
