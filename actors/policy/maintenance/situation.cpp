// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/situation.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

const node_record* node_of(const state& s, const event_facts& seen) {
  if (!seen.picture)
    return nullptr;
  const auto* x = find_record(seen.picture->nodes, s.node);
  // Another machine under its name is another node.
  return x != nullptr && x->uuid == s.node_uuid ? x : nullptr;
}

std::string lodger_of(const state& s, const event_facts& seen) {
  for (const auto& i : seen.picture->instances)
    if (i.primary == s.node
        || std::count(i.secondaries.begin(), i.secondaries.end(), s.node) > 0)
      return fmt::format("{} is on {}", i.name, s.node);
  return {};
}

bool is_mark_gone(const state& s, const node_record& node) {
  return (s.marked || s.put_out) && !node.drained && !node.offline;
}

bool is_fresh(const state& s, const situation& x) {
  return x.seen.read_at > s.changed;
}

bool lacks(instant& since, const situation& x, bool now) {
  if (!now) {
    since = never;
    return false;
  }
  if (since == never)
    since = x.seen.read_at;
  return since != x.seen.read_at;
}

std::uint32_t debounce_of(event_action x, const rules& r) {
  return x == event_action::evacuate_failover ? r.debounce_failover
                                              : r.debounce;
}

} // namespace orderly::maintenance
