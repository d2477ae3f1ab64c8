// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a person stopped stays down: S44.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

bool names(const sim_job& job, op_kind kind, const instance_name& name) {
  const auto& ops = job.spec.ops;
  return std::any_of(ops.begin(), ops.end(), [&](const opcode& op) {
    return op.kind == kind && op.instance == name && !op.keep_wanted;
  });
}

} // namespace

/// A job of ours may have shut it down to install it anew; what anybody else
/// shut down is not ours to start.
void laws::check_start(const sim_job& job) {
  if (job.instances.empty() || job.admin != admin_state::down)
    return;
  const auto& name = job.instances.front();
  auto since = lab_->cluster.wanted_since(name);
  if (!names(job, op_kind::instance_startup, name) || since == never)
    return;
  auto times = known_times(job);
  const auto& all = lab_->cluster.jobs();
  auto by_us = std::any_of(all.begin(), all.end(), [&](const sim_job& x) {
    return ours(x) && names(x, op_kind::instance_shutdown, name)
           && x.begun != never && x.begun <= since
           && (x.ended == never || x.ended >= since);
  });
  if (!by_us && std::all_of(times.begin(), times.end(), [&](instant when) {
        return when > since;
      }))
    breach("S44",
           named(job) + " starts " + name + ", which a person has stopped");
}

} // namespace orderly::sim
