// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/evacuate.hpp"

#include "actors/planning/moves/trial.hpp"
#include "actors/planning/place/allocate.hpp"
#include "actors/planning/place/contest.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

using moves_or_why = std::variant<std::vector<move>, std::string>;

const std::string& node_name_of(const placement& p, int node) {
  return p.source->nodes[at(p.node_index[at(node)])].name;
}

/// Why nothing of a mirrored instance can leave: no copy of its disks lives
/// that it could be copied from, or start on. Empty if one does.
std::string no_copy(const placement& p, int instance, leave what) {
  auto where = p.places[at(instance)];
  auto home = p.facts[at(where.primary)].dead;
  auto mirror = p.facts[at(where.secondary)].dead;
  if (what == leave::secondary && home)
    return "Its primary node " + node_name_of(p, where.primary)
           + " is offline: nothing can be copied from there";
  if (what == leave::primary && mirror)
    return "Its secondary node " + node_name_of(p, where.secondary)
           + " is offline and cannot take over";
  if (what == leave::all && home && mirror)
    return "Both its nodes, " + node_name_of(p, where.primary) + " and "
           + node_name_of(p, where.secondary) + ", are offline";
  return {};
}

/// `FailMem`. What may be made and was no good end would break N+1.
std::string word_of(refusal why) {
  auto x = why == refusal::none ? failure::n1 : failure_of(why);
  return std::string{name_of(x)};
}

std::vector<int> group_nodes(const placement& p, int group) {
  std::vector<int> result;
  for (int n = 0; n < p.node_count(); ++n)
    if (p.group_of(n) == group)
      result.push_back(n);
  return result;
}

/// The best single move like `pattern` to a target.
moves_or_why one_move(placement& p, const move& pattern, int group,
                      const std::vector<int>& targets, bool ignore_soft,
                      const good_end& is_good) {
  auto instance = pattern.instance;
  auto kind = pattern.kind;
  set_score scores{p, group_nodes(p, group)};
  contest c{scores, instance};
  std::string why;
  for (auto t : targets) {
    auto x = try_move(p, {instance, kind, t}, ignore_soft);
    auto good = x.why == refusal::none && (!is_good || is_good(x));
    if (good)
      c.enter(x);
    else
      why += " Node " + node_name_of(p, t) + " failed: " + word_of(x.why) + ";";
  }
  auto best = c.winner();
  if (!best)
    return "Can't find any good node: " + why;
  auto to = kind == move_kind::failover_to ? best->where.primary
                                           : best->where.secondary;
  move m{instance, kind, to};
  make_move(p, m, *best);
  return std::vector<move>{m};
}

/// A new primary and a new secondary for a mirrored instance.
class pair_search {
public:
  pair_search(placement& p, int instance, int group,
              const std::vector<int>& targets, bool ignore_soft,
              const good_end& is_good)
    : p_(p),
      instance_(instance),
      targets_(targets),
      soft_(ignore_soft),
      is_good_(is_good),
      scores_(p, group_nodes(p, group)) {
    // nop
  }

  moves_or_why run() {
    for (auto t : targets_)
      if (targets_.size() > 1)
        try_primary(t);
    if (!best_)
      return "Can't find any good nodes for relocation: " + why_;
    std::vector<move> made;
    trial t{p_};
    advance(t, best_->primary, made);
    make({instance_, move_kind::replace_secondary, best_->secondary}, t, made);
    t.keep();
    return made;
  }

private:
  refusal make(const move& m, trial& t, std::vector<move>& made) {
    made.push_back(m);
    return t.make(m, soft_);
  }

  /// Off a home that is out of service if the mirror serves, and in any case
  /// off one that nothing can be copied from.
  bool fails_over_first(place old) const {
    const auto& home = p_.facts[at(old.primary)];
    return home.dead || (!home.online && p_.facts[at(old.secondary)].online);
  }

  /// All moves but the last; empty, or what failed.
  std::string advance(trial& t, int primary, std::vector<move>& made) {
    using k = move_kind;
    auto old = p_.places[at(instance_)];
    if (fails_over_first(old)) {
      auto no = make({instance_, k::failover, -1}, t, made);
      if (no != refusal::none)
        return "Failing over to the secondary: " + word_of(no);
    }
    auto no = make({instance_, k::replace_secondary, primary}, t, made);
    if (no != refusal::none)
      return "Changing secondary to new primary: " + word_of(no);
    no = make({instance_, k::failover, -1}, t, made);
    if (no != refusal::none)
      return "Failing over to new primary: " + word_of(no);
    return {};
  }

