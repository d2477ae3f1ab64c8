// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/empty_nodes.hpp"

#include "actors/planning/place/evacuate.hpp"
#include "actors/planning/place/losses.hpp"
#include "actors/planning/place/refresh.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace orderly::planning {

namespace {

/// What is on the nodes of one group that are to be empty.
class group_plan {
public:
  group_plan(const evacuation_question& q, const cluster& c, int group)
    : q_(q), group_(group), p_(c, group, {}) {
    // nop
  }

  void run(evacuation_answer& into) {
    std::vector<int> all;
    for (int i = 0; i < p_.instance_count(); ++i)
      if (leaves_home(i) || leaves_mirror(i))
        all.push_back(i);
    // What runs there goes first, and finds the most room.
    std::stable_partition(all.begin(), all.end(),
                          [this](int i) { return leaves_home(i); });
    for (auto i : all)
      take_off(i, into);
  }

private:
  const node_name& name(int node) const {
    return p_.source->nodes[at(p_.node_index[at(node)])].name;
  }

  bool is_left(int node) const {
    return node >= 0 && q_.leaves.count(name(node)) > 0;
  }

  bool leaves_home(int i) const { return is_left(p_.places[at(i)].primary); }

  bool leaves_mirror(int i) const {
    return p_.instances[at(i)].mirrored && is_left(p_.places[at(i)].secondary);
  }

  /// Its mirror can take over.
  bool mirror_serves(int i) const {
    auto to = p_.places[at(i)].secondary;
    return to >= 0 && p_.facts[at(to)].online && !is_left(to)
           && q_.closed.count(name(to)) == 0;
  }

  std::vector<int> targets(int i) const {
    auto old = p_.places[at(i)];
    std::vector<int> except{old.primary, old.secondary};
    for (int n = 0; n < p_.node_count(); ++n)
      if (is_left(n) || q_.closed.count(name(n)) > 0)
        except.push_back(n);
    return nodes_of_group(p_, group_, except);
  }

  /// The moves of one step, to a place that takes N+1 from no node if there is
  /// one; else from as few as can be.
  std::variant<std::vector<move>, std::string> step(int i, leave what,
                                                    std::string& cost) {
    constexpr bool ignore_soft = true;
    auto where = targets(i);
    if (what == leave::primary && p_.instances[at(i)].mirrored)
      return evacuate_one(p_, i, what, group_, where, ignore_soft);
    loss_count losses{p_};
    auto least = std::numeric_limits<int>::max();
    auto found = evacuate_one(p_, i, what, group_, where, ignore_soft,
                              [&](const outcome& x) {
                                auto lost = losses.after(i, x);
                                least = std::min(least, lost);
                                return lost == 0;
                              });
    if (!std::holds_alternative<std::string>(found)
        || least == std::numeric_limits<int>::max())
      return found;
    cost += (cost.empty() ? "" : ", ") + spec_of(p_, i).name;
    return evacuate_one(
      p_, i, what, group_, where, ignore_soft,
      [&](const outcome& x) { return losses.after(i, x) <= least; });
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

  /// False: it stays where it is now.
  bool go(int i, leave what, evacuation_answer& into) {
    const auto& who = spec_of(p_, i).name;
    auto mirror = p_.places[at(i)].secondary;
    auto home = p_.places[at(i)].primary;
    auto found = step(i, what, into.text);
    if (auto* why = std::get_if<std::string>(&found)) {
      into.stuck[who] = who + ": " + *why;
      return false;
    }
    auto called = [&](int node) { return node < 0 ? node_name{} : name(node); };
    into.from.try_emplace(who, instance_place{called(home), called(mirror)});
    note(std::get<std::vector<move>>(found), mirror, into.hops[who]);
    return true;
  }

  void take_off(int i, evacuation_answer& into) {
    if (!leaves_home(i)) {
      go(i, leave::secondary, into);
    } else if (!p_.instances[at(i)].mirrored) {
      go(i, leave::primary, into);
    } else if (!mirror_serves(i)) {
      go(i, leave::all, into);
    } else if (go(i, leave::primary, into)) {
      go(i, leave::secondary, into); // its old home is its mirror by then
    }
  }

  const evacuation_question& q_;
  int group_;
  placement p_;
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
