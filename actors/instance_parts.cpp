// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance_parts.hpp"

#include "actors/policy/power_levels.hpp"

namespace orderly {

namespace {

autorepair::node_view view_of(const settings& rules,
                              const instance_facts& facts,
                              const node_name& name) {
  autorepair::node_view v;
  v.name = name;
  for (const auto& record : facts.nodes) {
    if (record.name != name)
      continue;
    v.known = true;
    v.offline = record.offline;
    v.drained = record.drained;
    v.vm_capable = record.vm_capable;
    v.power_control = !power_levels(record, rules).empty();
  }
  if (auto i = facts.standings.find(name); i != facts.standings.end()) {
    v.proved_down = i->second.proved_down;
    v.doubt = i->second.doubt;
    v.troubled = i->second.troubled;
  }
  return v;
}

/// A job that repairs, not one that only writes tags.
bool repairs(const intent_id& intent) {
  return !intent.empty() && !intent.ends_with("-tag")
         && !intent.ends_with("-note") && !intent.ends_with("-asked");
}

} // namespace

autorepair::rules instance_parts::rules_of(const settings& s) {
  autorepair::rules r;
  r.enabled = s.autorepair.enabled;
  r.observe = s.autorepair.mode == "observe";
  r.offline_vouches = s.autorepair.offline_vouches;
  r.job_delay = s.autorepair.job_delay;
  r.name_nodes = s.autorepair.new_nodes == "named";
  r.allocator = s.cluster.allocator;
  r.single_pass = s.autorepair.single_pass;
  r.tries_max = s.autorepair.tries_max;
  r.retry_base = s.autorepair.retry_base;
  r.retry_max = s.autorepair.retry_max;
  r.proof_max_age = s.autorepair.proof_max_age;
  r.word_max_age = s.autorepair.word_max_age;
  r.job_deadline = s.cluster.job_deadline;
  return r;
}

autorepair::facts instance_parts::seen(const instance_state& st, instant at) {
  const auto& facts = *st.facts;
  auto rules = st.ctx->rules();
  autorepair::facts f;
  f.instance = facts.record;
  f.primary = view_of(*rules, facts, facts.record.primary);
  for (const auto& name : facts.record.secondaries)
    f.secondaries.push_back(view_of(*rules, facts, name));
  f.group = facts.group;
  f.group_tags = facts.group_tags;
  f.cluster_tags = facts.cluster_tags;
  f.held = facts.held;
  for (const auto& job : facts.jobs) {
    auto intent = intent_in_trail(job.reason);
    const auto& m = st.machine;
    auto ours
      = !intent.empty()
        && (intent == m.intent || intent == st.ended || intent == m.note);
    if (!ours && !f.foreign_job)
      f.foreign_job = job.id;
    if (repairs(intent))
      f.trails.emplace_back(incident_in_trail(job.reason), job.id);
  }
  f.jobs = st.earlier;
  if (st.room && at - st.room_at <= rules->autorepair.room_max_age)
    f.room = st.room;
  f.mirror_fault = facts.mirror_fault;
  f.mirror_read_at = facts.mirror_read_at;
  f.spare_nodes = facts.spare_nodes;
  f.read_at = facts.read_at;
  return f;
}

const opcode* instance_parts::unplaced(const instance_state& st,
                                       const std::vector<opcode>& ops) {
  if (st.ctx->rules()->autorepair.targets != "planned" || !st.peers.balancer)
    return nullptr;
  for (const auto& op : ops) {
    auto moves = op.kind == op_kind::instance_failover
                 || op.kind == op_kind::instance_migrate
                 || op.kind == op_kind::replace_disks;
    if (moves && op.target.empty() && !op.allocator.empty())
      return &op;
  }
  return nullptr;
}

std::vector<opcode> instance_parts::placed(std::vector<opcode> ops,
                                           const opcode& open,
                                           const instance_place& to) {
  auto mirror = open.kind == op_kind::replace_disks;
  for (auto& op : ops)
    if (op == open) {
      op.target = mirror ? to.secondary : to.primary;
      if (!op.target.empty())
        op.allocator.clear();
      break;
    }
  return ops;
}

} // namespace orderly
