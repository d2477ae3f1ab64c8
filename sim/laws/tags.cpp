// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about the tags that we write and remove: S9 S10 S23, and L7.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

constexpr std::size_t tag_length_max = 128;

std::string object_of(const opcode& op) {
  return op.tag_object.empty() ? "the cluster" : op.tag_object;
}

/// Does one of the job's opcodes write a mark of this id on the object?
bool writes_mark(const sim_job& job, const opcode& on, const incident_id& id,
                 const std::string& except) {
  for (const auto& op : job.spec.ops)
    if (op.kind == op_kind::tags_set && op.tags_on == on.tags_on
        && op.tag_object == on.tag_object)
      for (const auto& tag : op.tags)
        if (tag != except && mark_of(tag).id == id)
          return true;
  return false;
}

} // namespace

void laws::check_tags(const sim_job& job) {
  for (const auto& op : job.spec.ops)
    for (const auto& tag : op.tags)
      if (op.kind == op_kind::tags_set)
        check_tag_set(job, op, tag);
      else if (op.kind == op_kind::tags_del)
        check_tag_removed(job, op, tag);
}

void laws::check_tag_set(const sim_job& job, const opcode& op,
                         const std::string& tag) {
  if (tag.size() > tag_length_max)
    breach("S23", named(job) + " writes a tag of " + std::to_string(tag.size())
                    + " characters on " + object_of(op));
  if (!is_repair_tag(tag))
    return;
  auto mark = mark_of(tag);
  if (mark.kind == mark_kind::none || op.tags_on != tag_kind::instance) {
    breach("S23", named(job) + " writes " + tag + " on " + object_of(op)
                    + ", which nobody reads as an unfinished or ended repair");
    return;
  }
  if (mark.kind == mark_kind::success)
    check_success(job, op, tag);
  auto fresh = our_repairs_.insert(mark.id).second;
  if (mark.kind == mark_kind::pending) {
    auto now
      = lab_->cluster.tags_at(tag_kind::instance, op.tag_object, job.submitted);
    for (const auto& other : now)
      fresh = fresh && mark_of(other).id != mark.id;
    if (!fresh)
      return; // one that goes on
  }
  auto times = known_times(job);
  if (std::any_of(times.begin(), times.end(), [&](instant when) {
        return !untouchable(op.tag_object, when, our_calendar(job.submitted));
      })) {
    if (mark.kind == mark_kind::pending)
      check_new_pending(job, op, tag);
    return;
  }
  breach("S10", named(job) + " although " + op.tag_object
                  + " is suspended, or a failed repair stands on it");
}

/// Who reads of a success asks the job that brought it about: the last failover
/// or reinstallation is named. An older journal has forgotten what may be done
/// twice.
void laws::check_success(const sim_job& job, const opcode& op,
                         const std::string& tag) {
  auto mark = mark_of(tag);
  for (const auto& done : lab_->cluster.jobs())
    if (!done.intent.empty() && destroys(done) && !done.archived
        && done.status == job_status::success && incident_of(done) == mark.id
        && contains(done.instances, op.tag_object)
        && (mark.jobs.empty() || mark.jobs.back() < done.id))
      breach("S23", named(job) + " writes " + tag + ", which does not name "
                      + named(done) + " that had ended");
}

/// A repair of our own begins within what the tags permit.
void laws::check_new_pending(const sim_job& job, const opcode& op,
                             const std::string& tag) {
  const auto& cluster = lab_->cluster;
  const auto* x = cluster.instance(op.tag_object);
  const auto* home = x ? cluster.node(x->primary) : nullptr;
  if (!home || requested_.erase(op.tag_object) > 0)
    return;
  auto risk = pending_tags({tag}).front().risk;
  for (auto when : known_times(job))
    if (tags_permit(cluster.tags_at(tag_kind::instance, op.tag_object, when),
                    cluster.tags_at(tag_kind::group, home->group, when),
                    cluster.tags_at(tag_kind::cluster, {}, when), risk,
                    our_calendar(job.submitted)))
      return;
  breach("S9", named(job) + " begins a repair that the tags do not permit for "
                 + op.tag_object);
}

