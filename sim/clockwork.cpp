// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/clockwork.hpp"

#include <caf/atom.hpp>

#include <utility>

namespace orderly::sim {

clockwork::clockwork(std::uint64_t seed) : dice_(dice_for(seed, "order")) {
  config_.set("scheduler.policy", caf::atom("testing"));
  config_.set("logger.inline-output", true);
  system_ = std::make_unique<caf::actor_system>(config_);
  jobs_
    = dynamic_cast<caf::scheduler::test_coordinator*>(&system_->scheduler());
}

clockwork::~clockwork() {
  // Timers hold strong references to actors that are long dead.
  settle();
  jobs_->clock().cancel_all();
  after_step = nullptr;
  settle();
}

caf::actor_clock::time_point clockwork::now() {
  return jobs_->clock().now();
}

bool clockwork::step() {
  auto& jobs = jobs_->jobs;
  if (jobs.size() > 1)
    std::swap(jobs.front(), jobs[dice_.below(jobs.size())]);
  jobs_->try_run_once();
  ++steps_;
  return !after_step || after_step();
}

bool clockwork::settle() {
  while (!jobs_->jobs.empty())
    if (!step())
      return false;
  return true;
}

bool clockwork::run_until(caf::actor_clock::time_point end) {
  auto& clock = jobs_->clock();
  for (;;) {
    if (!settle())
      return false;
    const auto& timers = clock.schedule();
    if (timers.empty() || timers.begin()->first > end)
      break;
    // All timers of one instant, or equal deadlines would never interleave.
    auto due = timers.begin()->first;
    while (!clock.schedule().empty() && clock.schedule().begin()->first <= due)
      clock.trigger_timeout();
  }
  if (clock.current_time < end)
    clock.current_time = end;
  return true;
}

} // namespace orderly::sim
