// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Random events in a random world, thrown at one autorepair machine, and a job
// queue in which jobs get lost, are overdue or never arrive. Used by the
// autorepair property tests.

#pragma once

#include "tests/actors/policy/repair/laws.hpp"

#include <deque>
#include <random>

namespace orderly::autorepair::lab {

/// Throws events at one machine and has the laws judge what it does.
class storm : public world {
public:
  explicit storm(std::uint64_t seed);

  void turn();

  /// The sky clears: everything answers, one node is dead and it is permitted
  /// to leave it. Looks until nothing moves any more.
  void calm_down();

  /// From one rest to the next: phases, and what was written between.
  struct move {
    phase from;
    phase to;
    std::set<std::string> written;

    auto operator<=>(const move&) const = default;
  };

  std::map<std::string, int> counts; ///< of things that happened
  std::set<move> moves;
  state machine;
  node_name dead; ///< what the instance had to leave when the sky cleared

private:
  [[nodiscard]] bool acting() const {
    return limits.enabled && !limits.observe;
  }

  std::uint64_t roll(std::uint64_t n) { return dice_() % n; }

  facts shot();
  void clear_sky();
  void deliver();

  const facts& picture() const { return past_.front(); }

  std::string random_type();
  void disturb();
  void disturb_node(node_view& node);
  void disturb_rest();
  void meddle();

  void happen();
  void begin_job();
  void end_job(bool well = false);
  void end_note();
  void restart();
  event odd_event();
  job_event event_of(job_phase p, const submit& order, job_id id) const;

  void feed(const event& e);
  void digest(const state& before, const verdict& v, bool restarted);
  void take(const state& before, const state& after, const submit& order,
            bool restarted);
  void call_back(const state& before, const withdraw& what, bool restarted);
  void judge_failed(const state& before);
  void count(const submit& order, const job_event& e);
  void at_rest(const state& before);

  std::mt19937_64 dice_;
  std::deque<facts> past_;
  laws laws_;
  std::optional<submit> under_way_;
  std::optional<submit> note_;
  std::optional<job_id> zombie_; ///< overdue, and still running
  std::optional<job_id> stray_;  ///< live job with the id of a pending tag
  std::set<std::string> written_;
  phase rested_ = phase::healthy;
  job_id job_ = 1000;
  bool begun_ = false;
  bool tagged_well_ = true;
  bool asked_for_ = false;
  bool called_back_ = false;
  instant ended_;
  int ids_ = 0;
};

} // namespace orderly::autorepair::lab
