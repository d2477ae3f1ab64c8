// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/scheduler/guards.hpp"

#include "actors/policy/settings/group_settings.hpp"
#include "actors/scheduler/book.hpp"
#include "actors/scheduler/leader.hpp"

#include <algorithm>

namespace orderly {

using namespace scheduler_parts;

namespace {

/// A person said stop, with or without the disk's consent so far; who. Empty:
/// nobody did.
std::string paused_by(const scheduler_state& st) {
  if (st.paused)
    return st.paused_by;
  return st.writing && st.writing->pause ? text_of(*st.writing) : "";
}

/// Nothing is moved for balance, nor for a repair event, while a person says
/// stop, a storm is on, or its nodes are in trouble.
permit quiet_guards(const scheduler_state& st, const permit_request& wanted,
                    const settings& rules, instant at) {
  auto soon = at + rules.rounds.hold_retry;
  if (auto who = paused_by(st); !who.empty())
    return refused("paused by " + who, soon);
  if (at < st.started + rules.storm.settle)
    return refused("waits for troubles to be seen first", soon);
  if (auto sky = storm::may_act(st.storm, storm_rules(rules)); !sky.go)
    return refused(sky.why, soon, true);
  for (const auto* names : {&wanted.leaves, &wanted.joins})
    for (const auto& name : *names) {
      const auto* node = st.nodes.find(name);
      if (node == nullptr)
        continue;
      if (!node->held.empty())
        return refused(name + " is held: " + node->held, soon);
      // What is proved off is left by what mirrored there.
      auto dead = names == &wanted.leaves && node->proved_down;
      if (node->troubled && !dead)
        return refused(name + " is in trouble", soon);
      if (names == &wanted.joins && !node->closed.empty())
        return refused(name + " is no place: " + node->closed, soon);
    }
  permit p;
  p.granted = true;
  return p;
}

/// From when on it is known who was switched on by a person.
instant known_since(const scheduler_state& st, const permit_request& wanted,
                    const settings& rules) {
  auto on_node = wanted.act == act_kind::fence || wanted.act == act_kind::reset;
  return on_node && st.adopted != never
           ? std::min(st.adopted, st.read_at) + longest_recovery_wait(rules)
           : st.started;
}

/// A person wants no more of them at all.
bool forbids_all(const budget::rules& r, act_kind act) {
  if (act == act_kind::fence || act == act_kind::reset)
    return r.fences_per_hour_max == 0;
  return r.failovers_per_hour_max == 0;
}

} // namespace

storm::rules scheduler_parts::storm_rules(const settings& s) {
  return {s.storm.nodes_max, s.storm.percent_max, s.storm.cooldown};
}

budget::rules scheduler_parts::budget_rules(const settings& s) {
  return {s.budget.fences_per_hour_max, s.budget.failovers_per_hour_max};
}

permit scheduler_parts::refused(std::string why, instant retry_at, bool storm) {
  permit p;
  p.why = std::move(why);
  p.retry_at = retry_at;
  p.storm = storm;
  return p;
}

instant scheduler_parts::settled_at(const scheduler_state& st,
                                    const permit_request& wanted,
                                    const settings& rules) {
  // Companions whose group gives them longer are seen so much later.
  auto timeout = longest_check_timeout(rules);
  auto settle = rules.storm.settle + timeout - rules.host_ha.check_timeout;
  auto first_looks = rules.host_ha.check_interval + timeout;
  auto seen
    = st.started
      + (rules.autorepair.single_pass ? settle : std::max(settle, first_looks));
  return wanted.act == act_kind::failover
           ? seen
           : std::max(seen, wanted.since + settle);
}

permit scheduler_parts::standing_guards(const scheduler_state& st,
                                        const permit_request& wanted,
                                        instant at) {
  auto rules = st.ctx->rules();
  auto soon = at + rules->rounds.hold_retry;
  if (auto why = why_no_right(*st.ctx, st.right, at); !why.empty())
    return refused(std::move(why), soon);
  auto on_node = wanted.act == act_kind::fence || wanted.act == act_kind::reset;
  if (on_node && !rules->host_ha.enabled)
    return refused("host HA only observes (host_ha.enabled is false)", soon);
  if (auto who = paused_by(st); is_destructive(wanted.act) && !who.empty())
    return refused("paused by " + who, soon);
  permit p;
  p.granted = true;
  return p;
}

permit scheduler_parts::guards(const scheduler_state& st,
                               const permit_request& wanted, instant at) {
  auto rules = st.ctx->rules();
  auto soon = at + rules->rounds.hold_retry;
  if (auto p = standing_guards(st, wanted, at); !p.granted)
    return p;
  if (wanted.act == act_kind::rebalance || wanted.act == act_kind::evacuate)
    return quiet_guards(st, wanted, *rules, at);
  if (is_destructive(wanted.act)) {
    auto calm_at = settled_at(st, wanted, *rules);
    if (at < calm_at)
      return refused(companions_first, calm_at);
    if (auto known_at = known_since(st, wanted, *rules); at < known_at)
      return refused("the journal is an older one and does not tell whom a "
                     "person has just had switched on: it may boot",
                     known_at);
    auto sky = storm::may_act(st.storm, storm_rules(*rules));
    if (!sky.go)
      return refused(sky.why, soon, true);
    auto purse
      = budget::may_act(st.budget, wanted.act, budget_rules(*rules), at);
    auto free
      = is_paid(st, wanted) && !forbids_all(budget_rules(*rules), wanted.act);
    if (!purse.go && !free) {
      auto no = refused(purse.why, std::max(purse.retry_at, soon));
      no.spent = true;
      return no;
    }
  }
  permit p;
  p.granted = true;
  return p;
}

permit scheduler_parts::renew(scheduler_state& st, const permit_request& wanted,
                              instant at) {
  auto rules = st.ctx->rules();
  if (!is_destructive(wanted.act)) {
    auto p = guards(st, wanted, at);
    p.id = st.table.by_owner.at(wanted.owner).id;
    return p;
  }
  if (st.table.by_owner.at(wanted.owner).granted_at < st.another_until) {
    auto p = refused("another node was master meanwhile",
                     at + rules->rounds.hold_retry);
    p.outdated = true;
    return p;
  }
  auto sky = storm::may_act(st.storm, storm_rules(*rules));
  if (!sky.go)
    return refused(sky.why, at + rules->rounds.hold_retry, true);
  if (forbids_all(budget_rules(*rules), wanted.act))
    return refused("the budget was set to none", at + rules->rounds.hold_retry);
  auto p = standing_guards(st, wanted, at);
  if (!p.granted)
    return p;
  auto& held = st.table.by_owner.at(wanted.owner);
  auto calm_at = settled_at(st, wanted, *rules);
  if (held.what.resumed && at < calm_at)
    return refused(companions_first, calm_at);
  reservations::reserve(st.table, held.what, held.id, at);
  p.id = held.id;
  return p;
}

} // namespace orderly
