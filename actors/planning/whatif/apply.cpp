// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/apply.hpp"

#include "actors/planning/moves/storage_map.hpp"
#include "actors/planning/whatif/added_nodes.hpp"

#include <algorithm>
#include <tuple>

namespace orderly::planning {

namespace {

template <class T>
bool has_name(const std::vector<T>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(),
                     [&](const T& x) { return x.name == name; });
}

/// The next name that begins so and nobody has.
template <class T>
std::string free_name(const std::vector<T>& all, const std::string& begin,
                      std::int64_t& number) {
  std::string result;
  do
    result = begin + std::to_string(++number);
  while (has_name(all, result));
  return result;
}

class application {
public:
  application(const cluster& c, const change_set& x)
    : c_(c), x_(x), suffix_(common_suffix(c)) {
    r_.now = c;
    r_.is_lost.assign(c.nodes.size(), false);
    r_.is_drained.assign(c.nodes.size(), false);
    r_.is_emptied.assign(c.groups.size(), false);
  }

  result<changed_cluster> run() {
    for (const auto& x : x_.lost)
      for (auto n : nodes_of("lose", x))
        r_.is_lost[at(n)] = true;
    for (const auto& x : x_.drained)
      for (auto n : nodes_of("drain", x))
        drain(n);
    for (const auto& name : x_.emptied)
      if (auto g = group_of("empty", name); g >= 0)
        r_.is_emptied[at(g)] = true;
    for (const auto& x : x_.memory)
      add_memory(x);
    add_nodes();
    for (const auto& x : x_.grown)
      want(x);
    if (!fault_)
      take_out();
    if (!fault_)
      ask_what_stays();
    if (fault_)
      return *fault_;
    sort_wanted();
    return std::move(r_);
  }

private:
  void refuse(const std::string& why) {
    if (!fault_)
      fault_ = fault{fault_kind::bad_input, why};
  }

  int node_of(const char* change, const std::string& name) {
    for (std::size_t n = 0; n < c_.nodes.size(); ++n)
      if (c_.nodes[n].name == name || c_.nodes[n].name == name + suffix_)
        return static_cast<int>(n);
    refuse(std::string{change} + ": the cluster has no node '" + name
           + "'; 'hinfo -p' lists its nodes");
    return -1;
  }

  int group_of(const char* change, const std::string& name) {
    for (std::size_t g = 0; g < c_.groups.size(); ++g)
      if (c_.groups[g].name == name || c_.groups[g].uuid == name)
        return static_cast<int>(g);
    refuse(std::string{change} + ": the cluster has no group '" + name
           + "'; 'hinfo' lists its groups");
    return -1;
  }

  std::vector<int> nodes_of(const char* change, const whose_nodes& x) {
    std::vector<int> result;
    if (!x.is_group) {
      if (auto n = node_of(change, x.name); n >= 0)
        result.push_back(n);
      return result;
    }
    auto g = group_of(change, x.name);
    if (g < 0)
      return result;
    for (std::size_t n = 0; n < c_.nodes.size(); ++n)
      if (c_.nodes[n].group == g)
        result.push_back(static_cast<int>(n));
    if (result.empty())
      refuse(std::string{change} + ": group '" + x.name
             + "' has no nodes; name another one");
    return result;
  }

  void drain(int n) {
    if (r_.is_lost[at(n)])
      refuse("node " + c_.nodes[at(n)].name
             + " is both lost and drained; say one of the two");
    r_.is_drained[at(n)] = !c_.nodes[at(n)].offline;
  }

  void add_memory(const more_memory& x) {
    for (auto n : nodes_of("ram", x.where)) {
      auto& to = r_.now.nodes[at(n)];
      auto useless = r_.is_lost[at(n)] || !has_figures(to);
      if (useless && x.where.is_group)
        continue;
      if (r_.is_lost[at(n)])
        return refuse("ram: node " + to.name
                      + " is lost, so more memory does nothing there; leave "
                        "one of the two out");
      if (useless)
        return refuse("ram: nobody knows how large node " + to.name
                      + " is, so nobody knows what it would be; leave it out");
      to.total_memory += static_cast<double>(x.by);
      to.free_memory += x.by;
    }
  }

  /// One of those that are asked for, as it is before all other changes.
  std::optional<node_spec> pattern(const new_nodes& x) {
    if (!x.like.empty()) {
      auto n = node_of("add", x.like);
      if (n < 0)
        return std::nullopt;
      if (has_figures(c_.nodes[at(n)]))
        return empty_twin(c_.nodes[at(n)]);
      refuse("add: nobody knows how large node " + c_.nodes[at(n)].name
             + " is; give sizes instead (MEMORY,DISK,CPUS@GROUP)");
      return std::nullopt;
    }
    auto g = group_of("add", x.group);
    if (g < 0)
      return std::nullopt;
    auto found = node_of_size(c_, x, g);
    if (found)
      return std::move(*found);
    refuse("add: " + found.why().text);
    return std::nullopt;
  }

