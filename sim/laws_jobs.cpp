// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about jobs: S1 S2 S6 S8 S9 S11 S14 S17. Jobs of others are not judged.

#include "sim/law_tags.hpp"
#include "sim/laws.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// An older intent says nothing about what could be known when it was sent.
constexpr millis intent_memory = minutes{2};

/// What permission an opcode needs; -1: none.
int needed_level(op_kind x) {
  switch (x) {
  case op_kind::instance_failover:
    return repair_level("failover");
  case op_kind::instance_migrate:
    return repair_level("migrate");
  case op_kind::replace_disks:
    return repair_level("fix-storage");
  default:
    return -1;
  }
}

bool has_op(const sim_job& job, op_kind kind) {
  return std::any_of(job.spec.ops.begin(), job.spec.ops.end(),
                     [&](const opcode& op) { return op.kind == kind; });
}

incident_id incident_of(const sim_job& job) {
  static const std::string key = "incident=";
  const auto& text = job.spec.reason;
  auto first = text.find(key);
  if (first == std::string::npos)
    return {};
  first += key.size();
  return text.substr(first, text.find(' ', first) - first);
}

/// A thing that is in both lists, or empty.
std::string shared(const std::vector<std::string>& a,
                   const std::vector<std::string>& b) {
  for (const auto& x : a)
    if (std::find(b.begin(), b.end(), x) != b.end())
      return x;
  return {};
}

std::string named(const sim_job& job) {
  auto what = job.spec.ops.empty() ? std::string{"nothing"}
                                   : describe(job.spec.ops.front());
  return "job " + std::to_string(job.id) + " (" + what + ")";
}

} // namespace

void laws::check_job(const sim_job& job) {
  if (job.intent.empty())
    return;
  check_intent(job);
  check_overlap(job);
  check_after_failure(job);
  for (const auto& op : job.spec.ops) {
    if (needed_level(op.kind) >= 0)
      check_permission(job, op);
    if (op.kind == op_kind::instance_failover)
      check_failover(job);
    if (op.kind == op_kind::tags_set)
      for (const auto& x : pending_tags(op.tags))
        our_repairs_.insert(x.id);
  }
  if (has_op(job, op_kind::instance_failover))
    watched_.insert(job.id);
}

void laws::check_intent(const sim_job& job) {
  auto i = intents_.find(job.intent);
  if (i == intents_.end() || i->second.code != "job") {
    breach("S17", named(job) + " without a durable intent " + job.intent);
    return;
  }
  if (++i->second.jobs > 1)
    breach("S17", named(job) + " is not the first one of intent " + job.intent);
}

void laws::check_failover(const sim_job& job) {
  const auto& old_home = job.old_home;
  if (old_home.empty())
    return;
  if (job.home_ran && job.admin == admin_state::up) {
    // A controller that said off while it was on has fooled us.
    auto lie = lab_->lies_told.find(old_home);
    if (lie != lab_->lies_told.end())
      ++excused_;
    else
      breach("S1", named(job) + " was sent while " + old_home
                     + " has power and runs it");
  }
  const auto& proved = nodes_[old_home].proved;
  if (proved == never
      || proved + lab_->rules.autorepair.proof_max_age < job.submitted)
    breach("S2",
           named(job) + " has no valid proof that " + old_home + " is down");
  spend(failovers_, lab_->rules.budget.failovers_per_hour_max, named(job));
  auto intent = intents_.find(job.intent);
  auto early
    = intent != intents_.end() && lab_->truth.uplink_cut()
      && intent->second.at <= lab_->truth.uplink_cut_since() + seen_after();
  check_mastership(named(job), early);
}

/// Times whose tags the daemon may have acted on: now, what it read last, and
/// what it had read when it decided.
std::vector<instant> laws::known_times(const sim_job& job) const {
  std::vector<instant> result{job.submitted};
  const auto& rules = lab_->rules.cluster;
  for (auto t : lab_->cluster.reads())
    if (t <= job.submitted && t + rules.picture_max_age >= job.submitted)
      result.push_back(t);
  auto i = intents_.find(job.intent);
  if (i != intents_.end() && i->second.at + intent_memory > job.submitted) {
    result.push_back(i->second.at);
    result.push_back(i->second.at - 2 * rules.poll_interval);
  }
  return result;
}

bool laws::permitted(const sim_job& job, const opcode& op, instant when) const {
  const auto& cluster = lab_->cluster;
  const auto* home = cluster.node(job.old_home);
  if (!home)
    return false;
  return tags_permit(cluster.tags_at(tag_kind::instance, op.instance, when),
                     cluster.tags_at(tag_kind::group, home->group, when),
                     cluster.tags_at(tag_kind::cluster, {}, when),
                     needed_level(op.kind), job.submitted);
}

bool laws::foreign_pending(const instance_name& name, instant when) const {
  for (const auto& x :
       pending_tags(lab_->cluster.tags_at(tag_kind::instance, name, when)))
    if (our_repairs_.count(x.id) == 0)
      return true;
  return false;
}

void laws::check_permission(const sim_job& job, const opcode& op) {
  if (job.old_home.empty())
    return; // no such instance: the job will fail by itself
  for (auto when : known_times(job))
    if (permitted(job, op, when) || foreign_pending(op.instance, when))
      return;
  breach("S9", named(job) + " exceeds what the tags permit for " + op.instance);
}

void laws::check_overlap(const sim_job& job) {
  for (auto id : lab_->cluster.open()) {
    const auto& other = *lab_->cluster.job(id);
    // Everybody has to give a lost job up at its deadline.
    auto given_up
      = other.dead
        && other.submitted + lab_->rules.cluster.job_deadline <= job.submitted;
    if (id >= job.id || other.intent.empty() || given_up)
      continue;
    auto both = shared(job.instances, other.instances);
    if (!both.empty())
      breach("S11", named(job) + " and " + named(other) + " share " + both);
    both = shared(job.leaves, other.joins);
    if (both.empty())
      both = shared(job.joins, other.leaves);
    if (!both.empty())
      breach("S11", named(job) + " and " + named(other) + " use " + both
                      + " as source and target");
  }
}

void laws::check_after_failure(const sim_job& job) {
  for (const auto& op : job.spec.ops) {
    if (needed_level(op.kind) < 0)
      continue;
    auto times = known_times(job);
    auto failed = std::all_of(times.begin(), times.end(), [&](instant t) {
      return has_failure_tag(
        lab_->cluster.tags_at(tag_kind::instance, op.instance, t));
    });
    if (failed)
      breach("S14",
             named(job) + " although a failed repair stands on " + op.instance);
    auto incident = incident_of(job);
    if (failed_repairs_.count(incident) > 0)
      breach("S14", named(job) + " although a failover of repair " + incident
                      + " has failed");
  }
}

void laws::note_ended_jobs() {
  for (auto i = watched_.begin(); i != watched_.end();) {
    const auto& job = *lab_->cluster.job(*i);
    if (!is_final(job.status)) {
      ++i;
      continue;
    }
    if (job.status == job_status::error)
      failed_repairs_.insert(incident_of(job));
    i = watched_.erase(i);
  }
}

} // namespace orderly::sim
