// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/extra.hpp"

namespace orderly::sim {

namespace {

using texts = std::vector<std::string>;
using story = std::vector<later_event>;

/// Seconds to some minutes, short ones as likely as long ones: a treatment
/// has steps of all lengths.
millis a_while(dice& d) {
  auto doublings = d.below(9);
  auto most = std::uint64_t{2} << doublings;
  return seconds{static_cast<std::int64_t>(1 + d.below(most))};
}

/// Something that orderly treats.
void strike(story& into, dice& d, const node_name& node) {
  switch (d.below(4)) {
  case 0:
    into.emplace_back(millis{0}, "power " + node + " off");
    break;
  case 1:
    into.emplace_back(millis{0}, "network " + node + " cut");
    into.emplace_back(millis{0}, "storage " + node + " cut");
    break;
  case 2:
    into.emplace_back(millis{0}, "bmc " + node + " slow 30s");
    [[fallthrough]];
  default:
    into.emplace_back(millis{0}, "crash " + node);
  }
}

/// Everything about the node is made good, and it is taken back.
void mend(story& into, const node_name& node, millis at) {
  into.emplace_back(at, "bmc " + node + " ok");
  into.emplace_back(at, "node " + node + " returned");
}

/// While it is treated, this goes wrong for all, and is well again later.
void meanwhile(story& into, dice& d, const std::string& wrong,
               const std::string& well) {
  auto from = a_while(d);
  into.emplace_back(from, wrong);
  into.emplace_back(from + a_while(d), well);
}

story paused(dice& d, const node_name& node, millis lasts) {
  story result;
  // Before it begins, or in the middle of it.
  auto before = d.below(2) == 0;
  auto at = before ? millis{0} : a_while(d);
  if (before)
    result.emplace_back(at, "pause on");
  strike(result, d, node);
  if (!before)
    result.emplace_back(at, "pause on");
  result.emplace_back(at + a_while(d) + minutes{2}, "pause off");
  mend(result, node, lasts);
  return result;
}

story master_moves(dice& d, const world_plan& plan, const node_name& node,
                   millis lasts) {
  story result;
  strike(result, d, node);
  const auto& other = pick(d, plan.nodes).name;
  meanwhile(result, d, "master " + other, "master " + plan.master);
  mend(result, node, lasts);
  return result;
}

story marked_alive(dice& d, const node_name& node, millis lasts) {
  story result{{millis{0}, "node " + node + " offline"}};
  if (d.below(3) == 0)
    result.emplace_back(a_while(d), "network " + node + " cut");
  if (d.below(2) == 0)
    result.emplace_back(a_while(d), "node " + node + " online");
  mend(result, node, lasts);
  return result;
}

story taken_back(dice& d, const node_name& node) {
  story result;
  strike(result, d, node);
  mend(result, node, a_while(d));
  return result;
}

story power_ordered(dice& d, const node_name& node, millis lasts) {
  static const texts orders{"orderly power off NODE --yes",
                            "orderly power off NODE --yes --ignore-status",
                            "orderly power on NODE",
                            "orderly power cycle NODE --yes"};
  story result;
  strike(result, d, node);
  auto text = pick(d, orders);
  text.replace(text.find("NODE"), 4, node);
  auto at = a_while(d);
  result.emplace_back(at, text);
  result.emplace_back(at + lasts, "orderly power on " + node);
  mend(result, node, at + lasts + minutes{2});
  return result;
}

story disturbed(dice& d, const node_name& node, millis lasts) {
  static const std::vector<mishap> all{
    {"journal fail", "journal ok"},
    {"journal slow", "journal ok"},
    {"luxi down", "luxi up"},
    {"luxi drop-replies on", "luxi drop-replies off"},
    {"job-durations x8", "job-durations x1"},
    {"daemon kill", "daemon start"}};
  story result;
  strike(result, d, node);
  const auto& x = pick(d, all);
  meanwhile(result, d, x.fault, x.repair);
  mend(result, node, lasts);
  return result;
}

story draw_one(dice& d, const world_plan& plan, millis lasts) {
  const auto& node = pick(d, plan.nodes).name;
  switch (d.below(7)) {
  case 0:
    return paused(d, node, lasts);
  case 1:
    return master_moves(d, plan, node, lasts);
  case 2:
    return marked_alive(d, node, lasts);
  case 3:
    return taken_back(d, node);
  case 4:
    return power_ordered(d, node, lasts);
  default:
    return disturbed(d, node, lasts);
  }
}

} // namespace

std::vector<later_event> draw_persons(dice& d, const world_plan& plan,
                                      millis faults_for) {
  story result;
  auto span = static_cast<std::uint64_t>(faults_for.count()) / 1000;
  for (auto count = 1 + d.below(3); count > 0; --count) {
    auto begin = seconds{static_cast<std::int64_t>(d.below(span))};
    auto lasts = minutes{3 + static_cast<std::int64_t>(d.below(30))};
    for (auto& [at, what] : draw_one(d, plan, lasts))
      result.emplace_back(begin + at, std::move(what));
  }
  return result;
}

} // namespace orderly::sim
