// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an emergency power-off, or the way back, leaves for people to do.

#include "actors/policy/errand/worker.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::errand {

/// What was shut down while all nodes stayed on.
std::string worker::undo_of_shutdowns(const epo_errand& x) {
  auto down = std::any_of(s().rows.begin(), s().rows.end(), [](const row& r) {
    return r.kind == row_kind::instance && r.state == row_state::done;
  });
  return down ? fmt::format(", 'orderly epo --on {}' starts what was shut down",
                            epo_names(x))
              : std::string{};
}

/// How an emergency power-off goes on that did not come out as it should.
void worker::advise_again(const epo_errand& x) {
  std::vector<std::string> held;
  for (const auto& r : s().rows)
    if (r.kind == row_kind::node && !is_left_on(r) && hold_now(r.object))
      held.push_back(r.object);
  if (held.empty())
    remark(fmt::format("Automation looks after these nodes again, for none was "
                       "switched off: 'orderly epo {}' tries again{}",
                       epo_names(x), undo_of_shutdowns(x)));
  else
    remark(fmt::format("Automation leaves {} alone until a power-on has ended: "
                       "'orderly epo {}' goes on, 'orderly epo --on {}' "
                       "undoes it",
                       fmt::join(held, ", "), epo_names(x), epo_names(x)));
}

void worker::advise() {
  if (s().advised)
    return;
  s().advised = true;
  v_.head = true;
  const auto* x = epo_of(s());
  if (x == nullptr)
    return;
  std::vector<std::string> left;
  for (const auto& r : s().rows)
    if (r.kind == row_kind::instance && !r.met)
      left.push_back(r.object);
  if (x->on) {
    if (!left.empty())
      remark("Please investigate and start stopped instances manually: "
             + some_of(left));
    std::vector<std::string> away;
    std::vector<std::string> in_vain;
    for (const auto& r : s().rows)
      if (r.kind == row_kind::node && !r.met && w_.holds->count(r.object) != 0)
        (gives_up_hold(r.object) ? in_vain : away).push_back(r.object);
    auto tries = std::string{"'orderly epo --on' with their names tries again"};
    if (!away.empty())
      remark(fmt::format("Automation still leaves alone: {}; {}", some_of(away),
                         tries));
    if (!in_vain.empty())
      remark(fmt::format("Automation still leaves alone: {}; {}, 'orderly "
                         "confirm-off' gives up what is off and stays off, so "
                         "that automation looks after its instances",
                         some_of(in_vain), tries));
    return;
  }
  if (!left.empty())
    remark("Please investigate and stop instances manually before continuing");
  if (has_failed(s()))
    advise_again(*x);
  auto master = w_.node(w_.picture->master);
  if (!x->all || !master)
    return;
  auto levels = w_.levels(*master);
  remark(fmt::format(
    "{} is the master and was left on: when all else is off, switch it off by "
    "hand, with 'shutdown -h now' there{}",
    master->name,
    levels.empty() ? ""
                   : fmt::format(", or from elsewhere with '{} power-off {}'",
                                 levels.front(), master->name)));
}

} // namespace orderly::errand
