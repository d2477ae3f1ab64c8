// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A stage for what persons ask of the power desk: the whole daemon above a
// simulated cluster, with helper programs that answer as a scenario says. It
// has read the cluster and holds the right to act when the scenario begins.

#pragma once

#include "actors/tree/tree.hpp"
#include "messages/errand.hpp"
#include "sim/conformance/switch.hpp"
#include "sim/lab/clockwork.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace orderly::sim::conformance {

/// One thing that was done, as Ganeti's opcode would say it: an opcode of a
/// job, or a call of a helper as an OP_OOB_COMMAND for one node.
struct deed {
  json op;
  bool is_call = false;
};

class desk_stage {
public:
  desk_stage(const power_given& given, instant clock, std::uint64_t seed = 1);
  ~desk_stage();

  desk_stage(const desk_stage&) = delete;
  desk_stage& operator=(const desk_stage&) = delete;

  /// Waits until the daemon is ready. What is wrong, or nothing. To be called
  /// first.
  std::string wait_ready();

  /// The desk's first word about it; nullopt: there was none.
  std::optional<errand_sheet> hand_in(const errand_request& what);

  /// Hands it in and lets time pass until it ended; nullopt: it did not.
  std::optional<errand_sheet> work_off(const errand_request& what);

  /// Who corrects a record by hand knows the machine: it is on, and has
  /// booted, unless the scenario says what it is.
  void let_be_on(const node_name& node);

  /// Lets happen what is under way.
  void let_pass(millis span);

  /// What a scenario changes in mid-run: the machines, and what controllers
  /// answer. `on_step` is called after each step of any actor.
  [[nodiscard]] world& machines() { return state_->truth; }

  [[nodiscard]] helper_script& controllers() { return board_->script; }

  std::function<void()> on_step;

  // -- what was done since it was ready, in order -----------------------------

  [[nodiscard]] std::vector<helper_call> calls() const;
  [[nodiscard]] std::vector<deed> deeds() const;
  [[nodiscard]] std::vector<journal_entry> entries() const;
  [[nodiscard]] std::vector<std::string> job_texts() const;

  [[nodiscard]] const lab_state& lab() const { return *state_; }

private:
  [[nodiscard]] errand_counter desk();
  void spoil_jobs();

  std::unique_ptr<clockwork> clock_;
  lab_pointer state_;
  switchboard_pointer board_;
  std::vector<std::string> job_fail_;
  std::map<node_name, bool> is_on_; ///< as the scenario says
  probe_port probes_;               ///< of the world, behind ours
  ports ports_;
  root_actor tree_;
  std::size_t jobs_seen_ = 0;
  // what there was when it was ready
  std::size_t first_call_ = 0;
  std::size_t first_job_ = 0;
  std::size_t first_entry_ = 0;
};

} // namespace orderly::sim::conformance
