// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/job.hpp"

#include <string_view>

namespace orderly {

namespace {

std::string tagged(const opcode& op) {
  return op.tag_object.empty() ? "the cluster" : op.tag_object;
}

/// Tags as people read them: without Ganeti's long prefix, and with ids cut
/// to the part that tells them apart.
std::string shortened(const std::vector<std::string>& tags) {
  static constexpr std::string_view prefix = "ganeti:watcher:autorepair:";
  static constexpr std::size_t id_length = 36;
  std::string result;
  for (const auto& tag : tags) {
    if (!result.empty())
      result += ' ';
    std::string_view rest = tag;
    if (rest.starts_with(prefix))
      rest.remove_prefix(prefix.size());
    while (!rest.empty()) {
      auto part = rest.substr(0, rest.find(':'));
      auto is_id = part.size() == id_length && part[8] == '-';
      result += is_id ? part.substr(0, 8) : part;
      rest.remove_prefix(part.size());
      if (!rest.empty()) {
        result += ':';
        rest.remove_prefix(1);
      }
    }
  }
  return result;
}

/// " on node4 and node5", or nothing.
std::string listed(const std::vector<node_name>& nodes) {
  std::string result;
  for (const auto& name : nodes)
    result += (result.empty() ? " on " : " and ") + name;
  return result;
}

/// " offline=no powered=yes", or nothing.
std::string changes(const opcode& op) {
  std::string result;
  auto add = [&result](const char* name, const std::string& value) {
    result += std::string{" "} + name + "=" + value;
  };
  if (op.offline)
    add("offline", *op.offline ? "yes" : "no");
  if (op.powered)
    add("powered", *op.powered ? "yes" : "no");
  if (op.program)
    add("oob_program", "'" + *op.program + "'");
  return result;
}

} // namespace

std::string describe(const opcode& op) {
  auto towards = op.target.empty() ? std::string{} : " to " + op.target;
  switch (op.kind) {
  case op_kind::node_set_offline:
    return "mark " + op.node + " offline" + (op.flag ? " and powered off" : "");
  case op_kind::node_modify:
    return "set" + changes(op) + " on " + op.node;
  case op_kind::node_set_drained:
    return (op.flag ? "drain " : "undrain ") + op.node;
  case op_kind::instance_failover:
    return "failover of " + op.instance + towards;
  case op_kind::instance_migrate:
    return "migration of " + op.instance + towards;
  case op_kind::replace_disks:
    return (op.flag ? "repair of the mirror of " : "new secondary for ")
           + op.instance + towards;
  case op_kind::instance_startup:
    return "start of " + op.instance;
  case op_kind::instance_shutdown:
    return "shutdown of " + op.instance
           + (op.keep_wanted ? ", which stays wanted up" : "");
  case op_kind::activate_disks:
    return "activation of the disks of " + op.instance
           + (op.flag ? ", and of a mirror in step" : "");
  case op_kind::recreate_disks:
    return "new disks for " + op.instance + listed(op.nodes);
  case op_kind::instance_reinstall:
    return "reinstallation of " + op.instance;
  case op_kind::wait:
    return "wait of " + std::to_string(op.span.count() / 1000) + " s";
  case op_kind::tags_set:
    return "tag " + tagged(op) + " with " + shortened(op.tags);
  case op_kind::tags_del:
    return "remove from " + tagged(op) + " " + shortened(op.tags);
  case op_kind::repair_command:
    return "repair command " + op.command + " on " + op.node;
  }
  return "?";
}

const char* to_string(job_status x) {
  switch (x) {
  case job_status::queued:
    return "queued";
  case job_status::waiting:
    return "waiting";
  case job_status::canceling:
    return "canceling";
  case job_status::running:
    return "running";
  case job_status::canceled:
    return "canceled";
  case job_status::success:
    return "success";
  case job_status::error:
    return "error";
  case job_status::lost:
    return "lost";
  }
  return "?";
}

std::string trail_text(const incident_id& incident, const intent_id& intent) {
  return "orderly incident=" + incident + " intent=" + intent;
}

namespace {

std::string value_of(std::string_view key, const std::string& reason) {
  auto first = reason.find(key);
  if (first == std::string::npos)
    return {};
  first += key.size();
  auto last = reason.find(' ', first);
  return reason.substr(first, last == std::string::npos ? last : last - first);
}

} // namespace

intent_id intent_in_trail(const std::string& reason) {
  return value_of("intent=", reason);
}

incident_id incident_in_trail(const std::string& reason) {
  return value_of("incident=", reason);
}

} // namespace orderly
