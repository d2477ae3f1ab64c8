// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/prelude.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/shell/context.hpp"
#include "actors/shell/dice.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace orderly::sim::enacted {

namespace {

/// No guard but those of the timeline holds anything.
constexpr std::uint32_t plenty = 1'000'000;

/// It is read once after a command, and that decides.
constexpr millis at_once{1};

bool says_unknown(const timelines::timeline& x) {
  auto in
    = [](const json& set) { return set.value("power", json{}) == "Unknown"; };
  return in(x.inputs)
         || std::any_of(x.script.begin(), x.script.end(),
                        [&](const auto& s) { return in(s.set); });
}

std::int64_t floor_to(std::int64_t x, std::int64_t grain) {
  auto rest = x % grain;
  return x - (rest < 0 ? rest + grain : rest);
}

/// Its wait cannot have been over before the beginning.
int since_of(const playground& all, const settings& rules) {
  const auto& g = all.what.given;
  millis wait{};
  switch (g.phase) {
  case ha_phase::suspect:
    if (g.recoveries == 0 || g.recoveries < rules.host_ha.recovery_attempts_max)
      wait = backoff(rules.host_ha.activity_interval_base,
                     rules.host_ha.activity_interval_max, g.checks + 1);
    break;
  case ha_phase::degraded:
    wait = rules.host_ha.degraded_period;
    break;
  case ha_phase::recovered:
    wait = rules.host_ha.recovery_wait;
    break;
  case ha_phase::fenced:
    return g.since;
  default:
    return 0;
  }
  return std::max(g.since, -static_cast<int>(wait / seconds{1}));
}

settings quicker(const settings& rules) {
  auto quick = rules;
  auto& ha = quick.host_ha;
  constexpr millis step = seconds{1};
  constexpr millis for_ever = hours{12};
  ha.activity_interval_base = ha.activity_interval_max = step;
  ha.activity_checks = 1;
  ha.activity_timeout = for_ever;
  ha.retry_base = ha.retry_max = step;
  ha.degraded_period = ha.recovery_wait = for_ever;
  quick.power.command_timeout = for_ever;
  return quick;
}

/// By a trouble that begins at a beat before it.
prelude by_trouble(playground& all, const settings& rules, int since) {
  const auto& g = all.what.given;
  if (g.checks + g.failures + g.errors > 0)
    throw std::invalid_argument{"given: no window is known after a reset"};
  auto resets
    = g.phase == ha_phase::recovering || g.phase == ha_phase::recovered
        ? std::max(g.recoveries, 1u)
        : g.recoveries;
  prelude how;
  how.quick = quicker(rules);
  auto& ha = how.quick.host_ha;
  ha.recovery_attempts_max = resets;
  auto interval = all.number("health_interval");
  constexpr std::int64_t slack = 5;
  auto down
    = floor_to(since - static_cast<std::int64_t>(resets) - slack, interval);
  all.down_at = all.in(static_cast<int>(down), second_begins);
  auto entered = all.in(since);
  // How it waits goes by the rules of the timeline, how it got there does not.
  auto acts = g.phase == ha_phase::recovering || g.phase == ha_phase::fencing;
  all.given_at = acts ? entered : entered - millis{1};
  for (auto& x : all.hosts) {
    auto& b = x.before;
    switch (g.phase) {
    case ha_phase::suspect:
      ha.recovery_wait
        = entered
          - all.in(static_cast<int>(down) + static_cast<int>(resets),
                   checks_come);
      b.resets_left = resets - 1;
      break;
    case ha_phase::recovered:
      b.resets_left = resets - 1;
      b.last_reset_at = entered;
      break;
    case ha_phase::recovering:
      b.resets_left = resets - 1;
      if (resets == 1)
        b.sampled_at = entered;
      else
        b.failed_at = entered - ha.retry_base;
      break;
    default: // fencing
      b.sampled_at = entered;
      break;
    }
  }
  return how;
}

} // namespace

settings rules_of(const playground& all) {
  const auto& how = all.what.how;
  if (!how.power_off_fast_path)
    throw std::invalid_argument{"no setting has what is off looked into like "
                                "any other trouble"};
  settings s;
  auto span
    = [&](const char* key) -> millis { return seconds{all.number(key)}; };
  auto wait = [&](const char* key) { return span(key) + wait_more; };
  auto count = [&](const char* key) {
    return static_cast<std::uint32_t>(all.number(key));
  };
  auto& ha = s.host_ha;
  ha.check_interval = span("health_interval");
  ha.check_timeout = span("health_timeout");
  ha.activity_timeout = span("act_timeout");
  ha.activity_interval_base = wait("act_base");
  ha.activity_interval_max = wait("act_cap");
  ha.activity_checks = count("max_checks");
  ha.activity_failure_ratio = how.ratio;
  ha.degraded_period = wait("degraded_period");
  ha.recovery_wait = wait("recover_wait");
  ha.recovery_attempts_max = count("max_recover");
  ha.retry_base = wait("retry_base");
  ha.retry_max = wait("retry_cap");
  ha.recovery_timeout = ha.fence_timeout = s.power.status_poll = at_once;
  ha.probes_parallel_max = count("health_conc");
  ha.probes_queued_max = count("health_pending");
  ha.activity_parallel_max = count("act_conc");
  ha.activity_queued_max = count("act_pending");
  s.power.command_timeout
    = std::max(span("recover_timeout"), span("fence_timeout"));
  // Resets share half of the room.
  s.power.concurrency = 2 * count("recover_conc");
  s.power.queued_max = plenty;
  s.power.rehearsal_interval = says_unknown(all.what) ? at_once : millis{0};
  auto hosts = static_cast<double>(all.what.hosts);
  s.storm.nodes_max
    = how.guard_ratio
        ? static_cast<std::uint32_t>(std::floor(*how.guard_ratio * hosts))
        : plenty;
  s.storm.percent_max = 0;
  s.storm.settle = s.storm.cooldown = millis{0};
  s.budget.fences_per_hour_max = plenty;
  s.rounds.parallel_max = plenty;
  s.leader.own_node = "us";
  return s;
}

