// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/round_table.hpp"

#include <algorithm>

namespace orderly::planning {

round_table::round_table(const round_room& room)
  : room_(&room), round_of_(at(room.node_count()), -1) {
  // nop
}

int round_table::open_round() {
  members_.emplace_back();
  coming_.emplace_back(at(room_->node_count()));
  return size() - 1;
}

void round_table::put(int node, int round) {
  round_of_[at(node)] = round;
  members_[at(round)].push_back(node);
  for (const auto& d : room_->demands(node))
    coming_[at(round)][at(d.node)] += d.memory;
}

void round_table::take_out(int node) {
  auto round = at(round_of_[at(node)]);
  round_of_[at(node)] = -1;
  auto& all = members_[round];
  all.erase(std::find(all.begin(), all.end(), node));
  for (const auto& d : room_->demands(node))
    coming_[round][at(d.node)] -= d.memory;
}

void round_table::close_round(int round) {
  std::swap(members_[at(round)], members_.back());
  std::swap(coming_[at(round)], coming_.back());
  for (auto n : members_[at(round)])
    round_of_[at(n)] = round;
  members_.pop_back();
  coming_.pop_back();
}

std::vector<int> round_table::driven_out(int node, int round) const {
  std::vector<int> result;
  for (auto n : room_->rivals(node))
    if (round_of(n) == round)
      result.push_back(n);
  for (const auto& d : room_->demands(node))
    drive_out(node, d, round, result);
  return result;
}

/// Adds to `to` until the demand fits beside those who stay.
void round_table::drive_out(int node, const round_room::demand& d, int round,
                            std::vector<int>& to) const {
  if (d.memory == 0)
    return;
  auto over = coming_[at(round)][at(d.node)] + d.memory - room_->room(d.node);
  auto leaves
    = [&to](int n) { return std::find(to.begin(), to.end(), n) != to.end(); };
  std::vector<round_room::demand> stay;
  for (const auto& s : room_->sources(d.node)) {
    if (over <= 0)
      return;
    if (s.node == node || round_of(s.node) != round)
      continue;
    if (leaves(s.node))
      over -= s.memory;
    else
      stay.push_back(s);
  }
  while (over > 0 && !stay.empty()) {
    // One who is enough alone, as small as can be, or else the largest.
    auto best = stay.begin();
    for (auto s = stay.begin(); s != stay.end(); ++s) {
      auto enough = s->memory >= over;
      auto better = best->memory >= over ? enough && s->memory < best->memory
                                         : s->memory > best->memory;
      best = better ? s : best;
    }
    over -= best->memory;
    to.push_back(best->node);
    stay.erase(best);
  }
}

bool round_table::fits(int round) const {
  return !room_->has_choice()
         || std::holds_alternative<std::vector<round_move>>(
           room_->place_all(members(round)));
}

} // namespace orderly::planning
