// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about who may switch what, by errand or not: S4 S18 S19 S26 L6.

#include "sim/laws/bounds.hpp"
#include "sim/laws/job_words.hpp"
#include "sim/laws/laws.hpp"
#include "sim/laws/setting_words.hpp"
#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

namespace {

/// From an entry in the journal to everybody having heard of it.
constexpr millis hearsay = seconds{10};

/// More nodes than that need a count.
constexpr std::size_t uncounted_max = 5;

/// Does the errand switch nodes so?
bool wants(const errand_request& x, power_verb verb) {
  if (const auto* power = std::get_if<power_errand>(&x.what))
    return power->verb == verb;
  if (const auto* epo = std::get_if<epo_errand>(&x.what))
    return verb == (epo->on ? power_verb::on : power_verb::off);
  return false;
}

} // namespace

/// No name means no node, whatever anybody makes of it.
std::set<node_name> laws::targets_of(const errand_request& x) const {
  if (const auto* power = std::get_if<power_errand>(&x.what))
    return {power->nodes.begin(), power->nodes.end()};
  if (const auto* word = std::get_if<confirm_errand>(&x.what))
    return {word->node};
  if (const auto* change = std::get_if<modify_errand>(&x.what))
    return {change->node};
  std::set<node_name> result;
  const auto* epo = std::get_if<epo_errand>(&x.what);
  if (!epo)
    return result;
  for (const auto& n : lab_->cluster.record().nodes)
    if (epo->all || contains(epo->names, epo->groups ? n.group : n.name))
      result.insert(n.name);
  return result;
}

void laws::read_order(const person_order& order) {
  auto& x = errands_[order.number];
  switch (order.step) {
  case order_step::asked:
    x.wanted = order.wanted;
    x.since = order.at;
    x.targets = targets_of(order.wanted);
    if (std::holds_alternative<confirm_errand>(x.wanted.what))
      for (const auto& name : x.targets)
        if (lab_->truth.has(name) && lab_->truth.node(name).powered)
          nodes_[name].lied_about = order.at;
    break;
  case order_step::taken:
    x.id = order.id;
    x.taken_at = order.at;
    break;
  case order_step::refused:
    x.open = false;
    held_.merge(x.lifted);
    x.targets.clear();
    break;
  case order_step::ended:
    x.open = false;
    x.failed = order.failed;
    // Whoever was told that a word came to nothing does not stand by it, nor
    // by an order for off, unless that node is as they wanted it.
    if (order.failed && std::holds_alternative<confirm_errand>(x.wanted.what))
      x.targets.clear();
    for (const auto& name : x.targets)
      if (auto& story = nodes_[name];
          order.failed && wants(x.wanted, power_verb::off)
          && story.wish == power_state::off && lab_->truth.has(name)
          && lab_->truth.node(name).powered
          && (story.last_off_read == never
              || story.last_off_read < story.wished_at))
        story.wish = power_state::unknown;
    if (!order.failed && wants(x.wanted, power_verb::on))
      for (const auto& name : x.targets)
        nodes_[name].put_off = never;
  }
  const auto* epo = std::get_if<epo_errand>(&x.wanted.what);
  for (const auto& name : x.targets)
    if (epo && epo->on)
      x.lifted.insert(held_.extract(name));
    else if (epo && order.step == order_step::taken)
      held_.emplace(name, order.at);
    else if (epo && order.step == order_step::ended && order.failed)
      held_.erase(name);
}

/// The newest one that is under way and wants this.
laws::errand_story* laws::errand_of(const power_deed& deed) {
  errand_story* result = nullptr;
  for (auto& [number, x] : errands_)
    if (x.open && x.targets.count(deed.node) > 0 && wants(x.wanted, deed.verb))
      result = &x;
  return result;
}

/// Its home changed, and whoever asks has perhaps not read that yet.
bool laws::moved_lately(const instance_record& x) const {
  auto news = lab_->rules.cluster.picture_max_age;
  const auto& all = lab_->cluster.jobs();
  return std::any_of(all.begin(), all.end(), [&](const sim_job& job) {
    auto under_way = !is_final(job.status) || job.ended + news >= now_;
    return under_way && !job.leaves.empty()
           && std::count(job.instances.begin(), job.instances.end(), x.name);
  });
}

/// A person said that the node is off, during its present trouble and not
/// long ago, and was not refused.
const laws::errand_story* laws::word_about(const node_name& node) const {
  constexpr millis word_age = minutes{30};
  // It is asked for where nobody answers before it is believed or refused.
  constexpr millis asking = minutes{5};
  auto i = nodes_.find(node);
  auto since = now_ - word_age;
  if (i != nodes_.end())
    since = std::max(since, i->second.hunted_since);
  const errand_story* result = nullptr;
  for (const auto& [number, x] : errands_) {
    // A disk may hold it up.
    auto grace = lab_->journal.mood_since > x.since ? word_age
                 : x.open                           ? asking
                                                    : hearsay;
    if (std::holds_alternative<confirm_errand>(x.wanted.what)
        && x.targets.count(node) > 0 && x.since + grace >= since)
      result = &x;
  }
  return result;
}

