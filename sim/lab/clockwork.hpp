// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Virtual time for a whole actor system: one thread, a seeded order among
// actors that could run, and a clock that jumps to the next timer when
// nobody can. The same seed gives the same run (law S24).

#pragma once

#include "messages/time.hpp"
#include "sim/lab/quick_clock.hpp"
#include "sim/world/dice.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace orderly::sim {

class clockwork {
public:
  explicit clockwork(std::uint64_t seed);
  ~clockwork();

  clockwork(const clockwork&) = delete;
  clockwork& operator=(const clockwork&) = delete;

  [[nodiscard]] caf::actor_system& system() { return *system_; }

  /// Called after every step; false stops `run_until`.
  std::function<bool()> after_step;

  [[nodiscard]] caf::actor_clock::time_point now();

  /// Lets everything happen that is due up to and including `end`; then the
  /// clock shows `end`. False if `after_step` stopped it.
  bool run_until(caf::actor_clock::time_point end);

  /// The process stood still until then: whatever became due meanwhile comes
  /// at once. False as `run_until`.
  bool wake_at(caf::actor_clock::time_point t);

  /// Runs whoever can run now; time stands still.
  bool settle();

  /// Steps so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
  bool step();

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  caf::scheduler::test_coordinator* jobs_ = nullptr; ///< of the system
  quick_clock* clock_ = nullptr;                     ///< of the coordinator
  dice dice_;
  std::uint64_t steps_ = 0;
};

} // namespace orderly::sim
