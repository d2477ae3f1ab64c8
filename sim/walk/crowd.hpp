// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The nodes of a walk with their actors, a real journal actor, and the cast
// around them, on virtual time.

#pragma once

#include "actors/shell/context.hpp"
#include "sim/lab/clockwork.hpp"
#include "sim/walk/cast.hpp"
#include "sim/walk/guards.hpp"

#include <caf/actor.hpp>

#include <vector>

namespace orderly::sim::walking {

/// What the settings of a walk say of the machine.
limits walk_limits();

class crowd {
public:
  crowd(std::uint64_t seed, std::size_t nodes, step_reader reader);
  ~crowd();

  crowd(const crowd&) = delete;
  crowd& operator=(const crowd&) = delete;

  [[nodiscard]] hosts& all() { return *hosts_; }

  [[nodiscard]] instant now() { return ctx_->at(clock_.now()); }

  [[nodiscard]] instant begin() const { return begin_; }

  /// How often the daemon was started.
  [[nodiscard]] std::uint64_t life() const { return life_; }

  void run_for(millis span);

  /// The record as it is now, to that node's actor.
  void read(host& x);

  void tell_on(host& x);
  void call(host& x);
  void vouch(host& x);

  /// The daemon dies, and is started after `absence`.
  void restart(millis absence);

private:
  void start();
  void stop();

  clockwork clock_;
  instant begin_;
  context_ptr ctx_;
  hosts_ptr hosts_;
  paper_ptr book_;
  step_reader reader_;
  std::uint64_t life_ = 0;
  std::vector<caf::actor> actors_;
};

} // namespace orderly::sim::walking
