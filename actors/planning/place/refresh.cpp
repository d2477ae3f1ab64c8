// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/refresh.hpp"

#include <algorithm>
#include <utility>

namespace orderly::planning {

namespace {

template <class T>
int index_of(const std::vector<T>& all, const std::string& name) {
  auto i = std::find_if(all.begin(), all.end(),
                        [&](const T& x) { return x.name == name; });
  return i == all.end() ? -1 : static_cast<int>(i - all.begin());
}

bool has_figures(const node_spec& x) {
  return x.total_memory > 0 && x.total_cpus > 0;
}

/// What DRBD keeps for itself of each disk.
constexpr mib mirror_metadata = 128;

mib disk_of(const instance_record& x, disk_template disks) {
  mib sum = 0;
  for (auto size : x.disks_mib)
    sum += size + (disks == disk_template::drbd ? mirror_metadata : 0);
  return sum;
}

class renewal {
public:
  explicit renewal(const cluster& model) {
    auto& c = result_.now;
    c = model;
    old_ = std::exchange(c.instances, {});
    c.instances.reserve(old_.size());
    for (std::size_t n = 0; n < c.nodes.size(); ++n) {
      auto silent = !has_figures(c.nodes[n]);
      c.nodes[n].offline |= silent;
      c.nodes[n].dead |= silent;
      nodes_[c.nodes[n].name] = static_cast<int>(n);
    }
  }

  void take_nodes(const cluster_record& r) {
    auto& c = result_.now;
    c.tags = r.tags;
    std::vector<bool> there(c.nodes.size());
    for (const auto& x : r.nodes) {
      auto n = node(x.name);
      there.resize(c.nodes.size());
      there[at(n)] = true;
      auto& to = c.nodes[at(n)];
      to.group = group(x.group);
      to.tags = x.tags;
      to.master = x.name == r.master;
      to.dead = x.offline || !has_figures(to);
      to.offline = x.offline || x.drained || !x.vm_capable || !has_figures(to);
    }
    for (std::size_t n = 0; n < there.size(); ++n)
      if (!there[n])
        c.nodes[n].offline = c.nodes[n].dead = true;
  }

  void take_instances(const cluster_record& r) {
    const auto& all = r.instances;
    std::vector<bool> met(all.size());
    std::size_t next = 0; // most often both have the same order
    for (auto& x : old_) {
      const auto* record = next < all.size() && all[next].name == x.name
                             ? &all[next]
                             : find_record(all, x.name);
      auto place = record != nullptr ? record - all.data() : 0;
      if (record == nullptr || met[static_cast<std::size_t>(place)]) {
        weigh(x, -1);
        continue;
      }
      next = static_cast<std::size_t>(place);
      met[next++] = true;
      renew(x, *record);
      keep(std::move(x));
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!met[i])
        add(all[i]);
  }

  void keep_instances() {
    for (auto& x : old_)
      keep(std::move(x));
  }

  void go(const std::map<instance_name, instance_place>& under_way) {
    if (under_way.empty())
      return;
    const auto& all = result_.now.instances;
    std::map<instance_name, int> where;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (under_way.count(all[i].name) != 0)
        where.emplace(all[i].name, static_cast<int>(i));
    for (const auto& [name, to] : under_way)
      if (auto i = where.find(name); i != where.end())
        go(i->second, to);
  }

  fresh_cluster result() { return std::move(result_); }

private:
  void go(int i, const instance_place& to) {
    auto& x = result_.now.instances[at(i)];
    weigh(x, -1);
    if (!to.primary.empty())
      x.primary = node(to.primary);
    x.secondary = to.secondary.empty() ? -1 : node(to.secondary);
    start(x);
    weigh(x, 1);
    result_.unwell[i] = "a job moves it now";
  }

  /// A node that the model does not know has no figures. `known`: where it was
  /// before, or -1.
  int node(const node_name& name, int known = -1) {
    if (known >= 0 && result_.now.nodes[at(known)].name == name)
      return known;
    auto i = nodes_.find(name);
    if (i != nodes_.end())
      return i->second;
    auto& c = result_.now;
    node_spec x;
    x.name = name;
    x.offline = x.dead = true;
    x.group = c.groups.empty() ? group({}) : 0;
    c.nodes.push_back(std::move(x));
    return nodes_[name] = static_cast<int>(c.nodes.size()) - 1;
  }

  int group(const group_name& name) {
    auto& all = result_.now.groups;
    auto i = index_of(all, name);
    if (i >= 0)
      return i;
    node_group x;
    x.name = name;
    x.policy = result_.now.policy;
    all.push_back(std::move(x));
    return static_cast<int>(all.size()) - 1;
  }

