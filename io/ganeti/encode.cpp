// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/encode.hpp"

#include <algorithm>
#include <chrono>

namespace orderly::io {

namespace {

/// How long Ganeti lets a guest shut down, in seconds; its own default.
constexpr int shutdown_timeout = 120;

/// Ganeti's sign for the cluster's own default.
constexpr const char* default_allocator = ".";

const char* ganeti_kind(tag_kind x) {
  switch (x) {
  case tag_kind::cluster:
    return "cluster";
  case tag_kind::group:
    return "nodegroup";
  case tag_kind::node:
    return "node";
  case tag_kind::instance:
    return "instance";
  }
  return "?";
}

bool is_mirrored(const instance_name& name, const cluster_record* picture) {
  if (picture == nullptr)
    return false;
  const auto& all = picture->instances;
  auto before = [](const instance_record& x, const instance_name& y) {
    return x.name < y;
  };
  auto i = std::lower_bound(all.begin(), all.end(), name, before);
  return i != all.end() && i->name == name && i->disks == disk_template::drbd;
}

/// Where to: our target, or somebody who picks one. Ganeti refuses both for a
/// mirrored instance, whose place is given by its mirror.
void add_target(json& x, const opcode& op, const cluster_record* picture) {
  if (!op.target.empty())
    x["target_node"] = op.target;
  else if (!op.allocator.empty() && !is_mirrored(op.instance, picture))
    x["iallocator"] = op.allocator;
}

json node_opcode(const opcode& op) {
  json x{{"OP_ID", "OP_NODE_SET_PARAMS"},
         {"node_name", op.node},
         {"auto_promote", true}};
  if (op.kind == op_kind::node_set_offline) {
    x["offline"] = true;
    if (op.flag)
      x["powered"] = false;
  } else {
    x["drained"] = op.flag;
  }
  return x;
}

bool changes_nothing(const opcode& op) {
  return !op.offline && !op.powered && !op.program;
}

json modify_opcode(const opcode& op) {
  json x{{"OP_ID", "OP_NODE_SET_PARAMS"},
         {"node_name", op.node},
         {"auto_promote", op.auto_promote}};
  if (op.offline)
    x["offline"] = *op.offline;
  if (op.powered)
    x["powered"] = *op.powered;
  if (op.program)
    x["ndparams"] = {{"oob_program", *op.program}};
  else if (!op.offline)
    // Ganeti does not count the power record as a modification, but this.
    x["ndparams"] = json::object();
  return x;
}

json failover_opcode(const opcode& op, const cluster_record* picture) {
  json x{{"OP_ID", "OP_INSTANCE_FAILOVER"},
         {"shutdown_timeout", shutdown_timeout},
         {"ignore_consistency", op.ignore_consistency}};
  add_target(x, op, picture);
  return x;
}

json migrate_opcode(const opcode& op, const cluster_record* picture) {
  json x{{"OP_ID", "OP_INSTANCE_MIGRATE"}};
  add_target(x, op, picture);
  if (op.flag)
    x["allow_failover"] = true;
  return x;
}

json replace_opcode(const opcode& op) {
  json x{{"OP_ID", "OP_INSTANCE_REPLACE_DISKS"},
         {"disks", json::array()},
         {"early_release", op.early_release}};
  if (op.flag) {
    x["mode"] = "replace_auto";
    return x;
  }
  x["mode"] = "replace_new_secondary";
  if (!op.target.empty())
    x["remote_node"] = op.target;
  else if (!op.allocator.empty())
    x["iallocator"] = op.allocator;
  return x;
}

json recreate_opcode(const opcode& op) {
  json x{{"OP_ID", "OP_INSTANCE_RECREATE_DISKS"},
         {"disks", json::array()},
         {"nodes", op.nodes}};
  // With neither, Ganeti takes the instance's own nodes, which are lost.
  if (op.nodes.empty())
    x["iallocator"] = op.allocator.empty() ? default_allocator : op.allocator;
  return x;
}

json shutdown_opcode(const opcode& op) {
  // Ganeti takes whole seconds; a part of one is time too.
  auto span = std::chrono::ceil<std::chrono::seconds>(op.span).count();
  json x{{"OP_ID", "OP_INSTANCE_SHUTDOWN"},
         {"timeout", span > 0 ? span : shutdown_timeout}};
  if (op.keep_wanted)
    x["no_remember"] = true;
  if (op.flag)
    x["ignore_offline_nodes"] = true;
  return x;
}

json instance_opcode(const opcode& op, const cluster_record* picture) {
  switch (op.kind) {
  case op_kind::instance_failover:
    return failover_opcode(op, picture);
  case op_kind::instance_migrate:
    return migrate_opcode(op, picture);
  case op_kind::replace_disks:
    return replace_opcode(op);
  case op_kind::activate_disks:
    return op.flag ? json{{"OP_ID", "OP_INSTANCE_ACTIVATE_DISKS"},
                          {"wait_for_sync", true}}
                   : json{{"OP_ID", "OP_INSTANCE_ACTIVATE_DISKS"}};
  case op_kind::recreate_disks:
    return recreate_opcode(op);
  case op_kind::instance_reinstall:
    return {{"OP_ID", "OP_INSTANCE_REINSTALL"}};
  case op_kind::instance_startup:
    return {{"OP_ID", "OP_INSTANCE_STARTUP"}};
  default:
    return shutdown_opcode(op);
  }
}

/// On the master alone and without locks, so that nothing waits for it but
/// its own job.
json wait_opcode(const opcode& op) {
  using fractional = std::chrono::duration<double>;
  return {{"OP_ID", "OP_TEST_DELAY"},
          {"duration", std::chrono::duration_cast<fractional>(op.span).count()},
          {"on_master", true},
          {"on_nodes", json::array()},
          {"repeat", 0}};
}

json tag_opcode(const opcode& op) {
  auto id = op.kind == op_kind::tags_set ? "OP_TAGS_SET" : "OP_TAGS_DEL";
  auto cluster = op.tags_on == tag_kind::cluster;
  return {{"OP_ID", id},
          {"kind", ganeti_kind(op.tags_on)},
          {"name", cluster ? std::string{} : op.tag_object},
          {"tags", op.tags}};
}

/// The shipped command takes what is deposited at the node's agent; Ganeti has
/// no opcode that hands an object over.
json repair_opcode(const opcode& op) {
  return {{"OP_ID", "OP_RESTRICTED_COMMAND"},
          {"use_locking", true},
          {"nodes", json::array({op.node})},
          {"command", "orderly-repair"}};
}

fault incomplete(const opcode& op, const char* what) {
  return {fault_kind::bad_input, std::string{"opcode "} + to_string(op.kind)
                                   + " was not sent: it names no " + what};
}

json reason_trail(const job_spec& job, std::int64_t nanoseconds) {
  auto trail = json::array();
  trail.push_back({reason_source, job.reason, nanoseconds});
  if (!job.remark.empty())
    trail.push_back({remark_source, job.remark, nanoseconds});
  return trail;
}

} // namespace

result<json> encode_opcode(const opcode& op, const cluster_record* picture) {
  switch (op.kind) {
  case op_kind::node_set_offline:
  case op_kind::node_set_drained:
    if (op.node.empty())
      return incomplete(op, "node");
    return node_opcode(op);
  case op_kind::node_modify:
    if (op.node.empty())
      return incomplete(op, "node");
    if (changes_nothing(op))
      return incomplete(op, "change");
    return modify_opcode(op);
  case op_kind::repair_command:
    if (op.node.empty())
      return incomplete(op, "node");
    return repair_opcode(op);
  case op_kind::tags_set:
  case op_kind::tags_del:
    if (op.tags.empty())
      return incomplete(op, "tags");
    if (op.tag_object.empty() && op.tags_on != tag_kind::cluster)
      return incomplete(op, "object");
    return tag_opcode(op);
  case op_kind::wait:
    if (op.span <= millis::zero())
      return incomplete(op, "time");
    return wait_opcode(op);
  default: {
    if (op.instance.empty())
      return incomplete(op, "instance");
    auto x = instance_opcode(op, picture);
    x["instance_name"] = op.instance;
    return x;
  }
  }
}

result<luxi_question> encode_submission(const std::vector<job_spec>& jobs,
                                        std::int64_t nanoseconds,
                                        const cluster_record* picture) {
  auto all = json::array();
  for (const auto& job : jobs) {
    if (job.ops.empty())
      return fault{fault_kind::bad_input, "job '" + job.reason
                                            + "' was not sent: it has no "
                                              "opcodes"};
    auto ops = json::array();
    auto trail = reason_trail(job, nanoseconds);
    for (const auto& op : job.ops) {
      auto x = encode_opcode(op, picture);
      if (!x)
        return x.why();
      (*x)["reason"] = trail;
      ops.push_back(std::move(*x));
    }
    all.push_back(std::move(ops));
  }
  return luxi_question{"SubmitManyJobs",
                       in_json(json::array({std::move(all)}))};
}

luxi_question encode_cancel(job_id id) {
  return {"CancelJob", json::array({id}).dump()};
}

} // namespace orderly::io
