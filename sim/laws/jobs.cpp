// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about jobs: S1 S6 S8 S11 S14 S17. Jobs of others are not judged.

#include "messages/codes.hpp"
#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// A thing that is in both lists, or empty.
std::string shared(const std::vector<std::string>& a,
                   const std::vector<std::string>& b) {
  for (const auto& x : a)
    if (std::find(b.begin(), b.end(), x) != b.end())
      return x;
  return {};
}

/// The riskiest thing that it does, under its repair.
std::string step_of(const sim_job& job) {
  auto risk = -1;
  for (const auto& op : job.spec.ops)
    risk = std::max(risk, needed_risk(op.kind));
  return incident_of(job) + " " + std::to_string(risk);
}

/// Lets others pass before it does anything.
bool waits_first(const sim_job& job) {
  return !job.spec.ops.empty() && job.spec.ops.front().kind == op_kind::wait;
}

/// A tags job and a repair that begins with a wait: meant to be so.
bool passes(const sim_job& job, const sim_job& other) {
  return (is_bookkeeping(job.spec) && waits_first(other))
         || (is_bookkeeping(other.spec) && waits_first(job));
}

/// It came to nothing before it began what it was sent for: its tags were
/// other ones by then.
bool failed_at_tags(const sim_job& job) {
  const auto& ops = job.spec.ops;
  auto first = std::find_if(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind != op_kind::tags_set && op.kind != op_kind::tags_del
           && op.kind != op_kind::wait;
  });
  return job.op < static_cast<std::size_t>(first - ops.begin());
}

} // namespace

/// It writes down what was sent by then and found only now.
bool laws::notes_a_job_from_before(const sim_job& job, instant when) const {
  const auto& all = lab_->cluster.jobs();
  return is_bookkeeping(job.spec)
         && std::any_of(all.begin(), all.end(), [&](const sim_job& x) {
              return !is_bookkeeping(x.spec)
                     && incident_of(x) == incident_of(job)
                     && left_at(x) <= when;
            });
}

void laws::check_job(const sim_job& job) {
  if (!ours(job))
    return;
  // What was read after its sender had ceased to wait for an answer came as it
  // was sent; how long that may take nobody knows. It shows in what it does.
  check_token(job);
  if (job.unheard) {
    ++excused_;
    return;
  }
  check_intent(job);
  if (const auto* errand = errand_of(job)) {
    check_errand_job(job, *errand);
    return;
  }
  check_held(job);
  check_fenced_empty(job);
  check_reserved(job);
  check_overlap(job);
  if (balances(job)) { // moves what is well: no repair, no permission for it
    check_balancing(job);
    return;
  }
  if (of_event(job)) {
    check_event_job(job);
    return;
  }
  check_after_failure(job);
  check_single(job);
  check_switch(job);
  check_start(job);
  check_data(job);
  check_tags(job);
  for (const auto& op : job.spec.ops)
    if (needed_risk(op.kind) >= 0) {
      auto before = broken_.size();
      check_untouched(job, op);
      if (broken_.size() == before)
        check_permission(job, op);
      if (broken_.size() != before)
        break;
    }
  if (destroys(job)) {
    check_trouble(job);
    check_paused(left_at(job), named(job));
    check_fresh(job.intent, left_at(job), named(job));
  }
  if (has_op(job, op_kind::instance_failover))
    check_failover(job);
  else if (has_op(job, op_kind::recreate_disks)) {
    note_fooled(job);
    spend(failovers_, lab_->rules.budget.failovers_per_hour_max, named(job));
  }
  if (!is_bookkeeping(job.spec))
    watched_.insert(job.id);
}

/// Not under a failover that goes on because it is off, unless so ordered.
void laws::check_relied_upon(const errand_story& errand,
                             const power_deed& deed) {
  const auto* power = std::get_if<power_errand>(&errand.wanted.what);
  if (!power || !power->mark_offline)
    return;
  for (auto id : lab_->cluster.open()) {
    const auto& job = *lab_->cluster.job(id);
    if (ours(job) && !of_event(job) && job.begun != never && !job.dead
        && job.old_home == deed.node && has_op(job, op_kind::instance_failover))
      breach("S1", std::string{to_string(deed.verb)} + " of " + deed.node
                     + " while " + named(job) + " goes on because it is off");
  }
}

void laws::check_intent(const sim_job& job) {
  auto i = intents_.find(job.intent);
  if (i == intents_.end() || i->second.code != codes::job) {
    breach("S17", named(job) + " without a durable intent " + job.intent);
    return;
  }
  if (++i->second.jobs > 1)
    breach("S17", named(job) + " is not the first one of intent " + job.intent);
}

/// It lives on a node that was held for dead because of a lie.
void laws::note_fooled(const sim_job& job) {
  const auto& name = job.instances.front();
  for (const auto& home : lab_->truth.homes(name))
    if (fooled(home))
      unseen_homes_[name] = home;
}

void laws::check_failover(const sim_job& job) {
  const auto& old_home = job.old_home;
  if (old_home.empty())
    return;
  note_fooled(job);
  if (job.home_ran && job.admin == admin_state::up) {
    // A controller that said off while it was on has fooled us, or a person.
    if (fooled(old_home) || (vouched(old_home) && silent(old_home))) {
      unseen_homes_[job.instances.front()] = old_home;
      ++excused_;
    } else {
      breach("S1", named(job) + " was sent while " + old_home
                     + " has power and runs it");
    }
  }
  check_proof(job);
  spend(failovers_, lab_->rules.budget.failovers_per_hour_max, named(job));
  auto intent = intents_.find(job.intent);
  auto early
    = intent != intents_.end() && lab_->truth.uplink_cut()
      && intent->second.at <= lab_->truth.uplink_cut_since() + seen_after();
  check_mastership(named(job), early);
  if (left_after_jump(job))
    check_clocks(named(job));
}

