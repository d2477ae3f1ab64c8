// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/round_filler.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::planning {

namespace {

bool by_instance(const round_move& a, const round_move& b) {
  return a.instance < b.instance;
}

} // namespace

round_filler::round_filler(const round_room& r, const std::vector<int>& down)
  : r_(r), p_(r.p_), down_(down), is_down_(p_.states.size()), room_(r.room_) {
  for (auto n : down)
    is_down_[at(n)] = true;
  for (const auto& s : p_.states)
    spindles_.push_back(s.free_spindles);
}

std::variant<std::vector<round_move>, hindrance> round_filler::run() {
  for (auto n : down_)
    if (!fail_over(n))
      return hindrance_;
  if (!take_over_all())
    return hindrance_;
  auto given = moves_.size();
  if (!place_shared(false)) {
    // Spread, they are easy on the nodes; packed, more of them fit.
    moves_.resize(given);
    if (!place_shared(true))
      return hindrance_;
  }
  if (r_.rules_.full_evacuation && !place_mirrors())
    return hindrance_;
  std::sort(moves_.begin(), moves_.end(), by_instance);
  return moves_;
}

bool round_filler::stop(obstacle why, int instance, int other, mib needed,
                        mib free) {
  hindrance_ = {why, instance, other, needed, free};
  return false;
}

/// The mirrors of its instances take over; who has room is asked later.
bool round_filler::fail_over(int node) {
  for (auto i : r_.mirrored_[at(node)]) {
    auto where = p_.places[at(i)];
    if (!p_.facts[at(where.secondary)].online)
      return stop(obstacle::mirror_offline, i, where.secondary, 0, 0);
    if (!p_.tags.may_migrate(node, where.secondary))
      return stop(obstacle::migration, i, where.secondary, 0, 0);
    moves_.push_back({i, {where.secondary, where.primary}});
  }
  return true;
}

/// Is there memory for all that come to their mirrors?
bool round_filler::take_over_all() {
  std::vector<mib> coming(p_.states.size());
  for (const auto& m : moves_) {
    auto to = at(m.where.primary);
    coming[to] += p_.instances[at(m.instance)].memory;
    if (coming[to] > 0 && coming[to] > room_[to])
      return stop(obstacle::mirror_memory, m.instance, m.where.primary,
                  coming[to], room_[to] + 1);
  }
  for (std::size_t n = 0; n < coming.size(); ++n)
    room_[n] -= coming[n];
  return true;
}

/// Of each group those nodes that are up.
std::vector<ordered_room>
round_filler::in_order(const std::vector<mib>& room) const {
  std::vector<ordered_room> result(at(r_.group_count()));
  for (int n = 0; n < p_.node_count(); ++n)
    if (!is_down_[at(n)] && p_.facts[at(n)].online)
      result[at(r_.group(n))].add(n, room[at(n)]);
  return result;
}

/// The largest first, to where most is left, or `tightly`: where the least is
/// left that is enough.
bool round_filler::place_shared(bool tightly) {
  std::vector<int> leaving;
  for (auto n : down_)
    leaving.insert(leaving.end(), r_.shared_[at(n)].begin(),
                   r_.shared_[at(n)].end());
  std::sort(leaving.begin(), leaving.end(), [this](int a, int b) {
    return std::tuple{-p_.instances[at(a)].memory, a}
           < std::tuple{-p_.instances[at(b)].memory, b};
  });
  auto groups = in_order(room_);
  for (auto i : leaving) {
    auto from = p_.places[at(i)].primary;
    auto needed = p_.instances[at(i)].memory;
    auto& nodes = groups[at(r_.group(from))];
    auto accepts = [&](int n) {
      return p_.storage.reaches(n, i) && p_.tags.may_migrate(from, n);
    };
    auto to = tightly ? nodes.least(needed, accepts) : nodes.most(accepts);
    if (to.node < 0 || to.room < needed) {
      auto most = nodes.most(accepts);
      return stop(obstacle::memory, i, -1, needed,
                  most.node < 0 ? 0 : std::max<mib>(0, most.room + 1));
    }
    nodes.take(to, needed);
    moves_.push_back({i, {to.node, -1}});
  }
  return true;
}

/// New mirrors for all that had a half on a node that is down, the largest
/// disk first.
bool round_filler::place_mirrors() {
  std::vector<int> leaving;
  for (auto n : down_)
    for (const auto* list : {&r_.mirrored_[at(n)], &r_.mirrors_[at(n)]})
      leaving.insert(leaving.end(), list->begin(), list->end());
  std::sort(leaving.begin(), leaving.end(), [this](int a, int b) {
    return std::tuple{-p_.instances[at(a)].disk, a}
           < std::tuple{-p_.instances[at(b)].disk, b};
  });
  std::sort(moves_.begin(), moves_.end(), by_instance);
  given_ = moves_.size();
  std::vector<mib> free;
  for (const auto& s : p_.states)
    free.push_back(s.free_disk);
  auto disks = in_order(free);
  return std::all_of(leaving.begin(), leaving.end(),
                     [&](int i) { return place_mirror(i, disks); });
}

bool round_filler::place_mirror(int instance,
                                std::vector<ordered_room>& disks) {
  auto old = p_.places[at(instance)];
  auto stays = is_down_[at(old.primary)] ? old.secondary : old.primary;
  if (!p_.facts[at(stays)].online)
    return stop(obstacle::primary_offline, instance, stays, 0, 0);
  const auto& x = p_.instances[at(instance)];
  auto& nodes = disks[at(r_.group(stays))];
  auto to = nodes.most([&](int n) {
    auto narrow = p_.facts[at(n)].exclusive
                  && (!x.disk_spindles || spindles_[at(n)] < *x.disk_spindles);
    return n != stays && !narrow && p_.storage.reaches(n, instance);
  });
  if (to.node < 0 || to.room <= x.disk)
    return stop(obstacle::mirror_disk, instance, stays, x.disk,
                to.node < 0 ? 0 : to.room);
  nodes.take(to, x.disk);
  if (p_.facts[at(to.node)].exclusive)
    spindles_[at(to.node)] -= *x.disk_spindles;
  auto end = moves_.begin() + static_cast<std::ptrdiff_t>(given_);
  auto known = std::lower_bound(moves_.begin(), end, round_move{instance, {}},
                                by_instance);
  if (known != end && known->instance == instance)
    known->where.secondary = to.node;
  else
    moves_.push_back({instance, {stays, to.node}});
  return true;
}

} // namespace orderly::planning
