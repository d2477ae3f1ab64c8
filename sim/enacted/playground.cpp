// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/playground.hpp"

#include "messages/codes.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace orderly::sim::enacted {

host& playground::at(const node_name& name) {
  return *std::find_if(hosts.begin(), hosts.end(),
                       [&](const host& x) { return x.name == name; });
}

int playground::second_of(instant at) const {
  auto since = at - zero - second_begins;
  auto whole = since / seconds{1};
  return static_cast<int>(since % seconds{1} < millis{0} ? whole - 1 : whole);
}

instant playground::end_of(instant at, std::int64_t takes) const {
  auto ends = in(second_of(at) + static_cast<int>(takes), results_come);
  return takes <= 0 ? at : std::max(at, ends);
}

bool playground::is_before(instant at) const {
  return at < given_at;
}

void playground::note(host& x, json& into, const std::string& row, instant at) {
  if (x.recorded && at >= now_least)
    into.push_back({second_of(at), row});
}

namespace {

template <class T>
bool has(const machine_step& step) {
  const auto& all = step.answer.actions;
  return std::any_of(all.begin(), all.end(), [](const auto& a) {
    return std::holds_alternative<T>(a);
  });
}

/// An order that came to its end without any command, and not because it was
/// held back: what it read was its whole work.
const char* ended_uncommanded(const host& x, const host_ha::event& e) {
  if (x.commanded)
    return nullptr;
  const auto* reset = std::get_if<host_ha::recovery_ended>(&e);
  if (reset != nullptr && !reset->held && !reset->by_wish
      && x.state.phase == ha_phase::recovering && x.state.recovery_dispatched)
    return "recover";
  const auto* fence = std::get_if<host_ha::fence_ended>(&e);
  if (fence != nullptr && !fence->held && !fence->by_wish
      && x.state.phase == ha_phase::fencing && x.state.fence_dispatched)
    return "fence";
  return nullptr;
}

bool is_refused(const host_ha::event& e) {
  const auto* check = std::get_if<host_ha::health_seen>(&e);
  return (check != nullptr && check->verdict == health::not_looked)
         || std::holds_alternative<host_ha::activity_refused>(e);
}

} // namespace

void playground::see(const machine_step& step) {
  auto& x = at(step.node);
  const auto& next = step.answer.next;
  auto on_time = x.recorded && step.at >= now_least;
  if (on_time && is_refused(step.event))
    ++refused;
  if (const auto* done = ended_uncommanded(x, step.event)) {
    note(x, x.seen.operations, done, step.at);
    x.commanded = true;
  }
  if (on_time && next.phase != step.from.phase)
    x.seen.transitions.push_back(
      {second_of(step.at), timelines::spelled(step.from.phase),
       timelines::spelled(next.phase),
       host_ha::name_of_transition(step.from, step.event, next)});
  for (const auto& a : step.answer.actions)
    if (const auto* told = std::get_if<host_ha::tell>(&a))
      note(x, codes::is_alert(told->code) ? x.seen.alerts : x.seen.events,
           told->code, step.at);
  if (has<host_ha::enter_maintenance>(step))
    note(x, x.seen.operations, "maintenance_on", step.at);
  if (has<host_ha::reset_power>(step) || has<host_ha::fence_power>(step))
    x.commanded = false;
  if (next.phase == ha_phase::fenced && step.from.phase != ha_phase::fenced)
    x.down_told = x.released = false;
  x.state = next;
  if (!x.recorded && step.at >= given_at && next.phase == what.given.phase)
    x.recorded = true;
}

void renew_facts(const playground& all, host& x, instant at) {
  auto& facts = x.facts;
  const auto& in = x.inputs;
  facts.read_at = at;
  auto begun = at >= all.in(0, inputs_come);
  auto given = all.what.given.phase;
  facts.held.clear();
  facts.disabled.clear();
  facts.recorded_on = true;
  facts.record.offline = x.marked;
  facts.record.oob_program = "/usr/lib/orderly/power";
  std::uint32_t neighbours = 1;
  if (!begun) {
    if (given == ha_phase::ineligible)
      facts.held = "of before the beginning";
    if (given == ha_phase::disabled)
      facts.disabled = "it is switched off";
  } else {
    if (!in.is_on("enabled") || !in.is_on("partition_enabled"))
      facts.disabled = "it is switched off";
    facts.record.offline = x.marked || in.is_on("maintenance");
    if (in.is_on("partition_maintenance"))
      facts.held = "its partition is worked on";
    if (in.is_on("host_disabled"))
      facts.held = "a person disabled it";
    if (!in.is_on("oobm"))
      facts.record.oob_program = "!";
    facts.recorded_on
      = in.shown("power") != "Off" || !in.is_on("power_commanded");
    neighbours = in.shown("neighbours").get<std::uint32_t>();
  }
  std::vector<node_name> online;
  if (!facts.record.offline)
    online.push_back(x.name);
  for (std::uint32_t i = 0; i < neighbours; ++i)
    online.push_back(fmt::format("neighbour{}", i));
  facts.online
    = std::make_shared<const std::vector<node_name>>(std::move(online));
}

} // namespace orderly::sim::enacted
