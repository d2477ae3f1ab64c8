// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/extra.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

using story = std::vector<later_event>;

/// When a story begins and when it is over.
struct stretch {
  millis begin;
  millis end;

  [[nodiscard]] millis part(std::int64_t percent) const {
    return begin + (end - begin) * percent / 100;
  }
};

/// What a link did to a node: treated or not, it is taken back.
void take_back(story& to, const node_name& node, millis at) {
  to.emplace_back(at, "node " + node + " returned");
}

story draw_link(dice& d, const world_plan& plan, const stretch& when) {
  const auto& a = pick(d, plan.nodes).name;
  const auto& b = pick(d, plan.nodes).name;
  if (a == b)
    return {};
  static const std::vector<std::string> hows{"cut", "one-way", "slow 400ms",
                                             "slow 3s"};
  auto link = "link " + a + " " + b + " ";
  story result{{when.begin, link + pick(d, hows)}, {when.end, link + "heal"}};
  if (a == plan.master || b == plan.master)
    take_back(result, a == plan.master ? b : a, when.end);
  return result;
}

/// A mirror whose primary goes on alone before it dies.
story draw_divergence(dice& d, const world_plan& plan, const stretch& when) {
  if (plan.instances.empty())
    return {};
  const auto& x = pick(d, plan.instances);
  if (x.secondaries.empty() || x.primary == plan.master)
    return {};
  auto link = "link " + x.primary + " " + x.secondaries.front() + " ";
  story result{{when.begin, link + "cut"},
               {when.part(20), "power " + x.primary + " off"},
               {when.part(70), link + "heal"}};
  take_back(result, x.primary, when.end);
  return result;
}

story draw_luxi(dice& d, const stretch& when) {
  if (d.below(2) == 0)
    return {{when.begin, "luxi stall on"}, {when.end, "luxi stall off"}};
  auto slow = fmt::format("luxi slow {}s", 2 + d.below(40));
  return {{when.begin, slow}, {when.end, "luxi slow 0s"}};
}

story draw_lost_jobs(dice& d, const world_plan& plan, const stretch& when) {
  story result;
  if (d.below(2) == 0) {
    result.emplace_back(when.begin, "master " + pick(d, plan.nodes).name);
    result.emplace_back(when.end, "master " + plan.master);
  }
  result.emplace_back(
    when.begin, d.below(2) == 0 ? std::string{"queue interrupt"}
                                : fmt::format("queue lose {}", 1 + d.below(4)));
  return result;
}

/// Somebody powers the node off, and on again while it is treated.
story draw_autostart(dice& d, const world_plan& plan, const stretch& when) {
  const auto& node = pick(d, plan.nodes).name;
  if (node == plan.master)
    return {};
  story result{{when.begin, "autostart " + node + " on"},
               {when.begin, "power " + node + " off"},
               {when.part(60), "power " + node + " on"},
               {when.end, "autostart " + node + " off"}};
  take_back(result, node, when.end);
  return result;
}

story draw_wiring(dice& d, const world_plan& plan, const stretch& when) {
  const auto& a = pick(d, plan.nodes).name;
  const auto& b = pick(d, plan.nodes).name;
  if (a == b)
    return {};
  story result{
    {when.begin, (d.below(2) == 0 ? "bmc swap " : "bmc share ") + a + " " + b},
    {when.part(10), "crash " + a},
    {when.end, "bmc own " + a},
    {when.end, "bmc own " + b}};
  for (const auto& node : {a, b})
    take_back(result, node, when.end);
  return result;
}

story draw_informers(dice& d, const world_plan& plan, const stretch& when) {
  static const std::vector<std::string> hows{"silent", "lies-alive",
                                             "lies-dead"};
  const auto& node = pick(d, plan.nodes).name;
  auto at = [&](const char* what) { return "agent " + node + " " + what; };
  return {{millis{0}, "agents on"},
          {when.begin, at(pick(d, hows).c_str())},
          {when.end, at("ok")}};
}

story draw_file(dice& d, const stretch& when) {
  auto restored = d.below(2) == 0;
  return {{when.begin, "journal backup"},
          {when.part(50), restored ? "journal restore" : "journal lost"},
          {when.part(60), "daemon kill"},
          {when.end, "daemon start"}};
}

story draw_clock(dice& d, const stretch& when) {
  auto span = 10 + d.below(4000);
  if (d.below(2) == 0)
    return {{when.begin, fmt::format("suspend {}s", span)}};
  const auto* sign = d.below(2) == 0 ? "+" : "-";
  const auto* back = *sign == '+' ? "-" : "+";
  return {{when.begin, fmt::format("clock step {}{}s", sign, span)},
          {when.end, fmt::format("clock step {}{}s", back, span)}};
}

