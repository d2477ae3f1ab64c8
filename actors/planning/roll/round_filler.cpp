// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/round_filler.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::planning {

round_filler::round_filler(const round_room& r, const std::vector<int>& down)
  : r_(r), p_(r.p_), down_(down), is_down_(p_.states.size()), room_(r.room_) {
  for (auto n : down)
    is_down_[at(n)] = true;
  for (const auto& s : p_.states) {
    disk_.push_back(s.free_disk);
    spindles_.push_back(s.free_spindles);
  }
}

std::variant<std::vector<round_move>, hindrance> round_filler::run() {
  for (auto n : down_)
    if (!fail_over(n))
      return hindrance_;
  if (!take_over_all())
    return hindrance_;
  auto room = room_;
  auto given = moves_;
  if (!place_shared(false)) {
    // Spread, they are easy on the nodes; packed, more of them fit.
    room_ = std::move(room);
    moves_ = std::move(given);
    if (!place_shared(true))
      return hindrance_;
  }
  if (r_.rules_.full_evacuation && !place_mirrors())
    return hindrance_;
  std::sort(moves_.begin(), moves_.end(),
            [](const round_move& a, const round_move& b) {
              return a.instance < b.instance;
            });
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

bool round_filler::can_host(int node, int from, int instance) const {
  return !is_down_[at(node)] && p_.facts[at(node)].online
         && r_.group(node) == r_.group(from)
         && p_.storage.reaches(node, instance);
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
  for (auto i : leaving) {
    auto from = p_.places[at(i)].primary;
    auto needed = p_.instances[at(i)].memory;
    auto best = -1;
    auto most = mib{0}; // for the one who is told why not
    for (int n = 0; n < p_.node_count(); ++n) {
      if (!can_host(n, from, i) || !p_.tags.may_migrate(from, n))
        continue;
      most = std::max(most, room_[at(n)] + 1);
      if (room_[at(n)] < needed)
        continue;
      auto better = best < 0
                    || (tightly ? room_[at(n)] < room_[at(best)]
                                : room_[at(n)] > room_[at(best)]);
      best = better ? n : best;
    }
    if (best < 0)
      return stop(obstacle::memory, i, -1, needed, most);
    room_[at(best)] -= needed;
    moves_.push_back({i, {best, -1}});
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
  return std::all_of(leaving.begin(), leaving.end(),
                     [this](int i) { return place_mirror(i); });
}

bool round_filler::place_mirror(int instance) {
  auto old = p_.places[at(instance)];
  auto stays = is_down_[at(old.primary)] ? old.secondary : old.primary;
  if (!p_.facts[at(stays)].online)
    return stop(obstacle::primary_offline, instance, stays, 0, 0);
  const auto& x = p_.instances[at(instance)];
  auto best = -1;
  auto most = mib{0};
  for (int n = 0; n < p_.node_count(); ++n) {
    if (n == stays || !can_host(n, stays, instance))
      continue;
    most = std::max(most, disk_[at(n)]);
    auto narrow = p_.facts[at(n)].exclusive
                  && (!x.disk_spindles || spindles_[at(n)] < *x.disk_spindles);
    if (narrow || disk_[at(n)] <= x.disk)
      continue;
    if (best < 0 || disk_[at(n)] > disk_[at(best)])
      best = n;
  }
  if (best < 0)
    return stop(obstacle::mirror_disk, instance, stays, x.disk, most);
  disk_[at(best)] -= x.disk;
  if (p_.facts[at(best)].exclusive)
    spindles_[at(best)] -= *x.disk_spindles;
  auto known = std::find_if(moves_.begin(), moves_.end(), [&](const auto& m) {
    return m.instance == instance;
  });
  if (known != moves_.end())
    known->where.secondary = best;
  else
    moves_.push_back({instance, {stays, best}});
  return true;
}

} // namespace orderly::planning
