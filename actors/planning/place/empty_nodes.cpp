// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/empty_nodes.hpp"

#include "actors/planning/place/leaving.hpp"
#include "actors/planning/place/refresh.hpp"

#include <algorithm>
#include <utility>

namespace orderly::planning {

namespace {

/// What is on the nodes of one group that are to be empty.
class group_plan {
public:
  group_plan(const evacuation_question& q, const cluster& c, int group)
    : p_(c, group, {}), leaving_(p_, named(q.leaves), named(q.closed), true) {
    // nop
  }

  void run(evacuation_answer& into) {
    std::vector<int> all;
    for (int i = 0; i < p_.instance_count(); ++i)
      if (leaving_.leaves_home(i) || leaving_.leaves_mirror(i))
        all.push_back(i);
    // What runs there goes first, and finds the most room.
    std::stable_partition(all.begin(), all.end(),
                          [this](int i) { return leaving_.leaves_home(i); });
    for (auto i : all)
      take_off(i, into);
  }

private:
  const node_name& name(int node) const {
    return p_.source->nodes[at(p_.node_index[at(node)])].name;
  }

  template <class Names>
  std::vector<bool> named(const Names& names) const {
    std::vector<bool> result;
    for (int n = 0; n < p_.node_count(); ++n)
      result.push_back(names.count(name(n)) > 0);
    return result;
  }

  /// What the moves are to the cluster, whose mirror was at `mirror` before.
  void note(const std::vector<move>& made, int mirror,
            std::vector<hop>& into) const {
    for (const auto& m : made) {
      auto replaces = m.kind == move_kind::replace_secondary;
      auto to = m.target >= 0 ? m.target : mirror;
      into.push_back({replaces, to >= 0 ? name(to) : node_name{}});
      if (replaces)
        mirror = m.target;
    }
  }

  void take_off(int i, evacuation_answer& into) {
    const auto& who = spec_of(p_, i).name;
    auto before = p_.places[at(i)];
    // Off a dead home that nobody empties it is repaired first: whoever carries
    // this out waits for that, and says so.
    auto& home = p_.facts[at(before.primary)];
    auto was_dead
      = std::exchange(home.dead, home.dead && leaving_.leaves_home(i));
    auto done = leaving_.take_off(i);
    home.dead = was_dead;
    if (done.costs_n1)
      into.text += (into.text.empty() ? "" : ", ") + who;
    if (!done.why.empty())
      into.stuck[who] = who + ": " + done.why;
    if (done.moves.empty())
      return;
    auto called = [&](int node) { return node < 0 ? node_name{} : name(node); };
    into.from.try_emplace(
      who, instance_place{called(before.primary), called(before.secondary)});
    note(done.moves, before.secondary, into.hops[who]);
  }

  placement p_;
  leaving leaving_;
};

/// They are in no service, but what is on them can still be moved.
void revive(const evacuation_question& q, cluster& c) {
  for (auto& n : c.nodes) {
    if (q.leaves.count(n.name) == 0 || n.total_memory <= 0)
      continue;
    const auto* record = find_record(q.picture->nodes, n.name);
    if (record != nullptr && !record->offline)
      n.offline = false;
  }
}

} // namespace

evacuation_answer empty_nodes(const evacuation_question& q) {
  evacuation_answer result;
  result.text = q.model ? fault_of(*q.model) : "there is no model";
  if (result.text.empty() && !q.picture)
    result.text = "the cluster was not read yet";
  if (!result.text.empty())
    return result;
  auto fresh = refresh(*q.model, q.picture, q.under_way);
  revive(q, fresh.now);
  std::set<int> groups;
  for (const auto& n : fresh.now.nodes)
    if (q.leaves.count(n.name) > 0)
      groups.insert(n.group);
  for (auto g : groups)
    group_plan{q, fresh.now, g}.run(result);
  if (!result.text.empty())
    result.text = "N+1 is lost for: " + result.text;
  result.planned = true;
  return result;
}

} // namespace orderly::planning