  void add_nodes() {
    std::vector<std::pair<node_spec, std::int64_t>> all;
    for (const auto& x : x_.added)
      if (auto n = pattern(x))
        all.emplace_back(std::move(*n), x.count);
    auto key = [](const node_spec& n) {
      return std::tie(n.group, n.total_memory, n.total_disk, n.total_cpus,
                      n.name);
    };
    std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
      return key(a.first) < key(b.first);
    });
    std::int64_t number = 0;
    for (auto& [spec, count] : all) {
      if (r_.is_emptied[at(spec.group)])
        refuse("add: group " + c_.groups[at(spec.group)].name
               + " is to be emptied; add nodes to another one");
      for (std::int64_t k = 0; k < count; ++k) {
        spec.name = free_name(r_.now.nodes, "new-node-", number);
        r_.added.push_back(static_cast<int>(r_.now.nodes.size()));
        r_.now.nodes.push_back(spec);
      }
    }
    r_.is_lost.resize(r_.now.nodes.size(), false);
    r_.is_drained.resize(r_.now.nodes.size(), false);
  }

  void want(const new_instances& x) {
    wanted_instances w;
    w.count = x.count;
    if (!x.group.empty()) {
      w.group = group_of("grow", x.group);
      if (w.group >= 0 && r_.is_emptied[at(w.group)])
        refuse("grow: group " + c_.groups[at(w.group)].name
               + " is to be emptied; name another one");
    }
    auto& s = w.size;
    s.memory = x.memory;
    s.disk = x.disk;
    s.disk_sizes = {x.disk};
    s.disk_spindles = {std::int64_t{1}};
    s.vcpus = x.vcpus;
    s.primary = -1;
    s.disks = x.disks;
    s.storage = x.pool;
    s.spindle_use = c_.policy.standard.spindles;
    if (is_reached(s))
      r_.wanted.push_back(std::move(w));
  }

  /// A pool that nobody reaches is a slip, and not a lack of room.
  bool is_reached(const instance_spec& x) {
    auto pool = pool_of(c_, x);
    if (!pool)
      return true;
    auto said = false;
    for (const auto& n : r_.now.nodes) {
      said |= n.pools.has_value();
      if (!n.pools && !x.storage)
        return true;
      if (n.pools
          && std::find(n.pools->begin(), n.pools->end(), *pool)
               != n.pools->end())
        return true;
    }
    auto name = std::string{name_of(pool->type)} + "/" + pool->pool;
    refuse(said ? "grow: no node reaches pool " + name
                    + " by what --pools says; name another one"
                : "grow: nobody says which node reaches pool " + name
                    + "; give --pools, or leave the pool out");
    return false;
  }

  /// Equal ones become one, the largest come first.
  void sort_wanted() {
    auto key = [](const wanted_instances& w) {
      const auto& s = w.size;
      return std::tuple{-s.memory, -s.disk,   -s.vcpus,
                        s.disks,   s.storage, w.group};
    };
    std::stable_sort(
      r_.wanted.begin(), r_.wanted.end(),
      [&](const auto& a, const auto& b) { return key(a) < key(b); });
    std::vector<wanted_instances> all;
    for (auto& w : r_.wanted)
      if (!all.empty() && key(all.back()) == key(w))
        all.back().count += w.count;
      else
        all.push_back(std::move(w));
    r_.wanted = std::move(all);
  }

  void take_out() {
    auto& c = r_.now;
    for (std::size_t n = 0; n < c.nodes.size(); ++n) {
      c.nodes[n].offline |= r_.is_lost[n] || r_.is_drained[n];
      c.nodes[n].dead |= r_.is_lost[n];
    }
    c.instances.clear();
    for (std::size_t i = 0; i < c_.instances.size(); ++i)
      if (is_lost_with(c_.instances[i], r_.is_lost))
        r_.lost_instances.push_back(static_cast<int>(i));
      else
        c.instances.push_back(c_.instances[i]);
    for (std::size_t g = 0; g < c.groups.size(); ++g)
      if (r_.is_emptied[g])
        c.groups[g].allocation = alloc_policy::unallocable;
  }

  void ask_what_stays() {
    const auto& c = r_.now;
    auto stays = [](const node_spec& n) { return !n.offline; };
    if (std::none_of(c.nodes.begin(), c.nodes.end(), stays))
      return refuse("no node stays in service, so there is nothing to plan "
                    "with; lose or drain fewer");
    auto is_open = [&](const node_spec& n) {
      return !n.offline
             && c.groups[at(n.group)].allocation != alloc_policy::unallocable;
    };
    if (!x_.emptied.empty()
        && std::none_of(c.nodes.begin(), c.nodes.end(), is_open))
      refuse("empty: no other group that may be used has a node in service, so "
             "there is nowhere to go; empty fewer groups, or add nodes");
  }

  const cluster& c_;
  const change_set& x_;
  std::string suffix_;
  changed_cluster r_;
  std::optional<fault> fault_;
};

} // namespace

bool is_lost_with(const instance_spec& x, const std::vector<bool>& is_lost) {
  if (x.primary < 0 || !is_lost[at(x.primary)])
    return false;
  if (x.disks == disk_template::drbd)
    return x.secondary < 0 || is_lost[at(x.secondary)];
  return x.disks == disk_template::plain || x.disks == disk_template::file;
}

result<changed_cluster> apply(const cluster& c, const change_set& x) {
  return application{c, x}.run();
}

} // namespace orderly::planning
