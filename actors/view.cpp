// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/view.hpp"

#include <algorithm>

namespace orderly {

namespace {

using self_ptr = view_actor::stateful_pointer<view_state>;

/// What the metrics count, by entry.
void count(view_state& st, const journal_entry& e) {
  auto up = [&st](const std::string& name) { ++st.counters[name]; };
  if (e.kind == entry_kind::alert)
    up("alerts");
  if (e.kind == entry_kind::intent) {
    if (e.code == "job")
      up("jobs_intended");
    else
      up("power_commands");
  }
  if (e.code == "job-submitted")
    up("jobs_submitted");
  if (e.code == "job-ended")
    up(e.why.find(" success: ") != std::string::npos ? "jobs_succeeded"
                                                     : "jobs_failed");
  if (e.code == "power-confirmed")
    up("power_confirmed");
  if (e.code == "power-unconfirmed")
    up("power_unconfirmed");
  if (e.kind == entry_kind::decision && e.code == "fenced")
    up("nodes_fenced");
}

node_row row_of(const view_state& st, const node_record& record) {
  node_row row;
  row.name = record.name;
  row.group = record.group;
  row.offline = record.offline;
  row.drained = record.drained;
  row.powered = record.powered;
  row.power_control
    = !st.ctx->rules()->power.program.empty()
      || (!record.oob_program.empty() && record.oob_program != "!");
  if (auto i = st.nodes.find(record.name); i != st.nodes.end())
    row.standing = i->second;
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
  row.poll_error = st.poll.answered ? "" : st.poll.text;
  row.autorepair = rules->autorepair.enabled;
  row.host_ha = rules->host_ha.enabled;
  row.counters = st.counters;
  if (st.picture) {
    row.cluster = st.picture->name;
    row.master = st.picture->master;
    for (const auto& node : st.picture->nodes) {
      auto i = st.nodes.find(node.name);
      ++row.nodes_by_phase[i == st.nodes.end() ? "unknown"
                                               : to_string(i->second.phase)];
    }
    for (const auto& x : st.picture->instances) {
      auto i = st.instances.find(x.name);
      ++row.instances_by_phase[i == st.instances.end() ? "unknown"
                                                       : i->second.phase];
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

void explain(self_ptr self, view_query q, view_answer& answer) {
  auto& st = self->state;
  answer.found = false;
  if (!st.picture)
    return;
  for (const auto& node : st.picture->nodes)
    if (means(q.object, "node", node.name)) {
      answer.nodes.push_back(row_of(st, node));
      q.object = node_object(node.name);
      answer.found = true;
      break;
    }
  for (const auto& x : st.picture->instances) {
    if (answer.found)
      break;
    if (means(q.object, "instance", x.name)) {
      answer.instances.push_back(row_of(st, x));
      q.object = instance_object(x.name);
      answer.found = true;
    }
  }
  if (answer.found)
    answer.decisions = decisions_of(st, q);
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
        if (entry.kind == entry_kind::note)
          continue;
        count(state, entry);
        entry.state.reset();
        state.decisions.push_back(std::move(entry));
        if (state.decisions.size() > most)
          state.decisions.pop_front();
      }
    },
    [self](const picture_news& news) {
      auto& state = self->state;
      state.poll = news.poll;
      ++state.counters[news.poll.answered ? "polls_answered" : "polls_failed"];
      if (!news.poll.answered)
        return;
      state.polled = news.poll.at;
      if (state.picture != news.picture) {
        state.picture = news.picture;
        std::erase_if(state.nodes, [&](const auto& kv) {
          return std::none_of(
            state.picture->nodes.begin(), state.picture->nodes.end(),
            [&](const auto& n) { return n.name == kv.first; });
        });
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
    [self](const view_query& q) { return answer(self, q); },
  };
}

} // namespace orderly
