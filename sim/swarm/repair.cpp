// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/repair.hpp"

#include <fmt/format.h>

namespace orderly::sim {

namespace {

constexpr const char* prefix = "ganeti:watcher:autorepair:";

using texts = std::vector<std::string>;

const texts types{"fix-storage", "migrate", "failover", "reinstall"};

/// Cluster, a group or an instance.
std::string draw_object(dice& d, const world_plan& plan) {
  switch (d.below(4)) {
  case 0:
    return "cluster";
  case 1:
    return "group:" + pick(d, plan.groups).name;
  default:
    return plan.instances.empty() ? "cluster"
                                  : "instance:" + pick(d, plan.instances).name;
  }
}

std::string draw_id(dice& d) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", d.below(0xffffffff),
                     d.below(0xffffffffffff));
}

/// Looks like one of the auto-repair tags, and is none.
std::string draw_malformed(dice& d) {
  static const texts all{"suspend:tomorrow",
                         "suspend:-1",
                         "sleep",
                         "failover:now",
                         "pending:failover:id:soon:",
                         "pending:rebuild:id:1767225600:",
                         "pending:failover:id:1767225600:4+x",
                         "result:failover:id:1767225600:maybe:",
                         "result:failover:id:1767225600"};
  return prefix + pick(d, all);
}

std::string draw_suspend(dice& d, instant now) {
  if (d.below(3) == 0)
    return std::string{prefix} + "suspend";
  auto until = to_unix(now) + 60 + static_cast<std::int64_t>(d.below(5400));
  return fmt::format("{}suspend:{}", prefix, until);
}

std::string draw_pending(dice& d, instant now) {
  return fmt::format("{}pending:{}:{}:{}:", prefix, pick(d, types), draw_id(d),
                     to_unix(now));
}

std::vector<mishap> draw_tag_mishap(dice& d, const world_plan& plan,
                                    instant now) {
  auto object = draw_object(d, plan);
  auto add = "tag " + object + " add ";
  auto del = "tag " + object + " del ";
  switch (d.below(5)) {
  case 0: {
    auto tag = draw_suspend(d, now);
    return {{add + tag, del + tag}};
  }
  case 1: {
    auto tag = prefix + pick(d, types);
    return {{add + tag, d.below(2) == 0 ? del + tag : std::string{}}};
  }
  case 2: {
    auto tag = draw_malformed(d);
    return {{add + tag, del + tag}};
  }
  case 3:
    return {{add + fmt::format("owner:person{}", d.below(9)), {}}};
  default:
    if (plan.instances.empty())
      return {};
    // Once-off repairs are asked for on instances, now and then two at once.
    auto name = pick(d, plan.instances).name;
    std::vector<mishap> result{
      {"tag instance:" + name + " add " + draw_pending(d, now), {}}};
    if (d.below(4) == 0)
      result.push_back(
        {"tag instance:" + name + " add " + draw_pending(d, now), {}});
    return result;
  }
}

} // namespace

std::vector<std::string> draw_first_tags(dice& d, const world_plan& plan,
                                         instant start) {
  std::vector<std::string> result;
  // In some runs everything may be done, in some hardly anything.
  if (d.below(3) == 0)
    result.push_back(fmt::format("tag cluster del {}failover", prefix));
  if (d.below(3) == 0)
    result.push_back(fmt::format("tag cluster add {}reinstall", prefix));
  for (auto i = d.below(6); i > 0; --i) {
    std::string tag;
    switch (d.below(6)) {
    case 0:
      tag = draw_suspend(d, start);
      break;
    case 1:
      tag = draw_malformed(d);
      break;
    case 2:
      tag = fmt::format("owner:person{}", d.below(9));
      break;
    default:
      tag = prefix + pick(d, types);
    }
    result.push_back("tag " + draw_object(d, plan) + " add " + tag);
  }
  return result;
}

std::vector<mishap> draw_repair_mishap(dice& d, const world_plan& plan,
                                       instant now) {
  const auto& node = pick(d, plan.nodes).name;
  if (plan.instances.empty())
    return {{"node " + node + " drained", "node " + node + " undrained"}};
  const auto& inst = pick(d, plan.instances);
  switch (d.below(11)) {
  case 0:
    return {{"node " + node + " drained", "node " + node + " undrained"}};
  case 1:
    return {{"room " + node + " full", "room " + node + " free"}};
  case 2:
    return {{"jobs lose 100", "jobs lose 0"}};
  case 3: {
    static const texts fates{"error", "error 3", "canceled", "lost"};
    return {{"fail-next " + inst.name + " " + pick(d, fates), {}}};
  }
  case 4:
    if (inst.disks == disk_template::drbd)
      return {{"mirror " + inst.name + " faulty", {}}};
    return {{"archive all", {}}};
  case 5:
    return {{"archive all", {}}};
  case 6:
    return {
      {"instance " + inst.name + " down", "instance " + inst.name + " up"}};
  case 7: {
    // Both nodes of a mirror, or the only one of a plain disk.
    std::vector<mishap> result{
      {"power " + inst.primary + " off", "node " + inst.primary + " returned"}};
    for (const auto& other : inst.secondaries)
      result.push_back(
        {"power " + other + " off", "node " + other + " returned"});
    return result;
  }
  default:
    return draw_tag_mishap(d, plan, now);
  }
}

std::vector<std::pair<std::string, std::string>> draw_repair_rules(dice& d) {
  std::vector<std::pair<std::string, std::string>> result;
  if (d.below(3) == 0)
    result.emplace_back("autorepair.job_delay", "10s");
  if (d.below(2) == 0)
    result.emplace_back("autorepair.mirror_interval", "1m");
  if (d.below(3) == 0)
    result.emplace_back("autorepair.check_interval", "5s");
  if (d.below(8) == 0)
    result.emplace_back("autorepair.mode", "observe");
  return result;
}

} // namespace orderly::sim
