// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/placement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orderly::planning {

namespace {

instance_facts facts_of(const instance_spec& x, bool no_load) {
  instance_facts f;
  f.memory = uses_memory(x) ? x.memory : 0;
  f.later_reserve = reserves_memory(x) ? x.memory : 0;
  f.reserve = x.forthcoming ? 0 : f.later_reserve;
  f.size = x.memory;
  f.local = uses_local_disk(x.disks);
  f.disk = f.local ? x.disk : 0;
  f.vcpus = is_online(x) ? x.vcpus : 0;
  f.spindles = f.local ? x.spindle_use : 0;
  f.disk_spindles = 0;
  for (const auto& s : x.disk_spindles)
    f.disk_spindles = s && f.disk_spindles
                        ? std::optional{*f.disk_spindles + *s}
                        : std::nullopt;
  f.use = no_load ? load{} : x.use;
  f.forthcoming = x.forthcoming;
  f.mirrored = x.disks == disk_template::drbd;
  f.movable = can_move(x.disks) && !x.excluded;
  return f;
}

/// A disk that does not say how many spindles it has leaves none.
void take_later_spindles(const node_facts& f, node_state& s,
                         const instance_facts& x) {
  if (!f.exclusive)
    return;
  s.later_free_spindles
    = x.disk_spindles ? s.later_free_spindles - *x.disk_spindles : -1;
}

} // namespace

placement::placement(const cluster& c, std::optional<int> group,
                     const build_options& options)
  : source(&c), offline_refuge(options.n1 == initial_n1::reported) {
  auto all = read_labels(c, options.exclusion_prefixes);
  add_nodes(group, options);
  add_instances(options);
  storage = storage_map{c, node_index, instance_index};
  for (auto n : node_index) {
    tags.location.push_back(std::move(all.location[at(n)]));
    tags.migration.push_back(std::move(all.migration[at(n)]));
    tags.accepts.push_back(std::move(all.accepts[at(n)]));
  }
  for (auto i : instance_index) {
    tags.exclusion.push_back(std::move(all.exclusion[at(i)]));
    tags.desired.push_back(std::move(all.desired[at(i)]));
  }
  tags.any_location = all.any_location;
  tags.any_migration = all.any_migration;
  for (int i = 0; i < instance_count(); ++i)
    place_instance(i);
  finish(options);
}

void placement::add_nodes(std::optional<int> group,
                          const build_options& options) {
  local_node_.assign(source->nodes.size(), -1);
  for (std::size_t n = 0; n < source->nodes.size(); ++n) {
    const auto& x = source->nodes[n];
    if (group && x.group != *group)
      continue;
    local_node_[n] = static_cast<int>(node_index.size());
    node_index.push_back(static_cast<int>(n));
    const auto& policy = source->groups[at(x.group)].policy;
    node_facts f;
    f.total_memory = x.total_memory;
    f.total_disk = x.total_disk;
    f.total_cpus = x.total_cpus;
    f.cpu_speed = x.cpu_speed;
    f.low_disk = static_cast<mib>(std::floor(options.min_disk * x.total_disk));
    f.vcpu_ratio = options.vcpu_ratio.value_or(policy.vcpu_ratio);
    f.high_spindles = policy.spindle_ratio * static_cast<double>(x.spindles);
    f.total_spindles = static_cast<double>(x.spindles);
    f.exclusive = x.exclusive_storage;
    f.online = !x.offline;
    f.dead = is_dead(x);
    facts.push_back(f);
    any_exclusive |= f.exclusive;
    node_state s;
    s.free_disk = s.later_disk = x.free_disk;
    s.free_spindles = s.later_free_spindles = x.free_spindles;
    s.cpus = s.later_cpus = x.node_cpus;
    s.later_memory = x.free_memory;
    s.use[load_cpu] = options.no_load ? 0 : x.own_cpu_load;
    states.push_back(s);
  }
  // Full vectors may be read from each line.
  stride_ = (states.size() + 7) / 8 * 8 + 8;
  by_secondary.assign(states.size() * stride_, 0);
  by_primary.assign(states.size() * stride_, 0);
  held_.resize(states.size());
}

