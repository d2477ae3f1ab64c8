// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What becomes of the simulated queue when its master goes away, and of what
// a stalled luxid was asked to do.

#include "sim/ganeti/ganeti.hpp"

#include <utility>

namespace orderly::sim {

std::size_t ganeti::interrupt_jobs() {
  std::size_t count = 0;
  for (auto id : std::set<job_id>{open_}) {
    auto& x = at(id);
    if (x.status != job_status::running)
      continue;
    ++count;
    // Nobody knows how far the opcode came.
    if (!x.dead && !x.spec.ops.empty() && x.failure.empty()
        && dice_.chance(500))
      carry_out(x);
    finish(x, job_status::error,
           "Job processing interrupted: the master went away");
  }
  start_waiting();
  return count;
}

std::size_t ganeti::lose_jobs(std::size_t count) {
  std::size_t lost = 0;
  while (lost < count && !open_.empty()) {
    auto& x = at(*open_.rbegin());
    auto works = x.status == job_status::running && !x.dead;
    if (works && !x.spec.ops.empty() && x.failure.empty() && dice_.chance(500))
      carry_out(x);
    finish(x, job_status::lost, {});
    x.archived = true;
    ++lost;
  }
  start_waiting();
  return lost;
}

std::unique_ptr<ganeti> ganeti::split(const node_name& master) const {
  std::unique_ptr<ganeti> result{new ganeti{*this}};
  result->listeners_.clear();
  result->held_.clear();
  // Its own daemons are well, and drills break and mend those of the first.
  result->habits = {};
  for (auto id : std::set<job_id>{result->open_}) {
    auto& x = result->at(id);
    result->finish(x, job_status::lost, {});
    x.archived = true;
  }
  result->set_master(master);
  return result;
}

void ganeti::set_stalled(bool stalled) {
  habits.luxi_stalled = stalled;
  if (stalled)
    return;
  for (const auto& what : std::exchange(held_, {}))
    what();
}

} // namespace orderly::sim
