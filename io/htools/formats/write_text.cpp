// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/text.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

std::string size_text(const instance_size& x) {
  return fmt::format("{},{},{},{},{},{}", x.memory, x.cpus, x.disk, x.disks,
                     x.nics, x.spindles);
}

std::string policy_line(const std::string& owner, const instance_policy& p) {
  std::vector<std::string> bounds;
  for (const auto& r : p.ranges) {
    bounds.push_back(size_text(r.min));
    bounds.push_back(size_text(r.max));
  }
  std::vector<std::string> templates;
  for (auto t : p.templates)
    templates.emplace_back(name_of(t));
  return fmt::format("{}|{}|{}|{}|{}|{}\n", owner, size_text(p.standard),
                     join(bounds, ';'), join(templates, ','),
                     short_decimal(p.vcpu_ratio),
                     short_decimal(p.spindle_ratio));
}

std::string node_line(const node_spec& n, const cluster& c) {
  const auto* role = n.offline ? "Y" : n.master ? "M" : "N";
  return fmt::format(
    "{}|{:.0f}|{}|{}|{:.0f}|{}|{:.0f}|{}|{}|{}|{}|{}|{}|{}|{}\n", n.name,
    n.total_memory, n.node_memory, n.free_memory, n.total_disk, n.free_disk,
    n.total_cpus, role, c.groups[static_cast<std::size_t>(n.group)].uuid,
    n.spindles, join(n.tags, ','), n.exclusive_storage ? "Y" : "N",
    n.free_spindles, n.node_cpus, short_decimal(n.cpu_speed));
}

std::string instance_line(const instance_spec& i, const cluster& c) {
  auto node = [&c](int at) {
    return at < 0 ? std::string{} : c.nodes[static_cast<std::size_t>(at)].name;
  };
  std::vector<std::string> spindles;
  for (const auto& x : i.disk_spindles)
    spindles.push_back(x ? std::to_string(*x) : "-");
  return fmt::format(
    "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}\n", i.name, i.memory, i.disk,
    i.vcpus, name_of(i.status), i.auto_balance ? "Y" : "N", node(i.primary),
    node(i.secondary), name_of(i.disks), join(i.tags, ','), i.spindle_use,
    join(spindles, ','), i.forthcoming ? "Y" : "N");
}

} // namespace

std::string write_text(const cluster& c) {
  std::string result;
  for (const auto& g : c.groups)
    result
      += fmt::format("{}|{}|{}|{}|{}\n", g.name, g.uuid, name_of(g.allocation),
                     join(g.tags, ','), join(g.networks, ','));
  result += '\n';
  for (const auto& n : c.nodes)
    result += node_line(n, c);
  result += '\n';
  for (const auto& i : c.instances)
    result += instance_line(i, c);
  result += '\n';
  for (const auto& t : c.tags)
    result += t + '\n';
  result += '\n';
  result += policy_line("", c.policy);
  for (const auto& g : c.groups)
    result += policy_line(g.name, g.policy);
  return result;
}

} // namespace orderly::io::htools
