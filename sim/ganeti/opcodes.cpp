// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the simulated Ganeti's opcodes do, in two steps: when one begins its
// course is planned (how long, will it fail, where to), when its time is over
// it is carried out.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

namespace orderly::sim {

namespace {

constexpr std::size_t tag_length_max = 128;
constexpr std::size_t tags_max = 4096;

bool is_tag_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0
         || std::strchr("_.+*/:@-", c) != nullptr;
}

std::string wrong_with(const std::string& tag) {
  if (tag.empty())
    return "Tags cannot be empty";
  if (tag.size() > tag_length_max)
    return "Tag too long (maximum 128 characters)";
  if (!std::all_of(tag.begin(), tag.end(), is_tag_char))
    return "Tag contains invalid characters";
  return {};
}

} // namespace

millis ganeti::draw(millis least, millis most) {
  return millis{dice_.between(least.count(), most.count())};
}

ganeti::plan_of_op ganeti::plan(const opcode& op) {
  switch (op.kind) {
  case op_kind::node_set_offline:
    return plan_offline(op);
  case op_kind::node_modify:
    return plan_modify(op);
  case op_kind::node_set_drained:
    return plan_flags(op);
  case op_kind::instance_failover:
    return plan_failover(op);
  case op_kind::instance_migrate:
    return plan_migrate(op);
  case op_kind::replace_disks:
    return plan_replace(op);
  case op_kind::recreate_disks:
    return plan_recreate(op);
  case op_kind::instance_reinstall:
    return plan_reinstall(op);
  case op_kind::instance_startup:
    return plan_startup(op);
  case op_kind::instance_shutdown:
    return plan_shutdown(op);
  case op_kind::activate_disks:
    return plan_activate(op);
  case op_kind::wait:
    return {op.span, {}, {}};
  case op_kind::tags_set:
  case op_kind::tags_del:
    return plan_tags(op);
  case op_kind::repair_command:
    return plan_command(op);
  }
  return {};
}

std::string ganeti::carry_out(const sim_job& job) {
  const auto& op = job.spec.ops[job.op];
  const auto& targets = job.targets;
  auto target = targets.empty() ? node_name{} : targets.front();
  switch (op.kind) {
  case op_kind::node_set_offline:
    return do_offline(op);
  case op_kind::node_modify:
    return do_modify(op);
  case op_kind::node_set_drained:
    set_drained(op.node, op.flag);
    return {};
  case op_kind::instance_failover:
    return do_failover(job, target);
  case op_kind::instance_migrate:
    return job.falls_over ? do_failover(job, target) : do_migrate(op, target);
  case op_kind::replace_disks:
    return do_replace(op, target);
  case op_kind::recreate_disks:
    return do_recreate(op, targets);
  case op_kind::instance_startup:
    return do_startup(op);
  case op_kind::instance_shutdown:
    return do_shutdown(op);
  case op_kind::instance_reinstall:
    truth_.tell("system of " + op.instance + " installed anew");
    return {};
  case op_kind::activate_disks: // a broken mirror stays broken
  case op_kind::wait:
    return {};
  case op_kind::tags_set:
  case op_kind::tags_del:
    return do_tags(op);
  case op_kind::repair_command:
    return do_command(op);
  }
  return "unknown opcode";
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
    else if (!there)
      result.failure = wrong_with(tag);
    if (!result.failure.empty())
      return result;
  }
  if (op.kind == op_kind::tags_set && place->size() + op.tags.size() > tags_max)
    result.failure = "Too many tags (maximum 4096)";
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

ganeti::plan_of_op ganeti::plan_startup(const opcode& op) {
  plan_of_op result{draw(habits.start_least, habits.start_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x) {
    result.failure = "Instance '" + op.instance + "' not known";
  } else if (node(x->primary)->offline) {
    result.failure = "Can't use offline node: " + x->primary;
  } else if (!answers(x->primary)) {
    result = {habits.no_answer, "Error checking node " + x->primary, {}};
  } else if (!truth_.runs_on(x->name, x->primary)
             && !fits(*x, x->primary, true, false)) {
    result.failure = "Not enough memory on node " + x->primary
                     + " for starting instance " + x->name
                     + " (insufficient_resources)";
  } else if (x->disks == disk_template::drbd && !x->secondaries.empty()) {
    // A dead mirror hinders a start until it is marked offline.
    const auto& other = x->secondaries.front();
    if (!node(other)->offline && !answers(other))
      result = {habits.no_answer, "Disk consistency error", {}};
  }
  return result;
}

std::string ganeti::do_startup(const opcode& op) {
  set_admin(op.instance, admin_state::up);
  const auto* x = instance(op.instance);
  if (!truth_.start(op.instance, x->primary))
    return "Could not start instance " + op.instance;
  truth_.tell("instance " + op.instance + " runs on " + x->primary);
  return {};
}

ganeti::plan_of_op ganeti::plan_shutdown(const opcode& op) {
  plan_of_op result{draw(habits.start_least, habits.start_most), {}, {}};
  const auto* x = instance(op.instance);
  if (!x)
    result.failure = "Instance '" + op.instance + "' not known";
  else if (node(x->primary)->offline) {
    if (!op.flag)
      result.failure = "Can't use offline node: " + x->primary;
  } else if (!answers(x->primary)) {
    result.takes = habits.no_answer; // a warning only
  }
  return result;
}

std::string ganeti::do_shutdown(const opcode& op) {
  auto* x = instance_at(op.instance);
  if (!op.keep_wanted)
    set_admin(op.instance, admin_state::down);
  if (!node(x->primary)->offline && answers(x->primary))
    truth_.stop(op.instance, x->primary);
  return {};
}

} // namespace orderly::sim
