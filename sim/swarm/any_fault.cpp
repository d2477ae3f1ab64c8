// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/any_fault.hpp"

#include <algorithm>
#include <array>

namespace orderly::sim {

namespace {

/// How a sort of fault is told in full, and how it is made good again.
struct row {
  const char* name;
  const char* tail = "";   ///< words after the choice
  const char* repair = ""; ///< OBJECT stands for what it is about
};

constexpr std::array rows{
  row{"power off", "", "node OBJECT returned"},
  row{"crash", "", "node OBJECT returned"},
  row{"network cut", "", "network OBJECT heal"},
  row{"storage cut", "", "storage OBJECT heal"},
  row{"noded down", "", "noded OBJECT up"},
  row{"bmc hang", "", "bmc OBJECT ok"},
  row{"bmc fail", "", "bmc OBJECT ok"},
  row{"bmc lies-on", "", "bmc OBJECT ok"},
  row{"bmc lies-off", "", "bmc OBJECT ok"},
  row{"bmc garbage", "", "bmc OBJECT ok"},
  row{"bmc slow", " 40s", "bmc OBJECT ok"},
  row{"bmc dies-with-node", "", "bmc OBJECT ok"},
  row{"health warning", "", "health OBJECT ok"},
  row{"health critical", "", "health OBJECT ok"},
  row{"health unknown", "", "health OBJECT ok"},
  row{"helper missing", "", "helper OBJECT fine"},
  row{"helper not-executable", "", "helper OBJECT fine"},
  row{"watcher on", "", "watcher off"},
  row{"luxi drop-replies on", "", "luxi drop-replies off"},
  row{"luxi down", "", "luxi up"},
  row{"queue drain on", "", "queue drain off"},
  row{"jobs fail", " 300", "jobs fail 0"},
  row{"jobs lose", " 100", "jobs lose 0"},
  row{"job-durations", " x8", "job-durations x1"},
  row{"node offline", "", "node OBJECT returned"},
  row{"node drained", "", "node OBJECT undrained"},
  row{"node vm-incapable", "", "node OBJECT vm-capable"},
  row{"node returned"},
  row{"room full", "", "room OBJECT free"},
  row{"instance down", "", "instance OBJECT up"},
  row{"mirror faulty", "", "mirror OBJECT healed"},
  row{"mirror syncing", "", "mirror OBJECT healed"},
  row{"archive"},
  row{"fail-next error"},
  row{"fail-next canceled"},
  row{"fail-next lost"},
  row{"uplink cut", "", "uplink heal"},
  row{"journal fail", "", "journal ok"},
  row{"journal slow", "", "journal ok"},
  row{"daemon kill", "", "daemon start"},
  row{"pause on", "", "pause off"},
  row{"master", "", "master MASTER"},
};

/// Nodes or instances that it can be about.
std::vector<std::string> names_for(const world_plan& plan,
                                   const fault_sort& sort) {
  std::vector<std::string> result;
  if (sort.object != "NAME")
    for (const auto& x : plan.nodes)
      result.push_back(x.name);
  else
    for (const auto& x : plan.instances)
      if (sort.verb != "mirror" || x.disks == disk_template::drbd)
        result.push_back(x.name);
  return result;
}

void put(std::string& text, const std::string& word, const std::string& name) {
  if (auto at = text.find(word); at != std::string::npos)
    text.replace(at, word.size(), name);
}

} // namespace

std::optional<mishap> draw_fault(dice& d, const world_plan& plan,
                                 const fault_sort& sort,
                                 const std::string& object) {
  const row* how = nullptr;
  for (const auto& x : rows)
    if (sort.name == x.name)
      how = &x;
  if (how == nullptr)
    return std::nullopt;
  auto fits = names_for(plan, sort);
  if (fits.empty())
    return std::nullopt;
  auto name = pick(d, fits);
  if (!object.empty()) {
    if (std::find(fits.begin(), fits.end(), object) == fits.end())
      return std::nullopt;
    name = object;
  }
  if (sort.object == "PROGRAM")
    name = "oob-sim";
  mishap result{sort.verb, how->repair};
  if (!sort.object.empty())
    result.fault += " " + name;
  if (!sort.choice.empty())
    result.fault += " " + sort.choice;
  result.fault += how->tail;
  put(result.repair, "OBJECT", name);
  put(result.repair, "MASTER", plan.master);
  return result;
}

} // namespace orderly::sim
