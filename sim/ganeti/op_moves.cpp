// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Failover and migration in the simulated Ganeti.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

std::string not_stopped(const instance_record& x) {
  return "Could not shutdown instance " + x.name + " on node " + x.primary
         + ": node does not answer";
}

} // namespace

/// What keeps `x` from moving to `to`, by the record and its memory.
std::string ganeti::check_target(const instance_record& x, const node_name& to,
                                 bool memory) {
  const auto* there = node(to);
  if (!there)
    return no_room;
  if (there->offline)
    return "Target node " + to + " is marked offline";
  if (to == x.primary)
    return "Instance already runs on node " + to;
  if (there->drained && !habits.drained_targets)
    return "Can't use drained node " + to;
  if (memory && answers(to) && !fits(x, to, true, false))
    return "Not enough memory on node " + to + " for migrating instance "
           + x.name + " (insufficient_resources)";
  return {};
}

/// Where a failover or migration goes, or why it cannot.
void ganeti::find_target(plan_of_op& result, const instance_record& x,
                         const opcode& op, bool memory, const char* moves) {
  auto mirrored = x.disks == disk_template::drbd;
  if (!mirrored && !is_external(x.disks)) {
    result.failure = std::string{"Instance's disk layout '"}
                     + to_string(x.disks) + "' does not allow " + moves;
    return;
  }
  if (mirrored)
    result.targets = x.secondaries;
  else if (op.target.empty())
    result.targets = pick(x, 1, memory, false);
  else
    result.targets = {op.target};
  auto to = result.targets.empty() ? node_name{} : result.targets.front();
  result.failure = check_target(x, to, memory);
}

ganeti::plan_of_op ganeti::plan_failover(const opcode& op) {
  plan_of_op result{draw(habits.failover_least, habits.failover_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
    return result;
  }
  auto up = x->admin == admin_state::up;
  auto mirrored = x->disks == disk_template::drbd;
  find_target(result, *x, op, up, "failovers");
  auto to = result.targets.empty() ? node_name{} : result.targets.front();
  if (!result.failure.empty())
    return result;
  auto old_offline = node(x->primary)->offline;
  if (!answers(to)) {
    result.takes = habits.no_answer;
    result.failure = "Target node " + to + " does not answer";
  } else if (!old_offline && !answers(x->primary) && !op.ignore_consistency) {
    // The copies of what is stopped are not looked at.
    result.takes = habits.no_answer;
    result.failure = up && mirrored
                       ? "Disk 0 is degraded on target node, aborting failover"
                       : not_stopped(*x);
  } else if (up && !old_offline && mirrored && lags(*x, to)
             && !op.ignore_consistency) {
    // Off an offline node even a faulty copy is started, with a warning.
    result.failure = "Disk 0 is degraded on target node, aborting failover";
  }
  return result;
}

ganeti::plan_of_op ganeti::plan_activate(const opcode& op) {
  plan_of_op result{draw(habits.start_least, habits.start_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
  } else if (node(x->primary)->offline) {
    result.failure = "Can't use offline primary node";
  } else if (!answers(x->primary)) {
    result.takes = habits.no_answer;
    result.failure = "Cannot activate block devices";
  } else if (op.flag && !x->secondaries.empty()
             && lags(*x, x->secondaries.front())) {
    // A real one would be waited for, if it catches up at all.
    result.failure = "Some disks of the instance are degraded!";
  }
  return result;
}

std::string ganeti::do_failover(const sim_job& job, const node_name& target) {
  const auto& op = job.spec.ops[job.op];
  auto* x = instance_at(op.instance);
  auto old_home = x->primary;
  if (!truth_.booted(target))
    return "Target node " + target + " does not answer";
  // Off an offline node nothing is stopped: whether the instance still runs
  // there is for others to know.
  if (!job.home_out && answers(old_home))
    truth_.stop(x->name, old_home);
  else if (!job.home_out && !op.ignore_consistency)
    return not_stopped(*x);
  place(*x, target,
        x->disks == disk_template::drbd ? std::vector<node_name>{old_home}
                                        : x->secondaries);
  if (x->admin != admin_state::up)
    return {};
  truth_.start(x->name, target);
  truth_.tell("instance " + x->name + " runs on " + target);
  return {};
}

/// Allowed to, Ganeti fails over what is not wanted up, and what its home does
/// not say that it runs: that is looked at before anything is done, and a
/// migration that fails later is not turned into one.
bool ganeti::falls_over(const opcode& op, const instance_record& x) const {
  return op.flag
         && (x.admin != admin_state::up || node(x.primary)->offline
             || !answers(x.primary) || !truth_.runs_on(x.name, x.primary));
}

ganeti::plan_of_op ganeti::plan_migrate(const opcode& op) {
  plan_of_op result{draw(habits.migrate_least, habits.migrate_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
    return result;
  }
  if (falls_over(op, *x)) {
    result = plan_failover(op);
    result.falls_over = true;
    return result;
  }
  find_target(result, *x, op, true, "migrations");
  auto to = result.targets.empty() ? node_name{} : result.targets.front();
  if (!result.failure.empty())
    return result;
  if (node(x->primary)->offline)
    result.failure = "Can't use offline node: " + x->primary;
  else if (!answers(to) || !answers(x->primary))
    result = {habits.no_answer, "A node of the migration does not answer", {}};
  else if (!truth_.runs_on(x->name, x->primary))
    result.failure = "Instance " + x->name + " is not running, can't migrate";
  else if (lags(*x, to))
    result.failure = "Disk 0 is degraded or not fully synchronized on target "
                     "node, aborting migration";
  return result;
}

std::string ganeti::do_migrate(const opcode& op, const node_name& target) {
  auto* x = instance_at(op.instance);
  auto old_home = x->primary;
  if (!answers(old_home) || !answers(target)
      || !truth_.runs_on(x->name, old_home))
    return "Could not migrate instance " + x->name + ": pre-migration failed";
  truth_.stop(x->name, old_home);
  truth_.start(x->name, target);
  place(*x, target,
        x->disks == disk_template::drbd ? std::vector<node_name>{old_home}
                                        : x->secondaries);
  return {};
}

} // namespace orderly::sim
