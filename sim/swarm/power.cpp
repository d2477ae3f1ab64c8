// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/power.hpp"

#include "sim/faults/faults.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

using texts = std::vector<std::string>;
using story = std::vector<later_event>;

constexpr const char* outlet = "oob-pdu";

/// Off, as long as it lasts, then on and back into service.
story switched_off(dice& d, const node_name& node, millis lasts) {
  auto how = d.below(4) == 0 ? " --ignore-status" : "";
  return {{millis{0}, "orderly power off " + node + " --yes" + how},
          {lasts, "orderly power on " + node},
          {lasts + minutes{4}, "orderly node modify --offline=no " + node}};
}

story looked_at(dice& d, const node_name& node) {
  static const texts commands{"orderly power status", "orderly health",
                              "orderly verify", "orderly node info",
                              "orderly power status NODE"};
  auto text = pick(d, commands);
  if (auto at = text.find("NODE"); at != std::string::npos)
    text.replace(at, 4, node);
  return {{millis{0}, text}};
}

/// Some nodes or a group, and back; now and then with the master among them,
/// which is refused.
story emergency(dice& d, const world_plan& plan, millis lasts) {
  std::string names;
  std::size_t count = 0;
  if (d.below(2) == 0) {
    const auto& group = pick(d, plan.groups).name;
    names = "--groups " + group;
    count = static_cast<std::size_t>(
      std::count_if(plan.nodes.begin(), plan.nodes.end(),
                    [&](const auto& x) { return x.group == group; }));
  } else {
    texts chosen;
    for (auto i = 1 + d.below(3); i > 0; --i)
      chosen.push_back(pick(d, plan.nodes).name);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    names = fmt::format("{}", fmt::join(chosen, " "));
    count = chosen.size();
  }
  auto how = count > 5 ? fmt::format(" --yes --count {}", count) : " --yes";
  return {{millis{0}, "orderly epo " + names + how},
          {lasts, "orderly epo --on " + names},
          // Whoever was refused tries again.
          {lasts + minutes{20}, "orderly epo --on " + names}};
}

/// No controller can prove it: a person says that the node is off. Sometimes
/// it is only out of sight.
story sworn_off(dice& d, const node_name& node, millis lasts) {
  story result{{millis{0}, "bmc " + node + " fail"},
               {millis{0}, "bmc " + node + "@" + outlet + " hang"}};
  if (d.below(3) == 0) {
    result.push_back({millis{0}, "network " + node + " cut"});
    result.push_back({millis{0}, "storage " + node + " cut"});
  } else {
    result.push_back({millis{0}, "power " + node + " off"});
  }
  auto word = minutes{1 + static_cast<std::int64_t>(d.below(10))};
  result.push_back({word, "orderly confirm-off " + node
                            + " --reason \"it is dark\""
                            + (d.below(2) == 0 ? " --ignore-silence" : "")});
  result.push_back(
    {std::max<millis>(lasts, word + minutes{5}), "node " + node + " returned"});
  return result;
}

story moody(dice& d, const node_name& node, millis lasts) {
  static const texts moods{"hang",     "fail",    "lies-on",
                           "lies-off", "garbage", "slow 30s"};
  auto where = d.below(2) == 0 ? node : node + "@" + outlet;
  return {{millis{0}, "bmc " + where + " " + pick(d, moods)},
          {lasts, "bmc " + where + " ok"}};
}

} // namespace

std::vector<later_event> draw_power_story(dice& d, const world_plan& plan,
                                          millis lasts) {
  const auto& node = pick(d, plan.nodes).name;
  switch (d.below(10)) {
  case 0:
  case 1:
    return switched_off(d, node, lasts);
  case 2:
    return {{millis{0}, "orderly power cycle " + node + " --yes"}};
  case 3:
    return looked_at(d, node);
  case 4:
  case 5:
    return emergency(d, plan, lasts);
  case 6:
    return sworn_off(d, node, lasts);
  case 7:
    return {{millis{0}, "helper oob-sim missing"},
            {lasts, "helper oob-sim fine"}};
  case 8:
    return {{millis{0}, "watcher on"}, {lasts, "watcher off"}};
  default:
    return moody(d, node, lasts);
  }
}

std::vector<std::pair<std::string, std::string>> draw_power_rules(dice& d) {
  std::vector<std::pair<std::string, std::string>> result;
  if (d.below(3) == 0)
    result.emplace_back("power.rehearsal.interval", "5m");
  else if (d.below(3) == 0)
    result.emplace_back("power.rehearsal.interval", "0s");
  return result;
}

std::vector<std::pair<std::string, std::vector<std::string>>>
draw_levels(dice& d, const world_plan& plan) {
  std::vector<std::pair<std::string, std::vector<std::string>>> result;
  if (d.below(3) == 0)
    result.emplace_back("*", texts{"cluster", helper_path(outlet)});
  if (d.below(4) == 0)
    result.emplace_back(pick(d, plan.nodes).name,
                        texts{helper_path(outlet), "cluster"});
  if (d.below(8) == 0)
    result.emplace_back(pick(d, plan.nodes).name, texts{"!"});
  return result;
}

} // namespace orderly::sim
