// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about the moment in which an act leaves us: S31 S32 S34 S35 S41. What
// spoke for it once is not asked, only what is so then.

#include "messages/codes.hpp"
#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/setting_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// From the last look at a node to the act, through commit and port.
constexpr millis look_to_act = seconds{5};

/// From a pause on disk to everybody having heard of it.
constexpr millis pause_hearsay = seconds{1};

/// From an order's acceptance to everybody having heard of it.
constexpr millis order_hearsay = seconds{10};

/// From the decision to the act: a slow commit, a reading of the power by a
/// controller that is slow, a submission that is refused and sent again.
constexpr millis decision_age = minutes{2};

/// From settings that were read anew to everybody having heard of them.
constexpr millis switch_hearsay = seconds{2};

/// From a mark in the cluster's record to its being read, by a slow luxid too.
constexpr millis mark_hearsay = minutes{2};

/// Whoever answered for so long has no old trouble any more.
constexpr millis long_well = minutes{3};

/// Will it take the node away?
bool takes_away(const errand_request& x) {
  if (const auto* power = std::get_if<power_errand>(&x.what))
    return power->verb == power_verb::off;
  const auto* epo = std::get_if<epo_errand>(&x.what);
  return epo && !epo->on;
}

} // namespace

void laws::look_around() {
  sight_.look(lab_->truth, lab_->self(), now_, [this](const node_name& name) {
    const auto* node = lab_->cluster.node(name);
    return patience_of(lab_->rules, node ? node->group : group_name{});
  });
}

/// A look that begins while a node is silent may end that much later.
millis laws::look_slack() const {
  return longest_patience(lab_->rules) + look_to_act;
}

bool laws::is_clock_set(const node_story& story) const {
  return lab_->clock_error != millis{0}
         || lab_->clocks_jumped > story.phase_since;
}

void laws::read_pause(const journal_entry& e) {
  if (e.kind != entry_kind::decision)
    return;
  if (e.code == codes::pause && paused_ == never)
    paused_ = now_;
  if (e.code == codes::resume)
    paused_ = never;
}

/// Whoever answers needs neither fence nor reset, and whoever a person has
/// taken out of service is theirs. Our own mark comes after the fence.
void laws::check_trouble(const power_deed& deed, const std::string& what) {
  auto since = sight_.answered_for(deed.node);
  const auto* record = lab_->cluster.node(deed.node);
  // Slow groups excuse nobody who looks at a quick one.
  auto own = record ? 2 * patience_of(lab_->rules, record->group) + look_to_act
                    : look_slack();
  if (since > std::min(own, look_slack()))
    breach("S31", what + ", whose daemons have been answering for "
                    + std::to_string(since.count() / 1000) + " s");
  const auto& story = nodes_[deed.node];
  auto treated
    = story.phase == ha_phase::fencing || story.phase == ha_phase::recovering;
  if (treated && record && record->offline
      && lab_->cluster.offline_at(deed.node, deed.at - mark_hearsay))
    breach("S31", what + ", which a person has marked offline");
  const auto& ha = lab_->rules.host_ha;
  auto well
    = long_well + 3 * (ha.check_interval + longest_patience(lab_->rules));
  if (story.trouble_since != never
      && sight_.answered_since(deed.node, story.trouble_since, well))
    breach("S34", what + " for a trouble from before it was long well");
  auto heard = look_slack() + 2 * (ha.check_interval + look_slack());
  if (treated && sight_.answered_since(deed.node, story.phase_since, heard))
    breach("S34", what + ", which has answered since that was decided");
  // What a check found while it still stood is good for so long.
  auto stood = 2 * ha.activity_interval_max + ha.activity_timeout + minutes{2};
  auto active = sight_.active_for(deed.node);
  if (deed.verb == power_verb::cycle && active > stood)
    breach("S34", what + ", which its neighbours have seen at work for "
                    + std::to_string(active.count() / 1000) + " s");
}

