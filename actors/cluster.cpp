// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster.hpp"

#include "actors/instance.hpp"
#include "actors/node.hpp"
#include "actors/policy/backoff.hpp"

#include <algorithm>

namespace orderly {

namespace {

using self_ptr = cluster_actor::stateful_pointer<cluster_state>;

void poll(self_ptr self);

template <class Record>
const Record* find_record(const std::vector<Record>& all,
                          const std::string& name) {
  auto i = std::lower_bound(
    all.begin(), all.end(), name,
    [](const Record& x, const std::string& wanted) { return x.name < wanted; });
  return i != all.end() && i->name == name ? &*i : nullptr;
}

bool can_host(const node_record& node) {
  return !node.offline && !node.drained && node.vm_capable;
}

services with_us(self_ptr self) {
  auto result = self->state.peers;
  result.cluster = caf::actor_cast<cluster_actor>(self);
  return result;
}

// --- facts for one member ---------------------------------------------------

node_facts facts_of(const cluster_state& st, const node_record& record) {
  node_facts f;
  f.record = record;
  auto own = st.ctx->rules()->leader.own_node;
  f.is_master = record.name == st.picture->master;
  f.is_self = own.empty() ? f.is_master : record.name == own;
  for (const auto& other : st.picture->nodes)
    if (other.name != record.name && !other.offline)
      f.neighbours.push_back(other.name);
  f.read_at = st.read_at;
  return f;
}

/// What all instances of one picture share, worked out once.
struct digest {
  std::map<group_name, std::uint32_t> spares;
  std::map<instance_name, std::vector<running_job>> jobs;
};

digest digest_of(const cluster_record& picture) {
  digest d;
  for (const auto& node : picture.nodes)
    if (can_host(node))
      ++d.spares[node.group];
  for (const auto& job : picture.jobs)
    for (const auto& name : job.instances)
      d.jobs[name].push_back(job);
  return d;
}

instance_facts facts_of(const cluster_state& st, const digest& d,
                        const instance_record& record) {
  instance_facts f;
  f.record = record;
  f.read_at = st.read_at;
  f.cluster_tags = st.picture->tags;
  auto own_spares = std::uint32_t{0};
  auto add = [&](const node_name& name, bool primary) {
    const auto* node = find_record(st.picture->nodes, name);
    if (node == nullptr)
      return;
    if (primary)
      f.group = node->group;
    if (can_host(*node) && node->group == f.group)
      ++own_spares;
    f.nodes.push_back(*node);
    if (auto i = st.standings.find(name); i != st.standings.end())
      f.standings.insert(*i);
  };
  add(record.primary, true);
  for (const auto& name : record.secondaries)
    add(name, false);
  if (const auto* group = find_record(st.picture->groups, f.group))
    f.group_tags = group->tags;
  if (auto i = d.spares.find(f.group); i != d.spares.end())
    f.spare_nodes = i->second - std::min(i->second, own_spares);
  if (auto i = d.jobs.find(record.name); i != d.jobs.end())
    f.jobs = i->second;
  return f;
}

// --- routing ----------------------------------------------------------------

void send_facts(self_ptr self, const digest& d, const instance_record& x) {
  auto i = self->state.instances.find(x.name);
  if (i != self->state.instances.end())
    self->send(i->second, facts_of(self->state, d, x));
}

/// Everything that can make an instance look different in the new picture
/// although its own record is the same.
struct changes {
  bool all = false; ///< cluster tags, a group, or spare room
  std::set<node_name> nodes;
  std::set<instance_name> jobs;
};

changes changes_between(const cluster_record& before,
                        const cluster_record& after) {
  changes c;
  c.all = before.tags != after.tags || before.groups != after.groups;
  std::map<node_name, const node_record*> old;
  for (const auto& node : before.nodes)
    old.emplace(node.name, &node);
  for (const auto& node : after.nodes) {
    auto i = old.find(node.name);
    if (i == old.end() || *i->second != node) {
      c.nodes.insert(node.name);
      // Room in the group came or went.
      if (i == old.end() || can_host(*i->second) != can_host(node))
        c.all = true;
    }
  }
  if (before.nodes.size() != after.nodes.size())
    c.all = true;
  if (before.jobs != after.jobs)
    for (const auto* jobs : {&before.jobs, &after.jobs})
      for (const auto& job : *jobs)
        c.jobs.insert(job.instances.begin(), job.instances.end());
  return c;
}

bool concerns(const changes& c, const instance_record& x) {
  if (c.all || c.jobs.count(x.name) != 0 || c.nodes.count(x.primary) != 0)
    return true;
  return std::any_of(x.secondaries.begin(), x.secondaries.end(),
                     [&](const node_name& n) { return c.nodes.count(n) != 0; });
}

template <class Record>
std::map<std::string, const Record*>
by_name(const std::vector<Record>& records) {
  std::map<std::string, const Record*> result;
  for (const auto& record : records)
    result.emplace(record.name, &record);
  return result;
}

void index_lodgers(cluster_state& st) {
  st.lodgers.clear();
  for (std::size_t i = 0; i < st.picture->instances.size(); ++i) {
    const auto& x = st.picture->instances[i];
    st.lodgers[x.primary].push_back(i);
    for (const auto& name : x.secondaries)
      st.lodgers[name].push_back(i);
  }
}

void start_node(self_ptr self, const node_name& name) {
  auto ctx = self->state.ctx;
  auto peers = with_us(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(self->state.members,
             start_child{node_object(name), [=] {
                           auto h = system->spawn(node, ctx, peers, name);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, node_started{name}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

void start_instance(self_ptr self, const instance_name& name) {
  auto ctx = self->state.ctx;
  auto peers = with_us(self);
  auto* system = &self->system();
  auto boss = caf::actor_cast<caf::actor_addr>(self);
  self->send(self->state.members,
             start_child{instance_object(name), [=] {
                           auto h = system->spawn(instance, ctx, peers, name);
                           if (auto up = caf::actor_cast<caf::actor>(boss))
                             caf::anon_send(up, instance_started{name}, h);
                           return caf::actor_cast<caf::actor>(h);
                         }});
}

/// Tells the others that a node is no more.
void forget_node(self_ptr self, const node_name& name) {
  auto& st = self->state;
  st.nodes.erase(name);
  st.standings.erase(name);
  self->send(st.members, stop_child{node_object(name)});
  self->send(st.peers.scheduler, permit_release{node_object(name)});
  node_standing gone;
  gone.node = name;
  gone.phase = ha_phase::disabled;
  gone.reason = "no longer part of the cluster";
  self->send(st.peers.scheduler, gone);
}

void compare_nodes(self_ptr self, const cluster_record& before) {
  auto& st = self->state;
  auto old = by_name(before.nodes);
  auto neighbours_changed = before.master != st.picture->master
                            || before.nodes.size() != st.picture->nodes.size();
  for (const auto& record : st.picture->nodes) {
    auto i = old.find(record.name);
    if (i == old.end() || i->second->offline != record.offline)
      neighbours_changed = true;
  }
  for (const auto& record : st.picture->nodes) {
    auto i = old.find(record.name);
    if (i == old.end())
      start_node(self, record.name);
    else if (neighbours_changed || *i->second != record)
      if (auto n = st.nodes.find(record.name); n != st.nodes.end())
        self->send(n->second, facts_of(st, record));
    if (i != old.end())
      old.erase(i);
  }
  for (const auto& [name, record] : old)
    forget_node(self, name);
}

void compare_instances(self_ptr self, const cluster_record& before) {
  auto& st = self->state;
  auto d = digest_of(*st.picture);
  auto c = changes_between(before, *st.picture);
  auto old = by_name(before.instances);
  for (const auto& record : st.picture->instances) {
    auto i = old.find(record.name);
    if (i == old.end())
      start_instance(self, record.name);
    else if (*i->second != record || concerns(c, record)
             || st.attentive.count(record.name) != 0)
      send_facts(self, d, record);
    if (i != old.end())
      old.erase(i);
  }
  for (const auto& [name, record] : old) {
    st.instances.erase(name);
    st.attentive.erase(name);
    self->send(st.members, stop_child{instance_object(name)});
    self->send(st.peers.scheduler, permit_release{instance_object(name)});
  }
}

void take_picture(self_ptr self, const cluster_picture& next) {
  auto& st = self->state;
  auto before = std::move(st.picture);
  st.picture = next;
  if (before == next) {
    // Nothing changed; those who wait for a fresh look get one.
    if (st.attentive.empty())
      return;
    auto d = digest_of(*st.picture);
    for (const auto& name : st.attentive)
      if (const auto* x = find_record(st.picture->instances, name))
        send_facts(self, d, *x);
    return;
  }
  static const cluster_record nothing;
  const auto& old = before ? *before : nothing;
  index_lodgers(st);
  compare_nodes(self, old);
  compare_instances(self, old);
}

// --- polling ----------------------------------------------------------------

void poll_after(self_ptr self, millis pause) {
  self->delayed_send(self, pause, tick{0, ++self->state.generation});
}

/// Something of ours changed the cluster, or is about to need the truth.
void poll_soon(self_ptr self) {
  auto& st = self->state;
  if (st.polling || st.soon)
    st.soon = true; // a poll is near already: never put it off
  else {
    st.soon = true;
    poll_after(self, millis{200});
  }
}

void polled(self_ptr self, bool answered, const cluster_answer& answer) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  st.polling = false;
  poll_report report;
  report.answered = answered && answer.picture != nullptr;
  report.is_master = answer.is_master;
  report.text = answer.text;
  report.at = now(self, st.ctx);
  if (report.answered) {
    report.master = answer.picture->master;
    st.failures = 0;
    st.read_at = st.asked_at;
    take_picture(self, answer.picture);
  } else {
    ++st.failures;
  }
  self->send(st.leader, report);
  self->send(st.peers.view, picture_news{st.picture, report});
  auto pause = st.failures == 0
                 ? rules->cluster.poll_interval
                 : std::min(rules->cluster.poll_interval,
                            backoff(rules->cluster.retry_base,
                                    rules->cluster.retry_max, st.failures));
  if (st.soon)
    pause = seconds{1};
  poll_after(self, pause);
}

void poll(self_ptr self) {
  auto& st = self->state;
  if (st.polling)
    return;
  st.polling = true;
  st.soon = false;
  // What changes while the picture is put together may not be in it.
  st.asked_at = now(self, st.ctx);
  auto limit = st.ctx->rules()->cluster.poll_timeout;
  self->request(st.port, limit + seconds{5}, read_cluster{limit})
    .then([self](const cluster_answer& answer) { polled(self, true, answer); },
          [self](const caf::error&) {
            cluster_answer none;
            none.text = "the cluster port did not answer";
            polled(self, false, none);
          });
}

} // namespace

cluster_actor::behavior_type cluster(self_ptr self, context_ptr ctx,
                                     services peers, cluster_port port,
                                     leader_actor leader,
                                     supervisor_actor members) {
  die_with_reason(self, "cluster");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.peers = std::move(peers);
  st.port = std::move(port);
  st.leader = std::move(leader);
  st.members = std::move(members);
  poll(self);
  return {
    [self](const node_standing& standing) {
      auto& state = self->state;
      auto& known = state.standings[standing.node];
      auto matters = known.proved_down != standing.proved_down
                     || known.phase != standing.phase;
      known = standing;
      if (!matters || !state.picture)
        return;
      auto d = digest_of(*state.picture);
      for (auto index : state.lodgers[standing.node])
        send_facts(self, d, state.picture->instances[index]);
      poll_soon(self);
    },
    [self](const attention& what) {
      auto& attentive = self->state.attentive;
      if (what.wanted && !what.instance.empty())
        attentive.insert(what.instance);
      else
        attentive.erase(what.instance);
      poll_soon(self);
    },
    [self](const node_started& what, node_actor& handle) {
      auto& state = self->state;
      state.nodes.insert_or_assign(what.node, handle);
      if (const auto* x = find_record(state.picture->nodes, what.node))
        self->send(handle, facts_of(state, *x));
    },
    [self](const instance_started& what, instance_actor& handle) {
      auto& state = self->state;
      state.instances.insert_or_assign(what.instance, handle);
      if (const auto* x = find_record(state.picture->instances, what.instance))
        self->send(handle, facts_of(state, digest_of(*state.picture), *x));
    },
    [self](const tick& t) {
      if (t.generation == self->state.generation)
        poll(self);
    },
  };
}

} // namespace orderly
