// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/world/plan.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace orderly::sim {

namespace {

constexpr const char* allow_failover = "ganeti:watcher:autorepair:failover";

std::string numbered(const std::string& stem, std::size_t n,
                     std::size_t count) {
  auto text = std::to_string(n);
  auto width = std::to_string(count).size();
  return stem + std::string(width - text.size(), '0') + text;
}

instance_record make_instance(const instance_name& name, disk_template disks,
                              const node_name& primary) {
  instance_record x;
  x.name = name;
  x.uuid = "uuid-" + name;
  x.primary = primary;
  x.disks = disks;
  x.memory_mib = 1024;
  x.disks_mib = {10 * 1024};
  x.os = "noop";
  return x;
}

world_plan skeleton(const std::string& name, std::size_t nodes,
                    std::size_t groups, std::uint64_t seed) {
  world_plan plan;
  plan.name = name;
  plan.seed = seed;
  plan.tags = {allow_failover};
  for (std::size_t g = 1; g <= groups; ++g) {
    group_record x;
    x.name = numbered("group", g, groups);
    x.uuid = "uuid-" + x.name;
    plan.groups.push_back(x);
  }
  for (std::size_t n = 1; n <= nodes; ++n) {
    world_plan::node x;
    x.name = numbered("node", n, nodes);
    x.group = plan.groups[(n - 1) % groups].name;
    plan.nodes.push_back(x);
  }
  plan.master = plan.nodes.front().name;
  return plan;
}

/// web (drbd), db (sharedfile) and tmp (plain) instances, `each` of them on
/// every node; the mirror is on the next node of the group.
void populate_small(world_plan& plan, std::size_t each) {
  auto groups = plan.groups.size();
  auto count = plan.nodes.size() * each;
  for (std::size_t i = 0; i < count; ++i) {
    auto n = i % plan.nodes.size();
    const auto& home = plan.nodes[n].name;
    auto web
      = make_instance(numbered("web", i + 1, count), disk_template::drbd, home);
    web.secondaries = {plan.nodes[(n + groups) % plan.nodes.size()].name};
    plan.instances.push_back(web);
    plan.instances.push_back(make_instance(numbered("db", i + 1, count),
                                           disk_template::sharedfile, home));
  }
  plan.instances.push_back(
    make_instance("tmp1", disk_template::plain, plan.nodes.back().name));
}

/// One instance of each kind of disk, all of them on the second node.
void populate_kinds(world_plan& plan) {
  static const std::pair<const char*, disk_template> kinds[]{
    {"drbd1", disk_template::drbd},
    {"shared1", disk_template::sharedfile},
    {"gluster1", disk_template::gluster},
    {"block1", disk_template::blockdev},
    {"rbd1", disk_template::rbd},
    {"ext1", disk_template::ext},
    {"plain1", disk_template::plain},
    {"file1", disk_template::file},
    {"nodisk1", disk_template::diskless}};
  for (const auto& [name, disks] : kinds) {
    auto x = make_instance(name, disks, plan.nodes[1].name);
    if (disks == disk_template::drbd)
      x.secondaries = {plan.nodes[2].name};
    if (disks == disk_template::diskless)
      x.disks_mib.clear();
    plan.instances.push_back(std::move(x));
  }
}

/// Six web (drbd) and six db (sharedfile) instances a group, all of them at
/// home on its second node, with their mirrors on its third.
void populate_uneven(world_plan& plan) {
  constexpr std::size_t each = 6;
  auto groups = plan.groups.size();
  auto count = each * groups;
  for (std::size_t i = 0; i < count; ++i) {
    auto group = i % groups;
    const auto& home = plan.nodes[groups + group].name;
    auto web
      = make_instance(numbered("web", i + 1, count), disk_template::drbd, home);
    web.secondaries = {plan.nodes[2 * groups + group].name};
    plan.instances.push_back(std::move(web));
    plan.instances.push_back(make_instance(numbered("db", i + 1, count),
                                           disk_template::sharedfile, home));
  }
}

/// Little memory: node1 holds five web (drbd), all mirrored on node2, which
/// runs nothing and so looks empty; the others have six db (sharedfile) each.
void populate_tight(world_plan& plan) {
  for (auto& node : plan.nodes)
    node.memory_mib = 8704;
  for (std::size_t i = 1; i <= 5; ++i) {
    auto web
      = make_instance(numbered("web", i, 5), disk_template::drbd, "node1");
    web.secondaries = {"node2"};
    plan.instances.push_back(std::move(web));
  }
  for (std::size_t i = 1; i <= 12; ++i)
    plan.instances.push_back(make_instance(numbered("db", i, 12),
                                           disk_template::sharedfile,
                                           i <= 6 ? "node3" : "node4"));
}

bool all_digits(const std::string& text) {
  return !text.empty() && text.size() < 7
         && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Splits `made-40-400-2` into its numbers; empty if it is something else.
std::vector<std::uint32_t> made_numbers(const std::string& name) {
  std::vector<std::uint32_t> result;
  if (name.compare(0, 5, "made-") != 0)
    return result;
  std::size_t first = 5;
  while (first <= name.size()) {
    auto last = std::min(name.find('-', first), name.size());
    auto part = name.substr(first, last - first);
    if (!all_digits(part))
      return {};
    result.push_back(
      static_cast<std::uint32_t>(std::strtoul(part.c_str(), nullptr, 10)));
    first = last + 1;
  }
  return result;
}

} // namespace

world_plan make_plan(std::uint32_t nodes, std::uint32_t instances,
                     std::uint32_t groups, std::uint64_t seed) {
  groups = groups == 0 ? 1 : groups;
  nodes = nodes < groups ? groups : nodes;
  auto plan = skeleton("made", nodes, groups, seed);
  for (std::uint32_t i = 0; i < instances; ++i) {
    auto n = i % nodes;
    const auto& home = plan.nodes[n];
    auto kind = (i / nodes) % 6;
    auto disks = kind < 3   ? disk_template::drbd
                 : kind < 5 ? disk_template::sharedfile
                            : disk_template::plain;
    // The mirror is a node of the same group, another one every round.
    auto in_group = (nodes - n % groups + groups - 1) / groups;
    if (disks == disk_template::drbd && in_group < 2)
      disks = disk_template::sharedfile;
    auto x
      = make_instance(numbered("inst", i + 1, instances), disks, home.name);
    if (disks == disk_template::drbd) {
      auto place = n / groups;
      auto other = (place + 1 + (i / nodes) % (in_group - 1)) % in_group;
      x.secondaries = {plan.nodes[other * groups + n % groups].name};
    }
    plan.instances.push_back(x);
  }
  return plan;
}

result<world_plan> plan_named(const std::string& name, std::uint64_t seed) {
  if (name == "small-3n" || name == "small-5n") {
    auto plan = skeleton(name, name == "small-3n" ? 3 : 5, 1, seed);
    populate_small(plan, 1);
    return plan;
  }
  if (name == "kinds-5n") {
    auto plan = skeleton(name, 5, 1, seed);
    populate_kinds(plan);
    return plan;
  }
  if (name == "uneven-5n" || name == "uneven-10n") {
    auto groups = name == "uneven-5n" ? 1U : 2U;
    auto plan = skeleton(name, 5 * groups, groups, seed);
    populate_uneven(plan);
    return plan;
  }
  if (name == "tight-4n") {
    auto plan = skeleton(name, 4, 1, seed);
    populate_tight(plan);
    return plan;
  }
  if (name == "two-groups") {
    auto plan = skeleton(name, 8, 2, seed);
    populate_small(plan, 1);
    return plan;
  }
  if (name == "big-40n") {
    auto plan = make_plan(40, 400, 2, seed);
    plan.name = name;
    return plan;
  }
  auto numbers = made_numbers(name);
  if (numbers.size() == 3 && numbers[0] >= 2 && numbers[2] >= 1
      && numbers[0] >= numbers[2]) {
    auto plan = make_plan(numbers[0], numbers[1], numbers[2], seed);
    plan.name = name;
    return plan;
  }
  return fault{
    fault_kind::not_found,
    "no world is named '" + name
      + "'; use small-3n, small-5n, kinds-5n, uneven-5n, uneven-10n, "
        "tight-4n, two-groups, big-40n or made-NODES-INSTANCES-GROUPS"};
}

} // namespace orderly::sim
