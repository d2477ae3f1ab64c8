// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/trial.hpp"

namespace orderly::planning {

refusal trial::make(const move& m, bool ignore_soft) {
  auto x = try_move(p_, m, ignore_soft);
  if (x.why == refusal::none)
    make(m, x);
  return x.why;
}

void trial::make(const move& m, const outcome& x) {
  made record;
  record.instance = m.instance;
  record.from = p_.places[at(m.instance)];
  record.count = x.count;
  record.nodes = x.nodes;
  for (int k = 0; k < x.count; ++k)
    record.states[at(k)] = p_.states[at(x.nodes[at(k)])];
  made_.push_back(record);
  make_move(p_, m, x);
}

void trial::undo(std::size_t left) {
  while (made_.size() > left) {
    const auto& r = made_.back();
    outcome back;
    back.where = r.from;
    back.count = r.count;
    back.nodes = r.nodes;
    back.states = r.states;
    make_move(p_, {r.instance, move_kind::failover, -1}, back);
    made_.pop_back();
  }
}

} // namespace orderly::planning
