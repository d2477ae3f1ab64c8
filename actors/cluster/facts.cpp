// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/facts.hpp"

#include "actors/cluster/places.hpp"
#include "actors/group/group.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/host_ha/host_ha.hpp"
#include "actors/policy/host_ha/switches.hpp"
#include "actors/policy/repair/permission.hpp"
#include "actors/policy/repair/plan.hpp"
#include "actors/policy/repair/record.hpp"
#include "actors/policy/repair/tags.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "messages/host_name.hpp"

#include <algorithm>

namespace orderly {

namespace {

std::vector<std::string> about_repair(const std::vector<std::string>& tags) {
  std::vector<std::string> result;
  for (const auto& text : tags)
    if (text.starts_with(tags::prefix))
      result.push_back(text);
  return result;
}

/// The repair that a tag of an instance is about, under way or over; or empty.
incident_id repair_in(const std::string& text) {
  if (!text.starts_with(tags::prefix))
    return {};
  auto tag = tags::parse(text);
  if (!tag)
    return {};
  if (const auto* open = std::get_if<tags::pending>(&*tag))
    return open->id;
  const auto* end = std::get_if<tags::result>(&*tag);
  return end == nullptr ? incident_id{} : end->id;
}

std::map<incident_id, std::vector<instance_name>>
shared_in(const cluster_record& picture) {
  std::map<incident_id, std::vector<instance_name>> result;
  for (const auto& x : picture.instances)
    for (const auto& text : x.tags) {
      auto id = repair_in(text);
      if (id.empty())
        continue;
      auto& bearers = result[std::move(id)];
      if (bearers.size() < 2 && (bearers.empty() || bearers.back() != x.name))
        bearers.push_back(x.name);
    }
  std::erase_if(result, [](const auto& x) { return x.second.size() < 2; });
  return result;
}

/// Of those that its pending tags bear.
std::map<incident_id, instance_name> shared_by(const cluster_digest& d,
                                               const instance_record& x) {
  std::map<incident_id, instance_name> result;
  if (d.shared.empty())
    return result;
  for (const auto& text : x.tags)
    if (auto i = d.shared.find(repair_in(text)); i != d.shared.end())
      result.emplace(i->first, i->second[i->second[0] == x.name ? 1 : 0]);
  return result;
}

bool is_offline(const cluster_state& st, const node_name& name) {
  const auto* node = find_record(st.picture->nodes, name);
  return node != nullptr && node->offline;
}

/// What it takes to start it elsewhere, if its home is off; nullopt: nothing
/// does.
std::optional<tags::repair_type> way_out(const cluster_state& st,
                                         const instance_record& x) {
  if (x.admin != admin_state::up)
    return std::nullopt;
  auto drbd = x.disks == disk_template::drbd && !x.secondaries.empty();
  if (is_external(x.disks) || (drbd && !is_offline(st, x.secondaries.front())))
    return tags::repair_type::failover;
  if (drbd || x.disks == disk_template::plain || x.disks == disk_template::file)
    return tags::repair_type::reinstall;
  return std::nullopt;
}

/// By its tags, and those of its group and the cluster.
bool may_leave(const cluster_state& st, const node_record& home,
               const instance_record& x) {
  auto type = way_out(st, x);
  if (!type)
    return false;
  auto at = st.read_at - st.ctx->ahead(st.read_at);
  auto tags = autorepair::read_tags(x.tags, at);
  auto group = st.digest.group_tags.find(home.group);
  static const std::vector<std::string> none;
  auto may
    = permission_of(x.name, x.tags, home.group,
                    group == st.digest.group_tags.end() ? none : group->second,
                    st.digest.cluster_tags, at);
  return autorepair::may_be_repaired(tags, may, *type);
}

} // namespace

std::map<node_name, std::vector<instance_name>>
stranded_in(const cluster_state& st) {
  std::map<node_name, std::vector<instance_name>> result;
  for (const auto& home : st.picture->nodes) {
    auto there = st.lodgers.find(home.name);
    if (!home.offline || there == st.lodgers.end())
      continue;
    for (auto index : there->second)
      if (const auto& x = st.picture->instances[index];
          x.primary == home.name && may_leave(st, home, x))
        result[home.name].push_back(x.name);
  }
  return result;
}

std::set<node_name> given_up_in(const cluster_state& st) {
  std::set<node_name> result;
  auto add = [&](const node_name& name) {
    if (is_offline(st, name))
      result.insert(name);
  };
  for (const auto& job : st.picture->jobs) {
    auto act = act_of(intent_in_trail(job.reason));
    if (act != act_kind::failover && act != act_kind::reinstall)
      continue;
    for (const auto& name : job.instances)
      if (const auto* x = find_record(st.picture->instances, name)) {
        add(x->primary);
        // New disks give up what its mirrors hold, too.
        if (act == act_kind::reinstall)
          std::for_each(x->secondaries.begin(), x->secondaries.end(), add);
      }
  }
  return result;
}

node_facts facts_of(const cluster_state& st, const node_record& record) {
  node_facts f;
  f.record = record;
  auto own = st.ctx->rules()->leader.own_node;
  f.is_master = record.name == st.picture->master;
  f.is_self = own.empty() ? f.is_master : is_same_host(own, record.name);
  f.online = st.digest.online;
  f.read_at = st.read_at;
  f.recorded_on = keeps_power_record(record)
                    ? record.powered
                    : st.recorded_off.count(record.name) == 0;
  f.wish = wish_in(st.wishes, record.name, record.uuid);
  if (auto i = st.stranded.find(record.name); i != st.stranded.end())
    f.stranded = i->second;
  f.is_home = st.homes.count(record.name) != 0;
  f.given_up = st.given_up.count(record.name) != 0;
  if (auto i = st.held.find(record.name); i != st.held.end())
    f.held = i->second;
  // Those of the master are its own.
  auto leads = own.empty() || is_same_host(own, st.picture->master);
  if (auto i = st.digest.marks.find(record.name);
      leads && i != st.digest.marks.end())
    f.marks = i->second;
  f.leaving = st.leaving.count(record.name) != 0;
  f.falling = st.said.falling.count(record.name) != 0
              || st.parting.count(record.name) != 0;
  if (auto i = st.rising.find(record.name); i != st.rising.end())
    f.rising = i->second;
  if (auto i = st.said.raised.find(record.name); i != st.said.raised.end())
    f.raised = i->second;
  f.disabled = host_ha::stand_of(st.said.switches, *st.picture, record).why;
  return f;
}

namespace {

/// By Ganeti's allocator, whatever we know of it.
bool may_be_picked(const node_record& node) {
  return !node.drained && !node.offline && node.vm_capable;
}

} // namespace

cluster_digest digest_of(const cluster_state& st) {
  const auto& picture = *st.picture;
  cluster_digest d;
  d.spares = spares_in(st);
  d.unfit = unfit_in(st);
  std::vector<node_name> online;
  for (const auto& node : picture.nodes) {
    if (!node.offline)
      online.push_back(node.name);
  }
  d.cluster_tags = about_repair(picture.tags);
  d.shared = shared_in(picture);
  for (const auto& group : picture.groups)
    d.group_tags.emplace(group.name, about_repair(group.tags));
  d.online = std::make_shared<const std::vector<node_name>>(std::move(online));
  for (const auto& job : picture.jobs) {
    for (const auto& name : job.instances)
      d.jobs[name].push_back(job);
    if (is_mark(intent_in_trail(job.reason)))
      for (const auto& name : job.nodes)
        d.marks[name].push_back(job);
  }
  return d;
}

namespace {

/// Only a reading from after that shows what was sent before.
bool is_in_trouble(const cluster_state& st, const node_name& name) {
  auto standing = st.standings.find(name);
  auto since = st.troubled_at.find(name);
  return standing != st.standings.end()
         && (standing->second.troubled
             || standing->second.phase == ha_phase::fenced)
         && (since == st.troubled_at.end() || st.read_at > since->second);
}

/// Why a repair event has the instance, as long as its home lives; or empty.
std::string kept_by_event(const cluster_state& st, const instance_record& x) {
  const auto* home = find_record(st.picture->nodes, x.primary);
  if (home == nullptr || home->offline || is_in_trouble(st, x.primary))
    return {};
  auto i = st.upkeep.find(x.primary);
  for (const auto& name : x.secondaries)
    if (i == st.upkeep.end())
      i = st.upkeep.find(name);
  return i == st.upkeep.end() ? std::string{} : i->second;
}

} // namespace

instance_facts facts_of(const cluster_state& st,
                        const instance_record& record) {
  const auto& d = st.digest;
  instance_facts f;
  f.record = record;
  f.read_at = st.read_at;
  f.cluster_tags = d.cluster_tags;
  f.unfit = d.unfit;
  f.shared = shared_by(d, record);
  auto own_spares = std::uint32_t{0};
  auto add = [&](const node_name& name, bool primary) {
    const auto* node = find_record(st.picture->nodes, name);
    if (node == nullptr)
      return;
    if (primary)
      f.group = node->group;
    if (may_take(st, *node) && node->group == f.group)
      ++own_spares;
    f.nodes.push_back(*node);
    if (auto i = st.held.find(name); i != st.held.end() && f.held.empty())
      f.held = i->second;
    if (auto i = st.standings.find(name); i != st.standings.end())
      f.standings.insert(*i);
    if (auto i = st.rising.find(name); i != st.rising.end())
      f.rising.insert(*i);
  };
  add(record.primary, true);
  for (const auto& name : record.secondaries)
    add(name, false);
  if (f.held.empty())
    f.held = kept_by_event(st, record);
  auto leaving = st.leaving;
  leaving.insert(st.upkeep.begin(), st.upkeep.end());
  for (const auto& [name, why] : leaving)
    if (const auto* node = find_record(st.picture->nodes, name);
        node != nullptr && node->group == f.group) {
      f.leaving.emplace(name, why);
      if (f.pickable.empty() && may_be_picked(*node))
        f.pickable = name;
    }
  if (auto i = d.group_tags.find(f.group); i != d.group_tags.end())
    f.group_tags = i->second;
  if (auto i = d.spares.find(f.group); i != d.spares.end())
    f.spare_nodes = i->second - std::min(i->second, own_spares);
  if (auto i = d.jobs.find(record.name); i != d.jobs.end())
    f.jobs = i->second;
  // Where nobody asks any more, what was heard last is no news.
  auto asks = st.ctx->rules()->autorepair.mirror_interval > millis{0};
  if (auto i = st.mirrors.find(record.name); asks && i != st.mirrors.end()) {
    f.mirror_read_at = i->second.at;
    f.mirror_heard_at = i->second.answered_at;
    f.mirror_well = i->second.fault.empty();
    f.mirror_near = can_be_asked(*st.picture, st.standings, record);
    f.mirror_fault = i->second.fault;
    f.mirror_seen = i->second.seen;
  }
  return f;
}

void send_facts(cluster_self self, const instance_record& x) {
  auto i = self->state.instances.find(x.name);
  if (i != self->state.instances.end())
    self->send(i->second, facts_of(self->state, x));
}

void send_facts(cluster_self self, const node_record& x) {
  auto i = self->state.nodes.find(x.name);
  if (i != self->state.nodes.end())
    self->send(i->second, facts_of(self->state, x));
}

void send_tags(cluster_self self, const group_name& name) {
  auto& st = self->state;
  const auto& d = st.digest;
  auto found = d.group_tags.find(name);
  static const std::vector<std::string> none;
  const auto& tags = name.empty()                  ? d.cluster_tags
                     : found == d.group_tags.end() ? none
                                                   : found->second;
  if (due_removals(tags, *st.ctx, st.read_at).empty())
    st.removing.erase(name);
  else
    st.removing.insert(name); // until it says otherwise it begins
  if (tags.empty() && st.tagged.count(name) == 0)
    return;
  auto i = st.groups.find(name);
  if (i == st.groups.end())
    return; // it is told when it lives
  if (tags.empty())
    st.tagged.erase(name);
  else
    st.tagged.insert(name);
  self->send(i->second, group_facts{tags, st.read_at});
}

void send_tags(cluster_self self) {
  send_tags(self, {});
  for (const auto& x : self->state.picture->groups)
    send_tags(self, x.name);
}

} // namespace orderly
