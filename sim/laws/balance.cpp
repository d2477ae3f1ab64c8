// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about balancing: S27 S28 S29 S30 S40. They read tags and add up memory
// by themselves, without anything of the planner.

#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// Until the news of a node has come to everybody.
constexpr millis hearsay = seconds{2};

/// From an answer of a mirror until the job of whoever asked has left.
constexpr millis answer_to_act = seconds{30};

/// Since when the copy on `node` has not had all that was written; `never`: it
/// has.
instant poor_since(const world& truth, const instance_name& name,
                   const node_name& node) {
  if (truth.faulty_mirror(name) == node)
    return truth.faulty_since(name);
  return truth.diverged(name) ? truth.apart_since(name)
                              : truth.behind_since(name, node);
}

struct spot {
  node_name primary;
  node_name secondary;
};

/// Before it does anything but to change tags it fails where the copies are not
/// in step.
bool asks_its_copies(const sim_job& job) {
  const auto& ops = job.spec.ops;
  auto first = std::find_if(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind != op_kind::tags_set && op.kind != op_kind::tags_del
           && op.kind != op_kind::wait;
  });
  return first != ops.end() && first->kind == op_kind::activate_disks
         && first->flag;
}

spot spot_of(const instance_record& x) {
  return {x.primary, x.secondaries.empty() ? node_name{} : x.secondaries[0]};
}

/// Where the job puts it, opcode by opcode.
spot after(spot x, const std::vector<opcode>& ops) {
  for (const auto& op : ops) {
    if (op.kind == op_kind::activate_disks)
      continue;
    if (op.kind == op_kind::replace_disks)
      x.secondary = op.target;
    else if (x.secondary.empty())
      x.primary = op.target;
    else
      std::swap(x.primary, x.secondary);
  }
  return x;
}

/// Memory and mirrors of the whole cluster, with one instance anywhere.
struct ledger {
  const lab_state& lab;
  const instance_record* moved;
  spot where;

  [[nodiscard]] spot of(const instance_record& x) const {
    return &x == moved ? where : spot_of(x);
  }

  /// What is neither wanted by the record nor taken by what really runs.
  [[nodiscard]] std::int64_t left(const node_name& node) const {
    const auto& stock = lab.cluster.stock(node);
    auto result = stock.full ? 0 : stock.memory_mib;
    for (const auto& x : lab.cluster.record().instances) {
      auto here = of(x).primary == node && x.admin == admin_state::up;
      auto alien = &x != moved && lab.truth.runs_on(x.name, node);
      result -= here || alien ? x.memory_mib : 0;
    }
    return result;
  }

  /// What would come here if the worst single other node were lost.
  [[nodiscard]] std::int64_t awaited(const node_name& node) const {
    std::map<node_name, std::int64_t> from;
    for (const auto& x : lab.cluster.record().instances)
      if (x.disks == disk_template::drbd && of(x).secondary == node
          && x.admin != admin_state::offline)
        from[of(x).primary] += x.memory_mib;
    std::int64_t most = 0;
    for (const auto& [name, memory] : from)
      most = std::max(most, memory);
    return most;
  }
};

} // namespace

void laws::check_balancing(const sim_job& job) {
  check_protected(job);
  check_targets(job);
  check_n_plus_one(job);
  check_calm(job);
  check_kept_copy(job);
}

/// One copy is given up, or is the one that is written to from then on: the
/// other has everything. What happened since it was asked nobody could know;
/// that Ganeti may refuse the job is no excuse, unless the job itself asks how
/// the other is before it does anything.
void laws::check_kept_copy(const sim_job& job) {
  const auto* x = job.instances.empty()
                    ? nullptr
                    : lab_->cluster.instance(job.instances.front());
  if (!x || x->secondaries.empty() || job.spec.ops.empty())
    return;
  if (asks_its_copies(job))
    return;
  // What is copied anew is as good as what it was copied from.
  auto replaced = job.spec.ops.front().kind == op_kind::replace_disks;
  const auto& kept = replaced ? x->primary : x->secondaries.front();
  // Where both have writes of their own the one that runs is kept.
  if (replaced && of_event(job) && lab_->truth.diverged(x->name))
    return;
  auto since = poor_since(lab_->truth, x->name, kept);
  if (since != never && since + answer_to_act < left_at(job))
    breach("S40", named(job) + " relies on the copy of " + x->name + " on "
                    + kept + ", which has lacked something for "
                    + std::to_string((left_at(job) - since) / seconds{1})
                    + " s");
}

