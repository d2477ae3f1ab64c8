// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The watcher that comes with Ganeti: starts what is wanted up and does not
// run, whoever stopped it.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// Then it leaves an instance alone.
constexpr std::uint32_t starts_max = 5;

} // namespace

void ganeti::set_watcher(bool runs) {
  habits.watcher = runs;
  watch_due_ = runs ? truth_.now() + habits.watch_interval : never;
}

void ganeti::pause_watcher(instant until) {
  pause_end_ = until;
  ++version_;
}

/// Some job works on it.
bool ganeti::is_tended(const instance_name& name) const {
  return std::any_of(open_.begin(), open_.end(), [&](job_id id) {
    const auto& names = job(id)->instances;
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

void ganeti::watch() {
  watch_due_ = truth_.now() + habits.watch_interval;
  if (pause_end_ > truth_.now() || habits.luxi_down || habits.drained)
    return;
  for (const auto& x : record_.instances) {
    if (!truth_.homes(x.name).empty()) {
      starts_.erase(x.name);
      continue;
    }
    if (x.admin != admin_state::up || node(x.primary)->offline
        || !answers(x.primary) || is_tended(x.name)
        || starts_[x.name] >= starts_max)
      continue;
    ++starts_[x.name];
    opcode op;
    op.kind = op_kind::instance_startup;
    op.instance = x.name;
    truth_.tell("the watcher starts " + x.name);
    enqueue({{op}, "gnt:watcher", {}});
  }
}

} // namespace orderly::sim
