// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/scan_instance.hpp"

#include <limits>

namespace orderly::planning {

namespace {

/// A node that was the one half of the mirror and becomes the other keeps the
/// disk; only what its memory does is left open.
node_state keep_disk(node_state bare, const node_state& before) {
  bare.free_disk = before.free_disk;
  bare.later_disk = before.later_disk;
  bare.spindles = before.spindles;
  bare.later_spindles = before.later_spindles;
  bare.use[load_disk] = before.use[load_disk];
  ++bare.secondaries;
  return bare;
}

} // namespace

lanes::takers scan_instance::takers() const {
  const auto& n = w_.nodes_;
  return {n.unallocated.data(),   n.reserved.data(),  n.is_short.data(),
          n.held.data(),          n.disk_left.data(), n.disk_soft.data(),
          n.spindles_left.data(), n.cpus_left.data(), n.closed.data(),
          n.per_memory.data()};
}

lanes::demand scan_instance::demand(bool strict) const {
  return {static_cast<double>(x_.memory),
          static_cast<double>(x_.reserve),
          static_cast<double>(x_.disk),
          static_cast<double>(x_.spindles),
          static_cast<double>(x_.vcpus),
          x_.local,
          strict};
}

lanes::keeper scan_instance::keeper(int node, const node_state& bare,
                                    double held, bool strict) const {
  const auto& f = p_.facts[at(node)];
  return {static_cast<double>(p_.unallocated(node, bare)),
          static_cast<double>(bare.reserved),
          static_cast<double>(p_.states[at(node)].reserved),
          f.online ? 1 / f.total_memory : 0.0,
          f.online ? held : 0.0,
          static_cast<double>(x_.reserve),
          p_.unallocated(node, bare) <= bare.reserved,
          strict};
}

bool scan_instance::bound_failover_to() {
  auto kind = line(move_kind::failover_to);
  auto strict = !(offline(old_.primary) || rules_.ignore_soft);
  auto f = start_of();
  change(f, old_.primary, pri_out_, true);
  auto to = w_.bound_[kind].data();
  lanes::ask_primary(to, takers(), w_.nodes_.size, demand(strict));
  lanes::raise(to, f.rest, w_.nodes_.size);
  spread_target(kind, f, true);
  spread_reserve(kind, f, nullptr);
  add_extras(move_kind::failover_to, strict);
  return true;
}

bool scan_instance::bound_replace_secondary() {
  auto kind = line(move_kind::replace_secondary);
  auto strict = !(offline(old_.secondary) || rules_.ignore_soft);
  auto again = p_.states[at(old_.primary)];
  again.short_of_memory = p_.unallocated(old_.primary, again) <= again.reserved;
  auto f = start_of();
  f.rest += cost_of(old_.primary, again, true)
            - cost_of(old_.primary, p_.states[at(old_.primary)], true);
  change(f, old_.secondary, sec_out_, true);
  auto to = w_.bound_[kind].data();
  lanes::ask_secondary(to, w_.taken_[kind].data(), takers(),
                       p_.by_primary.data() + at(old_.primary) * p_.stride(),
                       w_.nodes_.size, demand(strict));
  lanes::raise(to, f.rest, w_.nodes_.size);
  spread_target(kind, f, false);
  spread_reserve(kind, f, w_.nodes_.value[reserved_memory].data());
  add_extras(move_kind::replace_secondary, strict);
  return true;
}

bool scan_instance::bound_replace_and_failover() {
  auto kind = line(move_kind::replace_and_failover);
  auto n = w_.nodes_.size;
  auto keeps = keep_disk(pri_out_, p_.states[at(old_.primary)]);
  keeps.reserved = p_.states[at(old_.primary)].reserved;
  auto f = start_of();
  change(f, old_.primary, keeps, false);
  change(f, old_.secondary, sec_out_, true);
  auto to = w_.bound_[kind].data();
  lanes::ask_primary(to, takers(), n, demand(!rules_.ignore_soft));
  auto strict = !(offline(old_.secondary) || rules_.ignore_soft);
  auto held = static_cast<double>(keeps.primaries + keeps.secondaries);
  lanes::ask_keeper(to, w_.taken_[kind].data(),
                    p_.by_secondary.data() + at(old_.primary) * p_.stride(), n,
                    keeper(old_.primary, pri_out_, held, strict));
  lanes::raise(to, f.rest, n);
  spread_target(kind, f, true);
  w_.flat_.assign(n, w_.nodes_.value[reserved_memory][at(old_.primary)]);
  spread_reserve(kind, f, w_.flat_.data());
  add_extras(move_kind::replace_and_failover, !rules_.ignore_soft);
  return true;
}

bool scan_instance::bound_replace_primary() {
  if (hosting_ != refusal::none)
    return false;
  auto kind = line(move_kind::replace_primary);
  auto n = w_.nodes_.size;
  auto strict = !(offline(old_.primary) || rules_.ignore_soft);
  const auto& before = p_.states[at(old_.secondary)];
  auto keeps = keep_disk(sec_out_, before);
  keeps.reserved = before.reserved;
  auto f = start_of();
  change(f, old_.primary, pri_out_, true);
  change(f, old_.secondary, keeps, false);
  auto to = w_.bound_[kind].data();
  lanes::ask_primary(to, takers(), n, demand(strict));
  auto held = static_cast<double>(keeps.primaries + keeps.secondaries);
  lanes::ask_keeper(to, w_.taken_[kind].data(),
                    p_.by_secondary.data() + at(old_.secondary) * p_.stride(),
                    n, keeper(old_.secondary, sec_out_, held, strict));
  lanes::raise(to, f.rest, n);
  spread_target(kind, f, true);
  w_.flat_.assign(n, w_.nodes_.value[reserved_memory][at(old_.secondary)]);
  spread_reserve(kind, f, w_.flat_.data());
  add_extras(move_kind::replace_primary, strict);
  return true;
}

bool scan_instance::bound_failover_and_replace() {
  if (hosting_ != refusal::none)
    return false;
  auto kind = line(move_kind::failover_and_replace);
  auto strict = !(offline(old_.primary) || rules_.ignore_soft);
  auto f = start_of();
  change(f, old_.primary, pri_out_, true);
  change(f, old_.secondary, sec_host_, true);
  auto to = w_.bound_[kind].data();
  lanes::ask_secondary(to, w_.taken_[kind].data(), takers(),
                       p_.by_primary.data() + at(old_.secondary) * p_.stride(),
                       w_.nodes_.size, demand(strict));
  lanes::raise(to, f.rest, w_.nodes_.size);
  spread_target(kind, f, false);
  spread_reserve(kind, f, w_.nodes_.value[reserved_memory].data());
  add_extras(move_kind::failover_and_replace, strict);
  return true;
}

void scan_instance::add_extras(move_kind kind, bool strict) {
  if (plain_)
    return;
  auto& to = w_.bound_[line(kind)];
  for (int t = 0; t < p_.node_count(); ++t)
    if (t != old_.primary && t != old_.secondary && to[at(t)] < never)
      to[at(t)] += extra(kind, t, strict);
}

/// What tags, locations and pools add to the score.
double scan_instance::extra(move_kind kind, int target, bool strict) const {
  if (!p_.storage.reaches(target, i_))
    return never;
  auto to = destination(p_, {i_, kind, target});
  double result = 0;
  if (to.primary == target)
    for (auto tag : p_.tags.exclusion[at(i_)])
      if (p_.tag_count(target, tag) > 0)
        result += strict ? never : 2;
  auto misplaced = [&](place where) {
    return offline(where.primary) ? 0 : p_.misplacement(i_, where);
  };
  result += misplaced(to) - misplaced(old_);
  result += static_cast<double>(shared_location_change(p_, i_, to.primary));
  return result;
}

} // namespace orderly::planning
