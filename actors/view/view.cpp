// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/view/view.hpp"

#include "actors/policy/foresight/lasting.hpp"
#include "actors/policy/foresight/tell.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <algorithm>

namespace orderly {

namespace {

using self_ptr = view_actor::stateful_pointer<view_state>;

/// A scene that is older is made anew, if only to say how late it is.
constexpr auto fresh_for = seconds{1};

node_row row_of(const view_state& st, const node_record& record) {
  node_row row;
  row.name = record.name;
  row.group = record.group;
  row.offline = record.offline;
  row.drained = record.drained;
  row.powered = record.powered;
  auto levels = power_levels(record, *st.ctx->rules());
  row.power_levels = static_cast<std::uint32_t>(levels.size());
  row.power_control = !levels.empty();
  if (auto i = st.nodes.find(record.name); i != st.nodes.end())
    row.standing = i->second;
  if (auto i = st.ordered.find(record.name); i != st.ordered.end())
    row.ordered = i->second;
  row.standing.node = record.name;
  return row;
}

instance_row row_of(const view_state& st, const instance_record& record) {
  instance_row row;
  row.name = record.name;
  row.primary = record.primary;
  row.secondaries = record.secondaries;
  row.disks = to_string(record.disks);
  row.admin = to_string(record.admin);
  if (auto i = st.instances.find(record.name); i != st.instances.end())
    row.standing = i->second;
  row.standing.instance = record.name;
  return row;
}

/// Those that the journal had have all said how they stand. One that is
/// forgotten meanwhile is missed no more.
bool events_read(view_state& st) {
  if (st.events.size() >= st.events_expected)
    st.events_expected = 0;
  return st.events_expected == 0;
}

/// Newest change first.
std::vector<event_standing> events_of(const view_state& st) {
  std::vector<event_standing> result;
  for (const auto& [uuid, x] : st.events)
    result.push_back(x);
  std::stable_sort(
    result.begin(), result.end(),
    [](const auto& a, const auto& b) { return a.mtime > b.mtime; });
  return result;
}

status_row status_of(self_ptr self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  status_row row;
  row.version = st.ctx->version();
  row.right_to_act = st.right;
  row.guard = st.guard;
  row.started = st.started;
  row.now = now(self, st.ctx);
  row.polled = st.polled;
  row.read_from = st.read_from;
  row.removals = st.removals;
  row.poll_error = st.poll.answered ? "" : st.poll.text;
  row.journal_trouble = st.ctx->journal_trouble();
  row.autorepair = rules->autorepair.enabled;
  row.autorepair_mode
    = rules->autorepair.enabled ? rules->autorepair.mode : repair_mode::off;
  row.events_read = events_read(st);
  row.host_ha = rules->host_ha.enabled;
  row.counters = st.counts.all();
  // This alert cannot be in the journal yet.
  if (!row.journal_trouble.empty())
    ++row.counters["alerts"];
  if (st.picture) {
    row.cluster = st.picture->name;
    row.master = st.picture->master;
    for (const auto& node : st.picture->nodes) {
      auto i = st.nodes.find(node.name);
      ++row.nodes_by_phase[i == st.nodes.end() ? "unknown"
                                               : to_string(i->second.phase)];
      if (i == st.nodes.end())
        continue;
      const auto& control = i->second.power_control;
      ++row.nodes_by_protection[to_string(control.result)];
      if (!control.mismatch.empty())
        row.power_mismatches.emplace(node.name, control.mismatch);
    }
    for (const auto& x : st.picture->instances) {
      auto i = st.instances.find(x.name);
      auto seen = i != st.instances.end() && i->second.phase;
      ++row.instances_by_phase[seen ? to_string(*i->second.phase) : "unknown"];
      if (i != st.instances.end() && i->second.broken)
        ++row.repairs_needed[i->second.needed ? to_string(*i->second.needed)
                                              : "none"];
    }
  }
  return row;
}

/// All that readers may see. The same scene as before while nothing changed,
/// and the calendar says nothing new.
std::shared_ptr<const scene> scene_of(self_ptr self) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto revision = st.ctx->stirred();
  if (st.last && st.last->revision == revision
      && at - st.last->status.now < fresh_for && at >= st.last->status.now)
    return st.last;
  auto fresh = std::make_shared<scene>();
  fresh->revision = revision;
  auto rules = st.ctx->rules();
  if (rules != st.rules_seen) {
    st.node_rows.doubt_all(); // levels of power control are settings
    st.rules_seen = rules;
  }
  if (st.picture) {
    fresh->nodes = st.node_rows.rows(
      st.picture->nodes, [&st](const node_record& x) { return row_of(st, x); });
    fresh->instances = st.instance_rows.rows(
      st.picture->instances,
      [&st](const instance_record& x) { return row_of(st, x); });
  }
  fresh->decisions.assign(st.decisions.begin(), st.decisions.end());
  fresh->events = events_of(st);
  fresh->agents = st.agents;
  fresh->status = status_of(self);
  st.last = std::move(fresh);
  return st.last;
}

/// Whatever the switches are: who is told may be the only one who helps.
troubles troubles_in(const view_state& st) {
  troubles result;
  result.acting = st.right.held;
  result.standby = !st.right.held && !st.right.master.empty();
  auto add = [&](const object_id& object, std::string what, instant since) {
    if (!what.empty())
      result.all.push_back({object, std::move(what), since});
  };
  for (const auto& [name, x] : st.nodes)
    add(node_object(name), foresight::trouble_of(x),
        foresight::troubled_since(x));
  for (const auto& [name, x] : st.instances) {
    auto home = st.nodes.find(x.primary);
    add(instance_object(name), foresight::trouble_of(x),
        home == st.nodes.end() ? never
                               : foresight::home_lost_since(home->second));
  }
  return result;
}

void take(view_state& st, journal_news& news) {
  auto most = st.ctx->rules()->http.decisions_kept;
  for (auto& entry : news.entries) {
    // What the journal kept from before was counted before.
    if (entry.at >= st.started)
      st.counts.take(entry);
    if (entry.kind == entry_kind::note)
      continue;
    entry.state.reset();
    st.decisions.push_back(
      std::make_shared<const journal_entry>(std::move(entry)));
    if (st.decisions.size() > most)
      st.decisions.pop_front();
  }
  st.ctx->stir();
}

/// Those that are no more: who is known was in the picture before, or is
/// `unlisted`.
void forget_instances(view_state& st, const cluster_picture& before,
                      const picture_change_ptr& change) {
  auto unlisted = std::exchange(st.unlisted, {});
  if (!change || change->before != before) {
    forget_others(st.instances, st.picture->instances);
    return;
  }
  for (const auto& name : change->gone)
    st.instances.erase(name);
  for (const auto& name : unlisted)
    if (find_record(st.picture->instances, name) == nullptr)
      st.instances.erase(name);
}

void take(view_state& st, const picture_news& news) {
  st.poll = news.poll;
  st.removals = news.removals;
  st.counts.up(news.poll.answered ? "polls_answered" : "polls_failed");
  st.ctx->stir();
  if (!news.poll.answered)
    return;
  st.polled = news.poll.at;
  st.read_from = news.poll.asked_at;
  if (st.picture == news.picture)
    return;
  auto before = std::exchange(st.picture, news.picture);
  forget_others(st.nodes, st.picture->nodes);
  forget_instances(st, before, news.change);
  st.node_rows.doubt_all();
  st.instance_rows.doubt_all();
}

} // namespace

