// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/maintenance/polls.hpp"

#include "actors/maintenance/guards.hpp"
#include "actors/maintenance/keys.hpp"
#include "actors/policy/maintenance/agent_keys.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::intake_parts {

namespace {

/// Of one node's reports that cannot be relied upon a person hears so often.
constexpr millis told_again = hours{1};

/// Whether a node's report shows an event.
event_report seen_by(const maintenance::report& x, const event_standing& e,
                     instant at) {
  using sight = event_report::sight;
  if (x.what == maintenance::saying::unknown)
    return {sight::unknown, at};
  auto shown = x.what == maintenance::saying::asks && x.identity == e.identity;
  return {shown ? sight::shown : sight::absent, at};
}

const intake_state::known* known_as(const intake_state& st,
                                    const std::string& node_uuid,
                                    const std::string& identity) {
  for (const auto& [uuid, x] : st.events)
    if (x.standing && x.standing->node_uuid == node_uuid
        && x.standing->identity == identity)
      return &x;
  return nullptr;
}

/// Its last report is its own, not that of a machine which had its name, and
/// from after the end of its last event.
bool is_of_now(const intake_state& st, const node_record& node) {
  auto of = st.answered_as.find(node.name);
  auto heard = st.reported_at.find(node.name);
  auto forgot = st.forgot.find(node.name);
  return of != st.answered_as.end() && of->second == node.uuid
         && heard != st.reported_at.end()
         && (forgot == st.forgot.end() || heard->second >= forgot->second);
}

void note(self_ptr self, const node_record& node,
          const maintenance::report& said) {
  auto& st = self->state;
  auto event
    = maintenance::begin(st.rolls.uuid(), node, said.action, said.original,
                         said.identity, st.reported_at[node.name]);
  auto object = object_of_event(event.uuid);
  auto entry = entry_about(
    self, st.ctx, object, entry_kind::decision, codes::event_noted,
    fmt::format("{} asks to {}", node.name, to_string(event.action)));
  entry.incident = event.uuid;
  entry.state = maintenance::to_fields(event);
  entry.state_key = object;
  auto uuid = event.uuid;
  st.events[uuid].standing = maintenance::standing_of(event);
  record(self, st.peers.journal, {std::move(entry)},
         [self, uuid] { start(self, uuid); });
}

/// What nodes said last makes new events of what none knows yet.
void find_events(self_ptr self) {
  auto& st = self->state;
  if (!st.picture || any_unknown(st))
    return; // what is known is not known yet
  for (const auto& [name, said] : st.reports) {
    const auto* node = find_record(st.picture->nodes, name);
    if (said.what != maintenance::saying::asks || node == nullptr
        || !is_of_now(st, *node)
        || known_as(st, node->uuid, said.identity) != nullptr
        || st.events.size() >= intake_state::events_max)
      continue;
    note(self, *node, said);
  }
}

/// Whose reports cannot be relied upon is told, once in a while.
void tell_refused(self_ptr self, const node_name& name,
                  const maintenance::report& said, const std::string& key) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto& told = st.refused_told[name];
  if (said.how != hearing::unverified
      || (told != never && at - told < told_again))
    return;
  told = at;
  record(self, st.peers.journal,
         entry_about(self, st.ctx, node_object(name), entry_kind::alert,
                     codes::unverified,
                     "its report is not believed: " + said.text
                       + (key.empty()
                            ? std::string{}
                            : "; " + maintenance::how_to_trust(name, key))));
}

/// What persons are shown of a node's agent.
void enter_row(intake_state& st, const diagnosis& x,
               const maintenance::report& said, instant at) {
  auto& row = st.agent_rows[x.node];
  auto believed = x.how == hearing::heard || x.how == hearing::failed;
  row.node = x.node;
  row.how
    = said.what == maintenance::saying::unknown ? said.how : hearing::heard;
  row.why = said.text;
  row.key = x.key;
  row.asked = at;
  row.missed = believed ? 0 : row.missed + 1;
  if (believed)
    row.heard = at;
  const auto* node = find_record(st.picture->nodes, x.node);
  row.tagged
    = node ? maintenance::tagged_keys(node->tags) : std::vector<std::string>{};
  auto met = st.met.find(node ? node->uuid : std::string{});
  row.met = met == st.met.end() ? std::string{} : met->second;
}

void show_rows(self_ptr self) {
  auto& st = self->state;
  std::vector<agent_row> all;
  std::erase_if(st.agent_rows, [&](const auto& x) {
    return find_record(st.picture->nodes, x.first) == nullptr;
  });
  for (const auto& [name, row] : st.agent_rows)
    all.push_back(row);
  self->send(st.peers.view,
             agents_asked{
               std::make_shared<const std::vector<agent_row>>(std::move(all))});
}

void end_sweep(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  for (auto& [name, when] : st.forgot)
    when = std::min(when, at); // the calendar may have been set back
  for (auto& [name, answer] : std::exchange(st.answers, {})) {
    auto said = maintenance::read_report(answer);
    tell_refused(self, name, said, answer.key);
    meet(self, answer);
    enter_row(st, answer, said, at);
    st.reported_at[name] = answer.at == never ? at : std::min(answer.at, at);
    st.reports[name] = std::move(said);
    st.answered_as[name] = st.asked_as[name];
  }
  forget_keys(self);
  show_rows(self);
  find_events(self);
  weigh(self);
  spread(self);
  for (const auto& [uuid, x] : st.events) {
    if (!x.standing || !x.actor)
      continue;
    auto said = st.reports.find(x.standing->node);
    if (said != st.reports.end())
      self->send(x.actor, seen_by(said->second, *x.standing,
                                  st.reported_at[x.standing->node]));
  }
}

void take_answer(self_ptr self, std::uint64_t sweep, diagnosis x) {
  auto& st = self->state;
  if (sweep != st.sweep)
    return;
  auto name = x.node;
  st.answers.insert_or_assign(name, std::move(x));
  if (--st.asked == 0)
    end_sweep(self);
}

void ask(self_ptr self, const node_record& node, millis limit) {
  auto& st = self->state;
  ask_diagnosis question{node.name, node.uuid, node.address, limit,
                         keys_for(st, node)};
  auto sweep = st.sweep;
  st.asked_as[node.name] = node.uuid;
  self->request(st.agents, limit + patience::slack, std::move(question))
    .then(
      [self, sweep, name = node.name](diagnosis& x) {
        x.node = name;
        take_answer(self, sweep, std::move(x));
      },
      [self, sweep, name = node.name](const caf::error&) {
        diagnosis none;
        none.node = name;
        none.text = "no answer in time";
        take_answer(self, sweep, std::move(none));
      });
}

} // namespace

void poll_soon(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  // So soon that a node which asks then has not asked twice.
  auto least = rules->maintenance.interval / 4;
  auto at = now(self, st.ctx);
  if (st.polled == never || at - st.polled >= least)
    poll(self);
  else
    st.next.set(self, st.polled + least - at);
}

void poll(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  st.next.set(self, rules->maintenance.interval);
  if (!st.recovered || !st.picture || !st.agents
      || rules->maintenance.mode == repair_mode::off)
    return;
  if (st.asked > 0)
    return; // who is silent is waited for, however often the others are asked
  ++st.sweep;
  st.polled = now(self, st.ctx);
  st.answers.clear();
  st.asked_as.clear();
  st.asked = st.picture->nodes.size();
  for (const auto& node : st.picture->nodes)
    ask(self, node, rules->maintenance.report_timeout);
}

} // namespace orderly::intake_parts
