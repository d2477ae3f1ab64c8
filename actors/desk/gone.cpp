// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Nodes that were removed, and others that have got their names: what was held
// or recorded of one machine is never held against another.

#include "actors/desk/errands.hpp"

#include <fmt/format.h>

namespace orderly::desk_parts {

namespace {

bool is_of_another(const std::string& uuid, const node_record& x) {
  return !uuid.empty() && !x.uuid.empty() && uuid != x.uuid;
}

struct keeper {
  self_ptr self;
  std::vector<journal_entry> rows{};
  bool forgot = false;

  /// What is held and recorded of the node ends. `why` is a sentence.
  void forget(const node_name& node, bool hold, bool record, std::string why) {
    auto& st = self->state;
    auto first = rows.size();
    if (hold && st.held.erase(node) > 0)
      rows.push_back(drop_hold(self, node));
    if (record && st.recorded_off.erase(node) > 0)
      rows.push_back(drop_record(self, node));
    if (rows.size() == first)
      return;
    forgot = true;
    auto& row = rows[first];
    row.kind = entry_kind::decision;
    row.object = node_object(node);
    row.code = "forgotten";
    row.why = std::move(why);
  }

  void is_missing(const node_name& node, instant at) {
    auto& gone = self->state.gone;
    if (at - gone.emplace(node, at).first->second < desk_state::gone_for)
      return;
    gone.erase(node);
    forget(node, true, true,
           fmt::format("{} was removed from the cluster: its power record and "
                       "its hold are forgotten",
                       node));
  }

  /// A journal that is older than these words does not say whose they are: they
  /// are of the first that is seen under the name.
  void is_there(const node_record& x) {
    auto& st = self->state;
    st.gone.erase(x.name);
    auto hold = st.held.find(x.name);
    auto off = st.recorded_off.find(x.name);
    auto held = hold != st.held.end();
    auto recorded = off != st.recorded_off.end();
    if (held && hold->second.uuid.empty() && !x.uuid.empty()) {
      hold->second.uuid = x.uuid;
      rows.push_back(keep_hold(self, x.name, hold->second));
    }
    if (recorded && off->second.empty() && !x.uuid.empty()) {
      off->second = x.uuid;
      rows.push_back(keep_record(self, x.name, x.uuid));
    }
    forget(x.name, held && is_of_another(hold->second.uuid, x),
           recorded && is_of_another(off->second, x),
           fmt::format("{} is another machine under the name of one that was "
                       "removed: the hold and the power record of that one are "
                       "forgotten",
                       x.name));
  }
};

} // namespace

void forget_replaced(self_ptr self, const cluster_record& before) {
  auto& st = self->state;
  for (const auto& was : before.nodes) {
    const auto* is = find_record(st.picture->nodes, was.name);
    if (is == nullptr || !is_of_another(was.uuid, *is))
      continue;
    st.rehearsals.erase(was.name);
    st.read_on.erase(was.name);
    st.read_off.erase(was.name);
    st.doubted.erase(was.name);
    st.heard.erase(was.name);
    st.amended.erase(was.name);
    st.alerted.erase(node_object(was.name));
  }
}

void forget_gone(self_ptr self) {
  auto& st = self->state;
  auto w = surroundings_of(self);
  forget_others(st.rehearsals, st.picture->nodes);
  forget_others(st.doubted, st.picture->nodes);
  forget_others(st.read_on, st.picture->nodes);
  forget_others(st.read_off, st.picture->nodes);
  std::erase_if(st.alerted, [&w](const auto& x) {
    node_name node;
    return split_object(x.first, "node", node) && w.raw_node(node) == nullptr;
  });
  if (!st.recovered)
    return;
  std::set<node_name> ours;
  for (const auto& [node, uuid] : st.recorded_off)
    ours.insert(node);
  for (const auto& [node, what] : st.held)
    ours.insert(node);
  keeper k{self};
  for (const auto& node : ours)
    if (const auto* there = w.raw_node(node))
      k.is_there(*there);
    else
      k.is_missing(node, now(self, st.ctx));
  if (k.rows.empty())
    return;
  record(self, st.peers.journal, std::move(k.rows), [self, told = k.forgot] {
    if (!told)
      return;
    publish_records(self);
    publish_holds(self);
    if (self->state.held.empty() && self->state.watcher_due != never)
      tell_watcher(self);
  });
}

} // namespace orderly::desk_parts
