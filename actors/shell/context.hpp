// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What every actor of one tree shares: the rules in force, how the actor
// clock maps to the calendar, where dice come from, and what forbids every act
// whatever the lease says: a jump of the clocks, or the loss of the journal.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/clock.hpp"

#include <caf/actor_clock.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

namespace orderly {

using settings_ptr = std::shared_ptr<const settings>;

class context {
public:
  /// `clock_zero` on the actor clock is `calendar_zero` in the calendar.
  context(settings_ptr rules, caf::actor_clock::time_point clock_zero,
          instant calendar_zero, std::uint64_t seed, std::string version);

  [[nodiscard]] settings_ptr rules() const { return rules_.load(); }

  /// New rules for all that begins from now on.
  void replace(settings_ptr rules) {
    rules_.store(std::move(rules));
    stir();
  }

  /// The instant that the actor clock shows, by the calendar as it was when the
  /// clocks were settled last.
  [[nodiscard]] instant at(caf::actor_clock::time_point t) const;

  /// From where the other clocks are read; before the tree begins. Without it
  /// they never jump.
  void watch(clock_source source);

  /// What happened to the clocks since they were settled.
  [[nodiscard]] clock_jump jump() const;

  /// What was known before a jump is gone: the calendar is mapped anew. Before
  /// the core is raised.
  void settle_clocks();

  /// Nothing may be begun any more, in this life of the daemon.
  void forbid(std::string why);

  /// Why not, or empty.
  [[nodiscard]] std::string forbidden() const;

  /// Why nothing may be begun though there is a lease; empty: nothing against
  /// it. Asked last, right before an act leaves.
  [[nodiscard]] std::string why_not() const;

  /// The journal cannot be written just now, and why; empty: it can again.
  void set_journal_trouble(std::string why);

  [[nodiscard]] std::string journal_trouble() const;

  /// Something changed of what readers see.
  void stir() { stirred_.fetch_add(1, std::memory_order_release); }

  /// How often; the same number: nothing did in between.
  [[nodiscard]] std::uint64_t stirred() const {
    return stirred_.load(std::memory_order_acquire);
  }

  /// A seed for the dice of the actor `name`: adding an actor does not shift
  /// anybody else's.
  [[nodiscard]] std::uint64_t seed_for(std::string_view name) const;

  [[nodiscard]] const std::string& version() const { return version_; }

private:
  std::atomic<settings_ptr> rules_;
  caf::actor_clock::time_point clock_zero_;
  instant calendar_zero_;
  std::uint64_t seed_;
  std::string version_;
  clock_source source_;
  clock_offsets first_{};
  std::atomic<millis::rep> boot_{0}; ///< as settled last
  std::atomic<millis::rep> wall_{0};
  std::atomic<std::shared_ptr<const std::string>> forbidden_;
  std::atomic<std::shared_ptr<const std::string>> journal_trouble_;
  std::atomic<std::uint64_t> stirred_{0};
};

using context_ptr = std::shared_ptr<context>;

} // namespace orderly
