// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/clockwork.hpp"

#include <caf/atom.hpp>
#include <caf/logger.hpp>

#include <utility>

namespace orderly::sim {

namespace {

/// CAF's testing coordinator with our clock.
class coordinator : public caf::scheduler::test_coordinator {
public:
  using test_coordinator::test_coordinator;

  quick_clock& clock() noexcept override { return clock_; }

private:
  quick_clock clock_;
};

} // namespace

clockwork::clockwork(std::uint64_t seed) : dice_(dice_for(seed, "order")) {
  config_.set("logger.inline-output", true);
  config_.module_factories.emplace_back(
    [this](caf::actor_system& system) -> caf::actor_system::module* {
      auto* jobs = new coordinator{system};
      clock_ = &jobs->clock();
      jobs_ = jobs;
      return jobs;
    });
  system_ = std::make_unique<caf::actor_system>(config_);
}

clockwork::~clockwork() {
  // Timers hold strong references to actors that are long dead.
  settle();
  clock_->cancel_all();
  after_step = nullptr;
  settle();
}

caf::actor_clock::time_point clockwork::now() {
  return clock_->now();
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

bool clockwork::wake_at(caf::actor_clock::time_point t) {
  clock_->trigger(t);
  return run_until(t);
}

bool clockwork::run_until(caf::actor_clock::time_point end) {
  for (;;) {
    // Without a logger of its own the thread keeps no record of who runs.
    caf::logger::set_current_actor_system(nullptr);
    if (!settle())
      return false;
    auto due = clock_->next_due();
    if (!due || *due > end)
      break;
    // All timers of one instant, or equal deadlines would never interleave.
    clock_->trigger(*due);
  }
  if (clock_->current_time < end)
    clock_->current_time = end;
  return true;
}

} // namespace orderly::sim
