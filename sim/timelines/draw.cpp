// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/draw.hpp"

#include "actors/policy/host_ha/edges.hpp"
#include "sim/timelines/play.hpp"
#include "sim/world/dice.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

namespace orderly::sim::timelines {

namespace {

constexpr int length = 600;

template <std::size_t N>
std::string one_of(dice& d, const char* const (&words)[N]) {
  return words[d.below(N)];
}

/// One answer, or a list of them.
template <std::size_t N>
json answers(dice& d, const char* const (&words)[N]) {
  if (d.chance(700))
    return one_of(d, words);
  auto all = json::array();
  for (auto n = d.between(2, 6); n > 0; --n)
    all.push_back(one_of(d, words));
  return all;
}

json draw_settings(dice& d) {
  json x{{"max_checks", d.between(1, 5)},
         {"max_recover", d.between(0, 3)},
         {"recover_wait", d.between(20, 200)},
         {"degraded_period", d.between(30, 300)},
         {"health_interval", d.between(5, 20)}};
  if (d.chance(300)) {
    x["act_conc"] = d.between(1, 3);
    x["act_pending"] = d.between(0, 3);
    x["health_conc"] = d.between(1, 4);
    x["health_pending"] = d.between(0, 6);
    x["recover_conc"] = d.between(1, 2);
    x["fence_conc"] = d.between(1, 2);
  }
  if (d.chance(200))
    x["guard_ratio"] = "0.4";
  if (d.chance(100))
    x["power_off_fast_path"] = false;
  return x;
}

void draw_change(dice& d, json& into) {
  static const char* const activities[]
    = {"inactive", "inactive", "active", "error", "hang"};
  static const char* const outcomes[] = {"ok", "ok", "fail", "hang"};
  static const char* const powers[] = {"On", "On", "Off", "Unknown"};
  switch (d.below(9)) {
  case 0:
  case 1:
    into["healthy"] = d.chance(300);
    break;
  case 2:
    into["activity"] = answers(d, activities);
    break;
  case 3:
    into["recover"] = answers(d, outcomes);
    into["fence"] = answers(d, outcomes);
    break;
  case 4:
    into["power"] = one_of(d, powers);
    into["power_commanded"] = d.chance(300);
    break;
  case 5:
    into["t_activity"] = d.between(0, 70);
    into["t_health"] = d.between(0, 12);
    break;
  case 6:
    into["t_recover"] = d.between(0, 70);
    into["t_fence"] = d.between(0, 70);
    break;
  case 7:
    into[d.chance(500) ? "enabled" : "partition_enabled"] = d.chance(600);
    break;
  default:
    into["maintenance"] = d.chance(300);
    into["neighbours"] = d.between(0, 2);
    break;
  }
}

json draw_script(dice& d, std::int64_t hosts) {
  auto script = json::array();
  for (auto n = d.between(2, 12); n > 0; --n) {
    json step{{"at", d.between(0, length)}};
    if (d.chance(80)) {
      step["do"] = d.chance(500) ? "restart" : "handoff";
    } else {
      step["set"] = json::object();
      draw_change(d, step["set"]);
      if (d.chance(500))
        step["host"] = d.between(1, hosts);
    }
    script.push_back(std::move(step));
  }
  return script;
}

std::int64_t count(const json& rows, std::size_t column, const char* what) {
  return std::count_if(rows.begin(), rows.end(),
                       [&](const json& row) { return row.at(column) == what; });
}

} // namespace

json draw(std::uint64_t seed, std::uint64_t which) {
  auto d = dice_for(seed, fmt::format("timeline {}", which));
  auto hosts = d.chance(600) ? 1 : d.between(2, 12);
  json x{{"id", fmt::format("T{}-{}", seed, which)},
         {"kind", "timeline"},
         {"profile", "recommended"},
         {"title", "drawn"},
         {"hosts", hosts},
         {"settings", draw_settings(d)},
         {"inputs", json::object()},
         {"run_until", length}};
  if (d.chance(600))
    x["inputs"]["healthy"] = false;
  for (auto n = d.between(0, 3); n > 0; --n)
    draw_change(d, x["inputs"]);
  x["script"] = draw_script(d, hosts);
  return x;
}

std::vector<std::string> wrong_in(const chronicle& seen,
                                  std::int64_t resets_most) {
  std::vector<std::string> result;
  for (const auto& row : seen.transitions) {
    auto name = row.at(3).get<std::string>();
    if (!host_ha::is_edge(phase_from(row.at(1).get<std::string>()), name,
                          phase_from(row.at(2).get<std::string>())))
      result.push_back(fmt::format("the table has no {}", row.dump()));
  }
  auto fenced = count(seen.transitions, 2, "Fenced");
  // After a restart the release is finished once more.
  if (count(seen.operations, 1, "host_down") > 0 && fenced == 0)
    result.push_back("instances were released, and it was never fenced");
  const auto& did = seen.operations;
  auto is = [](const char* what) {
    return [what](const json& row) { return row.at(1) == what; };
  };
  auto off = std::find_if(did.begin(), did.end(), is("fence"));
  if (off != did.end() && std::none_of(did.begin(), off, is("maintenance_on")))
    result.push_back("it was powered off before its maintenance");
  std::int64_t incidents = 1 + fenced;
  for (const auto* ends : {"Available", "Ineligible", "Disabled"})
    incidents += count(seen.transitions, 2, ends);
  if (count(did, 1, "recover") > incidents * resets_most)
    result.push_back(fmt::format("{} resets in {} incidents of {} each",
                                 count(did, 1, "recover"), incidents,
                                 resets_most));
  return result;
}

int run_timelines(const timelines_wish& what, std::ostream& out) {
  auto suite = json{{"scenarios", json::array()}};
  std::uint64_t changes = 0;
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < what.count; ++i) {
    auto scenario = draw(what.seed, i);
    auto all = run(scenario);
    auto most = scenario.at("settings").at("max_recover").get<std::int64_t>();
    std::vector<std::string> wrong;
    for (const auto& x : all->hosts()) {
      changes += x->seen().transitions.size();
      for (auto& one : wrong_in(x->seen(), most))
        wrong.push_back(std::move(one));
    }
    failed += wrong.empty() ? 0 : 1;
    if (!wrong.empty())
      out << fmt::format("{}\n  {}\n", scenario.dump(),
                         fmt::join(wrong, "\n  "));
    if (what.emit != nullptr) {
      scenario["expect"] = seen_of(*all);
      suite["scenarios"].push_back(std::move(scenario));
    }
  }
  out << fmt::format("{} timelines, {} changes of state, {} failed\n",
                     what.count, changes, failed);
  if (what.emit != nullptr)
    *what.emit << suite.dump(1) << "\n";
  return failed == 0 ? 0 : 1;
}

} // namespace orderly::sim::timelines
