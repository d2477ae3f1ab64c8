// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about the end of a run: L1 L2 L5; L6 is in laws/power.cpp, L7 in
// laws/tags.cpp, L8 in laws/told.cpp. What is held
// back for a good reason (storm, budget, missing permission, failed repair)
// does not count.

#include "sim/laws/bounds.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// A job that does not end fills it: its place is not given away, and a person
/// has heard of the job.
bool is_filled_for_ever(const ganeti& cluster, const node_name& node) {
  const auto& all = cluster.jobs();
  return std::any_of(all.begin(), all.end(), [&](const sim_job& job) {
    return job.dead && std::count(job.joins.begin(), job.joins.end(), node) > 0;
  });
}

} // namespace

std::vector<broken_law> laws::check_liveness(lab_state& lab, instant now,
                                             const liveness_bounds& bounds) {
  lab_ = &lab;
  now_ = now;
  look_around();
  // It has ended, and a person must say which journal counts.
  if (lab.journal.replaced())
    return {};
  // Who is not master leaves it to the one that is.
  if (lab.master().who != lab.self())
    return {};
  check_incidents(bounds);
  // Whoever cannot send a job changes nothing.
  if (lab.cluster.habits.drained || lab.cluster.habits.luxi_down)
    return std::exchange(broken_, {});
  check_suspends(bounds);
  check_drained(bounds);
  check_told(bounds);
  // Where answers get lost each job takes its time anew.
  if (!is_stormy() && !lab.cluster.habits.drop_replies) {
    check_restarts(bounds);
    check_lost(bounds);
    check_bulkheads(bounds);
    check_levels(bounds);
  }
  return std::exchange(broken_, {});
}

void laws::check_incidents(const liveness_bounds& bounds) {
  for (const auto& [name, story] : nodes_)
    if (story.phase && story.hunted_since != never && !story.alarm
        && lab_->cluster.node(name) != nullptr && !storm_told_
        && story.hunted_since + bounds.incident < now_)
      breach("L1", name
                     + " has been neither cleared nor fenced for too long, "
                       "is "
                     + std::string{to_string(*story.phase)}
                     + " now, and nobody was told");
}

/// Could take `x`, and has been able to since then.
bool laws::fit(const node_record& n, const instance_record& x,
               instant since) const {
  const auto& real = lab_->truth.node(n.name);
  return n.name != x.primary && !n.offline && n.powered && !n.drained
         && n.vm_capable && !real.storage_cut
         && lab_->truth.answers(lab_->self(), n.name)
         && real.boots_until <= since
         && lab_->cluster.room(n.name).memory_mib >= x.memory_mib
         && !is_filled_for_ever(lab_->cluster, n.name);
}

/// How many nodes of its group, none of its own, could take it.
std::uint32_t laws::fit_others(const instance_record& x, instant since,
                               bool disks) const {
  std::int64_t size = 0;
  for (auto disk : x.disks_mib)
    size += disk;
  const auto& group = lab_->cluster.node(x.primary)->group;
  std::uint32_t count = 0;
  for (const auto& n : lab_->cluster.record().nodes)
    if (n.group == group && fit(n, x, since)
        && std::count(x.secondaries.begin(), x.secondaries.end(), n.name) == 0
        && (!disks || lab_->cluster.room(n.name).disk_mib >= size))
      ++count;
  return count;
}

/// The storage lets it start elsewhere, and there is a fit node since then.
bool laws::can_restart(const instance_record& x, instant since) const {
  if (x.disks != disk_template::drbd)
    return is_external(x.disks) && fit_others(x, since, false) > 0;
  // To a copy that lacks something a person goes, if anybody.
  if (!lab_->truth.in_step(x.name)
      || !lab_->truth.faulty_mirror(x.name).empty())
    return false;
  const auto* n = x.secondaries.empty()
                    ? nullptr
                    : lab_->cluster.node(x.secondaries.front());
  return n && fit(*n, x, since);
}

/// By the tags then and now, with no suspension and no failed repair.
bool laws::allowed_since(const instance_record& x, int risk,
                         instant since) const {
  const auto& cluster = lab_->cluster;
  const auto& group = cluster.node(x.primary)->group;
  for (auto when : {since, now_}) {
    auto tags = cluster.tags_at(tag_kind::instance, x.name, when);
    if (has_failure_tag(tags)
        || !tags_permit(tags, cluster.tags_at(tag_kind::group, group, when),
                        cluster.tags_at(tag_kind::cluster, {}, when), risk,
                        when))
      return false;
  }
  return true;
}

/// Instances with a job that was lost or has failed: it holds them until its
/// deadline, or is for people to look at.
std::set<instance_name> laws::excused_instances() const {
  auto result = held_up_;
  for (const auto& job : lab_->cluster.jobs())
    if (job.dead || job.status == job_status::error
        || (job.status == job_status::canceled && !is_bookkeeping(job.spec)))
      result.insert(job.instances.begin(), job.instances.end());
  return result;
}

/// The job that marks it offline was lost while it ran: a person has heard that
/// it does not end.
bool laws::is_mark_lost(const node_name& node) const {
  const auto& all = lab_->cluster.jobs();
  return std::any_of(all.begin(), all.end(), [&](const auto& job) {
    const auto& ops = job.spec.ops;
    return job.dead && !ops.empty()
           && ops.front().kind == op_kind::node_set_offline
           && ops.front().node == node;
  });
}

/// A person has heard of a hold of one of its nodes that may be over, and must
/// end it.
bool laws::hold_told(const instance_record& x) const {
  auto told = [&](const node_name& node) {
    auto i = nodes_.find(node);
    return i != nodes_.end() && i->second.hold_told;
  };
  return told(x.primary)
         || std::any_of(x.secondaries.begin(), x.secondaries.end(), told);
}