  /// What it takes of its nodes is gone from there, or is free again. What a
  /// node lacks and nobody accounts for stays the same this way.
  void weigh(const instance_spec& x, int sign) {
    auto& all = result_.now.nodes;
    if (x.primary < 0)
      return;
    if (uses_memory(x))
      all[at(x.primary)].free_memory -= sign * x.memory;
    if (!uses_local_disk(x.disks) || x.forthcoming)
      return;
    all[at(x.primary)].free_disk -= sign * x.disk;
    if (x.secondary >= 0)
      all[at(x.secondary)].free_disk -= sign * x.disk;
  }

  static bool is_down(instance_status x) {
    return x == instance_status::admin_down
           || x == instance_status::admin_offline;
  }

  /// Where it went it was started, if it was to be up.
  static void start(instance_spec& x) {
    if (!is_down(x.status))
      x.status = instance_status::running;
  }

  void renew(instance_spec& x, const instance_record& r) {
    auto was = x.primary;
    weigh(x, -1);
    x.primary = node(r.primary, x.primary);
    x.secondary
      = r.secondaries.empty() ? -1 : node(r.secondaries.front(), x.secondary);
    x.disks = disk_template_of(to_string(r.disks)).value_or(x.disks);
    x.tags = r.tags;
    if (r.admin == admin_state::offline)
      x.status = instance_status::admin_offline;
    else if (r.admin == admin_state::down
             && x.status != instance_status::error_up)
      x.status = instance_status::admin_down;
    else if (r.admin == admin_state::up
             && (is_down(x.status) || was != x.primary))
      x.status = instance_status::running;
    weigh(x, 1);
  }

  void add(const instance_record& r) {
    instance_spec x;
    x.name = r.name;
    x.memory = r.memory_mib;
    x.disks
      = disk_template_of(to_string(r.disks)).value_or(disk_template::diskless);
    x.disk = disk_of(r, x.disks);
    x.disk_sizes = r.disks_mib;
    x.vcpus = 1;
    x.status = r.admin == admin_state::up     ? instance_status::running
               : r.admin == admin_state::down ? instance_status::admin_down
                                              : instance_status::admin_offline;
    x.tags = r.tags;
    x.primary = node(r.primary);
    x.secondary = r.secondaries.empty() ? -1 : node(r.secondaries.front());
    weigh(x, 1);
    keep(std::move(x));
    result_.unwell[static_cast<int>(result_.now.instances.size()) - 1]
      = "it is new, and not all of its figures are known yet";
  }

  void keep(instance_spec x) {
    if (x.primary < 0)
      return; // nowhere yet
    auto i = static_cast<int>(result_.now.instances.size());
    auto status = x.status;
    if (status == instance_status::user_down)
      result_.unwell[i] = "its user shut it down, and who moves it starts it";
    else if (status != instance_status::running && !is_down(status))
      result_.unwell[i] = "its status is " + std::string{name_of(status)};
    if (status == instance_status::error_down) {
      x.status = instance_status::running;
      weigh(x, 1);
    }
    result_.now.instances.push_back(std::move(x));
  }

  fresh_cluster result_;
  std::vector<instance_spec> old_;
  std::map<node_name, int> nodes_;
};

} // namespace

std::string fault_of(const cluster& model) {
  if (model.nodes.empty())
    return "the model has no nodes";
  auto nodes = static_cast<int>(model.nodes.size());
  auto groups = static_cast<int>(model.groups.size());
  for (const auto& x : model.nodes)
    if (x.group < 0 || x.group >= groups)
      return "node " + x.name + " of the model is in an unknown group";
  for (const auto& x : model.instances)
    if (x.primary < -1 || x.primary >= nodes || x.secondary < -1
        || x.secondary >= nodes)
      return "instance " + x.name + " of the model is on an unknown node";
    else if (x.primary >= 0 && x.primary == x.secondary)
      return "instance " + x.name + " of the model has one node for both "
             + "its primary and its secondary";
  return {};
}

fresh_cluster
refresh(const cluster& model, const cluster_picture& picture,
        const std::map<instance_name, instance_place>& under_way) {
  renewal x{model};
  if (picture) {
    x.take_nodes(*picture);
    x.take_instances(*picture);
  } else {
    x.keep_instances();
  }
  x.go(under_way);
  return x.result();
}

int node_named(const cluster& c, const node_name& name) {
  return index_of(c.nodes, name);
}

int instance_named(const cluster& c, const instance_name& name) {
  return index_of(c.instances, name);
}

} // namespace orderly::planning
