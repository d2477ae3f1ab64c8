// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A laboratory: a simulated world, the real tree of actors above it, virtual
// time, and the laws looking on. Drills, swarms, benches and tests are built
// on it.

#pragma once

#include "actors/tree.hpp"
#include "sim/clockwork.hpp"
#include "sim/faults.hpp"
#include "sim/laws.hpp"
#include "sim/person.hpp"
#include "sim/ports.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace orderly::sim {

class lab {
public:
  lab(const world_plan& plan, settings rules, std::uint64_t seed);
  ~lab();

  lab(const lab&) = delete;
  lab& operator=(const lab&) = delete;

  /// Every journal entry that became durable and every event of the world, as
  /// a line of the transcript (without the time).
  std::function<void(instant, const std::string& who, const std::string& what)>
    on_line;

  /// Called for each entry right when it became durable.
  std::function<void(const journal_entry&)> on_entry;

  [[nodiscard]] lab_state& state() { return *state_; }

  [[nodiscard]] instant now();

  [[nodiscard]] instant start() const { return start_; }

  /// Runs until `end`, or until a law is broken.
  void run_until(instant end);

  void run_for(millis span) { run_until(now() + span); }

  /// Does it now: a fault, or a command line that a person enters. The text
  /// says why it could not be done; empty if it was.
  std::string apply(const std::string& fault);

  /// The daemon is killed at once, in the middle of whatever it does.
  void kill_daemon();
  void start_daemon();

  /// The daemon's machine slept, or somebody set its calendar: its clocks
  /// differ from the world's by that from now on.
  void jump_clocks(const clock_jump& x);

  [[nodiscard]] bool daemon_runs() const { return static_cast<bool>(tree_); }

  /// Broken laws so far, oldest first.
  [[nodiscard]] const std::vector<broken_law>& broken() const {
    return broken_;
  }

  /// Looks at the liveness laws; to be called after a quiet time.
  void check_liveness(const liveness_bounds& bounds = {});

  /// Of everything that happened, in order; equal runs have equal hashes.
  [[nodiscard]] std::uint64_t trace_hash() const { return hash_; }

  [[nodiscard]] std::uint64_t steps() const { return clock_->steps(); }

  /// What the view says; the daemon must run.
  view_answer ask(const view_query& question);

  [[nodiscard]] const root_actor& tree() const { return tree_; }

  /// Replaces the daemon's rules; the laws keep judging by the old ones.
  void change_rules(const settings& rules);

  [[nodiscard]] clockwork& clock() { return *clock_; }

private:
  std::string enter(const std::string& command);
  std::string pause(bool on);
  std::string reload(const std::string& key, const std::string& value);
  void line(const std::string& who, const std::string& what);
  void entry(const journal_entry& e);
  bool look();
  void watch_clocks();

  std::unique_ptr<clockwork> clock_;
  lab_pointer state_;
  ports ports_;
  std::vector<person> persons_;
  context_ptr context_;
  clock_offsets offsets_; ///< what the context's clock source tells
  root_actor tree_;
  laws laws_;
  std::vector<broken_law> broken_;
  instant start_;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

/// `+2m10s`, of a time after `start`.
std::string stamp(instant start, instant at);

} // namespace orderly::sim