void laws::check_restarts(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules;
  if (!rules.autorepair.enabled || rules.autorepair.mode != repair_mode::act
      || !rules.host_ha.enabled || paused_ != never
      || failovers_.size() >= rules.budget.failovers_per_hour_max)
    return;
  auto excused = excused_instances();
  auto since = now_ - bounds.restart;
  for (const auto& x : lab_->cluster.record().instances) {
    auto story = nodes_.find(x.primary);
    if (x.admin != admin_state::up || story == nodes_.end()
        || story->second.phase != ha_phase::fenced
        || story->second.proved > since
        // Switched on again it is a person's, and nothing proves it down.
        || lab_->truth.node(x.primary).powered
        // Its controller went away since: somebody must vouch for it.
        || lab_->truth.node(x.primary).bmc.what != controller::ok
        || !lab_->truth.homes(x.name).empty() || excused.count(x.name) > 0
        || left_alone(x.primary) || hold_told(x) || is_mark_lost(x.primary))
      continue;
    if (allowed_since(x, repair_risk("failover"), since)
        && can_restart(x, since))
      breach("L2", x.name + " of fenced " + x.primary
                     + " does not run again, though it may and could");
  }
}

/// Who runs on a drained node goes elsewhere.
void laws::check_drained(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules.autorepair;
  const auto& truth = lab_->truth;
  if (!rules.enabled || rules.mode != repair_mode::act || !lab_->daemon_wanted
      || paused_ != never || lab_->master().who != lab_->self())
    return;
  auto excused = excused_instances();
  auto since = now_ - bounds.restart;
  for (const auto& x : lab_->cluster.record().instances) {
    const auto* home = lab_->cluster.node(x.primary);
    // What a repair event drains is emptied by that, and waits as it says.
    if (x.admin != admin_state::up || !home || home->offline
        || emptied_.count(x.primary) > 0
        || !lab_->cluster.drained_since(x.primary, since)
        || !truth.answers(lab_->self(), x.primary)
        || truth.node(x.primary).boots_until > since
        || !truth.runs_on(x.name, x.primary) || excused.count(x.name) > 0
        || !truth.faulty_mirror(x.name).empty())
      continue;
    if (allowed_since(x, repair_risk("migrate"), since)
        && can_restart(x, since))
      breach("L2", x.name + " still runs on drained " + x.primary
                     + ", though it may and could go");
  }
}

/// An order to switch off has worked by then, or not at all.
constexpr millis put_off_effect = minutes{2};

/// Whose nodes are all gone for good gets new disks, if it may.
void laws::check_lost(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules;
  if (!rules.autorepair.enabled || rules.autorepair.mode != repair_mode::act
      || !rules.host_ha.enabled || paused_ != never
      || failovers_.size() >= rules.budget.failovers_per_hour_max)
    return;
  auto excused = excused_instances();
  auto since = now_ - bounds.restart;
  for (const auto& x : lab_->cluster.record().instances) {
    if (x.admin != admin_state::up || lab_->truth.copies(x.name).empty()
        || x.disks == disk_template::file || excused.count(x.name) > 0)
      continue;
    auto nodes = x.secondaries;
    nodes.push_back(x.primary);
    auto held = std::any_of(nodes.begin(), nodes.end(),
                            [&](const auto& name) { return is_held(name); });
    if (held || hold_told(x))
      continue;
    auto gone = std::all_of(nodes.begin(), nodes.end(), [&](const auto& name) {
      auto story = nodes_.find(name);
      return lab_->cluster.offline_since(name, since)
             && !lab_->truth.node(name).powered && story != nodes_.end()
             && story->second.phase == ha_phase::fenced
             && story->second.proved <= since
             // What a person switched off comes back with all that it holds.
             && story->second.wish != power_state::off
             && (story->second.put_off == never
                 || sight_.answered_since(name, story->second.put_off
                                                  + put_off_effect));
    });
    if (gone && allowed_since(x, repair_risk("reinstall"), since)
        && fit_others(x, since, true) >= nodes.size())
      breach("L2", x.name
                     + ", whose nodes are all gone, does not run again, "
                       "though it may be reinstalled and could");
  }
}

void laws::check_bulkheads(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules;
  if (!rules.host_ha.enabled
      || fences_.size() >= rules.budget.fences_per_hour_max)
    return;
  std::string hindrance;
  for (const auto& [name, x] : lab_->truth.nodes())
    if (x.bmc.what == controller::hang || x.bmc.what == controller::slow)
      hindrance = "the controller of " + name + " hangs";
  for (auto id : lab_->cluster.open())
    if (lab_->cluster.job(id)->dead)
      hindrance = "job " + std::to_string(id) + " is lost";
  if (hindrance.empty())
    return;
  for (const auto& [name, since] : lab_->truth.troubled()) {
    const auto& x = lab_->truth.node(name);
    const auto* record = lab_->cluster.node(name);
    auto story = nodes_.find(name);
    auto phase
      = story == nodes_.end() ? std::optional<ha_phase>{} : story->second.phase;
    // How far it came is in entries that were lost: it may be fenced.
    if (!phase && lab_->journal.failed() > 0)
      continue;
    if (x.powered || x.bmc.what != controller::ok || !record || record->offline
        || record->oob_program.empty() || name == lab_->self()
        || left_alone(name) || since + bounds.fence > now_
        || phase == ha_phase::fenced || phase == ha_phase::disabled
        || phase == ha_phase::ineligible)
      continue;
    breach("L5", name
                   + " lost power long ago and its own controller works, "
                     "yet it is not fenced while "
                   + hindrance);
  }
}

} // namespace orderly::sim
