// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `orderly harep` prints: the lines on the way and the counts at the
// end, in the layout of Ganeti's harep. Pure: made from how the instances
// stand after the pass and from the jobs that it sent.

#pragma once

#include "messages/job.hpp"
#include "messages/journal_entry.hpp"
#include "messages/standing.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly {

/// A job that the pass sent, or would have sent.
struct harep_deed {
  job_id id = 0;
  std::vector<opcode> ops;
  std::string json; ///< printed as `jobs: ...`; empty: not shown
};

struct harep_findings {
  std::vector<instance_standing> instances; ///< sorted by name
  std::vector<harep_deed> deeds;            ///< oldest first
  std::vector<journal_entry> decisions;     ///< of them only alerts are shown
  bool dry_run = false;
};

/// What the pass did to the tags of one object, taken together: what was
/// written and removed again on the way is in neither list.
struct tag_balance {
  std::vector<std::string> added;
  std::vector<std::string> removed;
};

/// By object, as journals name it: `instance:web1`, `group:g1`, `cluster`.
std::map<std::string, tag_balance>
tags_changed(const std::vector<harep_deed>& deeds);

/// The original's name of a phase: `Failure`, `Healthy`, `Needs repair` or
/// `Pending repair`.
std::string harep_state(const instance_standing& x);

/// Everything, ready to be printed.
std::string harep_text(const harep_findings& x);

} // namespace orderly
