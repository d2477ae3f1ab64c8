// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/guards.hpp"

#include "actors/maintenance/past.hpp"
#include "actors/policy/maintenance/event.hpp"
#include "actors/policy/maintenance/rank.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace orderly::intake_parts {

namespace {

std::string overrun_text(const std::vector<event_standing>& all,
                         const node_name& node, std::size_t count) {
  auto text
    = fmt::format("it has {} open repair events: none of them begins", count);
  for (const auto& x : all)
    if (x.node == node && maintenance::is_at_work(x.phase))
      text
        += fmt::format("; {} is {}, and goes on", x.uuid, to_string(x.phase));
  return text;
}

} // namespace

void weigh(self_ptr self) {
  auto& st = self->state;
  if (!st.picture)
    return;
  auto all = standings_of(st);
  auto was = st.crowd.open;
  st.crowd = maintenance::crowd_of(st.crowd, all, st.picture->nodes.size(),
                                   st.ctx->rules()->maintenance.interval);
  if (st.crowd.open != was)
    record(self, st.peers.journal,
           entry_about(self, st.ctx, whole_cluster,
                       st.crowd.open ? entry_kind::alert : entry_kind::decision,
                       st.crowd.open ? codes::bad_collector : "collector-calm",
                       st.crowd.open
                         ? st.crowd.text
                             + "; nothing is begun: cancel what is not meant"
                         : "events are begun again"));
  auto before = std::move(st.overrun);
  st.overrun = maintenance::overrun(
    all, st.ctx->rules()->maintenance.events_per_node_max);
  for (const auto& [name, count] : st.overrun)
    if (before.count(name) == 0)
      record(self, st.peers.journal,
             entry_about(self, st.ctx, node_object(name), entry_kind::alert,
                         codes::many_events, overrun_text(all, name, count)));
}

namespace {

/// Its command was on its way, whatever became of it.
bool has_worked(const event_standing& x) {
  return x.action == event_action::live_repair && x.begun != never
         && x.phase != event_phase::noted;
}

bool wants_slot(const event_standing& x, const std::set<std::string>& turns) {
  return x.phase == event_phase::noted && x.willing && turns.count(x.uuid) != 0;
}

} // namespace

guard_load load_of(const intake_state& st,
                   const std::vector<event_standing>& all, instant at) {
  guard_load x;
  const auto& rules = *st.ctx->rules();
  x.nodes_max = rules.maintenance.nodes_max;
  x.begins_max = rules.maintenance.begins_per_hour_max;
  x.unknown = any_unknown(st);
  x.busy = maintenance::at_work(all);
  for (auto then : st.begun)
    x.recent += at - then < counted_within ? 1 : 0;
  for (const auto& y : all)
    if (st.slots.count(y.uuid) != 0)
      x.keep_slot(y);
  return x;
}

void guard_load::keep_slot(const event_standing& x) {
  kept.insert(x.uuid);
  if (++slots[x.node] == 1 && busy.count(x.node) == 0)
    ++waiting;
}

/// Slots are kept for those who said that they would begin, oldest first: a
/// limit that each judged by what it knows of the others would hold for none of
/// those who get ready at the same time.
guard_load give_slots(intake_state& st, std::vector<event_standing> all,
                      const std::set<std::string>& turns, instant at) {
  auto load = load_of(st, all, at);
  std::set<std::string> still;
  for (const auto& x : all)
    if (st.slots.count(x.uuid) != 0 && wants_slot(x, turns)
        && held(st, x, load).empty())
      still.insert(x.uuid);
  st.slots = std::move(still);
  load = load_of(st, all, at);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.ctime, a.uuid) < std::tie(b.ctime, b.uuid);
  });
  for (const auto& x : all)
    if (wants_slot(x, turns) && held(st, x, load).empty()
        && st.slots.insert(x.uuid).second)
      load.keep_slot(x);
  return load;
}

std::string held(const intake_state& st, const event_standing& x,
                 const guard_load& load) {
  if (st.crowd.open && st.crowd.nodes.count(x.node) != 0)
    return st.crowd.text;
  if (auto i = st.overrun.find(x.node); i != st.overrun.end())
    return fmt::format("{} has {} open events", x.node, i->second);
  if (maintenance::is_at_work(x.phase))
    return {};
  if (load.unknown)
    return "another event is being started";
  // So do those for whom a slot is kept, but for itself.
  auto own = load.kept.count(x.uuid);
  auto there = load.slots.find(x.node);
  auto beside = there == load.slots.end() ? 0 : there->second - own;
  auto works = load.busy.count(x.node) != 0;
  auto busy = load.busy.size() + load.waiting
              - (own != 0 && beside == 0 && !works ? 1 : 0);
  auto recent = load.recent + load.kept.size() - own;
  if (!works && beside == 0 && busy >= load.nodes_max)
    return fmt::format("events work on {} nodes, or are to, limit {}", busy,
                       load.nodes_max);
  if (recent >= load.begins_max)
    return fmt::format("{} events began within an hour, or are to, limit {}",
                       recent, load.begins_max);
  return {};
}

std::map<std::string, std::vector<const event_standing*>>
by_machine(const std::vector<event_standing>& all) {
  std::map<std::string, std::vector<const event_standing*>> result;
  for (const auto& x : all)
    result[x.node_uuid].push_back(&x);
  return result;
}

instant worked_at(const intake_state& st, const event_standing& x,
                  const std::vector<const event_standing*>& of_node,
                  instant at) {
  auto forgot = st.worked.find(x.node);
  auto result
    = forgot == st.worked.end() || forgot->second > at ? never : forgot->second;
  for (const auto* y : of_node) {
    if (y->uuid == x.uuid || !has_worked(*y))
      continue;
    // One that is late may never end.
    auto works = y->commands && !y->late;
    if (works || y->mtime <= at)
      result = std::max(result, works ? at : y->mtime);
  }
  auto stray = st.strays.find(x.node);
  auto deadline = st.ctx->rules()->cluster.job_deadline;
  if (stray != st.strays.end()
      && stray->second.at - stray->second.since < deadline)
    result = std::max(result, stray->second.at);
  return result;
}

instant given_up_at(const event_standing& x,
                    const std::vector<const event_standing*>& of_node) {
  auto result = never;
  for (const auto* y : of_node)
    if (y->uuid != x.uuid)
      result = std::max(result, y->given_up);
  return result;
}

} // namespace orderly::intake_parts
