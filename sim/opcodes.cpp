// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the simulated Ganeti's opcodes do, in two steps: when one begins its
// course is planned (how long, will it fail, where to), when its time is over
// it is carried out.

#include "sim/ganeti.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

constexpr const char* no_room
  = "Can't compute nodes using iallocator 'hail': Request failed: "
    "No valid allocation solutions (insufficient_resources)";

constexpr std::size_t tag_length_max = 128;

} // namespace

millis ganeti::draw(millis least, millis most) {
  return millis{dice_.between(least.count(), most.count())};
}

ganeti::plan_of_op ganeti::plan(const opcode& op) {
  switch (op.kind) {
  case op_kind::node_set_offline:
  case op_kind::node_set_drained:
    return plan_flags(op);
  case op_kind::instance_failover:
    return plan_failover(op);
  case op_kind::instance_migrate:
    return plan_migrate(op);
  case op_kind::replace_disks:
    return plan_replace(op);
  case op_kind::instance_startup:
  case op_kind::instance_shutdown:
    return plan_power(op);
  case op_kind::tags_set:
  case op_kind::tags_del:
    return plan_tags(op);
  }
  return {};
}

std::string ganeti::carry_out(const opcode& op, const node_name& target) {
  switch (op.kind) {
  case op_kind::node_set_offline: {
    auto* x = node_at(op.node);
    x->offline = true;
    x->powered = false;
    touch();
    return {};
  }
  case op_kind::node_set_drained:
    set_drained(op.node, op.flag);
    return {};
  case op_kind::instance_failover:
    return do_failover(op, target);
  case op_kind::instance_migrate:
    return do_migrate(op, target);
  case op_kind::replace_disks: {
    if (!truth_.answers(target))
      return "Node " + target + " stopped answering during the sync";
    instance_at(op.instance)->secondaries = {target};
    touch();
    return {};
  }
  case op_kind::instance_startup:
  case op_kind::instance_shutdown: {
    auto* x = instance_at(op.instance);
    auto up = op.kind == op_kind::instance_startup;
    set_admin(op.instance, up ? admin_state::up : admin_state::down);
    if (!up)
      truth_.stop(op.instance, x->primary);
    else if (!truth_.start(op.instance, x->primary))
      return "Could not start instance " + op.instance;
    return {};
  }
  case op_kind::tags_set:
  case op_kind::tags_del:
    return do_tags(op);
  }
  return "unknown opcode";
}

ganeti::plan_of_op ganeti::plan_flags(const opcode& op) {
  plan_of_op result{draw(habits.flags_least, habits.flags_most), {}, {}};
  if (!node(op.node))
    result.failure = "Node '" + op.node + "' not known";
  else if (op.node == record_.master)
    result.failure = "The master role can be changed only via master-failover";
  return result;
}

ganeti::plan_of_op ganeti::plan_tags(const opcode& op) {
  plan_of_op result{draw(habits.tags_least, habits.tags_most), {}, {}};
  const auto* place = std::as_const(*this).tags_of(op.tags_on, op.tag_object);
  if (!place) {
    result.failure = "'" + op.tag_object + "' not known";
    return result;
  }
  for (const auto& tag : op.tags) {
    auto there = std::find(place->begin(), place->end(), tag) != place->end();
    if (op.kind == op_kind::tags_del && !there)
      result.failure = "Tag(s) '" + tag + "' not found";
    else if (tag.empty() || tag.size() > tag_length_max)
      result.failure = "Tag too long (maximum 128 characters)";
  }
  return result;
}

std::string ganeti::do_tags(const opcode& op) {
  auto tags = *std::as_const(*this).tags_of(op.tags_on, op.tag_object);
  for (const auto& tag : op.tags)
    if (op.kind == op_kind::tags_set)
      tags.push_back(tag);
    else
      tags.erase(std::remove(tags.begin(), tags.end(), tag), tags.end());
  write_tags(op.tags_on, op.tag_object, std::move(tags));
  return {};
}

