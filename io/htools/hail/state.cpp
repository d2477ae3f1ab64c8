// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/hail/state.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

const char* state_name(instance_status x) {
  switch (x) {
  case instance_status::running:
    return "Running";
  case instance_status::admin_down:
    return "StatusDown";
  case instance_status::admin_offline:
    return "StatusOffline";
  case instance_status::error_down:
    return "ErrorDown";
  case instance_status::error_up:
    return "ErrorUp";
  case instance_status::error_node_down:
    return "NodeDown";
  case instance_status::error_node_offline:
    return "NodeOffline";
  case instance_status::error_wrong_node:
    return "WrongNode";
  case instance_status::user_down:
    return "UserDown";
  }
  return "";
}

std::string quoted(const std::vector<std::string>& texts) {
  std::vector<std::string> result;
  for (const auto& t : texts)
    result.push_back(json_text(t));
  return "[" + join(result, ',') + "]";
}

std::string yes_no(bool x) {
  return x ? "True" : "False";
}

std::string instance_text(const instance_spec& i) {
  return fmt::format(
    "Instance {{name = {}, mem = {}, dsk = {}, vcpus = {}, runSt = {}, pNode = "
    "{}, sNode = {}, autoBalance = {}, diskTemplate = {}, spindleUse = {}, "
    "allTags = {}, networks = {}, forthcoming = {}}}",
    json_text(i.name), i.memory, i.disk, i.vcpus, state_name(i.status),
    i.primary, i.secondary, yes_no(i.auto_balance), name_of(i.disks),
    i.spindle_use, quoted(i.tags), quoted(i.networks), yes_no(i.forthcoming));
}

std::string new_text(const new_instance& x) {
  auto result = instance_text(x.spec) + fmt::format(" nodes = {}", x.nodes);
  if (x.group)
    result += ", group = " + json_text(*x.group);
  if (x.restricted)
    result += ", restricted to " + quoted(*x.restricted);
  return result;
}

struct teller {
  std::string operator()(const allocate_request& r) const {
    return "Allocate " + new_text(r.what);
  }

  std::string operator()(const multi_allocate_request& r) const {
    std::vector<std::string> all;
    for (const auto& x : r.what)
      all.push_back(new_text(x));
    return "MultiAllocate [" + join(all, ',') + "]";
  }

  std::string operator()(const relocate_request& r) const {
    return fmt::format("Relocate {} {} {}", json_text(r.instance), r.nodes,
                       quoted(r.from));
  }

  std::string operator()(const node_evacuate_request& r) const {
    const auto* mode = r.mode == evacuation_mode::primary ? "ChangePrimary"
                       : r.mode == evacuation_mode::secondary
                         ? "ChangeSecondary"
                         : "ChangeAll";
    return fmt::format("NodeEvacuate {} {}", quoted(r.instances), mode);
  }

  std::string operator()(const change_group_request& r) const {
    return fmt::format("ChangeGroup {} {}", quoted(r.groups),
                       quoted(r.instances));
  }

  std::string operator()(const allocate_secondary_request& r) const {
    return "AllocateSecondary " + json_text(r.instance);
  }
};

} // namespace

std::string request_text(const request_kind& x) {
  return std::visit(teller{}, x);
}

std::string cluster_text(const cluster& c) {
  std::string result;
  auto number = 0;
  for (const auto& g : c.groups)
    result
      += fmt::format("  {}: Group {{name = {}, uuid = {}, allocPolicy = "
                     "{}, networks = {}, allTags = {}}}\n",
                     number++, json_text(g.name), json_text(g.uuid),
                     name_of(g.allocation), quoted(g.networks), quoted(g.tags));
  number = 0;
  for (const auto& n : c.nodes)
    result += fmt::format(
      "  {}: Node {{name = {}, tMem = {}, nMem = {}, fMem = {}, tDsk = {}, "
      "fDsk = {}, tCpu = {}, nCpu = {}, tSpindles = {}, fSpindles = {}, "
      "offline = {}, isMaster = {}, nTags = {}, group = {}, exclStorage = "
      "{}}}\n",
      number++, json_text(n.name), n.total_memory, n.node_memory, n.free_memory,
      n.total_disk, n.free_disk, n.total_cpus, n.node_cpus, n.spindles,
      n.free_spindles, yes_no(n.offline), yes_no(n.master), quoted(n.tags),
      n.group, yes_no(n.exclusive_storage));
  number = 0;
  for (const auto& i : c.instances)
    result += fmt::format("  {}: {}\n", number++, instance_text(i));
  return result;
}

} // namespace orderly::io::htools
