// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/swarm/swarm.hpp"

#include "sim/swarm/extra.hpp"
#include "sim/swarm/groups.hpp"
#include "sim/swarm/power.hpp"
#include "sim/swarm/repair.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

std::vector<mishap> draw_mishap(dice& d, const world_plan& plan) {
  const auto& node = pick(d, plan.nodes).name;
  switch (d.below(14)) {
  case 0:
  case 1:
    return {{"power " + node + " off", {}, node}};
  case 2:
    return {{"crash " + node, {}, node}};
  case 3:
    return {{"network " + node + " cut", "network " + node + " heal"}};
  case 4:
    return {{"network " + node + " cut", "network " + node + " heal"},
            {"storage " + node + " cut", "storage " + node + " heal"}};
  case 5: {
    static const std::vector<std::string> moods{
      "hang", "fail", "lies-on", "garbage", "slow 30s", "dies-with-node"};
    return {{"bmc " + node + " " + pick(d, moods), "bmc " + node + " ok"}};
  }
  case 6:
    return {{"luxi down", "luxi up"}};
  case 7:
    return {{"luxi drop-replies on", "luxi drop-replies off"}};
  case 8:
    return {{"jobs fail 300", "jobs fail 0"}};
  case 9:
    return {{"daemon kill", "daemon start"}};
  case 10:
    return {{"uplink cut", "uplink heal"}};
  case 11:
    return {{"journal fail", "journal ok"}};
  case 12:
    return {{"noded " + node + " down", "noded " + node + " up"}};
  default:
    return {{"queue drain on", "queue drain off"}};
  }
}

void add_events(drill& story, const mishap& m, millis at, millis lasts,
                millis end) {
  story.events.push_back({at, m.fault});
  if (!m.repair.empty())
    story.events.push_back({std::min(at + lasts, end), m.repair});
}

/// A person brings the node back: power, network, and the record.
std::vector<std::string> repaired(const std::string& node) {
  return {"bmc " + node + " ok", "power " + node + " on",
          "node " + node + " online"};
}

void choose(drill& story, settings& rules, const std::string& key,
            const std::string& value) {
  if (set_knob(rules, key, value).empty())
    story.sets.emplace_back(key, value);
}

void write_text(drill& story) {
  story.text = write_head(story);
}

void draw_rules(dice& d, swarm_run& run) {
  // Some runs are quick, some have the defaults.
  if (d.below(2) == 0) {
    choose(run.story, run.rules, "host_ha.check_interval", "3s");
    choose(run.story, run.rules, "host_ha.check_timeout", "2s");
    choose(run.story, run.rules, "host_ha.activity_timeout", "1s");
    choose(run.story, run.rules, "host_ha.activity_checks", "4");
    choose(run.story, run.rules, "host_ha.activity_interval_base", "4s");
    choose(run.story, run.rules, "host_ha.activity_interval_max", "9s");
    choose(run.story, run.rules, "storm.settle", "6s");
  }
  if (d.below(3) == 0)
    choose(run.story, run.rules, "storm.percent_max", "10");
  if (d.below(3) == 0)
    choose(run.story, run.rules, "budget.fences_per_hour_max", "2");
  for (const auto& [key, value] : draw_repair_rules(d))
    choose(run.story, run.rules, key, value);
  for (const auto& [key, value] : draw_power_rules(d))
    choose(run.story, run.rules, key, value);
  for (const auto& [object, programs] : draw_levels(d, run.plan)) {
    run.story.levels[object] = programs;
    run.rules.power.levels[object] = programs;
  }
}

} // namespace

