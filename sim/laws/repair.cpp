// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about repairs: S9 S10 S12 S25. Jobs of others are not judged.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

/// An older intent says nothing about what could be known when it was sent.
constexpr millis intent_memory = minutes{2};

/// After this everybody has heard what a person wants of a node.
constexpr millis order_heard_in = seconds{10};

} // namespace

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

/// By policy, or by the pending tag of this very repair, but for one that we
/// wrote ourselves, before its first step.
bool laws::permitted(const sim_job& job, const opcode& op, instant when) const {
  const auto& cluster = lab_->cluster;
  const auto* home = cluster.node(job.old_home);
  if (!home)
    return false;
  auto risk = needed_risk(op.kind);
  auto tags = cluster.tags_at(tag_kind::instance, op.instance, when);
  for (const auto& x : pending_tags(tags))
    if (x.id == incident_of(job) && x.risk >= risk && !is_unbegun(tags, x.id))
      return true;
  return tags_permit(tags, cluster.tags_at(tag_kind::group, home->group, when),
                     cluster.tags_at(tag_kind::cluster, {}, when), risk,
                     our_calendar(job.submitted));
}

void laws::check_permission(const sim_job& job, const opcode& op) {
  if (job.old_home.empty())
    return; // no such instance: the job will fail by itself
  for (auto when : known_times(job))
    if (permitted(job, op, when))
      return;
  breach("S9", named(job) + " exceeds what the tags permit for " + op.instance);
}

/// A suspension ends by the calendar of the machine that we run on. Nobody
/// there can tell that it is ahead.
instant laws::our_calendar(instant when) const {
  return when + std::max(lab_->clock_error, millis{0});
}

/// Suspended, or a failed repair stands on it.
bool laws::untouchable(const instance_name& name, instant when,
                       instant now) const {
  const auto& cluster = lab_->cluster;
  const auto* x = cluster.instance(name);
  const auto* home = x ? cluster.node(x->primary) : nullptr;
  if (!home)
    return false;
  auto tags = cluster.tags_at(tag_kind::instance, name, when);
  return has_failure_tag(tags)
         || tags_suspend(tags,
                         cluster.tags_at(tag_kind::group, home->group, when),
                         cluster.tags_at(tag_kind::cluster, {}, when), now);
}

void laws::check_untouched(const sim_job& job, const opcode& op) {
  for (auto when : known_times(job))
    if (!untouchable(op.instance, when, our_calendar(job.submitted)))
      return;
  breach("S10", named(job) + " although " + op.instance
                  + " is suspended, or a failed repair stands on it");
}

namespace {

/// What the job takes away itself is no repair of others.
bool removes(const sim_job& job, const std::string& tag) {
  return std::any_of(
    job.spec.ops.begin(), job.spec.ops.end(), [&](const opcode& op) {
      return op.kind == op_kind::tags_del
             && std::count(op.tags.begin(), op.tags.end(), tag) > 0;
    });
}

} // namespace

/// Does a tag, or an open job, of the instance of that uuid bear the id?
bool laws::bears(const std::string& uuid, const incident_id& id,
                 instant when) const {
  const auto& cluster = lab_->cluster;
  auto tagged = [&](const instance_name& name) {
    auto tags = cluster.tags_at(tag_kind::instance, name, when);
    return std::any_of(tags.begin(), tags.end(), [&](const std::string& x) {
      return mark_of(x).id == id;
    });
  };
  auto worked_on = [&](const instance_name& name) {
    auto open = cluster.open();
    return std::any_of(open.begin(), open.end(), [&](job_id n) {
      const auto& job = *cluster.job(n);
      return incident_of(job) == id
             && std::count(job.instances.begin(), job.instances.end(), name)
                  > 0;
    });
  };
  auto all = cluster.record().instances;
  return std::any_of(all.begin(), all.end(), [&](const auto& x) {
    return (x.uuid == uuid || x.name == uuid)
           && (tagged(x.name) || worked_on(x.name));
  });
}

/// Jobs of ours that work on one instance come one after the other.
void laws::check_alone(const sim_job& job) {
  const auto& name = job.instances.front();
  for (auto id : lab_->cluster.open()) {
    const auto& other = *lab_->cluster.job(id);
    if (id < job.id && ours(other) && !other.unheard
        && !is_bookkeeping(other.spec) && !given_up(other, job.submitted)
        && !errand_of(other)
        && std::count(other.instances.begin(), other.instances.end(), name) > 0)
      breach("S12",
             named(job) + " while " + named(other) + " still repairs " + name);
  }
}

void laws::check_single(const sim_job& job) {
  if (is_bookkeeping(job.spec))
    return check_opens(job);
  if (job.instances.empty())
    return;
  check_alone(job);
  const auto& name = job.instances.front();
  auto incident = incident_of(job);
  // Whatever it is called by now.
  const auto* record = lab_->cluster.instance(name);
  const auto& itself = record ? record->uuid : name;
  auto& known = repaired_.emplace(incident, itself).first->second;
  // Where nothing of it stands any more a person may use it once more.
  if (known != itself && !bears(known, incident, job.submitted))
    known = itself;
  if (known != itself)
    breach("S12",
           named(job) + " has the id " + incident + " of a repair of " + known);
  check_turn(job, name, incident);
}

