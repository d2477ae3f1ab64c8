// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/foresight/next_acts.hpp"

#include "actors/policy/foresight/forecast.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace orderly::foresight {

namespace {

std::string joined(const std::string& first, const char* between,
                   const std::string& then) {
  return first.empty() || then.empty() ? first + then : first + between + then;
}

std::optional<next_act> act_on(const instance_row& x, const forecast& f) {
  const auto& s = x.standing;
  next_act act{"repair", x.name, next_state::due,
               s.next.empty() && s.needed ? to_string(*s.needed) : s.next,
               f.text};
  switch (f.what) {
  case prospect::will_act:
    act.why = s.wrong.empty() ? s.why : s.wrong;
    return act;
  case prospect::under_way:
    act.state = next_state::under_way;
    return act;
  case prospect::waits:
    if (!s.broken)
      return std::nullopt;
    act.state = next_state::waits;
    return act;
  case prospect::held:
    act.state = next_state::held;
    return act;
  default:
    return std::nullopt;
  }
}

next_act act_on(const node_row& x, const accepted_order& o) {
  auto by = o.who.empty() ? "somebody" : o.who;
  return {"order", x.name,
          o.running ? next_state::under_way : next_state::waits,
          to_string(o.verb),
          fmt::format("{} asked for it ({}{}{}); {}", by, o.errand,
                      o.why.empty() ? "" : ": ", o.why,
                      o.running             ? "now: " + o.step
                      : o.waits_for.empty() ? "waits for its turn"
                                            : "waits for " + o.waits_for)};
}

/// Why it is treated, and what for it is not treated yet.
std::string why_of(const node_standing& x) {
  return joined(x.reason, "; ",
                x.waits_for.empty() ? "" : "waits for: " + x.waits_for);
}

/// What is wanted of it waits for leave, and perhaps for somebody to give it.
next_act act_wanted(const node_row& x, act_kind wants, const status_row& all) {
  const auto& s = x.standing;
  auto fences = wants == act_kind::fence;
  return {fences ? "fence" : "reset", x.name,
          hold_text(all, wants).empty() ? next_state::waits : next_state::held,
          fences ? "power it off for good" : "power-cycle it", why_of(s)};
}

std::optional<next_act> act_on(const node_row& x, const status_row& all) {
  const auto& s = x.standing;
  if (s.wants)
    return act_wanted(x, *s.wants, all);
  next_act act{"fence", x.name, next_state::under_way, "power it off for good",
               why_of(s)};
  switch (s.phase) {
  case ha_phase::fencing:
    return act;
  case ha_phase::recovering:
    act.what = "reset";
    act.act = "power-cycle it";
    return act;
  case ha_phase::suspect:
  case ha_phase::checking:
  case ha_phase::degraded:
    if (!all.host_ha)
      return std::nullopt; // it is only watched
    // Which of both it comes to is not known before the checks are done.
    act.what = "treat";
    act.act = "power-cycle it, or power it off for good if it is proved dead";
    act.state = hold_text(all).empty() ? next_state::waits : next_state::held;
    return act;
  default:
    return std::nullopt;
  }
}

next_act act_of(const planned_move& x) {
  std::string steps;
  for (const auto& op : x.ops)
    steps = joined(steps, ", ", describe(op));
  auto act = joined(path_of(x), ": ", steps);
  return {
    "balance", x.instance, next_state::due, act,
    fmt::format("takes {:.8f} off the score of its group: {}", x.gain, x.why)};
}

/// Is it, by the newest reading, where the move would bring it?
bool is_there(const planned_move& x, const std::vector<instance_row>& all) {
  return std::any_of(all.begin(), all.end(), [&](const instance_row& row) {
    auto mirror = row.secondaries.empty() ? "" : row.secondaries.front();
    return row.name == x.instance && row.primary == x.to.primary
           && mirror == x.to.secondary;
  });
}

void add_moves(std::vector<next_act>& into, const view_answer& all,
               const balance_sheet& balance, const std::string& hold) {
  std::set<instance_name> open;
  for (const auto& x : balance.open) {
    auto act = act_of(x.what);
    act.state = next_state::under_way;
    act.why = x.text;
    into.push_back(std::move(act));
    open.insert(x.what.instance);
  }
  if (!balance.enabled || balance.planned_at == never)
    return;
  auto held = balance.phase == balance_phase::held ? balance.text : hold;
  for (const auto& x : balance.planned.moves) {
    if (x.wave != 0 || open.count(x.instance) > 0 || is_there(x, all.instances))
      continue;
    auto act = act_of(x);
    if (!held.empty()) {
      act.state = next_state::held;
      act.why = "not yet, because " + held + "; it " + act.why;
    }
    into.push_back(std::move(act));
  }
}

} // namespace

const char* to_string(next_state x) {
  switch (x) {
  case next_state::due:
    return "due";
  case next_state::under_way:
    return "under-way";
  case next_state::waits:
    return "waits";
  case next_state::held:
    return "held";
  }
  return "?";
}

std::vector<next_act> next_acts(const view_answer& all,
                                const balance_sheet& balance) {
  std::vector<next_act> acts;
  auto nodes = words_of(all.nodes, all.status.now);
  auto hold = hold_text(all.status);
  for (const auto& x : all.instances)
    if (auto act = act_on(x, forecast_for(x, all.status, nodes)))
      acts.push_back(std::move(*act));
  for (const auto& x : all.nodes) {
    if (auto act = act_on(x, all.status))
      acts.push_back(std::move(*act));
    if (x.ordered)
      acts.push_back(act_on(x, *x.ordered));
  }
  add_moves(acts, all, balance, hold);
  return acts;
}

} // namespace orderly::foresight
