// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/read_instance.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

namespace {

void read_disks(json_reader& r, const std::string& name, instance_spec& i) {
  for (const auto& x : r.list("disks").items) {
    json_reader d{x, fmt::format("invalid disk of instance '{}'", name)};
    i.disk_sizes.push_back(d.whole("size"));
    i.disk_spindles.push_back(
      d.has("spindles") ? std::optional{d.whole("spindles")} : std::nullopt);
    if (d.trouble())
      r.complain(d.trouble()->text);
  }
}

/// Networks by uuid; an interface of none stays out.
void read_networks(json_reader& r, const std::string& name, instance_spec& i) {
  for (const auto& x : r.list("nics").items) {
    json_reader n{x, fmt::format("invalid nic of instance '{}'", name)};
    if (n.has("network"))
      i.networks.push_back(n.text("network"));
    if (n.trouble())
      r.complain(n.trouble()->text);
  }
}

instance_status read_state(json_reader& r) {
  auto state = r.text("admin_state");
  if (state == "up")
    return instance_status::running;
  if (state == "down")
    return instance_status::admin_down;
  if (state == "offline")
    return instance_status::admin_offline;
  r.complain(fmt::format("key 'admin_state': '{}' is not one of up, down, "
                         "offline",
                         state));
  return instance_status::running;
}

instance_size read_size(const json_value& x, json_reader& r) {
  json_reader s{x, "invalid ispec"};
  instance_size size;
  size.memory = s.whole("memory-size");
  size.cpus = s.whole("cpu-count");
  size.disk = s.whole("disk-size");
  size.disks = s.whole("disk-count");
  size.nics = s.whole("nic-count");
  size.spindles = s.whole("spindle-use");
  if (s.trouble())
    r.complain(s.trouble()->text);
  return size;
}

} // namespace

instance_spec read_instance(json_reader& r, const std::string& name) {
  instance_spec i;
  i.name = name;
  i.disk = r.whole("disk_space_total");
  read_disks(r, name, i);
  i.memory = r.whole("memory");
  i.vcpus = r.whole("vcpus");
  i.tags = r.texts("tags");
  auto disks = r.text("disk_template");
  auto known = disk_template_of(disks);
  if (!known)
    r.complain(fmt::format("key 'disk_template': Invalid string value for type "
                           "DiskTemplate: \"{}\"",
                           disks));
  i.disks = known.value_or(disk_template::diskless);
  i.spindle_use = r.whole("spindle_use");
  read_networks(r, name, i);
  if (r.has("admin_state"))
    i.status = read_state(r);
  i.forthcoming = r.has("forthcoming") && r.flag("forthcoming");
  return i;
}

instance_policy read_policy(json_reader& r, const json_value& x) {
  json_reader p{x, "invalid ipolicy"};
  instance_policy policy;
  policy.ranges.clear();
  for (const auto& range : p.list("minmax").items) {
    json_reader m{range, "invalid minmax of an ipolicy"};
    size_range both;
    both.min = read_size(m.object("min"), m);
    both.max = read_size(m.object("max"), m);
    policy.ranges.push_back(both);
    if (m.trouble())
      p.complain(m.trouble()->text);
  }
  policy.standard = read_size(p.object("std"), p);
  policy.templates.clear();
  for (const auto& name : p.texts("disk-templates")) {
    auto known = disk_template_of(name);
    if (!known)
      p.complain(
        fmt::format("key 'disk-templates': '{}' is no disk template", name));
    policy.templates.push_back(known.value_or(disk_template::diskless));
  }
  policy.vcpu_ratio = p.number("vcpu-ratio");
  policy.spindle_ratio = p.number("spindle-ratio");
  if (p.trouble())
    r.complain(p.trouble()->text);
  return policy;
}

} // namespace orderly::io::htools