/// Over by the journal, and whoever ordered it was perhaps not told yet.
bool laws::is_over(const errand_story& x) const {
  return over_.count(x.id) > 0;
}

/// A person's reset says nothing about how it shall be, and outdates what was
/// read before it. So does an order for on as long as it is under way.
bool laws::raised_since(const node_name& node, instant since) const {
  return std::any_of(errands_.begin(), errands_.end(), [&](const auto& entry) {
    const auto& x = entry.second;
    auto cycles = (x.open || x.since + hearsay >= since)
                  && wants(x.wanted, power_verb::cycle);
    auto raises = x.open && wants(x.wanted, power_verb::on);
    return x.targets.count(node) > 0 && (cycles || raises);
  });
}

/// A person switched it off, or an emergency power-off has it.
bool laws::left_alone(const node_name& node) const {
  return is_held(node) || wished_off(node);
}

/// Or was, and an order to hold it or to end that failed, whatever came of it.
bool laws::may_be_held(const node_name& node) const {
  return is_held(node)
         || std::any_of(errands_.begin(), errands_.end(), [&](const auto& x) {
              const auto& e = x.second;
              auto held = std::holds_alternative<epo_errand>(e.wanted.what)
                          && e.targets.count(node) > 0;
              return e.failed && (held || e.lifted.count(node) > 0);
            });
}

/// Also if the order to end it reached nobody, or did not bring it back.
bool laws::is_held(const node_name& node) const {
  const auto* record = lab_->cluster.node(node);
  auto away = record && record->offline;
  auto in_vain = [&](const errand_story& x) {
    return x.taken_at == never ? x.since + hearsay < now_ : x.failed && away;
  };
  return held_.count(node) > 0
         || std::any_of(errands_.begin(), errands_.end(), [&](const auto& x) {
              return x.second.lifted.count(node) > 0 && in_vain(x.second);
            });
}

/// A person switched it off, and it was not taken back by hand since: it is
/// off, or out of service, and was not up for long.
bool laws::wished_off(const node_name& node) const {
  constexpr millis taken_back = minutes{3};
  auto i = nodes_.find(node);
  const auto* record = lab_->cluster.node(node);
  return i != nodes_.end() && i->second.wish == power_state::off
         && (!record || record->offline || !lab_->truth.node(node).powered)
         && !sight_.answered_since(node, i->second.wished_at, taken_back);
}

void laws::check_size(const errand_story& errand, const std::string& what) {
  auto count = errand.switched.size();
  auto most = errand.wanted.count ? *errand.wanted.count : uncounted_max;
  if (count > most)
    breach("S18",
           what + " is the act of " + errand.id + " on node number "
             + std::to_string(count) + ", but the person meant "
             + (errand.wanted.count ? std::to_string(most)
                                    : "no more than " + std::to_string(most)));
}

/// It may be booting still, by a person's order, and has not answered since.
bool laws::boots_by_person(const node_name& node,
                           const node_story& story) const {
  auto at = story.booted_by_person;
  const auto* record = lab_->cluster.node(node);
  auto wait = boot_time_of(lab_->rules, record ? record->group : group_name{})
              - seconds{30};
  return at != never && now_ - at < wait && !sight_.answered_since(node, at)
         && lab_->truth.node(node).powered;
}

void laws::check_command(const power_deed& deed, node_story& story) {
  auto what = std::string{to_string(deed.verb)} + " of " + deed.node;
  if (auto* errand = errand_of(deed)) {
    errand->switched.insert(deed.node);
    check_stopped(errand->id, deed.at, what);
    if (deed.verb != power_verb::on)
      check_size(*errand, what);
    check_cut_off(*errand, deed);
    if (deed.verb != power_verb::off)
      check_relied_upon(*errand, deed);
    // A reset says nothing about how it shall be.
    if (deed.verb != power_verb::cycle) {
      story.wish
        = deed.verb == power_verb::off ? power_state::off : power_state::on;
      story.wished_at = deed.at;
    }
    if (deed.verb == power_verb::off)
      story.put_off = deed.at;
    return;
  }
  if (boots_by_person(deed.node, story))
    breach("S19", what + ", which a person had switched on a moment ago");
  check_boot(deed, story);
  if (deed.verb == power_verb::off)
    story.tried.insert(deed.program);
  if (story.phase == ha_phase::fenced && deed.verb != power_verb::off)
    breach("S4", what + ", which is fenced, and no person wanted it");
  if (wished_off(deed.node) && deed.verb != power_verb::off)
    breach("S19", what + " although a person switched it off");
  if (deed.verb != power_verb::off)
    if (const auto* errand = taker_of(deed.node, deed.at);
        errand && errand->switched.count(deed.node) == 0)
      breach("S19", what + ", which " + errand->wanted.who + " takes away by "
                      + errand->id);
  auto intent = intents_[last_intent_[node_object(deed.node) + " "
                                      + to_string(deed.verb)]];
  // After a jump of our clocks each trouble begins anew.
  if (story.wish == power_state::on && deed.verb != power_verb::on
      && story.hunted_since != never && lab_->clocks_jumped <= story.wished_at
      && story.hunted_since + hearsay < story.wished_at
      && intent.at > story.wished_at + hearsay)
    breach("S19", what + " for a trouble from before a person switched it on");
  // What is not known is judged by the other laws.
  if (story.phase && story.phase != ha_phase::fencing
      && story.phase != ha_phase::recovering && story.phase != ha_phase::fenced)
    breach("S18", what + ", which nobody asked for");
  auto held = held_.find(deed.node);
  if (held != held_.end() && held->second + hearsay < deed.at)
    breach("S26", what + " while an emergency power-off has it");
}

