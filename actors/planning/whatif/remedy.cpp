// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/whatif/remedy.hpp"

#include "actors/planning/moves/placement.hpp"
#include "actors/planning/place/choose_group.hpp"
#include "actors/planning/place/leaving.hpp"
#include "actors/planning/squeeze/fast_squeeze.hpp"
#include "actors/planning/whatif/mending.hpp"

#include <algorithm>
#include <set>

namespace orderly::planning {

namespace {

/// The largest first: who is small finds room in what they leave.
void largest_first(const placement& p, std::vector<int>& instances) {
  std::stable_sort(instances.begin(), instances.end(), [&p](int a, int b) {
    return p.instances[at(a)].size > p.instances[at(b)].size;
  });
}

/// What kept an instance out of every other group.
std::string why_no_group(const cluster& c, const group_choice& x) {
  std::string result = "no other group takes it";
  const char* mark = ": ";
  auto say = [&](int group, const std::string& why) {
    result += mark + c.groups[at(group)].name + " (" + why + ")";
    mark = ", ";
  };
  for (auto g : x.unconnected)
    say(g, "it lacks a network");
  for (const auto& t : x.tried) {
    if (t.found.best)
      say(t.group, "it may not be used");
    else if (!t.error.empty())
      say(t.group, "no node in service");
    else
      for (std::size_t k = 0; k < failure_kinds; ++k)
        if (t.found.failures[k] > 0)
          say(t.group, std::string{name_of(static_cast<failure>(k))});
  }
  return result;
}

} // namespace

remedy::remedy(changed_cluster x, const build_options& build)
  : x_(std::move(x)), build_(build), now_(x_.now) {
  for (const auto& n : now_.nodes) {
    is_left_.push_back(n.offline);
    is_alive_.push_back(!is_dead(n));
  }
}

void remedy::run() {
  auto count = static_cast<int>(now_.groups.size());
  for (int g = 0; g < count; ++g)
    if (x_.is_emptied[at(g)])
      leave_group(g);
  for (int g = 0; g < count; ++g)
    if (!x_.is_emptied[at(g)])
      settle(g);
  create_all();
}

std::vector<bool> remedy::local(const placement& p,
                                const std::vector<bool>& of_cluster) const {
  std::vector<bool> result;
  for (auto n : p.node_index)
    result.push_back(of_cluster[at(n)]);
  return result;
}

void remedy::record(const placement& p, place from,
                    const std::vector<move>& moves) {
  std::vector<step> made;
  for (const auto& m : moves) {
    auto to = destination(from, m);
    made.push_back({m, from, to, 0});
    from = to;
  }
  for (auto& s : in_cluster(p, std::move(made)))
    steps_.push_back(s);
}

/// All of the group go elsewhere. If nothing may be placed because N+1 is lost
/// somewhere, they go all the same: whether it can be mended is seen then.
void remedy::leave_group(int group) {
  placement p{now_, std::nullopt, build_};
  auto alive = local(p, is_alive_);
  std::vector<int> all;
  for (int i = 0; i < p.instance_count(); ++i) {
    auto home = p.places[at(i)].primary;
    if (home < 0 || p.group_of(home) != group)
      continue;
    if (auto no = stuck_for_good(p, i, alive))
      stuck_.push_back(*no);
    else
      all.push_back(i);
  }
  largest_first(p, all);
  for (auto i : all) {
    auto from = p.places[at(i)];
    evacuation found;
    for (auto capacity : {true, false}) {
      room_rules rules;
      rules.capacity = capacity;
      found = change_group(p, {i}, {}, rules, [this](const group_choice& x) {
        return why_no_group(now_, x);
      });
      if (found.failed.empty())
        break;
    }
    for (const auto& x : found.failed)
      stuck_.push_back({i, stuck_kind::no_room, x.why});
    for (const auto& x : found.moved)
      record(p, from, x.moves);
  }
  auto moved = moved_cluster(now_, p);
  now_ = std::move(moved);
}

/// Mending may have made the room that somebody lacked, or moved who was told
/// to be stuck; so whoever is left is asked again after it.
void remedy::take_off_and_mend(int group) {
  constexpr int rounds = 4;
  take_off(group);
  for (int k = 0; k < rounds && mend(group); ++k) {
    auto made = steps_.size();
    take_off(group);
    if (steps_.size() == made)
      return;
  }
}

void remedy::settle(int group) {
  take_off_and_mend(group);
  // Room in pieces is made whole while that helps anybody.
  while (waiting(group) > 0) {
    state before{now_, steps_, stuck_};
    auto were = waiting(group);
    auto changed = gather(group);
    if (changed)
      take_off_and_mend(group);
    if (changed && waiting(group) < were)
      continue;
    now_ = std::move(before.now);
    steps_ = std::move(before.steps);
    stuck_ = std::move(before.stuck);
    return;
  }
}

/// Instances of the group that only want room.
std::size_t remedy::waiting(int group) const {
  auto counts = [&](const stuck_instance& x) {
    auto home = now_.instances[at(x.instance)].primary;
    return x.kind == stuck_kind::no_room && now_.nodes[at(home)].group == group;
  };
  return static_cast<std::size_t>(
    std::count_if(stuck_.begin(), stuck_.end(), counts));
}

/// A mirror in another group than its instance: it cannot be made anew, so
/// where its node or group is to be left, or is lost, somebody must hear of it.
std::optional<stuck_instance> remedy::loses_far_mirror(const placement& p,
                                                       int i) const {
  auto mirror = spec_of(p, i).secondary;
  if (mirror < 0 || p.places[at(i)].secondary >= 0)
    return std::nullopt;
  const auto& node = now_.nodes[at(mirror)];
  if (!is_left_[at(mirror)] && !x_.is_emptied[at(node.group)])
    return std::nullopt;
  auto what = is_left_[at(mirror)]
                ? ", which is out of service, "
                : " in group " + now_.groups[at(node.group)].name
                    + ", which is emptied, ";
  auto home = p.node_index[at(p.places[at(i)].primary)];
  return stuck_instance{p.instance_index[at(i)], stuck_kind::apart,
                        "its mirror on " + node.name + what
                          + "is not in the group of its node "
                          + now_.nodes[at(home)].name};
}

void remedy::take_off(int group) {
  placement p{now_, group, build_};
  stuck_.erase(std::remove_if(stuck_.begin(), stuck_.end(),
                              [&](const stuck_instance& x) {
                                auto home
                                  = now_.instances[at(x.instance)].primary;
                                return now_.nodes[at(home)].group == group;
                              }),
               stuck_.end());
  auto left = local(p, is_left_);
  auto alive = local(p, is_alive_);
  leaving l{p, left, std::vector<bool>(left.size(), false), false};
  std::vector<int> all;
  for (int i = 0; i < p.instance_count(); ++i)
    if (l.leaves_home(i) || l.leaves_mirror(i))
      all.push_back(i);
  largest_first(p, all);
  std::stable_partition(all.begin(), all.end(),
                        [&](int i) { return l.leaves_home(i); });
  for (int i = 0; i < p.instance_count(); ++i)
    if (auto no = loses_far_mirror(p, i); no && !l.leaves_home(i))
      stuck_.push_back(*no);
  for (auto i : all) {
    auto from = p.places[at(i)];
    if (auto no = stuck_for_good(p, i, alive)) {
      stuck_.push_back(*no);
      continue;
    }
    auto done = l.take_off(i);
    record(p, from, done.moves);
    if (!done.why.empty())
      stuck_.push_back(stuck_on(p, i, nodes_of_group(p, group, {})));
  }
  auto moved = moved_cluster(now_, p);
  now_ = std::move(moved);
}

void remedy::carry_out(placement& p, const std::vector<step>& steps) {
  for (const auto& s : steps)
    make_move(p, s.what, try_move(p, s.what, false));
  for (auto& s : in_cluster(p, steps))
    steps_.push_back(s);
  auto moved = moved_cluster(now_, p);
  now_ = std::move(moved);
}

bool remedy::is_new(const placement& p, int i) const {
  return at(p.instance_index[at(i)]) >= x_.now.instances.size();
}

/// Says whether anything moved.
bool remedy::mend(int group) {
  placement p{now_, group, build_};
  for (int i = 0; i < p.instance_count(); ++i)
    if (is_new(p, i))
      p.instances[at(i)].movable = false;
  auto steps = mending_steps(p);
  if (!steps || steps->empty())
    return false;
  carry_out(p, *steps);
  return true;
}

/// Says whether anything moved.
bool remedy::gather(int group) {
  placement p{now_, group, build_};
  auto steps = gathering_steps(p);
  if (steps.empty())
    return false;
  carry_out(p, steps);
  return true;
}

/// The same with new instances, which come to where they end at once: they are
/// created after all moves. So the moves of the others must be allowed on
/// `bare`, which has none of them, too.
bool remedy::gather_around_new(int group, cluster& bare) {
  placement p{now_, group, build_};
  placement without{bare, group, build_};
  std::vector<step> made;
  auto all = gathering_steps(p);
  for (const auto& s : all) {
    make_move(p, s.what, try_move(p, s.what, false));
    if (is_new(p, s.what.instance))
      continue;
    auto x = try_move(without, s.what, false);
    if (x.why != refusal::none)
      return false;
    make_move(without, s.what, x);
    made.push_back(s);
  }
  for (auto& s : in_cluster(without, std::move(made)))
    steps_.push_back(s);
  auto moved = moved_cluster(bare, without);
  bare = std::move(moved);
  moved = moved_cluster(now_, p);
  now_ = std::move(moved);
  return !all.empty();
}

void remedy::create_all() {
  std::int64_t number = 0;
  auto made = steps_.size();
  auto bare = now_;
  for (const auto& what : x_.wanted) {
    auto before = now_.instances.size();
    auto rest = create(now_, what, build_, number);
    auto groups = open_groups(now_, what);
    while (rest.what.count > 0) {
      state old{now_, steps_, stuck_};
      auto old_bare = bare;
      auto were = rest.what.count;
      auto numbered = number;
      auto changed = false;
      for (auto g : groups)
        changed |= gather_around_new(g, bare);
      if (changed)
        rest = create(now_, rest.what, build_, number);
      if (changed && rest.what.count < were)
        continue;
      now_ = std::move(old.now);
      steps_ = std::move(old.steps);
      bare = std::move(old_bare);
      number = numbered;
      break;
    }
    created_ += static_cast<std::int64_t>(now_.instances.size() - before);
    if (rest.what.count > 0)
      unplaced_.push_back(std::move(rest));
  }
  if (steps_.size() == made)
    return;
  // Room was gathered: who was stuck may have gone, or have room to go now.
  std::set<int> groups;
  for (const auto& x : stuck_)
    groups.insert(now_.nodes[at(now_.instances[at(x.instance)].primary)].group);
  for (auto g : groups)
    if (!x_.is_emptied[at(g)])
      take_off_and_mend(g);
}

} // namespace orderly::planning