  void try_primary(int primary) {
    std::vector<move> made;
    trial t{p_};
    auto no = advance(t, primary, made);
    if (!no.empty()) {
      why_ = "Allocation failed: " + no;
      return;
    }
    scores_.look();
    contest c{scores_, instance_};
    for (auto s : targets_) {
      if (s == primary)
        continue;
      auto x
        = try_move(p_, {instance_, move_kind::replace_secondary, s}, soft_);
      if (x.why == refusal::none && (!is_good_ || is_good_(x)))
        c.enter(x);
      else
        why_ = "Allocation failed: Changing secondary to final secondary: "
               + word_of(x.why);
    }
    auto found = c.winner();
    if (!found || (best_ && score_ < c.score()))
      return;
    best_ = found->where;
    score_ = c.score();
  }

  placement& p_;
  int instance_;
  const std::vector<int>& targets_;
  bool soft_;
  const good_end& is_good_;
  set_score scores_;
  std::optional<place> best_;
  double score_ = 0;
  std::string why_ = "no nodes available";
};

/// The nodes that are left, and so are no targets.
std::vector<int> left_nodes(const placement& p,
                            const std::vector<int>& instances, leave what) {
  std::vector<int> result;
  for (auto i : instances) {
    auto where = p.places[at(i)];
    if (what != leave::secondary)
      result.push_back(where.primary);
    if (what != leave::primary && p.instances[at(i)].mirrored
        && where.secondary >= 0)
      result.push_back(where.secondary);
  }
  return result;
}

} // namespace

std::vector<int> nodes_of_group(const placement& p, int group,
                                const std::vector<int>& except) {
  std::vector<int> result;
  for (auto n : group_nodes(p, group))
    if (p.facts[at(n)].online
        && std::find(except.begin(), except.end(), n) == except.end())
      result.push_back(n);
  return result;
}

std::variant<std::vector<move>, std::string>
evacuate_one(placement& p, int instance, leave what, int group,
             const std::vector<int>& targets, bool ignore_soft,
             const good_end& is_good) {
  const auto& spec = spec_of(p, instance);
  std::string disks{name_of(spec.disks)};
  if (spec.disks == disk_template::plain || spec.disks == disk_template::file)
    return "Instances of type " + disks + " cannot be relocated";
  if (!p.instances[at(instance)].mirrored) {
    if (what == leave::secondary)
      return "Instances with disk template '" + disks
             + "' can't execute change secondary";
    return one_move(p, {instance, move_kind::failover_to, -1}, group, targets,
                    ignore_soft, is_good);
  }
  if (p.places[at(instance)].secondary < 0)
    return "Instance has no secondary node";
  if (auto why = no_copy(p, instance, what); !why.empty())
    return why;
  if (what == leave::secondary)
    return one_move(p, {instance, move_kind::replace_secondary, -1}, group,
                    targets, ignore_soft, is_good);
  if (what == leave::all)
    return pair_search{p, instance, group, targets, ignore_soft, is_good}.run();
  move m{instance, move_kind::failover, -1};
  auto x = try_move(p, m, ignore_soft);
  if (x.why != refusal::none)
    return word_of(x.why);
  make_move(p, m, x);
  return std::vector<move>{m};
}

evacuation evacuate(placement& p, const std::vector<int>& instances, leave what,
                    bool ignore_soft) {
  evacuation result;
  auto left = left_nodes(p, instances, what);
  for (auto i : instances) {
    auto primary = p.places[at(i)].primary;
    auto group = p.group_of(primary);
    auto except = left;
    except.push_back(primary);
    auto found = evacuate_one(p, i, what, group,
                              nodes_of_group(p, group, except), ignore_soft);
    if (auto* why = std::get_if<std::string>(&found)) {
      result.failed.push_back({i, *why});
      continue;
    }
    auto where = p.places[at(i)];
    result.moved.push_back({i, p.group_of(where.primary), where,
                            std::get<std::vector<move>>(found)});
  }
  return result;
}

} // namespace orderly::planning
