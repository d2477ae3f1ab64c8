// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/waiting.hpp"

#include <algorithm>
#include <tuple>

namespace orderly {

namespace {

using entry = waiting_list::entry;

/// Less: waiting costs more.
int rank(act_kind x) {
  switch (x) {
  case act_kind::fence:
  case act_kind::reset:
    return 0; // until then nothing of the node may start elsewhere
  case act_kind::failover:
    return 1; // it is down
  case act_kind::reinstall:
    return 2; // it is down as well, and its data is lost already
  case act_kind::migrate:
    return 3;
  case act_kind::fix_storage:
  case act_kind::evacuate:
  case act_kind::record:
    return 4;
  case act_kind::rebalance:
    return 5;
  }
  return 5;
}

/// Moves for balance stand in nobody's way, however long they wait.
bool grows_old(const entry& x) {
  return x.for_place && x.what.act != act_kind::rebalance;
}

bool waits_too_long(const entry& x, instant now) {
  return grows_old(x) && now - x.since >= waiting_list::overtaken_for_max;
}

auto age_of(const entry& x) {
  return std::tie(x.since, x.what.owner);
}

/// Who waits too long goes as early as what is down, by its age.
int rank_of(const entry& x, instant now) {
  auto own = rank(x.what.act);
  return waits_too_long(x, now) ? std::min(own, rank(act_kind::reinstall))
                                : own;
}

bool comes_before(const entry& a, const entry& b, instant now) {
  auto first = rank_of(a, now);
  auto second = rank_of(b, now);
  return first != second ? first < second : age_of(a) < age_of(b);
}

bool can_wait(act_kind x) {
  return x == act_kind::fix_storage || x == act_kind::migrate
         || x == act_kind::reinstall || x == act_kind::evacuate
         || x == act_kind::rebalance;
}

bool meet(const std::vector<node_name>& xs, const std::vector<node_name>& ys) {
  return std::any_of(xs.begin(), xs.end(), [&ys](const node_name& name) {
    return std::count(ys.begin(), ys.end(), name) != 0;
  });
}

/// Would `patient` take locks that `other` needs?
bool share_a_node(const permit_request& patient, const permit_request& other) {
  auto crossed = patient.act == act_kind::rebalance
                 && (meet(patient.joins, other.leaves)
                     || meet(patient.leaves, other.joins));
  return crossed || meet(patient.joins, other.joins)
         || meet(patient.leaves, other.leaves);
}

/// Could one keep the other waiting? Those who leave a node share it.
bool want_the_same(const permit_request& a, const permit_request& b) {
  return meet(a.leaves, b.joins) || meet(a.joins, b.leaves)
         || meet(a.joins, b.joins);
}

} // namespace

entry waiting_list::entry_of(const permit_request& wanted, instant now) const {
  const auto* own = find(wanted.owner);
  entry result;
  result.what = wanted;
  result.since
    = own != nullptr && own->what.act == wanted.act ? own->since : now;
  return result;
}

bool waiting_list::keep(const permit_request& wanted, bool for_place,
                        instant now, instant until) {
  if (find(wanted.owner) == nullptr && by_owner_.size() >= waiting_max)
    return false;
  auto x = entry_of(wanted, now);
  x.until = until;
  x.for_place = for_place;
  forget(wanted.owner);
  if (grows_old(x))
    by_age_.emplace(x.since, wanted.owner);
  if (for_place && wanted.act == act_kind::failover)
    failovers_.insert(wanted.owner);
  by_owner_.emplace(wanted.owner, std::move(x));
  return true;
}

void waiting_list::forget(const object_id& owner) {
  auto i = by_owner_.find(owner);
  if (i == by_owner_.end())
    return;
  by_age_.erase({i->second.since, owner});
  failovers_.erase(owner);
  called_.erase(owner);
  by_owner_.erase(i);
}

std::vector<object_id> waiting_list::forget_late(instant now) {
  std::vector<object_id> late;
  for (const auto& [owner, x] : by_owner_)
    if (x.until < now)
      late.push_back(owner);
  for (const auto& owner : late)
    forget(owner);
  return late;
}

void waiting_list::call(const object_id& owner, instant now) {
  by_owner_.at(owner).called = now;
  called_.insert(owner);
}

void waiting_list::give_up_calls(instant now) {
  std::erase_if(called_, [&](const object_id& owner) {
    return now - by_owner_.at(owner).called >= answered_within;
  });
}

const entry* waiting_list::find(const object_id& owner) const {
  auto i = by_owner_.find(owner);
  return i == by_owner_.end() ? nullptr : &i->second;
}

std::vector<object_id> waiting_list::in_order(instant now) const {
  std::vector<const entry*> all;
  all.reserve(by_owner_.size());
  for (const auto& [owner, x] : by_owner_)
    all.push_back(&x);
  std::sort(all.begin(), all.end(), [now](const entry* a, const entry* b) {
    return comes_before(*a, *b, now);
  });
  std::vector<object_id> result;
  result.reserve(all.size());
  for (const auto* x : all)
    result.push_back(x->what.owner);
  return result;
}

waiting_list::precedence
waiting_list::who_goes_first(const reservations::table& t,
                             const permit_request& wanted, instant now) const {
  if (!can_wait(wanted.act))
    return {};
  for (const auto& owner : failovers_) {
    const auto& x = by_owner_.at(owner);
    if (owner != wanted.owner && x.until >= now && share_a_node(wanted, x.what))
      return {owner, true};
  }
  for (const auto& [owner, held] : t.by_owner)
    if (held.what.act == act_kind::failover && share_a_node(wanted, held.what))
      return {owner, true};
  auto own = entry_of(wanted, now);
  std::size_t asked = 0;
  for (const auto& [since, owner] : by_age_) {
    const auto& x = by_owner_.at(owner);
    if (!waits_too_long(x, now) || !(age_of(x) < age_of(own))
        || ++asked > aged_max)
      break;
    if (owner != wanted.owner && x.until >= now
        && want_the_same(wanted, x.what))
      return {owner, false};
  }
  return {};
}

reservations::table waiting_list::with_called(reservations::table t,
                                              const permit_request& wanted,
                                              instant now) const {
  auto own = entry_of(wanted, now);
  for (const auto& owner : called_) {
    const auto& x = by_owner_.at(owner);
    if (owner != wanted.owner && comes_before(x, own, now)
        && t.by_owner.count(owner) == 0)
      reservations::reserve(t, x.what, 0, now);
  }
  return t;
}

} // namespace orderly