/// Nor is a copy with writes of its own written over.
void laws::check_overwritten() {
  const auto& all = lab_->truth.overwritings();
  for (; overwritings_read_ < all.size(); ++overwritings_read_) {
    const auto& x = all[overwritings_read_];
    for (const auto& job : lab_->cluster.jobs()) {
      auto at_it
        = job.begun != never && (!is_final(job.status) || job.ended >= x.at)
          && std::count(job.instances.begin(), job.instances.end(), x.instance)
               > 0;
      if (at_it && balances(job) && ours(job) && !job.unheard
          && x.apart + answer_to_act < left_at(job))
        breach("S40", named(job) + " writes over the copy of " + x.instance
                        + " on " + x.where + ", which had writes of its own");
    }
  }
}

/// Its instances may have to go to any node of the group, and would wait for
/// the job.
void laws::check_calm(const sim_job& job) {
  auto intent = intents_.find(job.intent);
  if (intent == intents_.end())
    return;
  std::set<group_name> groups;
  for (const auto* names : {&job.leaves, &job.joins})
    for (const auto& name : *names)
      if (const auto* node = lab_->cluster.node(name))
        groups.insert(node->group);
  for (const auto& [name, story] : nodes_) {
    const auto* node = lab_->cluster.node(name);
    auto known = story.hunted_since != never
                 && story.hunted_since + hearsay < intent->second.at;
    if (known && node && !node->offline && groups.count(node->group) != 0)
      breach("S30", named(job) + " was begun although " + name
                      + " of its group is in trouble");
  }
}

void laws::check_protected(const sim_job& job) {
  const auto& cluster = lab_->cluster;
  for (const auto& name : job.instances) {
    auto times = known_times(job);
    auto open = [&](instant when) {
      return !untouchable(name, when, our_calendar(job.submitted))
             && pending_tags(cluster.tags_at(tag_kind::instance, name, when))
                  .empty();
    };
    if (std::none_of(times.begin(), times.end(), open))
      breach("S27", named(job) + " although " + name
                      + " is suspended, or a repair stands on it");
  }
}

/// Why nothing should come to the node; empty: nothing speaks against it.
std::string laws::unfit(const node_name& name, const sim_job& job) const {
  auto times = known_times(job);
  auto first = *std::min_element(times.begin(), times.end());
  if (lab_->cluster.offline_since(name, first))
    return "is offline";
  if (lab_->cluster.drained_since(name, first))
    return "is drained";
  auto intent = intents_.find(job.intent);
  auto i = nodes_.find(name);
  if (intent == intents_.end() || i == nodes_.end())
    return {};
  const auto& story = i->second;
  auto since = intent->second.at;
  auto long_before
    = [&](instant x) { return x != never && x + hearsay < since; };
  if (long_before(story.hunted_since))
    return "is in trouble";
  if (story.phase == ha_phase::fenced && long_before(story.fenced_since))
    return "is fenced";
  if (wished_off(name) && long_before(story.wished_at))
    return "was switched off by a person";
  return {};
}

void laws::check_targets(const sim_job& job) {
  for (const auto& name : job.joins) {
    auto why = unfit(name, job);
    if (!why.empty())
      breach("S28", named(job) + " fills " + name + ", which " + why);
  }
}

/// Has anybody else moved something at these nodes, which whoever planned the
/// job may not have heard of?
bool laws::stirred(const std::set<node_name>& nodes, const sim_job& job) const {
  auto news = 2 * lab_->rules.cluster.poll_interval + hearsay;
  const auto& all = lab_->cluster.jobs();
  return std::any_of(all.begin(), all.end(), [&](const sim_job& x) {
    auto old = is_final(x.status) && x.ended + news < job.submitted;
    auto meets = [&](const std::vector<node_name>& names) {
      return std::any_of(names.begin(), names.end(), [&](const node_name& n) {
        return nodes.count(n) > 0;
      });
    };
    return !old && !balances(x) && !is_bookkeeping(x.spec)
           && (meets(x.leaves) || meets(x.joins));
  });
}

void laws::check_n_plus_one(const sim_job& job) {
  const auto* x = job.instances.empty()
                    ? nullptr
                    : lab_->cluster.instance(job.instances.front());
  if (!x)
    return;
  auto from = spot_of(*x);
  auto to = after(from, job.spec.ops);
  std::set<node_name> nodes;
  for (const auto& name :
       {from.primary, from.secondary, to.primary, to.secondary})
    if (lab_->cluster.node(name))
      nodes.insert(name);
  if (stirred(nodes, job))
    return;
  ledger now{*lab_, x, from};
  ledger then{*lab_, x, to};
  for (const auto& name : nodes)
    if (now.awaited(name) < now.left(name)
        && then.awaited(name) > then.left(name))
      breach("S29", named(job) + " takes N+1 from " + name + ": "
                      + std::to_string(then.awaited(name)) + " MiB may come, "
                      + std::to_string(then.left(name)) + " MiB are free");
}

} // namespace orderly::sim