/// A failover has an old home that is gone, or an instance that runs nowhere;
/// a reinstallation has no copy on a node that answers.
void laws::check_trouble(const sim_job& job) {
  const auto* x = job.instances.empty()
                    ? nullptr
                    : lab_->cluster.instance(job.instances.front());
  if (!x || job.old_home.empty())
    return;
  auto well = [&](const node_name& node) { return !silent(node); };
  if (has_op(job, op_kind::instance_failover)) {
    if (job.admin == admin_state::up && well(job.old_home)
        && !lab_->truth.homes(x->name).empty())
      breach("S31", named(job) + " although " + job.old_home
                      + " answers and the instance runs");
    return;
  }
  if (!has_op(job, op_kind::recreate_disks))
    return; // over disks that are new already
  auto holders = lab_->truth.copies(x->name);
  holders.insert(x->primary);
  holders.insert(x->secondaries.begin(), x->secondaries.end());
  for (const auto& node : holders)
    if (well(node))
      breach("S31", named(job) + " although " + node + " answers");
}

void laws::check_paused(instant at, const std::string& what) {
  if (paused_ != never && paused_ + pause_hearsay < at)
    breach("S32", what + " while a person has paused us");
}

void laws::note_switch() {
  if (lab_->rules.maintenance.mode == repair_mode::act)
    events_off_ = never;
  else if (events_off_ == never)
    events_off_ = now_;
  const auto& x = lab_->rules.autorepair;
  if (x.enabled && x.mode == repair_mode::act)
    repairs_off_ = never;
  else if (repairs_off_ == never)
    repairs_off_ = now_;
}

void laws::check_switch(const sim_job& job) {
  if (repairs_off_ != never && is_step(job)
      && repairs_off_ + switch_hearsay < left_at(job))
    breach("S41", named(job) + " while auto-repair is switched off");
}

void laws::check_fresh(const intent_id& intent, instant at,
                       const std::string& what) {
  auto i = intents_.find(intent);
  if (i == intents_.end() || i->second.code.empty())
    return; // judged by S17
  // Whoever goes on after a restart says so, and writes no second intent.
  auto said = decided_.find(i->second.object);
  auto newest = i->second.decided;
  if (said != decided_.end())
    newest = std::max(newest, said->second);
  auto age = at - newest;
  if (age > decision_age)
    breach("S34", what + " was decided " + std::to_string(age.count() / 1000)
                    + " s before");
}

/// An order, taken by then, that will take the node away.
const laws::errand_story* laws::taker_of(const node_name& node,
                                         instant when) const {
  for (const auto& [number, x] : errands_)
    if (x.open && !is_over(x) && x.taken_at != never
        && x.taken_at + order_hearsay < when && x.targets.count(node) > 0
        && takes_away(x.wanted))
      return &x;
  return nullptr;
}

void laws::check_reserved(const sim_job& job) {
  for (const auto& name : job.joins)
    if (const auto* errand = taker_of(name, job.submitted))
      breach("S35", named(job) + " fills " + name + ", which "
                      + errand->wanted.who + " wants off by " + errand->id);
  if (!is_bookkeeping(job.spec))
    unplaced_.insert(job.id);
}

/// Where we name no node, Ganeti picks one when the job runs.
void laws::check_chosen() {
  for (auto i = unplaced_.begin(); i != unplaced_.end();) {
    const auto& job = *lab_->cluster.job(*i);
    auto placed = false;
    for (const auto& name : job.targets) {
      placed = true;
      auto named_by_us = std::find(job.joins.begin(), job.joins.end(), name)
                         != job.joins.end();
      const auto* errand
        = named_by_us ? nullptr : taker_of(name, job.submitted);
      if (errand)
        breach("S35", named(job) + " was put on " + name + ", which "
                        + errand->wanted.who + " wants off by " + errand->id);
    }
    i = placed || is_final(job.status) ? unplaced_.erase(i) : std::next(i);
  }
}

} // namespace orderly::sim