story draw_members(dice& d, const world_plan& plan, const stretch& when) {
  const auto& home = pick(d, plan.nodes).name;
  switch (d.below(3)) {
  case 0:
    return {{when.begin, "add-node newcomer"},
            {when.part(30), "power newcomer off"},
            {when.part(70), "power newcomer on"},
            {when.end, "node newcomer returned"}};
  case 1:
    return {{millis{0}, "add-instance guest " + home},
            {when.begin, "instance guest stop"},
            {when.part(30), "rename-instance guest visitor"},
            {when.end, "instance visitor start"}};
  default:
    return {{millis{0}, "add-instance guest " + home},
            {when.begin, "remove-instance guest"}};
  }
}

/// A second management host; the master role goes there, or is taken there
/// while the first one is cut off.
story draw_second(dice& d, const world_plan& plan, const stretch& when) {
  const auto& other = pick(d, plan.nodes).name;
  if (other == plan.master)
    return {};
  if (d.below(2) == 0) {
    story result{{when.begin, "uplink cut"},
                 {when.part(20), "second-master " + other},
                 {when.end, "uplink heal"}};
    take_back(result, plan.master, when.end + minutes{1});
    return result;
  }
  auto there = "on " + other + " ";
  story result{{when.begin, "second-daemon " + other},
               {when.part(30), "master " + other},
               {when.part(80), "master " + plan.master}};
  static const std::vector<std::pair<std::string, std::string>> hows{
    {"daemon kill", "daemon start"},
    {"journal slow", "journal ok"},
    {"clock step +700s", "clock step -700s"},
    {"pause on", "pause off"}};
  const auto& [how, back] = pick(d, hows);
  result.emplace_back(when.part(40), there + how);
  result.emplace_back(when.part(60), there + back);
  return result;
}

story draw_picture(dice& d, const stretch& when) {
  return {{when.begin,
           d.below(2) == 0 ? "picture torn-nodes" : "picture torn-instances"},
          {when.end, "picture whole"}};
}

story draw_reload(dice& d, const stretch& when) {
  static const std::vector<std::string> knobs{
    "host_ha.check_interval 3s", "autorepair.check_interval 5s",
    "autorepair.mirror_interval 1m", "balance.enabled true"};
  return {{when.begin, "set-live " + pick(d, knobs)}};
}

} // namespace

std::vector<later_event> draw_world(dice& d, const world_plan& plan,
                                    millis faults_for) {
  auto span = static_cast<std::uint64_t>(faults_for.count());
  millis begin{static_cast<std::int64_t>(d.below(span * 3 / 4))};
  millis lasts{static_cast<std::int64_t>(10000 + d.below(1800000))};
  stretch when{begin, std::min(begin + lasts, faults_for)};
  switch (d.below(14)) {
  case 0:
  case 1:
    return draw_link(d, plan, when);
  case 2:
    return draw_divergence(d, plan, when);
  case 3:
    return draw_luxi(d, when);
  case 4:
    return draw_lost_jobs(d, plan, when);
  case 5:
    return draw_autostart(d, plan, when);
  case 6:
    return draw_wiring(d, plan, when);
  case 7:
    return draw_informers(d, plan, when);
  case 8:
    return draw_file(d, when);
  case 9:
    return draw_clock(d, when);
  case 10:
    return draw_members(d, plan, when);
  case 11:
    return draw_picture(d, when);
  case 12:
    return draw_second(d, plan, when);
  default:
    return draw_reload(d, when);
  }
}

std::vector<later_event> draw_reboot(dice& d, const world_plan& plan,
                                     millis faults_for) {
  auto seconds_of = [&d](std::uint64_t least, std::uint64_t most) {
    return seconds{static_cast<std::int64_t>(least + d.below(most - least))};
  };

  struct trouble {
    std::string verb, begins, ends;
  };

  static const std::vector<trouble> troubles{{"power ", " off", " on"},
                                             {"network ", " cut", " heal"},
                                             {"bmc ", " fail", " ok"}};
  auto span = static_cast<std::uint64_t>(faults_for / seconds{1});
  millis at = seconds_of(60, span * 3 / 4);
  story result;
  // Two of them at once, as a controller that fails with its node.
  const auto& node = pick(d, plan.nodes).name;
  auto reboots = 1 + d.below(2);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const auto& what = pick(d, troubles);
    auto begins_at = at + seconds_of(0, 300);
    result.emplace_back(begins_at, what.verb + node + what.begins);
    result.emplace_back(begins_at + seconds_of(60, 1800),
                        what.verb + node + what.ends);
  }
  for (std::uint64_t i = 0; i < reboots; ++i) {
    at += seconds_of(20, 400);
    result.emplace_back(at, "machine reboot");
    at += seconds_of(20, 1200);
    auto wrong = seconds_of(10, 100000) / seconds{1};
    const auto* sign = d.below(2) == 0 ? "+" : "-";
    const auto* back = *sign == '+' ? "-" : "+";
    auto steps = d.below(3);
    if (steps > 0)
      result.emplace_back(at, fmt::format("clock step {}{}s", sign, wrong));
    result.emplace_back(at, "daemon start");
    if (steps > 1)
      result.emplace_back(at + seconds_of(1, 600),
                          fmt::format("clock step {}{}s", back, wrong));
  }
  return result;
}

} // namespace orderly::sim
