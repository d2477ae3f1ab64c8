// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/reservations.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::reservations {

namespace {

using names = std::vector<std::string>;

bool has(const names& xs, const std::string& x) {
  return std::find(xs.begin(), xs.end(), x) != xs.end();
}

/// The first of `xs` that is in `ys`, or null.
const std::string* shared(const names& xs, const names& ys) {
  auto i = std::find_if(xs.begin(), xs.end(),
                        [&ys](const std::string& x) { return has(ys, x); });
  return i == xs.end() ? nullptr : &*i;
}

bool same_names(const names& xs, const names& ys) {
  return std::set<std::string>(xs.begin(), xs.end())
         == std::set<std::string>(ys.begin(), ys.end());
}

bool is_same(const permit_request& a, const permit_request& b) {
  return a.act == b.act && a.incident == b.incident && a.alone == b.alone
         && same_names(a.instances, b.instances)
         && same_names(a.leaves, b.leaves) && same_names(a.joins, b.joins);
}

/// "node n1 is used by instance:web1", or empty: by what leaves it or fills it,
/// or, with `locks`, by any job that works there.
std::string shares_node(const permit_request& held,
                        const permit_request& wanted, bool locks = false) {
  static const names none;
  for (const auto* mine :
       {&wanted.leaves, &wanted.joins, locks ? &wanted.also : &none})
    for (const auto* theirs :
         {&held.leaves, &held.joins, locks ? &held.also : &none})
      if (const auto* x = shared(*mine, *theirs))
        return fmt::format("node {} is used by {}", *x, held.owner);
  return {};
}

/// Does `held` count where `wanted` meets a limit?
bool counts(const permit_request& held, const permit_request& wanted) {
  return held.act != act_kind::rebalance || wanted.act == act_kind::rebalance;
}

/// What is urgent waits for no slow work.
bool overtakes(const permit_request& wanted, const permit_request& held) {
  return is_destructive(wanted.act) && !is_destructive(held.act);
}

/// Does `held` have one of the places that `wanted` asks for? What is urgent
/// has as many of its own.
bool takes_place(const reservation& held, const permit_request& wanted) {
  return counts(held.what, wanted) && !overtakes(wanted, held.what)
         && !held.stuck;
}

/// Why `wanted` cannot run beside `held`; empty if it can.
std::string conflict(const permit_request& held, const permit_request& wanted) {
  if (const auto* x = shared(wanted.instances, held.instances))
    return fmt::format("instance {} is held by {}", *x, held.owner);
  if (wanted.alone || (held.alone && !is_destructive(wanted.act)))
    if (auto why = shares_node(held, wanted, true); !why.empty())
      return why;
  // What moves only for balance keeps nobody else from a node, and takes none
  // that anybody uses.
  if (wanted.act == act_kind::rebalance)
    return shares_node(held, wanted);
  if (held.act == act_kind::rebalance)
    return {};
  // A node that is dead is filled by nobody, whatever job still says so: it is
  // reset and fenced, and what it ran starts elsewhere. The reset comes before
  // the fence.
  auto dead = is_destructive(wanted.act);
  if (const auto* x = shared(wanted.leaves, held.joins); x != nullptr && !dead)
    return fmt::format("node {} is being filled by {}", *x, held.owner);
  // Equal acts may fill one node together, up to a number; a quick one must
  // not queue behind a slow one. Reinstalls chose it for the room it had when
  // they asked, and there may not be enough for two. A failover goes where its
  // mirror is, for which room is kept, and what only waits in the queue to fill
  // that node, if for hours, is no reason to wait.
  auto together
    = wanted.act == act_kind::failover
        ? overtakes(wanted, held) || held.act == wanted.act
        : wanted.act == held.act && wanted.act != act_kind::reinstall;
  if (const auto* x = shared(wanted.joins, held.joins);
      x != nullptr && !together)
    return fmt::format("node {} is being filled by {}", *x, held.owner);
  if (const auto* x = shared(wanted.joins, held.leaves))
    return fmt::format("node {} is being left by {}", *x, held.owner);
  return {};
}

} // namespace

answer fits(const table& t, const permit_request& wanted,
            std::uint32_t parallel_max, std::uint32_t joins_max) {
  auto own = t.by_owner.find(wanted.owner);
  if (own != t.by_owner.end()) {
    if (is_same(own->second.what, wanted))
      return {};
    if (!wanted.widened || own->second.what.act != wanted.act)
      return {false,
              fmt::format("{} still holds a permit to {}: give it back first",
                          wanted.owner, to_string(own->second.what.act))};
  }
  for (const auto& [owner, held] : t.by_owner) {
    if (owner == wanted.owner)
      continue;
    auto why = conflict(held.what, wanted);
    if (!why.empty())
      return {false, std::move(why)};
  }
  for (const auto& name : wanted.joins) {
    auto filling = std::count_if(
      t.by_owner.begin(), t.by_owner.end(), [&](const auto& kv) {
        return kv.first != wanted.owner && has(kv.second.what.joins, name)
               && counts(kv.second.what, wanted)
               && !overtakes(wanted, kv.second.what);
      });
    if (filling >= static_cast<std::ptrdiff_t>(joins_max))
      return {false, fmt::format("node {} is being filled by {} jobs, limit {}",
                                 name, filling, joins_max)};
  }
  auto out
    = std::count_if(t.by_owner.begin(), t.by_owner.end(), [&](const auto& kv) {
        return kv.first != wanted.owner && takes_place(kv.second, wanted);
      });
  if (out >= static_cast<std::ptrdiff_t>(parallel_max))
    return {false,
            fmt::format("{} permits are out, limit {}", out, parallel_max)};
  return {};
}

std::size_t count(const table& t, bool urgent) {
  return static_cast<std::size_t>(
    std::count_if(t.by_owner.begin(), t.by_owner.end(), [=](const auto& kv) {
      const auto& [owner, held] = kv;
      return held.what.act != act_kind::rebalance && !held.stuck
             && (!urgent || is_destructive(held.what.act));
    }));
}

bool holds(const table& t, const permit_request& wanted) {
  auto own = t.by_owner.find(wanted.owner);
  return own != t.by_owner.end() && is_same(own->second.what, wanted);
}

void reserve(table& t, const permit_request& wanted, std::uint64_t id,
             instant now) {
  if (holds(t, wanted)) {
    t.by_owner.at(wanted.owner).at = now; // it is in use
    return;
  }
  reservation next{wanted, id, now, now};
  auto own = t.by_owner.find(wanted.owner);
  if (own != t.by_owner.end() && own->second.what.act == wanted.act
      && own->second.what.incident == wanted.incident) {
    next.granted_at = own->second.granted_at;
    next.what.resumed = wanted.resumed || own->second.what.resumed;
  }
  t.by_owner.insert_or_assign(wanted.owner, std::move(next));
}

bool release(table& t, const object_id& owner) {
  return t.by_owner.erase(owner) > 0;
}

} // namespace orderly::reservations
