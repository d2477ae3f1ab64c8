// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where a scenario is played: a simulated cluster as it was given, passes of
// `orderly harep` over it with the real tree of actors, and what happens
// between them. Repair jobs take seconds here, a pass less than one: a job
// that a pass sends is under way at its end.

#pragma once

#include "sim/conformance/world.hpp"
#include "sim/lab/clockwork.hpp"
#include "sim/ports/ports.hpp"

#include <set>

namespace orderly::sim::conformance {

/// What the tool did, in one run or in several.
struct played {
  int code = 0; ///< of the last run
  std::string out;
  std::string err;
  std::map<instance_name, std::string> states; ///< as counted by the last run
  instant began;
  instant ended;
};

struct sent_job {
  job_id id = 0;
  std::vector<json> ops; ///< as Ganeti would have got them
};

class stage {
public:
  stage(const given_world& given, instant clock, std::uint64_t seed = 1);
  ~stage();

  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;

  /// One pass, from command line to exit code; `into` is added to.
  void run_harep(const std::vector<std::string>& args, played& into);

  /// Carries out a step between passes. What is wrong with it, or nothing.
  std::string step(const json& what);

  /// What the tool sent so far, without jobs that only write tags and without
  /// the waits in front of repairs.
  [[nodiscard]] std::vector<sent_job> sent() const;

  [[nodiscard]] const ganeti& cluster() const { return state_->cluster; }

private:
  [[nodiscard]] instant now();
  void let_pass(millis span);
  void run_jobs();
  std::string finish_job(const json& what);
  std::string change_tag(const json& what, bool add);
  std::string change_node(const json& what);
  std::string change_instance(const json& what);

  /// An id, or the label `Jn` of the n-th job sent; 0: there is none.
  [[nodiscard]] job_id job_named(const json& what) const;

  std::unique_ptr<clockwork> clock_;
  lab_pointer state_;
  ports ports_;
  std::uint64_t seed_;
  std::set<job_id> placed_;
};

} // namespace orderly::sim::conformance
