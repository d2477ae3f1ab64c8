// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about repair events: S42, and what others say of their jobs. An event
// moves what is well off a node that asked for it: no permission by tags is
// needed for that, no token, and no proof, for the home is asked first.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// From the end of a job, or new settings, to every event having heard of it.
constexpr millis event_hearsay = seconds{15};

const std::string ready_prefix = "maintd:repairready:";

/// Does it say of its event that all is done?
bool says_ready(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::tags_set
           && std::any_of(op.tags.begin(), op.tags.end(),
                          [](const std::string& tag) {
                            return tag.starts_with(ready_prefix);
                          });
  });
}

bool marks_offline(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::node_modify && op.offline.value_or(false);
  });
}

/// Fails without a deed if its home does not answer.
bool asks_home(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return ops.size() > 1 && ops[0].kind == op_kind::activate_disks
         && (ops[1].kind == op_kind::instance_failover
             || ops[1].kind == op_kind::instance_migrate)
         && !ops[1].ignore_consistency && ops[0].instance == ops[1].instance;
}

} // namespace

void laws::check_event_job(const sim_job& job) {
  check_event_switch(job);
  if (has_op(job, op_kind::node_set_drained))
    emptied_.insert(job.spec.ops.front().node);
  if (says_ready(job))
    check_ready(job, job.spec.ops.front().tag_object);
  else if (marks_offline(job))
    check_empty(job, job.spec.ops.front().node);
  if (is_bookkeeping(job.spec))
    return;
  check_event_failed(job);
  watched_.insert(job.id);
  if (job.instances.empty())
    return;
  check_alone(job);
  check_targets(job);
  check_kept_copy(job);
  check_data(job);
  check_event_suspended(job);
  if (!has_op(job, op_kind::instance_failover))
    return;
  check_paused(left_at(job), named(job));
  check_fresh(job.intent, left_at(job), named(job));
  check_mastership(named(job), false);
  // Of what is stopped nothing can run twice.
  if (!asks_home(job) && job.admin == admin_state::up)
    check_failover(job);
}

void laws::check_event_switch(const sim_job& job) {
  if (events_off_ != never && !is_bookkeeping(job.spec)
      && events_off_ + event_hearsay < left_at(job))
    breach("S41", named(job) + " while events are only observed");
}

/// Nothing lives by the record where a node is called empty.
void laws::check_empty(const sim_job& job, const node_name& node) {
  for (const auto& x : lab_->cluster.record().instances)
    if (x.primary == node
        || std::count(x.secondaries.begin(), x.secondaries.end(), node) > 0)
      breach("S42", named(job) + " although " + x.name + " is on " + node);
}

void laws::check_ready(const sim_job& job, const node_name& node) {
  const auto& all = lab_->cluster.jobs();
  auto commanded = std::any_of(all.begin(), all.end(), [&](const sim_job& x) {
    return x.status == job_status::success && has_op(x, op_kind::repair_command)
           && incident_of(x) == incident_of(job);
  });
  if (commanded)
    return;
  check_empty(job, node);
  // Its last reading may be from a moment before somebody took it back.
  if (!lab_->cluster.offline_at(node, left_at(job))
      && !lab_->cluster.offline_at(node, left_at(job) - event_hearsay))
    breach("S42", named(job) + " although " + node + " is in service");
}

/// After a failed job it only says so.
void laws::check_event_failed(const sim_job& job) {
  auto i = events_failed_.find(incident_of(job));
  if (i != events_failed_.end() && i->second + event_hearsay < left_at(job))
    breach("S14", named(job) + " although a job of event " + incident_of(job)
                    + " has failed");
}

/// A failed repair may leave with the others, and what is suspended stays.
void laws::check_event_suspended(const sim_job& job) {
  const auto& cluster = lab_->cluster;
  const auto* home = cluster.node(job.old_home);
  if (!home)
    return;
  auto times = known_times(job);
  auto open = [&](instant when) {
    return !tags_suspend(
      cluster.tags_at(tag_kind::instance, job.instances.front(), when),
      cluster.tags_at(tag_kind::group, home->group, when),
      cluster.tags_at(tag_kind::cluster, {}, when),
      our_calendar(job.submitted));
  };
  if (std::none_of(times.begin(), times.end(), open))
    breach("S10",
           named(job) + " although " + job.instances.front() + " is suspended");
}

} // namespace orderly::sim
