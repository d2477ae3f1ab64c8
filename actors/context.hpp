// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What every actor of one tree shares: the rules in force, how the actor
// clock maps to the calendar, and where dice come from. Rules may be
// replaced while the tree runs; everything else is fixed.

#pragma once

#include "actors/policy/settings.hpp"
#include "messages/time.hpp"

#include <caf/actor_clock.hpp>

#include <atomic>
#include <memory>
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
  void replace(settings_ptr rules) { rules_.store(std::move(rules)); }

  /// The instant that the actor clock shows.
  [[nodiscard]] instant at(caf::actor_clock::time_point t) const;

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
};

using context_ptr = std::shared_ptr<context>;

} // namespace orderly
