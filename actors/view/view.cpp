// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/view/view.hpp"

#include "actors/policy/outlook/lasting.hpp"
#include "actors/policy/settings/power_levels.hpp"

#include <algorithm>
#include <set>

namespace orderly {

namespace {

using self_ptr = view_actor::stateful_pointer<view_state>;

/// Entries about one of an instance's nodes that may go with its own.
constexpr std::size_t evidence_max = 20;

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
  row.autorepair = rules->autorepair.enabled;
  row.autorepair_mode
    = rules->autorepair.enabled ? rules->autorepair.mode : repair_mode::off;
  row.host_ha = rules->host_ha.enabled;
  row.counters = st.counts.all();
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

/// `wanted` names an object (`node:x`) or just its name.
bool concerns(const journal_entry& e, const std::string& wanted) {
  if (e.object == wanted || e.incident == wanted)
    return true;
  auto colon = e.object.find(':');
  return colon != std::string::npos
         && e.object.compare(colon + 1, std::string::npos, wanted) == 0;
}

std::vector<journal_entry> decisions_of(const view_state& st,
                                        const view_query& q) {
  std::vector<journal_entry> result;
  for (auto i = st.decisions.rbegin();
       i != st.decisions.rend() && result.size() < q.limit; ++i) {
    if (i->seq <= q.after)
      break;
    if (q.object.empty() || concerns(*i, q.object))
      result.push_back(*i);
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// True if `wanted` means the thing called `name`: in full, with its kind in
/// front, or as the first label of a domain name.
bool means(const std::string& wanted, const char* kind,
           const std::string& name) {
  std::string bare;
  if (!split_object(wanted, kind, bare)) {
    if (wanted.find(':') != std::string::npos)
      return false;
    bare = wanted;
  }
  return bare == name
         || (name.size() > bare.size() && name[bare.size()] == '.'
             && name.compare(0, bare.size(), bare) == 0);
}

/// What was last seen of the nodes of `row`, in the incidents that they are
/// or were in: why their instance is as it is.
std::vector<journal_entry> evidence_for(const view_state& st,
                                        const instance_row& row) {
  std::set<node_name> nodes{row.secondaries.begin(), row.secondaries.end()};
  nodes.insert(row.primary);
  std::vector<journal_entry> result;
  for (const auto& name : nodes) {
    incident_id incident;
    std::size_t taken = 0;
    for (auto i = st.decisions.rbegin();
         i != st.decisions.rend() && taken < evidence_max; ++i) {
      if (i->object != node_object(name) || i->incident.empty())
        continue;
      if (incident.empty())
        incident = i->incident;
      if (i->incident != incident)
        break;
      result.push_back(*i);
      ++taken;
    }
  }
  return result;
}

void explain_node(const view_state& st, view_query q, const node_record& node,
                  view_answer& answer) {
  answer.found = true;
  answer.nodes.push_back(row_of(st, node));
  q.object = node_object(node.name);
  answer.decisions = decisions_of(st, q);
}

void explain_instance(const view_state& st, view_query q,
                      const instance_record& x, view_answer& answer) {
  answer.found = true;
  auto row = row_of(st, x);
  for (const auto& node : st.picture->nodes)
    if (node.name == row.primary
        || std::count(row.secondaries.begin(), row.secondaries.end(), node.name)
             > 0)
      answer.nodes.push_back(row_of(st, node));
  auto seen = evidence_for(st, row);
  q.object = instance_object(x.name);
  auto own = decisions_of(st, q);
  // The instance's own story comes first, but never fills all of it.
  auto places = static_cast<std::size_t>(q.limit);
  auto kept = std::min(seen.size(), std::max(places / 4, places - own.size()));
  std::sort(seen.begin(), seen.end(),
            [](const auto& a, const auto& b) { return a.seq > b.seq; });
  seen.resize(kept);
  if (own.size() + kept > places)
    own.erase(own.begin(),
              own.begin()
                + static_cast<std::ptrdiff_t>(own.size() + kept - places));
  own.insert(own.end(), seen.begin(), seen.end());
  std::sort(own.begin(), own.end(),
            [](const auto& a, const auto& b) { return a.seq < b.seq; });
  answer.decisions = std::move(own);
  answer.instances.push_back(std::move(row));
}

/// The first thing that `wanted` means; one of exactly that name comes before
/// those of which it is only the first label.
template <class Record>
const Record* meant(const std::string& wanted, const char* kind,
                    const std::vector<Record>& all) {
  const Record* found = nullptr;
  for (const auto& x : all) {
    if (!means(wanted, kind, x.name))
      continue;
    if (x.name == wanted || kind + (":" + x.name) == wanted)
      return &x;
    if (found == nullptr)
      found = &x;
  }
  return found;
}

void explain(self_ptr self, const view_query& q, view_answer& answer) {
  auto& st = self->state;
  answer.found = false;
  if (!st.picture)
    return;
  const auto& picture = *st.picture;
  if (const auto* node = meant(q.object, "node", picture.nodes))
    explain_node(st, q, *node, answer);
  else if (const auto* x = meant(q.object, "instance", picture.instances))
    explain_instance(st, q, *x, answer);
}

/// Drops what is known of things that are not in the picture any more.
template <class Standing, class Record>
void forget_others(std::map<std::string, Standing>& known,
                   const std::vector<Record>& all) {
  // Both are sorted by name.
  auto there = all.begin();
  for (auto i = known.begin(); i != known.end();) {
    while (there != all.end() && there->name < i->first)
      ++there;
    auto kept = there != all.end() && there->name == i->first;
    i = kept ? std::next(i) : known.erase(i);
  }
}

view_answer answer(self_ptr self, const view_query& q) {
  auto& st = self->state;
  view_answer result;
  result.status = status_of(self);
  switch (q.subject) {
  case view_subject::status:
    break;
  case view_subject::nodes:
    if (st.picture)
      for (const auto& node : st.picture->nodes)
        result.nodes.push_back(row_of(st, node));
    break;
  case view_subject::instances:
    if (st.picture)
      for (const auto& x : st.picture->instances)
        result.instances.push_back(row_of(st, x));
    break;
  case view_subject::decisions:
    result.decisions = decisions_of(st, q);
    break;
  case view_subject::explain:
    explain(self, q, result);
    break;
  }
  return result;
}

/// Whoever only watches, or repairs nothing, leaves it to others.
troubles troubles_in(const view_state& st) {
  auto rules = st.ctx->rules();
  troubles result;
  result.acting = st.right.held;
  result.standby = !st.right.held && !st.right.master.empty();
  auto add = [&](const object_id& object, std::string what) {
    if (!what.empty())
      result.all.push_back({object, std::move(what)});
  };
  if (rules->host_ha.enabled)
    for (const auto& [name, x] : st.nodes)
      add(node_object(name), outlook::trouble_of(x));
  if (rules->autorepair.enabled && rules->autorepair.mode == repair_mode::act)
    for (const auto& [name, x] : st.instances)
      add(instance_object(name), outlook::trouble_of(x));
  return result;
}

} // namespace

view_actor::behavior_type view(self_ptr self, context_ptr ctx) {
  die_with_reason(self, "view");
  auto& st = self->state;
  st.ctx = std::move(ctx);
  st.started = now(self, st.ctx);
  return {
    [self](journal_news& news) {
      auto& state = self->state;
      auto most = state.ctx->rules()->http.decisions_kept;
      for (auto& entry : news.entries) {
        // What the journal kept from before was counted before.
        if (entry.at >= state.started)
          state.counts.take(entry);
        if (entry.kind == entry_kind::note)
          continue;
        entry.state.reset();
        state.decisions.push_back(std::move(entry));
        if (state.decisions.size() > most)
          state.decisions.pop_front();
      }
    },
    [self](const picture_news& news) {
      auto& state = self->state;
      state.poll = news.poll;
      state.removals = news.removals;
      state.counts.up(news.poll.answered ? "polls_answered" : "polls_failed");
      if (!news.poll.answered)
        return;
      state.polled = news.poll.at;
      state.read_from = news.poll.asked_at;
      if (state.picture != news.picture) {
        state.picture = news.picture;
        forget_others(state.nodes, state.picture->nodes);
        forget_others(state.instances, state.picture->instances);
      }
    },
    [self](const node_standing& standing) {
      self->state.nodes.insert_or_assign(standing.node, standing);
    },
    [self](const instance_standing& standing) {
      self->state.instances.insert_or_assign(standing.instance, standing);
    },
    [self](const guard_standing& guard, const lease& right) {
      self->state.guard = guard;
      self->state.right = right;
    },
    [self](accepted_orders& all) {
      self->state.ordered = std::move(all.nodes);
    },
    [self](const view_query& q) { return answer(self, q); },
    [self](const ask_troubles&) { return troubles_in(self->state); },
  };
}

} // namespace orderly
