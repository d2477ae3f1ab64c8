// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/hunt.hpp"

#include "sim/swarm/any_fault.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

constexpr const char* first_line = "orderly hunt 1";

/// A fault of this sort, while the object is in this state.
struct chance {
  const stay* where = nullptr;
  const fault_sort* sort = nullptr;
};

/// Those of the rarest pair there is.
std::vector<chance> rarest(const std::vector<stay>& stays,
                           const std::vector<fault_sort>& sorts,
                           const coverage& met, instant before) {
  std::vector<chance> result;
  auto least = ~std::uint64_t{0};
  for (const auto& x : stays) {
    if (x.from >= before || x.to == x.from)
      continue;
    for (const auto& sort : sorts) {
      if (!can_concern(sort, x.object))
        continue;
      auto i = met.find({x.state, sort.name});
      auto times = i == met.end() ? 0 : i->second;
      if (times > least)
        continue;
      if (times < least)
        result.clear();
      least = times;
      result.push_back({&x, &sort});
    }
  }
  return result;
}

/// Those of which somebody knows how they are made good again.
std::vector<fault_sort> known_sorts(const world_plan& plan) {
  std::vector<fault_sort> result;
  auto d = dice_for(0, "hunt");
  for (const auto& x : fault_sorts())
    if (draw_fault(d, plan, x))
      result.push_back(x);
  return result;
}

} // namespace

std::string write_state(const hunt_state& x) {
  auto text
    = fmt::format("{}\nnext {}\nruns {}\n", first_line, x.next_seed, x.runs);
  for (const auto& [law, times] : x.found)
    text += fmt::format("found {} {}\n", times, law);
  for (const auto& [pair, times] : x.met)
    text += fmt::format("met {} {} | {}\n", times, pair.first, pair.second);
  return text;
}

result<hunt_state> read_state(const std::string& text) {
  hunt_state x;
  std::istringstream in{text};
  std::string line;
  std::getline(in, line);
  auto wrong = [&] {
    return fault{fault_kind::bad_input,
                 "'" + line + "' is no line of a hunt's state"};
  };
  if (line != first_line)
    return wrong();
  while (std::getline(in, line)) {
    std::istringstream words{line};
    std::string what;
    std::uint64_t number = 0;
    if (!(words >> what >> number))
      return wrong();
    std::string rest;
    std::getline(words >> std::ws, rest);
    auto bar = rest.find(" | ");
    if (what == "next")
      x.next_seed = number;
    else if (what == "runs")
      x.runs = number;
    else if (what == "found" && !rest.empty())
      x.found[rest] = number;
    else if (what == "met" && bar != std::string::npos)
      x.met[{rest.substr(0, bar), rest.substr(bar + 3)}] = number;
    else
      return wrong();
  }
  return x;
}

void count(coverage& all, const std::set<state_and_fault>& met) {
  for (const auto& pair : met)
    ++all[pair];
}

std::optional<swarm_run> vary(const swarm_run& run, const drill_outcome& seen,
                              const coverage& met, millis faults_for,
                              std::uint64_t number) {
  auto end = lab_epoch + faults_for;
  auto sorts = known_sorts(run.plan);
  auto choices = rarest(seen.stays, sorts, met, end);
  auto d = dice_for(run.story.seed ^ (number << 48), "hunt");
  std::optional<mishap> drawn;
  const stay* where = nullptr;
  while (!drawn && !choices.empty()) {
    auto i
      = choices.begin() + static_cast<std::ptrdiff_t>(d.below(choices.size()));
    where = i->where;
    auto name = where->object.substr(where->object.find(':') + 1);
    drawn = draw_fault(d, run.plan, *i->sort,
                       i->sort->object.empty() ? std::string{} : name);
    choices.erase(i);
  }
  if (!drawn)
    return std::nullopt;
  // Anywhere in the state, at its very begin as likely as later.
  auto to = where->to == never ? end : std::min(where->to, end);
  auto room = static_cast<std::uint64_t>((to - where->from).count());
  if (d.below(2) == 0)
    room = std::min<std::uint64_t>(room, 3000);
  auto at = where->from - lab_epoch
            + millis{static_cast<std::int64_t>(d.below(room))};
  auto lasts = seconds{static_cast<std::int64_t>(5 + d.below(1200))};
  auto result = run;
  auto& events = result.story.events;
  events.push_back({at, drawn->fault});
  if (!drawn->repair.empty())
    events.push_back({std::min<millis>(at + lasts, faults_for), drawn->repair});
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  result.story.text = write_head(result.story);
  return result;
}

std::string never_met(const coverage& met) {
  std::map<std::string, std::vector<std::string>> missing;
  std::size_t count = 0;
  auto all = all_pairs();
  for (const auto& pair : all)
    if (met.count(pair) == 0) {
      missing[pair.second].push_back(pair.first);
      ++count;
    }
  auto text = fmt::format("{} of {} pairs of state and fault were met\n",
                          all.size() - count, all.size());
  for (const auto& [sort, states] : missing)
    text += fmt::format("  {} never met: {}\n", sort, fmt::join(states, ", "));
  return text;
}

} // namespace orderly::sim