void placement::add_instances(const build_options& options) {
  std::map<std::pair<int, int>, mib> foreign;
  for (std::size_t i = 0; i < source->instances.size(); ++i) {
    const auto& x = source->instances[i];
    auto f = facts_of(x, options.no_load);
    if (x.primary < 0) { // it is nowhere yet
      instance_index.push_back(static_cast<int>(i));
      instances.push_back(f);
      places.push_back({});
      continue;
    }
    auto p = local_node_[at(x.primary)];
    auto s = x.secondary < 0 ? -1 : local_node_[at(x.secondary)];
    if (p < 0 && s >= 0) {
      auto& n = states[at(s)];
      if (!x.forthcoming) {
        foreign[{s, x.primary}] += f.reserve;
        all_reserves += f.reserve;
        ++n.secondaries;
        n.spindles += facts[at(s)].exclusive ? 0 : f.spindles;
        n.use[load_disk] += f.use[load_disk];
      }
      n.later_spindles += facts[at(s)].exclusive ? 0 : f.spindles;
    }
    if (p < 0)
      continue;
    auto split = x.secondary >= 0
                 && source->nodes[at(x.primary)].group
                      != source->nodes[at(x.secondary)].group;
    f.movable = f.movable && !split;
    instance_index.push_back(static_cast<int>(i));
    instances.push_back(f);
    places.push_back({p, s});
  }
  for (const auto& [key, memory] : foreign) {
    auto& reserve = facts[at(key.first)].foreign_reserve;
    reserve = std::max(reserve, memory);
  }
}

void placement::place_instance(int instance) {
  const auto& x = instances[at(instance)];
  auto where = places[at(instance)];
  if (where.primary < 0)
    return;
  auto& p = states[at(where.primary)];
  auto spindles = facts[at(where.primary)].exclusive ? 0 : x.spindles;
  if (!x.forthcoming) {
    p.instance_memory += x.memory;
    p.cpus += x.vcpus;
    p.spindles += spindles;
    for (std::size_t k = 0; k < load_parts; ++k)
      p.use[k] += x.use[k];
    ++p.primaries;
    p.misplaced += misplacement(instance, where);
  } else {
    p.later_disk -= x.disk;
    take_later_spindles(facts[at(where.primary)], p, x);
  }
  retag(instance, -1, where.primary);
  p.later_cpus += x.vcpus;
  p.later_spindles += spindles;
  if (x.memory == 0)
    p.later_memory -= x.size;
  if (where.secondary < 0)
    return;
  auto& s = states[at(where.secondary)];
  spindles = facts[at(where.secondary)].exclusive ? 0 : x.spindles;
  s.later_spindles += spindles;
  if (x.forthcoming) {
    s.later_disk -= x.disk;
    take_later_spindles(facts[at(where.secondary)], s, x);
    return;
  }
  ++s.secondaries;
  s.spindles += spindles;
  s.use[load_disk] += x.use[load_disk];
  change_reserve(where.secondary, where.primary, x.reserve);
  all_reserves += x.reserve;
}

void placement::finish(const build_options& options) {
  for (int n = 0; n < node_count(); ++n) {
    const auto& x = source->nodes[at(node_index[at(n)])];
    auto& s = states[at(n)];
    auto& f = facts[at(n)];
    auto whole = static_cast<mib>(x.total_memory) - x.node_memory;
    f.missing_memory = whole - s.instance_memory - x.free_memory;
    f.base_memory = whole - std::max<mib>(0, f.missing_memory);
    s.reserved = greatest_reserve(n, -1, 0);
    s.short_of_memory = options.n1 == initial_n1::reported
                          ? x.free_memory < s.reserved
                          : unallocated(n, s) <= s.reserved;
    s.conflicts = 0;
    for (const auto& [tag, count] : held_[at(n)])
      s.conflicts += count - 1;
  }
}

int placement::add_copy(int instance) {
  instance_index.push_back(instance_index[at(instance)]);
  instances.push_back(instances[at(instance)]);
  if (at(instance) < resized.size()) {
    resized.resize(instances.size());
    resized.back() = resized[at(instance)];
  }
  places.push_back({});
  tags.exclusion.push_back(tags.exclusion[at(instance)]);
  tags.desired.push_back(tags.desired[at(instance)]);
  storage.add_copy(instance);
  return instance_count() - 1;
}

