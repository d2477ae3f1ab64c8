// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What every actor of one tree shares: the rules in force, how the actor
// clock maps to the calendar, where dice come from, and what forbids every act
// whatever the lease says: a jump of the clocks, or the loss of the journal.

#pragma once

#include "actors/policy/settings/cluster_settings.hpp"
#include "actors/policy/settings/settings.hpp"
#include "messages/clock.hpp"
#include "messages/duty.hpp"
#include "messages/time.hpp"

#include <caf/actor_clock.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace orderly {

using settings_ptr = std::shared_ptr<const settings>;

class context {
public:
  /// `clock_zero` on the actor clock is `calendar_zero` in the calendar.
  context(settings_ptr rules, caf::actor_clock::time_point clock_zero,
          instant calendar_zero, std::uint64_t seed, std::string version);

  /// Those in force: what tags of the cluster set, above what the file says.
  [[nodiscard]] settings_ptr rules() const { return rules_.load(); }

  /// What the file and the command line say.
  [[nodiscard]] settings_ptr of_file() const;

  /// What tags of the cluster set above that.
  [[nodiscard]] setting_texts of_cluster() const;

  /// Another file, for all that begins from now on.
  void replace(settings_ptr file);

  /// Other tags, likewise.
  void heed(setting_texts tagged);

  /// The instant that the actor clock shows, by the calendar as it was when the
  /// clocks were settled last.
  [[nodiscard]] instant at(caf::actor_clock::time_point t) const;

  /// From where the other clocks are read; before the tree begins. Without it
  /// they never jump. `boot` names the time since this machine was started, as
  /// no other one is named; empty: nobody knows.
  void watch(clock_source source, std::string boot = {});

  /// What happened to the clocks since they were settled.
  [[nodiscard]] clock_jump jump() const;

  /// What was known before a jump is gone: the calendar is mapped anew, at `t`
  /// by the actor clock. Before the core is raised.
  void settle_clocks(caf::actor_clock::time_point t);

  /// So far may the calendar be ahead at `now`: it was set ahead lately, and
  /// may be set back. What it alone made over is not over yet: see
  /// `trusted_after`.
  [[nodiscard]] millis ahead(instant now) const;

  /// The calendar by which is dated what is written down now; empty: it cannot
  /// be told from another one.
  [[nodiscard]] std::string calendar_name() const;

  /// As `ahead`, with when that was, for the dates of what was written down.
  [[nodiscard]] set_ahead calendar(instant now) const;

  /// A calendar that was set ahead counts for the ends of suspensions once it
  /// has stood for so long by the steady clock.
  static constexpr millis trusted_after = minutes{10};

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

  /// The last that was heard about the right to act, for what is only told:
  /// what acts asks for a lease. Until something is heard it is thought ours.
  void set_leads(bool x) { leads_.store(x, std::memory_order_release); }

  [[nodiscard]] bool leads() const {
    return leads_.load(std::memory_order_acquire);
  }

  /// What was heard of it at `t`. Ours stays ours in a silence: who had the
  /// right to act goes on looking.
  void set_duty(duty x, caf::actor_clock::time_point t);

  /// The core has ended.
  void end_duty(caf::actor_clock::time_point t);

  /// Who slept did not watch, though its core does not know that yet.
  [[nodiscard]] duty on_duty() const;

  /// Since when it was ours first with this core; `never`: it was not.
  [[nodiscard]] instant on_duty_since() const {
    return from_ms(on_duty_since_.load());
  }

  /// Did another master's daemon watch at any time since this core began?
  [[nodiscard]] bool others_watched() const { return others_.load(); }

  /// For so long nobody was on duty between an earlier core of this process
  /// and this one, or until `t`, a sleep of this machine with it; none if
  /// others were, or no core was yet.
  [[nodiscard]] millis off_duty(caf::actor_clock::time_point t) const;

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
  /// How the calendar was set, sleep left out, and since when by the actor
  /// clock.
  struct setting {
    millis since{}; ///< since `clock_zero_`
    millis offset{};
  };

  /// The time since `clock_zero_`, sleeps with it.
  [[nodiscard]] millis elapsed(caf::actor_clock::time_point t) const;

  [[nodiscard]] millis wall_shift() const {
    return millis{wall_.load()} - first_.wall;
  }

  static constexpr millis::rep nothing = -1;

  /// Of the two sources of the rules, which may change at one time.
  mutable std::mutex sources_;
  settings_ptr file_;
  setting_texts tagged_;
  std::atomic<settings_ptr> rules_;
  caf::actor_clock::time_point clock_zero_;
  instant calendar_zero_;
  std::uint64_t seed_;
  std::string version_;
  clock_source source_;
  std::string boot_name_;
  clock_offsets first_{};
  std::atomic<millis::rep> boot_{0}; ///< as settled last
  std::atomic<millis::rep> wall_{0};
  /// The last one is in force.
  std::atomic<std::shared_ptr<const std::vector<setting>>> calendars_;
  std::atomic<std::shared_ptr<const std::string>> forbidden_;
  std::atomic<std::shared_ptr<const std::string>> journal_trouble_;
  std::atomic<std::uint64_t> stirred_{0};
  std::atomic<bool> leads_{true};
  std::atomic<duty> duty_{duty::unknown};
  std::atomic<bool> others_{false};
  std::atomic<std::int64_t> on_duty_since_{to_ms(never)};
  /// The same as `elapsed`, and when the core before ended.
  std::atomic<millis::rep> began_{nothing};
  std::atomic<millis::rep> left_{nothing};
};

using context_ptr = std::shared_ptr<context>;

} // namespace orderly