view_actor::behavior_type view(self_ptr self, context_ptr ctx) {
  die_with_reason(self, "view");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.started = now(self, st.ctx);
  st.right.text = "the journal was not read yet";
  return {
    [self](journal_news& news) { take(self->state, news); },
    [self](const picture_news& news) { take(self->state, news); },
    [self](const node_standing& standing) {
      auto& state = self->state;
      state.nodes.insert_or_assign(standing.node, standing);
      state.node_rows.doubt(standing.node);
      state.ctx->stir();
    },
    [self](const instance_standing& standing) {
      auto& state = self->state;
      state.instances.insert_or_assign(standing.instance, standing);
      if (!state.picture
          || !find_record(state.picture->instances, standing.instance))
        state.unlisted.insert(standing.instance);
      state.instance_rows.doubt(standing.instance);
      state.ctx->stir();
    },
    [self](const event_standing& x) {
      auto& state = self->state;
      if (x.phase == event_phase::forgotten)
        state.events.erase(x.uuid);
      else
        state.events.insert_or_assign(x.uuid, x);
      state.ctx->stir();
    },
    [self](const agents_asked& what) {
      self->state.agents = what.all;
      self->state.ctx->stir();
    },
    [self](const events_known& what) {
      self->state.events_expected = what.count;
      self->state.ctx->stir();
    },
    [self](const guard_standing& guard, const lease& right) {
      self->state.guard = guard;
      self->state.right = right;
      self->state.ctx->stir();
    },
    [self](accepted_orders& all) {
      auto& state = self->state;
      state.ordered = std::move(all.nodes);
      state.node_rows.doubt_all();
      state.ctx->stir();
    },
    [self](const view_query& q) {
      auto result = foresight::tell(*scene_of(self), q);
      result.status.now = now(self, self->state.ctx);
      return result;
    },
    [self](const ask_scene&) { return scene_answer{scene_of(self)}; },
    [self](const ask_troubles&) { return troubles_in(self->state); },
  };
}

} // namespace orderly