/// Its id stays on the object, or is about to be written there.
bool laws::still_written(const sim_job& job, const opcode& op,
                         const std::string& tag) const {
  auto id = mark_of(tag).id;
  auto now = lab_->cluster.tags_at(op.tags_on, op.tag_object, job.submitted);
  for (const auto& other : now)
    if (other != tag && mark_of(other).id == id)
      return true;
  if (writes_mark(job, op, id, tag))
    return true;
  for (auto open : lab_->cluster.open()) {
    const auto& other = *lab_->cluster.job(open);
    if (!other.intent.empty() && writes_mark(other, op, id, tag))
      return true;
  }
  return false;
}

void laws::check_tag_removed(const sim_job& job, const opcode& op,
                             const std::string& tag) {
  auto mark = mark_of(tag);
  instant over_at;
  if (is_past_suspend(tag, our_calendar(job.submitted), over_at))
    return;
  if ((is_token(tag) || is_void_mark(tag) || is_unbegun_mark(tag))
      && op.tags_on == tag_kind::instance)
    return;
  if (mark.kind == mark_kind::none)
    breach("S23", named(job) + " removes " + tag + " from " + object_of(op)
                    + ", which is not ours");
  else if (mark.kind == mark_kind::failure)
    breach("S23", named(job) + " removes the mark of a failed repair from "
                    + object_of(op) + ", which only people do");
  else if (mark.kind == mark_kind::pending && !still_written(job, op, tag)
           && contains(
             lab_->cluster.tags_at(op.tags_on, op.tag_object, job.submitted),
             tag)) // a torn picture shows it yet
    breach("S23", named(job) + " forgets the unfinished repair " + mark.id
                    + " of " + object_of(op));
}

bool laws::suspended(const instance_record& x, instant when) const {
  const auto& cluster = lab_->cluster;
  const auto* home = cluster.node(x.primary);
  return home
         && tags_suspend(cluster.tags_at(tag_kind::instance, x.name, when),
                         cluster.tags_at(tag_kind::group, home->group, when),
                         cluster.tags_at(tag_kind::cluster, {}, when), when);
}

void laws::check_suspends(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules.autorepair;
  const auto& cluster = lab_->cluster;
  if (!rules.enabled || rules.mode != repair_mode::act || !lab_->daemon_wanted
      || lab_->master().who != lab_->self())
    return;
  // A lost job holds what it was to change until its deadline.
  std::set<std::string> held;
  for (const auto& job : cluster.jobs())
    if (job.dead)
      for (const auto& op : job.spec.ops) {
        held.insert(op.tag_object);
        held.insert(op.instance);
      }
  // By a calendar that is behind, the time of a tag is over later.
  auto told = now_ + std::min(lab_->clock_error, millis{0});
  auto look = [&](tag_kind kind, const std::string& what,
                  const std::string& name,
                  const std::vector<std::string>& tags) {
    instant over_at;
    for (const auto& tag : tags)
      if (is_past_suspend(tag, told, over_at) && held.count(name) == 0
          && over_at + bounds.suspend < told
          && contains(cluster.tags_at(kind, name, now_ - bounds.suspend), tag))
        breach("L7", tag + " still stands on " + what + " " + name
                       + " though its time is long over");
  };
  look(tag_kind::cluster, "cluster", {}, cluster.record().tags);
  for (const auto& x : cluster.record().groups)
    look(tag_kind::group, "group", x.name, x.tags);
  // While something else suspends it, or an emergency power-off or a repair
  // event has one of its nodes, nothing is changed on an instance.
  auto taken = [&](const node_name& n) {
    const auto* node = cluster.node(n);
    auto said = lab_->agents.find(n);
    // Whoever took its marks away did not end its event.
    auto asks = said != lab_->agents.end()
                && (said->second.silent || said->second.how != hearing::heard
                    || !said->second.object.empty());
    auto emptied = node && (node->drained || node->offline || asks)
                   && emptied_.count(n) > 0;
    return may_be_held(n) || emptied;
  };
  auto left = [&](const instance_record& x) {
    return taken(x.primary)
           || std::any_of(x.secondaries.begin(), x.secondaries.end(), taken);
  };
  for (const auto& x : cluster.record().instances)
    if (!left(x) && !suspended(x, now_) && !suspended(x, now_ - bounds.suspend))
      look(tag_kind::instance, "instance", x.name, x.tags);
}

} // namespace orderly::sim