/// Everybody has to give a lost job up at its deadline; and of one from before
/// our clocks jumped, or our journal was lost, nobody knows when that is.
bool laws::given_up(const sim_job& other, instant when) const {
  if (other.submitted < journal_since_
      || (lab_->clocks_jumped != never
          && other.submitted < lab_->clocks_jumped))
    return true;
  return other.dead
         && other.submitted + lab_->rules.cluster.job_deadline
              <= our_calendar(when);
}

instant laws::left_at(const sim_job& job) const {
  auto i = lab_->sent.find(job.intent);
  return i == lab_->sent.end() ? job.submitted
                               : std::min(i->second, job.submitted);
}

namespace {

bool only_untags(const sim_job& job) {
  return std::all_of(
    job.spec.ops.begin(), job.spec.ops.end(),
    [](const opcode& op) { return op.kind == op_kind::tags_del; });
}

/// For balance, or because a repair event empties its node.
bool moves_whole(const sim_job& job) {
  return balances(job) || of_event(job);
}

} // namespace

void laws::check_overlap(const sim_job& job) {
  for (auto id : lab_->cluster.open()) {
    const auto& other = *lab_->cluster.job(id);
    if (id == job.id || other.submitted > job.submitted || !ours(other)
        || other.unheard || given_up(other, job.submitted))
      continue;
    // Nobody counts any more on one that is overdue.
    auto overdue = other.submitted + lab_->rules.cluster.job_deadline
                   <= our_calendar(job.submitted);
    auto both = shared(job.instances, other.instances);
    // Of what was sent just now only the next picture tells.
    auto just_now = job.submitted - other.submitted
                    <= 2 * lab_->rules.cluster.poll_interval;
    // Tags are no matter of the job that a person's errand has there.
    if (errand_of(other) && (is_bookkeeping(job.spec) || just_now))
      continue;
    // Tags that are over are removed beside what goes on, without a permit.
    if (just_now
        && ((is_bookkeeping(other.spec) && moves_whole(job))
            || (only_untags(job) && moves_whole(other))))
      continue;
    // Two repairs of one instance are judged by S12.
    auto balance = balances(job) || balances(other);
    auto repairs
      = !is_bookkeeping(job.spec) && !is_bookkeeping(other.spec) && !balance;
    if (!both.empty() && !repairs && !passes(job, other))
      breach("S11", named(job) + " and " + named(other) + " share " + both);
    // What is moved for balance keeps nobody from a node.
    if (balance || overdue)
      continue;
    both = shared(job.leaves, other.joins);
    // What is dead is filled by nobody, whatever job still says so.
    if (!both.empty() && !lab_->truth.alive(both))
      both.clear();
    if (both.empty())
      both = shared(job.joins, other.leaves);
    if (!both.empty()
        && !(repairs && !shared(job.instances, other.instances).empty()))
      breach("S11", named(job) + " and " + named(other) + " use " + both
                      + " as source and target");
  }
}

void laws::check_after_failure(const sim_job& job) {
  // A dead node is marked so until the queue has done it.
  if (is_bookkeeping(job.spec) || job.instances.empty())
    return;
  for (auto id : std::exchange(canceled_, {}))
    if (const auto* ended = lab_->cluster.job(id))
      count_failure(*ended);
  auto incident = incident_of(job);
  if (failed_repairs_.count(incident) > 0)
    breach("S14", named(job) + " although a step of repair " + incident
                    + " that must not be retried has failed");
  auto i = failures_.find(step_of(job));
  auto most = std::max(lab_->rules.autorepair.tries_max, 1U);
  if (i != failures_.end() && i->second >= most)
    breach("S14", named(job) + " after " + std::to_string(i->second)
                    + " tries of repair " + incident + " have failed");
}

void laws::count_failure(const sim_job& job) {
  // What we called back ourselves has not failed: it is decided anew.
  if (job.status == job_status::canceled && called_back_.count(job.intent) != 0)
    return;
  // Nor has what another master called back, who went on with it.
  if (!job.canceled_by.empty() && job.canceled_by != lab_->self())
    return;
  auto risky = has_op(job, op_kind::instance_failover)
               || has_op(job, op_kind::recreate_disks)
               || has_op(job, op_kind::instance_reinstall);
  if (for_want_of_room(job))
    return;
  if (of_event(job)) {
    events_failed_.emplace(incident_of(job), job.ended);
    return;
  }
  if (risky && failed_at_tags(job))
    return;
  // A home that dies under it, or is marked so, is no fault of the mirror's.
  auto gone = !job.old_home.empty()
              && (silent(job.old_home)
                  || lab_->cluster.offline_at(job.old_home, job.ended));
  if (!risky && gone)
    return;
  if (risky)
    failed_repairs_.insert(incident_of(job));
  else
    ++failures_[step_of(job)];
}

void laws::note_ended_jobs() {
  for (auto i = watched_.begin(); i != watched_.end();) {
    const auto& job = *lab_->cluster.job(*i);
    if (!is_final(job.status)) {
      ++i;
      continue;
    }
    if (job.status == job_status::canceled)
      canceled_.push_back(*i); // whether by us the journal may tell later
    else if (job.status == job_status::error)
      count_failure(job);
    else if (job.status == job_status::success) // what comes next is new
      std::erase_if(failures_, [id = incident_of(job) + " "](const auto& x) {
        return x.first.starts_with(id);
      });
    i = watched_.erase(i);
  }
}

} // namespace orderly::sim