/// An errand's jobs concern what it names.
void laws::check_errand_job(const sim_job& job, const errand_story& errand) {
  // How a node was switched is recorded, and our own mark taken back.
  const auto& first = job.spec.ops.front();
  if (!first.powered && first.offline != false)
    check_stopped(errand.id, left_at(job), named(job));
  for (const auto& op : job.spec.ops)
    if (!concerns(op, errand)) {
      breach("S18", named(job) + " of " + errand.id
                      + " concerns nothing that the person named");
      return;
    }
}

void laws::check_fenced_empty(const sim_job& job) {
  auto since = intents_[job.intent].at;
  auto fenced = [&](const node_name& name) {
    auto i = nodes_.find(name);
    return i != nodes_.end() && i->second.phase == ha_phase::fenced
           && i->second.fenced_since + hearsay < since;
  };
  auto places = job.joins;
  if (has_op(job, op_kind::instance_startup)
      && !has_op(job, op_kind::recreate_disks))
    places.push_back(job.old_home);
  for (const auto& name : places)
    if (fenced(name))
      breach("S4", named(job) + " uses " + name + ", which is fenced");
}

void laws::check_held(const sim_job& job) {
  auto since = intents_[job.intent].at;
  auto ends_now = [&](const node_name& name) {
    return std::any_of(errands_.begin(), errands_.end(), [&](const auto& x) {
      return x.second.open && is_over(x.second)
             && x.second.targets.count(name) > 0;
    });
  };
  auto held = [&](const node_name& name) {
    auto i = held_.find(name);
    return i != held_.end() && i->second + hearsay < since && !ends_now(name)
           && !notes_a_job_from_before(job, i->second + hearsay)
           && !only_forbids(job);
  };
  std::set<node_name> nodes;
  for (const auto& op : job.spec.ops)
    nodes.insert(op.node);
  for (const auto& name : job.instances)
    if (const auto* x = lab_->cluster.instance(name)) {
      nodes.insert(x->primary);
      nodes.insert(x->secondaries.begin(), x->secondaries.end());
    }
  nodes.insert(job.joins.begin(), job.joins.end());
  auto i = std::find_if(nodes.begin(), nodes.end(), held);
  if (i != nodes.end())
    breach("S26", named(job) + " concerns " + *i
                    + ", which an emergency power-off has");
}

/// As the settings say, read a second time.
std::vector<std::string> laws::levels_of(const node_name& node) const {
  const auto& rules = lab_->rules.power;
  const auto& record = *lab_->cluster.node(node);
  for (const auto& key : {node, "group:" + record.group, std::string{"*"}}) {
    auto i = rules.levels.find(key);
    if (i == rules.levels.end())
      continue;
    auto result = i->second;
    std::replace(result.begin(), result.end(), std::string{"cluster"},
                 record.oob_program);
    std::erase_if(result, [](const auto& x) { return x.empty() || x == "!"; });
    return result;
  }
  auto one = rules.program.empty() ? record.oob_program : rules.program;
  return one.empty() || one == "!" ? std::vector<std::string>{}
                                   : std::vector<std::string>{one};
}

void laws::check_levels(const liveness_bounds& bounds) {
  const auto& lab = *lab_;
  if (!lab.rules.host_ha.enabled || !lab.daemon_wanted
      || lab.master().who != lab.self() || lab.truth.uplink_cut()
      || lab.cluster.habits.luxi_down || lab.journal.mood != disk_mood::ok
      || paused_ != never)
    return;
  for (const auto& [name, story] : nodes_) {
    if (story.phase != ha_phase::fencing || !lab.cluster.node(name)
        || std::max(story.fencing_since, pauses_kept_[false]) + bounds.levels
             > now_)
      continue;
    auto levels = levels_of(name);
    for (const auto& program : levels)
      if (story.tried.count(program) == 0)
        breach("L6", "the fence of " + name + " never came to " + program);
    if (!story.alarm)
      breach("L6", "the fence of " + name + " is stuck, and nobody was asked");
  }
}

} // namespace orderly::sim
