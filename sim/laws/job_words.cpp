// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/laws/job_words.hpp"

#include "sim/laws/tag_words.hpp"

#include <algorithm>

namespace orderly::sim {

int needed_risk(op_kind x) {
  switch (x) {
  case op_kind::recreate_disks:
  case op_kind::instance_reinstall:
  case op_kind::instance_shutdown:
    return repair_risk("reinstall");
  case op_kind::instance_failover:
    return repair_risk("failover");
  case op_kind::instance_migrate:
    return repair_risk("migrate");
  case op_kind::replace_disks:
    return repair_risk("fix-storage");
  default:
    return -1;
  }
}

bool has_op(const sim_job& job, op_kind kind) {
  return std::any_of(job.spec.ops.begin(), job.spec.ops.end(),
                     [&](const opcode& op) { return op.kind == kind; });
}

bool destroys(const sim_job& job) {
  return has_op(job, op_kind::instance_failover)
         || has_op(job, op_kind::recreate_disks)
         || has_op(job, op_kind::instance_reinstall);
}

bool gives_up_mirror(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::replace_disks && !op.flag;
  });
}

bool is_step(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return job.intent.find('/') != std::string::npos
         && std::any_of(ops.begin(), ops.end(), [](const opcode& op) {
              return needed_risk(op.kind) >= 0;
            });
}

bool only_forbids(const sim_job& job) {
  const auto& ops = job.spec.ops;
  return std::all_of(ops.begin(), ops.end(), [](const opcode& op) {
    auto only = [&](bool (*kind)(const std::string&)) {
      return std::all_of(op.tags.begin(), op.tags.end(), kind);
    };
    return (op.kind == op_kind::tags_del && only(is_token))
           || (op.kind == op_kind::tags_set && only(is_void_mark));
  });
}

bool balances(const sim_job& job) {
  return job.intent.starts_with("balance-")
         && job.intent.find('/') == std::string::npos;
}

bool of_event(const sim_job& job) {
  return job.intent.starts_with("event-")
         && job.intent.find('/') == std::string::npos;
}

bool for_want_of_room(const sim_job& job) {
  return job.text.find("insufficient_resources") != std::string::npos
         || job.text.find("Not enough") != std::string::npos
         || job.text.find("not enough") != std::string::npos
         || job.text.find("Can't use drained node") != std::string::npos;
}

incident_id incident_of(const sim_job& job) {
  static const std::string key = "incident=";
  const auto& text = job.spec.reason;
  auto first = text.find(key);
  if (first == std::string::npos)
    return {};
  first += key.size();
  return text.substr(first, text.find(' ', first) - first);
}

std::string named(const sim_job& job) {
  std::string what = "nothing";
  for (const auto& op : job.spec.ops)
    if (op.kind != op_kind::wait) {
      what = describe(op);
      break;
    }
  return "job " + std::to_string(job.id) + " (" + what + ")";
}

} // namespace orderly::sim