void placement::resize(int instance, const instance_spec& x) {
  instances[at(instance)] = facts_of(x, false);
  if (resized.size() <= at(instance))
    resized.resize(instances.size());
  resized[at(instance)] = std::make_shared<const instance_spec>(x);
  storage.change(instance, *source, x);
}

void placement::change_reserve(int secondary, int primary, mib by) {
  auto& value = by_secondary[cell(secondary, primary)];
  value += static_cast<double>(by);
  by_primary[cell(primary, secondary)] = value;
}

mib placement::greatest_reserve(int node, int primary, mib kept) const {
  const auto* row = by_secondary.data() + cell(node, 0);
  // The padding is 0. Four at a time: the compiler must not wait for each.
  std::array<double, 4> most{};
  for (std::size_t q = 0; q < states.size(); q += most.size())
    for (std::size_t k = 0; k < most.size(); ++k) {
      auto x = static_cast<int>(q + k) == primary ? 0.0 : row[q + k];
      most[k] = x > most[k] ? x : most[k];
    }
  auto result = static_cast<double>(facts[at(node)].foreign_reserve);
  for (auto x : most)
    result = std::max(result, x);
  return std::max(static_cast<mib>(result), primary < 0 ? 0 : kept);
}

void placement::retag(int instance, int from, int to) {
  for (auto tag : tags.exclusion[at(instance)]) {
    auto shift = [&](int node, int by) {
      auto& count = held_[at(node)][tag];
      count += by;
      if (count == 0)
        held_[at(node)].erase(tag);
      if (!facts[at(node)].online || instances[at(instance)].forthcoming)
        return; // only what is there and online shares a location
      for (auto where : tags.location[at(node)]) {
        auto& shared = location_counts[{where, tag}];
        shared_locations -= std::max(0, shared - 1);
        shared += by;
        shared_locations += std::max(0, shared - 1);
      }
    };
    if (from >= 0)
      shift(from, -1);
    if (to >= 0)
      shift(to, 1);
  }
}

int placement::group_of(int node) const {
  auto in_cluster = node_index[static_cast<std::size_t>(node)];
  return source->nodes[static_cast<std::size_t>(in_cluster)].group;
}

std::vector<int> placement::all_nodes() const {
  std::vector<int> all(static_cast<std::size_t>(node_count()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int placement::tag_count(int node, int tag) const {
  const auto& held = held_[at(node)];
  auto found = held.find(tag);
  return found == held.end() ? 0 : found->second;
}

int placement::misplacement(int instance, place where) const {
  if (!tags.any_location)
    return 0;
  const auto& here = tags.location[at(where.primary)];
  int result = 0;
  if (where.secondary >= 0)
    result = common_labels(here, tags.location[at(where.secondary)]);
  for (auto x : tags.desired[at(instance)])
    result += has_label(here, x) ? 0 : 1;
  return result;
}

double lowest_score(const placement& p) {
  if (p.node_count() < 2)
    return 0;
  double whole = 0;
  double greatest = 0;
  for (const auto& f : p.facts) {
    whole += f.total_memory;
    greatest = std::max(greatest, f.total_memory);
  }
  auto rest = whole - greatest;
  if (!(rest > 0))
    return 0;
  auto kept = static_cast<double>(p.all_reserves);
  return 0.25 * (kept / rest - kept / whole);
}

cluster moved_cluster(const cluster& c, const placement& p) {
  auto result = c;
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    if (p.places[i].primary < 0)
      continue; // it is nowhere
    auto& x = result.instances[static_cast<std::size_t>(p.instance_index[i])];
    x.primary = p.node_index[static_cast<std::size_t>(p.places[i].primary)];
    if (p.places[i].secondary >= 0)
      x.secondary
        = p.node_index[static_cast<std::size_t>(p.places[i].secondary)];
  }
  for (std::size_t n = 0; n < p.states.size(); ++n) {
    auto& x = result.nodes[static_cast<std::size_t>(p.node_index[n])];
    const auto& s = p.states[n];
    // What nobody accounts for stays what it was.
    x.free_memory = static_cast<mib>(x.total_memory) - x.node_memory
                    - s.instance_memory - p.facts[n].missing_memory;
    x.free_disk = s.free_disk;
    x.free_spindles = s.free_spindles;
  }
  return result;
}

} // namespace orderly::planning