ganeti::plan_of_op ganeti::plan_power(const opcode& op) {
  plan_of_op result{draw(habits.start_least, habits.start_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x)
    result.failure = "Instance '" + op.instance + "' not known";
  else if (node(x->primary)->offline)
    result.failure = "Primary node " + x->primary + " is offline";
  else if (!truth_.answers(x->primary))
    result = {habits.no_answer, "Node " + x->primary + " does not answer", {}};
  return result;
}

/// The online node of the group that has the fewest primaries and is none of
/// the instance's own; empty if there is none.
node_name ganeti::least_loaded(const instance_record& x) const {
  const auto& home = *node(x.primary);
  const node_record* best = nullptr;
  std::uint32_t load = 0;
  for (const auto& n : record_.nodes) {
    if (n.group != home.group || n.offline || n.drained || !n.vm_capable
        || n.name == x.primary || !truth_.answers(n.name)
        || std::count(x.secondaries.begin(), x.secondaries.end(), n.name) > 0)
      continue;
    auto i = primaries_.find(n.name);
    auto its = i == primaries_.end() ? 0 : i->second;
    if (!best || its < load) {
      best = &n;
      load = its;
    }
  }
  return best ? best->name : node_name{};
}

ganeti::plan_of_op ganeti::plan_failover(const opcode& op) {
  plan_of_op result{draw(habits.failover_least, habits.failover_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
    return result;
  }
  if (x->disks != disk_template::drbd && !is_external(x->disks)) {
    result.failure = std::string{"Instance's disk layout '"}
                     + to_string(x->disks) + "' does not allow failovers";
    return result;
  }
  result.target = op.target;
  if (x->disks == disk_template::drbd)
    result.target = x->secondaries.empty() ? "" : x->secondaries.front();
  else if (op.target.empty())
    result.target = least_loaded(*x);
  const auto* to = node(result.target);
  if (!to) {
    result.failure = no_room;
  } else if (to->offline) {
    result.failure = "Target node " + to->name + " is marked offline";
  } else if (to->name == x->primary) {
    result.failure = "Instance already runs on node " + to->name;
  } else if (!truth_.answers(to->name)) {
    result.takes = habits.no_answer;
    result.failure = "Target node " + to->name + " does not answer";
  } else if (x->admin == admin_state::up && !node(x->primary)->offline
             && !truth_.answers(x->primary)) {
    result.takes = habits.no_answer;
    result.failure = x->disks == disk_template::drbd
                       ? "Disk 0 is degraded on target node, aborting failover"
                       : "Could not shutdown instance " + x->name + " on node "
                           + x->primary + ": node does not answer";
  }
  return result;
}

std::string ganeti::do_failover(const opcode& op, const node_name& target) {
  auto* x = instance_at(op.instance);
  auto old_home = x->primary;
  if (!truth_.booted(target))
    return "Target node " + target + " does not answer";
  // Off an offline node nothing is stopped: whether the instance still runs
  // there is for others to know.
  if (!node(old_home)->offline && truth_.answers(old_home))
    truth_.stop(x->name, old_home);
  move_primary(*x, target);
  if (x->disks == disk_template::drbd)
    x->secondaries = {old_home};
  if (x->admin != admin_state::up)
    return {};
  truth_.start(x->name, target);
  truth_.tell("instance " + x->name + " runs on " + target);
  return {};
}

ganeti::plan_of_op ganeti::plan_migrate(const opcode& op) {
  plan_of_op result{draw(habits.migrate_least, habits.migrate_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
    return result;
  }
  result.target = op.target;
  if (x->disks == disk_template::drbd)
    result.target = x->secondaries.empty() ? "" : x->secondaries.front();
  else if (op.target.empty() && is_external(x->disks))
    result.target = least_loaded(*x);
  const auto* to = node(result.target);
  if (!to || to->offline || node(x->primary)->offline)
    result.failure = !to ? no_room : "A node of the migration is offline";
  else if (!truth_.answers(to->name) || !truth_.answers(x->primary))
    result = {habits.no_answer, "A node of the migration does not answer", {}};
  else if (!truth_.runs_on(x->name, x->primary))
    result.failure = "Instance " + x->name + " is not running, can't migrate";
  return result;
}

std::string ganeti::do_migrate(const opcode& op, const node_name& target) {
  auto* x = instance_at(op.instance);
  auto old_home = x->primary;
  if (!truth_.answers(old_home) || !truth_.answers(target)
      || !truth_.runs_on(x->name, old_home))
    return "Could not migrate instance " + x->name + ": pre-migration failed";
  truth_.stop(x->name, old_home);
  truth_.start(x->name, target);
  move_primary(*x, target);
  if (x->disks == disk_template::drbd)
    x->secondaries = {old_home};
  return {};
}

ganeti::plan_of_op ganeti::plan_replace(const opcode& op) {
  plan_of_op result{draw(habits.replace_least, habits.replace_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x || x->disks != disk_template::drbd) {
    result.failure = "Instance '" + op.instance + "' has no mirror to replace";
    return result;
  }
  if (node(x->primary)->offline) {
    result.failure = "Primary node " + x->primary + " is offline";
    return result;
  }
  if (!truth_.answers(x->primary))
    return {
      habits.no_answer, "Primary node " + x->primary + " does not answer", {}};
  result.target = op.target.empty() ? least_loaded(*x) : op.target;
  const auto* to = node(result.target);
  if (!to)
    result.failure = no_room;
  else if (to->offline || to->name == x->primary || !truth_.answers(to->name))
    result.failure = "New secondary " + to->name + " can not be used";
  return result;
}

} // namespace orderly::sim
