// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/encode.hpp"

#include <algorithm>

namespace orderly::io {

namespace {

/// How long Ganeti lets a guest shut down, in seconds; its own default.
constexpr int shutdown_timeout = 120;

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

bool can_start_anywhere(const instance_name& name,
                        const cluster_record* picture) {
  if (picture == nullptr)
    return false;
  const auto& all = picture->instances;
  auto before = [](const instance_record& x, const instance_name& y) {
    return x.name < y;
  };
  auto i = std::lower_bound(all.begin(), all.end(), name, before);
  return i != all.end() && i->name == name && is_external(i->disks);
}

/// Where to: our target, or somebody who picks one. Ganeti refuses both for a
/// mirrored instance, whose place is given by its mirror; for an instance
/// that we do not know its own default allocator has to do.
void add_target(json& x, const opcode& op, const cluster_record* picture) {
  if (!op.target.empty())
    x["target_node"] = op.target;
  else if (can_start_anywhere(op.instance, picture))
    x["iallocator"] = allocator;
}

json node_opcode(const opcode& op) {
  json x{{"OP_ID", "OP_NODE_SET_PARAMS"},
         {"node_name", op.node},
         {"auto_promote", true}};
  if (op.kind == op_kind::node_set_offline) {
    x["offline"] = true;
    x["powered"] = false;
  } else {
    x["drained"] = op.flag;
  }
  return x;
}

json instance_opcode(const opcode& op, const cluster_record* picture) {
  json x = json::object();
  x["instance_name"] = op.instance;
  switch (op.kind) {
  case op_kind::instance_failover:
    x["OP_ID"] = "OP_INSTANCE_FAILOVER";
    x["shutdown_timeout"] = shutdown_timeout;
    x["ignore_consistency"] = false;
    add_target(x, op, picture);
    break;
  case op_kind::instance_migrate:
    x["OP_ID"] = "OP_INSTANCE_MIGRATE";
    add_target(x, op, picture);
    break;
  case op_kind::replace_disks:
    x["OP_ID"] = "OP_INSTANCE_REPLACE_DISKS";
    x["mode"] = "replace_new_secondary";
    x["disks"] = json::array();
    if (op.target.empty())
      x["iallocator"] = allocator;
    else
      x["remote_node"] = op.target;
    break;
  case op_kind::instance_startup:
    x["OP_ID"] = "OP_INSTANCE_STARTUP";
    break;
  default:
    x["OP_ID"] = "OP_INSTANCE_SHUTDOWN";
    x["timeout"] = shutdown_timeout;
    break;
  }
  return x;
}

json tag_opcode(const opcode& op) {
  auto id = op.kind == op_kind::tags_set ? "OP_TAGS_SET" : "OP_TAGS_DEL";
  auto cluster = op.tags_on == tag_kind::cluster;
  return {{"OP_ID", id},
          {"kind", ganeti_kind(op.tags_on)},
          {"name", cluster ? std::string{} : op.tag_object},
          {"tags", op.tags}};
}

fault incomplete(const opcode& op, const char* what) {
  return {fault_kind::bad_input, std::string{"opcode "} + to_string(op.kind)
                                   + " was not sent: it names no " + what};
}

} // namespace

result<json> encode_opcode(const opcode& op, const cluster_record* picture) {
  switch (op.kind) {
  case op_kind::node_set_offline:
  case op_kind::node_set_drained:
    if (op.node.empty())
      return incomplete(op, "node");
    return node_opcode(op);
  case op_kind::tags_set:
  case op_kind::tags_del:
    if (op.tags.empty())
      return incomplete(op, "tags");
    if (op.tag_object.empty() && op.tags_on != tag_kind::cluster)
      return incomplete(op, "object");
    return tag_opcode(op);
  default:
    if (op.instance.empty())
      return incomplete(op, "instance");
    return instance_opcode(op, picture);
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
    for (const auto& op : job.ops) {
      auto x = encode_opcode(op, picture);
      if (!x)
        return x.why();
      auto entry = json::array({reason_source, job.reason, nanoseconds});
      (*x)["reason"] = json::array({std::move(entry)});
      ops.push_back(std::move(*x));
    }
    all.push_back(std::move(ops));
  }
  // Bytes that are no UTF-8 cannot be written in JSON.
  return luxi_question{"SubmitManyJobs",
                       json::array({std::move(all)})
                         .dump(-1, ' ', false, json::error_handler_t::replace)};
}

luxi_question encode_cancel(job_id id) {
  return {"CancelJob", json::array({id}).dump()};
}

} // namespace orderly::io
