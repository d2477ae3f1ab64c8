// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nodes and instances that a person adds to the simulated Ganeti, takes away
// or gives another name.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::sim {

/// Whoever comes is somebody new, whatever name it bears.
std::string ganeti::fresh_uuid(const std::string& name) {
  return fmt::format("uuid-{}-{}", name, ++members_made_);
}

std::string ganeti::add_node(const node_name& name) {
  if (node(name))
    return name + " is a node of the cluster already";
  if (truth_.has(name) && !answers(name))
    return name + " does not answer: it cannot be made a node";
  const auto& like = *node(record_.master);
  node_record x;
  x.name = name;
  x.uuid = fresh_uuid(name);
  x.group = like.group;
  x.address = name;
  x.oob_program = sim_oob_program;
  x.powered = true;
  x.vm_capable = true;
  x.serial_no = 1;
  if (!truth_.has(name)) {
    truth_.add_node(name);
    auto stock = stock_.at(like.name);
    stock.disk_used = 0;
    stock.full = false;
    stock_[name] = stock;
  }
  record_.nodes.push_back(std::move(x));
  index_names();
  touch();
  return {};
}

std::string ganeti::remove_node(const node_name& name) {
  if (!node(name))
    return name + " is no node of the cluster";
  if (name == record_.master)
    return name + " is the master";
  for (const auto& x : record_.instances)
    if (x.primary == name
        || std::count(x.secondaries.begin(), x.secondaries.end(), name) > 0)
      return name + " still has " + x.name;
  std::erase_if(record_.nodes, [&](const auto& x) { return x.name == name; });
  index_names();
  touch();
  return {};
}

std::string ganeti::add_instance(const instance_name& name,
                                 const node_name& home) {
  if (instance(name))
    return "there is an instance " + name + " already";
  if (!node(home) || !answers(home))
    return home + " does not answer";
  instance_record x;
  x.name = name;
  x.uuid = fresh_uuid(name);
  x.primary = home;
  x.disks = disk_template::sharedfile;
  x.disks_mib = {10240};
  x.admin = admin_state::up;
  x.memory_mib = 1024;
  count_place(x, 1);
  record_.instances.push_back(std::move(x));
  index_names();
  truth_.start(name, home);
  touch();
  return {};
}

std::string ganeti::remove_instance(const instance_name& name) {
  if (!instance(name))
    return "there is no instance " + name;
  if (is_tended(name))
    return "a job works on " + name;
  count_place(*instance(name), -1);
  std::erase_if(record_.instances,
                [&](const auto& x) { return x.name == name; });
  index_names();
  tag_history_.erase("instance:" + name);
  wishes_.erase(name);
  starts_.erase(name);
  truth_.forget(name);
  touch();
  return {};
}

std::string ganeti::rename_instance(const instance_name& name,
                                    const instance_name& to) {
  if (!instance(name))
    return "there is no instance " + name;
  if (instance(to))
    return "there is an instance " + to + " already";
  if (is_tended(name))
    return "a job works on " + name;
  const auto& x = *instance(name);
  if (x.admin == admin_state::up || !truth_.homes(name).empty())
    return name + " is not stopped: only then can it get another name";
  if (node(x.primary)->offline || !answers(x.primary))
    return x.primary + " does not answer: " + name + " keeps its name";
  auto move = [](auto& all, const std::string& from, const std::string& at) {
    all.erase(at);
    if (auto entry = all.extract(from)) {
      entry.key() = at;
      all.insert(std::move(entry));
    }
  };
  move(tag_history_, "instance:" + name, "instance:" + to);
  move(wishes_, name, to);
  move(starts_, name, to);
  instance_at(name)->name = to;
  index_names();
  truth_.rename(name, to);
  touch();
  return {};
}

} // namespace orderly::sim
