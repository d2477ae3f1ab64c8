// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node that somebody marked offline before the emergency power-off may live,
// and run what belongs to it. Ganeti stops no instance there: so it goes off
// only if it is seen right before that nothing of it answers.

#include "actors/policy/errand/worker.hpp"

namespace orderly::errand {

namespace {

/// What is wanted up and belongs there.
std::vector<std::string> lodgers(const node_name& node, const surroundings& w) {
  std::vector<std::string> result;
  for (const auto& x : w.picture->instances)
    if (x.admin == admin_state::up && x.primary == node)
      result.push_back(x.name);
  return result;
}

} // namespace

bool worker::begin_look(index i) {
  auto node = node_now(at(i));
  if (!node || !at(i).was_offline || lodgers(node->name, w_).empty())
    return false;
  probe_request question{node->name, node->address,
                         w_.rules->host_ha.check_timeout};
  question.last_look = true;
  question.out = true;
  act(probe{spot_of(i), std::move(question)});
  return true;
}

void worker::looked_at(const probe_told& e) {
  auto i = e.at.row;
  const auto& node = at(i).object;
  auto there = some_of(lodgers(node, w_));
  auto silent = e.verdict == health::unhealthy && !e.lives && !e.alone;
  if (silent) {
    if (!there.empty())
      remark(fmt::format("Node {} is marked offline and silent: Ganeti stops "
                         "nothing there, and what may run of {} is cut off",
                         node, there));
    advance(i);
    return;
  }
  auto found = e.lives || e.verdict == health::healthy
                 ? "it is marked offline and answers"
                 : "it is marked offline, and whether it lives is not known";
  not_switched_off(
    i, fmt::format("{}{}{}; what may run there Ganeti cannot stop: {}; take it "
                   "back first: orderly node modify --powered=yes "
                   "--offline=no {}; or cut it off: orderly power off {}",
                   found, e.evidence.empty() ? "" : ": ", e.evidence, there,
                   node, node));
}

} // namespace orderly::errand
