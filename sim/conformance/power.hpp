// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays scenarios about power control: command lines of Ganeti's tools, which
// are read, asked about and printed as `orderly` does it, and opcodes, which
// are errands for the desk.

#pragma once

#include "sim/conformance/desk.hpp"
#include "sim/conformance/judge.hpp"

namespace orderly::sim::conformance {

/// What a person sees of it, and what is left behind.
struct power_outcome {
  int code = 0; ///< of the last command
  std::string out;
  std::string err;
  bool is_reading = false; ///< some command asks controllers and no more
  std::string job_status;  ///< tool `opcode`: `success` or `error`
  std::string job_error;
  std::vector<std::string> job_texts;
  std::vector<std::string> remarks;
  std::vector<journal_entry> entries;
  std::vector<helper_call> calls;
  std::vector<deed> deeds;
  /// Of nodes, in force: by the cluster, or where it keeps none, by us.
  std::map<node_name, bool> powered;
  bool watcher_paused = false;
};

/// Plays a scenario of tool `cli` or `opcode`; as `play`.
std::vector<difference> play_power(const scenario& x, instant clock,
                                   std::string* said);

/// As `judge`. The cluster is as it was left.
std::vector<difference>
judge_power(const json& expect, const power_outcome& got, const lab_state& lab);

} // namespace orderly::sim::conformance
