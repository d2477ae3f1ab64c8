// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about the end of a run: L1 L2 L5. What is held back for a good reason
// (storm, budget, missing permission, failed repair) does not count.

#include "sim/law_tags.hpp"
#include "sim/laws.hpp"

#include <algorithm>

namespace orderly::sim {

std::vector<broken_law> laws::check_liveness(lab_state& lab, instant now,
                                             const liveness_bounds& bounds) {
  lab_ = &lab;
  now_ = now;
  check_incidents(bounds);
  if (settled_trouble() <= storm_limit()) {
    check_restarts(bounds);
    check_bulkheads(bounds);
  }
  return std::exchange(broken_, {});
}

void laws::check_incidents(const liveness_bounds& bounds) {
  for (const auto& [name, story] : nodes_)
    if (story.phase && story.hunted_since != never && !story.alarm
        && story.hunted_since + bounds.incident < now_)
      breach("L1", name
                     + " has been neither cleared nor fenced for too long, "
                       "is "
                     + std::string{to_string(*story.phase)}
                     + " now, and nobody was told");
}

/// The storage lets it start elsewhere, and there is a fit node since then.
bool laws::can_restart(const instance_record& x, instant since) const {
  auto fit = [&](const node_record& n) {
    const auto& real = lab_->truth.node(n.name);
    return n.name != x.primary && !n.offline && !n.drained && n.vm_capable
           && !real.storage_cut && lab_->truth.answers(n.name)
           && real.boots_until <= since;
  };
  if (x.disks == disk_template::drbd) {
    const auto* n = x.secondaries.empty()
                      ? nullptr
                      : lab_->cluster.node(x.secondaries.front());
    return n && fit(*n);
  }
  if (!is_external(x.disks))
    return false;
  const auto& group = lab_->cluster.node(x.primary)->group;
  const auto& all = lab_->cluster.record().nodes;
  return std::any_of(all.begin(), all.end(), [&](const node_record& n) {
    return n.group == group && fit(n);
  });
}

void laws::check_restarts(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules;
  if (!rules.autorepair.enabled || !rules.host_ha.enabled
      || failovers_.size() >= rules.budget.failovers_per_hour_max)
    return;
  const auto& cluster = lab_->cluster;
  // A lost job holds its instance until its deadline.
  std::set<instance_name> excused;
  for (const auto& job : cluster.jobs())
    if (job.dead || job.status == job_status::error)
      excused.insert(job.instances.begin(), job.instances.end());
  auto since = now_ - bounds.restart;
  for (const auto& x : cluster.record().instances) {
    auto story = nodes_.find(x.primary);
    if (x.admin != admin_state::up || story == nodes_.end()
        || story->second.phase != ha_phase::fenced
        || story->second.proved > since
        // Switched on again it is a person's, and nothing proves it down.
        || lab_->truth.node(x.primary).powered
        || !lab_->truth.homes(x.name).empty() || excused.count(x.name) > 0)
      continue;
    const auto& group = cluster.node(x.primary)->group;
    auto allowed = true;
    for (auto when : {since, now_}) {
      auto tags = cluster.tags_at(tag_kind::instance, x.name, when);
      allowed
        = allowed && !has_failure_tag(tags)
          && tags_permit(tags, cluster.tags_at(tag_kind::group, group, when),
                         cluster.tags_at(tag_kind::cluster, {}, when),
                         repair_level("failover"), when);
    }
    if (allowed && can_restart(x, since))
      breach("L2", x.name + " of fenced " + x.primary
                     + " does not run again, though it may and could");
  }
}

void laws::check_bulkheads(const liveness_bounds& bounds) {
  const auto& rules = lab_->rules;
  if (!rules.host_ha.enabled
      || fences_.size() >= rules.budget.fences_per_hour_max)
    return;
  std::string hindrance;
  for (const auto& [name, x] : lab_->truth.nodes())
    if (x.bmc == controller::hang || x.bmc == controller::slow)
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
    if (x.powered || x.bmc != controller::ok || !record || record->offline
        || record->oob_program.empty() || name == lab_->self()
        || since + bounds.fence > now_ || phase == ha_phase::fenced
        || phase == ha_phase::disabled || phase == ha_phase::ineligible)
      continue;
    breach("L5", name
                   + " lost power long ago and its own controller works, "
                     "yet it is not fenced while "
                   + hindrance);
  }
}

} // namespace orderly::sim
