// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Mirrors, new disks and reinstallations in the simulated Ganeti.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>
#include <set>

namespace orderly::sim {

namespace {

/// What Ganeti 3.0 says after it has moved the record.
constexpr const char* allocator_assertion
  = "Internal assertion error: please report this as a bug. "
    "instance_storage.py line 1085 assert "
    "mylocks.issuperset(frozenset(inst_nodes))";

std::vector<node_name> nodes_of(const instance_record& x) {
  std::vector<node_name> result{x.primary};
  result.insert(result.end(), x.secondaries.begin(), x.secondaries.end());
  return result;
}

} // namespace

ganeti::plan_of_op ganeti::plan_replace(const opcode& op) {
  plan_of_op result{draw(habits.replace_least, habits.replace_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x || x->disks != disk_template::drbd) {
    result.failure = "Instance '" + op.instance + "' has no mirror to replace";
    return result;
  }
  if (op.flag)
    return plan_mirror_repair(op);
  if (node(x->primary)->offline) {
    result.failure = "Can't use offline node: " + x->primary;
    return result;
  }
  if (!answers(x->primary))
    return {
      habits.no_answer, "Primary node " + x->primary + " does not answer", {}};
  if (op.target.empty())
    result.targets = pick(*x, 1, false, true);
  else
    result.targets = {op.target};
  const auto* to = result.targets.empty() ? nullptr : node(result.targets[0]);
  if (!to)
    result.failure = no_room;
  else if (to->offline)
    result.failure = "Can't use offline node: " + to->name;
  else if (to->drained)
    result.failure = "Can't use drained node " + to->name;
  else if (to->name == x->primary)
    result.failure = "The specified node is the primary node of the instance";
  else if (!x->secondaries.empty() && to->name == x->secondaries.front())
    result.failure = "The specified node is already the secondary node of the "
                     "instance";
  else if (!answers(to->name))
    result = {habits.no_answer, "Node " + to->name + " does not answer", {}};
  else if (!fits(*x, to->name, false, true))
    result.failure = "Not enough disk space on target node " + to->name
                     + " (insufficient_resources)";
  return result;
}

ganeti::plan_of_op ganeti::plan_mirror_repair(const opcode& op) {
  plan_of_op result{draw(habits.replace_least, habits.replace_most), {}, {}};
  const auto& x = *instance(op.instance);
  for (const auto& name : nodes_of(x))
    if (node(name)->offline)
      result.failure = "Can't use offline node: " + name;
    else if (!answers(name))
      return {
        habits.no_answer, "Failed to get disk status from node " + name, {}};
  return result;
}

std::string ganeti::do_replace(const opcode& op, const node_name& target) {
  auto* x = instance_at(op.instance);
  if (op.flag) {
    for (const auto& name : nodes_of(*x))
      if (!answers(name))
        return "Node " + name + " stopped answering during the sync";
    if (!truth_.replicates(x->primary, x->secondaries.front()))
      return "The disks of " + x->name + " do not synchronize";
    truth_.heal_mirror(op.instance);
    truth_.synchronize(op.instance, x->primary, truth_.copies(op.instance));
    return {};
  }
  if (!answers(target) || !answers(x->primary))
    return "Node " + target + " stopped answering during the sync";
  if (!truth_.replicates(x->primary, target))
    return "The disks of " + x->name + " do not synchronize";
  place(*x, x->primary, {target});
  truth_.heal_mirror(op.instance);
  truth_.synchronize(op.instance, x->primary, {x->primary, target});
  return {};
}

ganeti::plan_of_op ganeti::plan_recreate(const opcode& op) {
  plan_of_op result{draw(habits.recreate_least, habits.recreate_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x || x->disks == disk_template::diskless) {
    result.failure = "Instance '" + op.instance + "' has no disks";
    return result;
  }
  auto count = nodes_of(*x).size();
  auto picked = op.nodes.empty() && !op.allocator.empty();
  if (!op.nodes.empty() && op.nodes.size() != count) {
    result.failure = "Instance " + x->name + " currently has "
                     + std::to_string(count) + " nodes, but "
                     + std::to_string(op.nodes.size())
                     + " replacement nodes were specified";
    return result;
  }
  // With new nodes and an offline old one nobody asks for the state.
  auto replaced = picked || !op.nodes.empty();
  if (x->admin == admin_state::up && !(replaced && node(x->primary)->offline)) {
    result.failure
      = "Instance '" + x->name + "' is marked to be up, cannot recreate disks";
    return result;
  }
  result.targets = picked             ? pick(*x, count, true, true)
                   : op.nodes.empty() ? nodes_of(*x)
                                      : op.nodes;
  if (result.targets.empty())
    result.failure = no_room;
  for (const auto& name : result.targets)
    if (!node(name) || node(name)->offline)
      result.failure = "Can't use offline node: " + name;
    else if (!answers(name))
      return {habits.no_answer, "Node " + name + " does not answer", {}};
    else if (replaced && !fits(*x, name, false, true))
      result.failure = "Can't create block device on node " + name
                       + ": not enough disk space";
  return result;
}

std::string ganeti::do_recreate(const opcode& op,
                                const std::vector<node_name>& targets) {
  auto* x = instance_at(op.instance);
  for (const auto& name : targets)
    if (!answers(name))
      return "Can't create block device on node " + name;
  auto picked = op.nodes.empty() && !op.allocator.empty();
  place(*x, targets.front(), {targets.begin() + 1, targets.end()});
  if (picked && !habits.allocator_recreates)
    return allocator_assertion;
  truth_.lose_data(op.instance, {targets.begin(), targets.end()});
  return {};
}

ganeti::plan_of_op ganeti::plan_reinstall(const opcode& op) {
  plan_of_op result{
    draw(habits.reinstall_least, habits.reinstall_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x || x->disks == disk_template::diskless) {
    result.failure = "Instance '" + op.instance + "' has no disks";
    return result;
  }
  if (node(x->primary)->offline) {
    result.failure = "Instance primary node offline, cannot reinstall: "
                     "Can't use offline node: "
                     + x->primary;
    return result;
  }
  if (x->admin != admin_state::down) {
    result.failure
      = "Instance '" + x->name + "' is marked to be up, cannot reinstall";
    return result;
  }
  const auto& copies = truth_.copies(x->name);
  for (const auto& name : nodes_of(*x))
    if (!answers(name))
      return {habits.no_answer, "Node " + name + " does not answer", {}};
    else if (!is_external(x->disks) && copies.count(name) == 0)
      result.failure = "Disk 0 of " + x->name + " is not on node " + name;
  return result;
}

} // namespace orderly::sim