void laws::check_opens(const sim_job& job) {
  for (const auto& op : job.spec.ops)
    if (op.kind == op_kind::tags_set && op.tags_on == tag_kind::instance)
      for (const auto& x : pending_tags(op.tags))
        check_turn(job, op.tag_object, x.id);
}

/// Whatever is written on the instance as unfinished comes first.
void laws::check_turn(const sim_job& job, const instance_name& name,
                      const incident_id& incident) {
  for (auto when : known_times(job)) {
    auto tags = lab_->cluster.tags_at(tag_kind::instance, name, when);
    auto all = pending_tags(tags);
    std::erase_if(tags, [&](const auto& text) { return removes(job, text); });
    if (pending_tags(tags).empty()
        || std::any_of(all.begin(), all.end(),
                       [&](const pending_tag& x) { return x.id == incident; }))
      return;
  }
  breach("S12", named(job) + " belongs to repair " + incident
                  + ", while another one stands unfinished on " + name);
}

/// What a person switched off comes back, and its copies with it, unless it was
/// dead before, or somebody says so since. Of an order whose journal was lost
/// nobody knows.
void laws::check_switched_off(const sim_job& job,
                              const std::set<node_name>& holders) {
  for (const auto& node : holders) {
    auto story = nodes_.find(node);
    if (story == nodes_.end())
      continue;
    // Unless it has worked between its fence and the order, or was off by order
    // before it.
    // Rows that a failing journal lost may have said what it is by now.
    auto fenced
      = story->second.phase.value_or(ha_phase::fenced) == ha_phase::fenced;
    auto since = story->second.fenced_since;
    auto put = story->second.put_off;
    auto lived = sight_.answered_between(node, since, story->second.wished_at,
                                         look_slack());
    auto before = put != never && put < since;
    auto ordered = std::max(put, story->second.wished_at);
    auto lost = word_about(node) != nullptr || said_lost(node, ordered);
    if (fenced && (lost || (!lived && !before)))
      continue;
    // It may be off for that though nobody wants it any more.
    auto still = put > journal_since_ && put + order_heard_in < job.submitted
                 && !lab_->truth.node(node).powered
                 && !sight_.answered_since(node, put + order_heard_in);
    auto wished = wished_off(node) && story->second.wished_at > journal_since_
                  && story->second.wished_at + order_heard_in < job.submitted;
    if (wished || still)
      breach("S25", named(job) + " gives up the data of "
                      + job.instances.front() + " although a person has " + node
                      + " switched off");
  }
}

void laws::check_data(const sim_job& job) {
  if (job.instances.empty() || job.old_home.empty())
    return;
  if (has_op(job, op_kind::instance_failover)) {
    check_copy(job);
    check_left(job);
  } else if (gives_up_mirror(job) && !of_event(job)) {
    check_copy(job);
  }
  const auto& cluster = lab_->cluster;
  const auto& name = job.instances.front();
  // What is marked down Ganeti moves without a look at its copies.
  const auto& ops = job.spec.ops;
  auto as_it_is = std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::instance_migrate && op.flag;
  });
  if (as_it_is && !of_event(job))
    check_kept_copy(job);
  if (!has_op(job, op_kind::recreate_disks)) {
    const auto& losses = lab_->truth.losses();
    auto lost
      = std::any_of(losses.begin(), losses.end(),
                    [&](const data_loss& x) { return x.instance == name; });
    if (has_op(job, op_kind::instance_reinstall) && !lost)
      breach("S25",
             named(job) + " writes over the disks that " + name + " has");
    return;
  }
  const auto& x = *cluster.instance(name);
  std::set<node_name> holders{x.secondaries.begin(), x.secondaries.end()};
  holders.insert(x.primary);
  auto times = known_times(job);
  for (const auto& node : holders)
    if (std::none_of(times.begin(), times.end(),
                     [&](instant t) { return cluster.offline_at(node, t); }))
      breach("S25", named(job) + " gives up the data of " + name + " although "
                      + node + " is not offline");
  check_switched_off(job, holders);
  const auto& copies = lab_->truth.copies(name);
  holders.insert(copies.begin(), copies.end());
  // What was switched on since the last look nobody could know.
  auto just_on = [&](const node_name& node) {
    auto boots = lab_->truth.node(node).boots_until;
    return boots > now_
           && job.submitted - (boots - world::boot_time) <= look_slack();
  };
  for (const auto& node : holders) {
    if (!lab_->truth.alive(node) || !cluster.offline_at(node, job.submitted)
        || just_on(node))
      continue;
    auto past_word = sworn_off(node, job.submitted) && says_nowhere_on(node);
    if (fooled(node) || (vouched(node) && silent(node)) || past_word)
      ++excused_;
    else
      breach("S25", named(job) + " gives up the data of " + name + " although "
                      + node + " lives and holds it");
  }
}

} // namespace orderly::sim
