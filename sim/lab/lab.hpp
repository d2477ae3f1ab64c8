// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A laboratory: a simulated world, the real tree of actors above it, virtual
// time, and the laws looking on. Drills, swarms, benches and tests are built
// on it. There is one management host, and a second one if a drill wants it:
// what is said here of the daemon is about the first.

#pragma once

#include "sim/lab/host.hpp"

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
  /// a line of the transcript (without the time). Objects of the second
  /// daemon have its node behind them: "web1@node2".
  std::function<void(instant, const std::string& who, const std::string& what)>
    on_line;

  /// Called for each entry of the first daemon right when it became durable.
  std::function<void(const journal_entry&)> on_entry;

  [[nodiscard]] lab_state& state() { return first().state(); }

  [[nodiscard]] instant now();

  [[nodiscard]] instant start() const { return start_; }

  /// Runs until `end`, or until a law is broken.
  void run_until(instant end);

  void run_for(millis span) { run_until(now() + span); }

  /// Does it now: a fault, or a command line that a person enters; of another
  /// daemon than the first behind "on NODE". The text says why it could not be
  /// done; empty if it was.
  std::string apply(const std::string& fault);

  /// The daemon is killed at once, in the middle of whatever it does.
  void kill_daemon() { first().kill_daemon(); }

  void start_daemon() { first().start_daemon(); }

  /// The daemon's machine slept, or somebody set its calendar: its clocks
  /// differ from the world's by that from now on.
  void jump_clocks(const clock_jump& x) { first().jump_clocks(x); }

  [[nodiscard]] bool daemon_runs() const { return hosts_[0]->daemon_runs(); }

  /// Broken laws so far, oldest first.
  [[nodiscard]] const std::vector<broken_law>& broken() const {
    return broken_;
  }

  /// Looks at the liveness laws; to be called after a quiet time.
  void check_liveness(const liveness_bounds& bounds = {});

  /// Nothing has happened for a quarter of an hour, in the world or by a
  /// daemon, and nothing is left that a liveness law would wait for.
  [[nodiscard]] bool is_settled();

  /// Of everything that happened, in order; equal runs have equal hashes.
  [[nodiscard]] std::uint64_t trace_hash() const { return hash_; }

  [[nodiscard]] std::uint64_t steps() const { return clock_->steps(); }

  /// What the view says; the daemon must run.
  view_answer ask(const view_query& question) { return first().ask(question); }

  [[nodiscard]] const root_actor& tree() const { return hosts_[0]->tree(); }

  /// Replaces the daemon's rules; the laws keep judging by the old ones.
  void change_rules(const settings& rules) { first().change_rules(rules); }

  [[nodiscard]] clockwork& clock() { return *clock_; }

private:
  [[nodiscard]] host& first() { return *hosts_[0]; }

  [[nodiscard]] host* host_at(const node_name& name);
  std::string begin_second();
  [[nodiscard]] bool any_lost() const;
  bool lose_hosts();
  void line(const std::string& who, const std::string& what);
  bool look();

  std::unique_ptr<clockwork> clock_;
  std::vector<std::unique_ptr<host>> hosts_;
  std::vector<broken_law> broken_;
  instant start_;
  instant last_line_;
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

/// `+2m10s`, of a time after `start`.
std::string stamp(instant start, instant at);

} // namespace orderly::sim