prelude plan_prelude(playground& all, const settings& rules) {
  const auto& g = all.what.given;
  auto since = since_of(all, rules);
  prelude how;
  how.quick = rules;
  auto watched = g.phase == ha_phase::suspect || g.phase == ha_phase::checking
                 || g.phase == ha_phase::degraded;
  all.now_least = all.in(0, second_begins);
  all.read_since = all.in(0, watched ? millis{800} : inputs_come);
  all.given_at = all.now_least;
  if (g.phase == ha_phase::fenced || (watched && g.recoveries == 0)) {
    how.kept = true;
    all.down_at = instant::min();
    how.node_begin = all.in(since);
    if (g.phase == ha_phase::checking)
      how.node_begin
        -= backoff(rules.host_ha.activity_interval_base,
                   rules.host_ha.activity_interval_max, g.checks + 1);
    else
      all.given_at = how.node_begin;
    for (auto& x : all.hosts) {
      x.marked = x.down_told = g.phase == ha_phase::fenced;
    }
  } else if (g.phase == ha_phase::recovering || g.phase == ha_phase::recovered
             || g.phase == ha_phase::fencing
             || (g.phase == ha_phase::suspect && g.recoveries > 0)) {
    how = by_trouble(all, rules, since);
  } else if (g.checks + g.failures + g.errors + g.recoveries > 0) {
    throw std::invalid_argument{"given: in that state nothing was counted"};
  }
  // Each node is looked at before anything is permitted.
  auto first = how.kept               ? how.node_begin
               : all.down_at == never ? all.zero
                                      : all.down_at;
  auto lead
    = (all.zero - first) / seconds{1} + 61
      + 2 * (all.number("health_interval") + all.number("health_timeout"));
  auto back = -floor_to(-static_cast<std::int64_t>(lead),
                        all.number("health_interval"));
  how.begin = all.in(-static_cast<int>(back), results_come);
  if (!how.kept)
    how.node_begin = how.begin;
  return how;
}

void keep_state(walking::paper& book, const host& x, const playground& all,
                const prelude& how, const settings& rules) {
  const auto& g = all.what.given;
  host_ha::state s;
  s.phase = g.phase == ha_phase::checking ? ha_phase::suspect : g.phase;
  s.since = s.suspect_since = s.trouble_seen = s.sampled = how.node_begin;
  s.incident = node_incident(x.name, how.node_begin);
  s.reason = "it was so in the beginning";
  s.last_health = health::unhealthy;
  s.checks = g.checks;
  s.failures = g.failures;
  s.unknowns = g.errors;
  s.due = never;
  if (g.phase == ha_phase::degraded)
    s.due = how.node_begin + rules.host_ha.degraded_period;
  if (g.phase == ha_phase::fenced) {
    s.maintenance = true;
    s.proved_down
      = proof{x.name, proof_level::power_status, "off", how.node_begin};
  }
  auto f = host_ha::to_fields(s);
  f.put("marked", g.phase == ha_phase::fenced);
  book.states.insert_or_assign(node_object(x.name), std::move(f));
}

namespace {

/// As an actor of that name draws it.
bool is_checked_then(const context& ctx, const node_name& name, millis interval,
                     millis first_check) {
  dice jitter{ctx.seed_for(node_object(name))};
  auto first = millis{static_cast<std::int64_t>(
    jitter.below(static_cast<std::uint64_t>(interval.count())))};
  return first >= first_check && first < first_check + checks_within;
}

/// One in some thousands will do.
constexpr std::uint64_t tries_most = 2'000'000;

} // namespace

void name_hosts(playground& all, const settings& rules, std::uint64_t seed,
                millis first_check) {
  std::uint64_t number = 0;
  auto ctx = std::make_unique<context>(std::make_shared<const settings>(rules),
                                       caf::actor_clock::time_point{}, never,
                                       seed, "timeline");
  for (auto& x : all.hosts) {
    do
      x.name = fmt::format("host{}", ++number);
    while (
      !is_checked_then(*ctx, x.name, rules.host_ha.check_interval, first_check)
      && number < tries_most);
    x.facts.record.name = x.name;
    x.facts.record.uuid = "uuid-" + x.name;
  }
}

std::uint64_t seed_for(const playground& all, const settings& rules,
                       millis first_check) {
  auto shared = std::make_shared<const settings>(rules);
  for (std::uint64_t seed = 2; seed < tries_most; ++seed) {
    context ctx{shared, caf::actor_clock::time_point{}, never, seed,
                "timeline"};
    if (is_checked_then(ctx, all.hosts.front().name,
                        rules.host_ha.check_interval, first_check))
      return seed;
  }
  return 0;
}

millis to_beat(const playground& all, instant begin) {
  auto interval = all.number("health_interval");
  auto from = begin - all.zero - checks_come;
  auto whole = floor_to(from / millis{1}, interval * 1000);
  auto rest = millis{from / millis{1} - whole};
  return rest == millis{0} ? millis{0} : millis{interval * 1000} - rest;
}

} // namespace orderly::sim::enacted