swarm_run draw_run(std::uint64_t seed, const swarm_options& options) {
  auto d = dice_for(seed, "swarm");
  swarm_run run;
  auto nodes = options.nodes != 0 ? options.nodes : 3 + d.below(14);
  auto instances
    = options.instances != 0 ? options.instances : nodes * (1 + d.below(6));
  auto groups = 1 + d.below(std::max<std::uint64_t>(1, nodes / 5));
  run.story.world = fmt::format("made-{}-{}-{}", nodes, instances, groups);
  run.story.seed = seed;
  run.plan = *plan_named(run.story.world, seed);
  run.rules.autorepair.enabled = true;
  draw_rules(d, run);
  for (const auto& fault : draw_first_tags(d, run.plan, lab_epoch))
    run.story.events.push_back({seconds{1}, fault});
  auto mishaps = 1 + d.below(8);
  auto span = static_cast<std::uint64_t>(options.faults_for.count());
  for (std::uint64_t i = 0; i < mishaps; ++i) {
    auto at = seconds{static_cast<std::int64_t>(d.below(span / 1000))};
    auto lasts = seconds{static_cast<std::int64_t>(5 + d.below(1800))};
    auto kind = d.below(5);
    if (kind == 4) {
      for (const auto& [after, what] : draw_power_story(d, run.plan, lasts))
        run.story.events.push_back(
          {std::min<millis>(at + after, options.faults_for), what});
      continue;
    }
    auto drawn = kind < 2 ? draw_mishap(d, run.plan)
                          : draw_repair_mishap(d, run.plan, lab_epoch + at);
    for (const auto& m : drawn) {
      if (!m.dead.empty()) {
        run.story.events.push_back({at, m.fault});
        for (const auto& step : repaired(m.dead))
          run.story.events.push_back(
            {std::min<millis>(at + lasts, options.faults_for), step});
      } else {
        add_events(run.story, m, at, lasts, options.faults_for);
      }
    }
  }
  for (const auto& part : {draw_balance(seed, run.plan, options.faults_for),
                           draw_reports(seed, run.plan, options.faults_for)}) {
    for (const auto& [key, value] : part.sets)
      choose(run.story, run.rules, key, value);
    for (const auto& [at, what] : part.events)
      run.story.events.push_back({at, what});
  }
  if (options.extra)
    run.story.groups = run.rules.host_ha.groups = draw_groups(seed, run.plan);
  if (options.extra)
    for (auto& [at, what] : draw_extra(seed, run.plan, options.faults_for))
      run.story.events.push_back({at, std::move(what)});
  std::stable_sort(run.story.events.begin(), run.story.events.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  run.story.length = options.faults_for + options.quiet_for;
  write_text(run.story);
  return run;
}

ending usual_end(std::uint64_t seed) {
  constexpr std::uint64_t whole_each = 16;
  return seed % whole_each == 0 ? ending::whole : ending::when_settled;
}

std::optional<swarm_failure> play_seed(std::uint64_t seed,
                                       const swarm_options& options) {
  auto run = draw_run(seed, options);
  auto outcome = play(run.story, run.rules, usual_end(seed));
  if (outcome.broken.empty())
    return std::nullopt;
  swarm_failure failure;
  failure.seed = seed;
  failure.law = outcome.broken.front();
  failure.step = outcome.steps;
  failure.shrunk
    = shrink(run.story, run.rules, failure.law.name, failure.shrink_runs);
  return failure;
}

namespace {

/// Leaves things out of a failing drill, as long as it still fails.
class shrinker {
public:
  shrinker(const drill& failing, const settings& rules, const std::string& law,
           std::uint32_t& runs, const std::function<bool()>& go_on)
    : best_(failing), rules_(rules), law_(law), runs_(runs), go_on_(go_on) {
    // nop
  }

  drill run() {
    leave_out(&drill::triggers);
    leave_out(&drill::events);
    write_text(best_);
    return std::move(best_);
  }

private:
  [[nodiscard]] bool may_try() const {
    constexpr std::uint32_t runs_max = 60;
    return runs_ < runs_max && (!go_on_ || go_on_());
  }

  bool still_fails(const drill& candidate) {
    ++runs_;
    auto outcome = play(candidate, rules_);
    return std::any_of(outcome.broken.begin(), outcome.broken.end(),
                       [&](const broken_law& b) { return b.name == law_; });
  }

  /// Larger pieces first, then single ones.
  template <class List>
  void leave_out(List drill::*part) {
    for (auto size = std::max<std::size_t>(1, (best_.*part).size() / 2);;
         size /= 2) {
      for (std::size_t i = 0; i < (best_.*part).size() && may_try();) {
        auto candidate = best_;
        auto& list = candidate.*part;
        auto first = list.begin() + static_cast<std::ptrdiff_t>(i);
        auto last
          = std::min(list.end(), first + static_cast<std::ptrdiff_t>(size));
        list.erase(first, last);
        if (still_fails(candidate))
          best_ = std::move(candidate);
        else
          i += size;
      }
      if (size <= 1 || !may_try())
        return;
    }
  }

  drill best_;
  const settings& rules_;
  const std::string& law_;
  std::uint32_t& runs_;
  const std::function<bool()>& go_on_;
};

} // namespace

drill shrink(const drill& failing, const settings& rules,
             const std::string& law, std::uint32_t& runs,
             const std::function<bool()>& go_on) {
  return shrinker{failing, rules, law, runs, go_on}.run();
}

} // namespace orderly::sim
