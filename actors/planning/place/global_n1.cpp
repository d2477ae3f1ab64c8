// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/global_n1.hpp"

#include "actors/planning/place/allocate.hpp"
#include "actors/planning/place/contest.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

/// Storage that every node of the group reaches, by the reference's list.
bool is_shared(disk_template x) {
  return x == disk_template::ext || x == disk_template::rbd
         || x == disk_template::sharedfile || x == disk_template::gluster
         || x == disk_template::diskless;
}

} // namespace

global_n1::global_n1(placement& p) : p_(p), counts_(p.states.size(), true) {
  for (int n = 0; n < p.node_count(); ++n) {
    auto group = p.source->nodes[at(p.node_index[at(n)])].group;
    group_of_.push_back(group);
    groups_[group].push_back(n);
    auto& refuges = refuges_[group]; // perhaps none
    if (p.facts[at(n)].online || p.offline_refuge)
      refuges.push_back(n);
    all_.push_back(n);
  }
  reset();
}

void global_n1::reset() {
  held_.assign(p_.states.size(), {});
  answers_.assign(p_.states.size(), answer::unknown);
  where_.clear();
  for (int i = 0; i < p_.instance_count(); ++i) {
    auto n = p_.instances[at(i)].forthcoming ? -1 : p_.places[at(i)].primary;
    where_.push_back(n);
    if (n >= 0)
      held_[at(n)].push_back(i);
  }
}

void global_n1::only(const std::vector<int>& nodes) {
  counts_.assign(counts_.size(), false);
  for (auto n : nodes)
    counts_[at(n)] = true;
}

void global_n1::moved(int instance) {
  answers_.assign(answers_.size(), answer::unknown);
  while (where_.size() < p_.places.size())
    where_.push_back(-1);
  auto& now = where_[at(instance)];
  if (now >= 0) {
    auto& from = held_[at(now)];
    from.erase(std::find(from.begin(), from.end(), instance));
  }
  now = p_.instances[at(instance)].forthcoming
          ? -1
          : p_.places[at(instance)].primary;
  if (now >= 0)
    held_[at(now)].push_back(instance);
}

global_n1::load_of global_n1::take_stock(int node) const {
  load_of x;
  auto list = [&](int i) {
    if (p_.instances[at(i)].mirrored)
      x.mirrored.push_back(i);
    else if (is_shared(spec_of(p_, i).disks))
      x.shared.push_back(i);
    else
      x.pinned.push_back(i);
  };
  if (extra_ >= 0 && p_.places[at(extra_)].primary == node)
    list(extra_);
  const auto& held = held_[at(node)];
  std::for_each(held.rbegin(), held.rend(), list);
  std::stable_sort(x.pinned.begin(), x.pinned.end(), [this](int a, int b) {
    return p_.instances[at(a)].size > p_.instances[at(b)].size;
  });
  return x;
}

bool global_n1::can_lose(int node) {
  auto& known = answers_[at(node)];
  if (known == answer::unknown)
    known = ask(node) ? answer::yes : answer::no;
  return known == answer::yes;
}

bool global_n1::ask(int node) {
  auto x = take_stock(node);
  trial t{p_};
  for (auto i : x.mirrored) {
    if (p_.places[at(i)].secondary < 0)
      return false; // its mirror is in another group
    if (t.make({i, move_kind::failover, -1}, true) != refusal::none)
      return false;
  }
  if (x.shared.empty() && x.pinned.empty())
    return true;
  if (auto known = foretell(node, x))
    return *known;
  return place_all(node, x, t);
}

/// What follows without placing anything. An instance of size m finds no room
/// only where no node has more than m left; then what came before it fills all
/// that any node had beyond m. If all others together cannot fill that, it
/// fits, whatever was chosen for them.
std::optional<bool> global_n1::foretell(int node, const load_of& x) const {
  if (p_.storage.any())
    return std::nullopt; // not everybody may go where there is room
  std::vector<mib> sizes;
  mib whole = 0;
  auto add = [&](int i) {
    sizes.push_back(p_.instances[at(i)].memory);
    whole += sizes.back();
  };
  std::for_each(x.shared.begin(), x.shared.end(), add);
  std::for_each(x.pinned.begin(), x.pinned.end(), add);
  std::sort(sizes.begin(), sizes.end());
  auto greatest = sizes.back();
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<mib> rooms;
  for (auto t : refuges_.at(group_of_[at(node)]))
    if (t != node && p_.tags.may_migrate(node, t))
      rooms.push_back(p_.unallocated(t, p_.states[at(t)]));
  auto hopeless = std::none_of(rooms.begin(), rooms.end(),
                               [&](mib r) { return r > greatest; });
  if (hopeless && x.pinned.empty())
    return false;
  if (!x.pinned.empty() && !has_slots(node, x))
    return std::nullopt;
  if (!x.pinned.empty())
    return true;
  for (auto m : sizes) {
    mib beyond = 0;
    for (auto r : rooms)
      beyond += std::max<mib>(0, r - m - 1);
    if (beyond <= whole - m)
      return std::nullopt;
  }
  return true;
}

/// The same where disks count too: cut the room of all others into slots as
/// large as the largest of what comes. No placement takes more than a slot.
bool global_n1::has_slots(int node, const load_of& x) const {
  mib memory = 0;
  mib disk = 0;
  for (auto i : x.shared)
    memory = std::max(memory, p_.instances[at(i)].memory);
  for (auto i : x.pinned) {
    const auto& f = p_.instances[at(i)];
    memory = std::max(memory, f.memory);
    disk = std::max(disk, f.disk);
    const auto& spec = p_.source->nodes[at(p_.node_index[at(node)])];
    const auto& group = p_.source->groups[at(spec.group)];
    if (p_.any_exclusive || policy_refusal(spec_of(p_, i), group.policy, false))
      return false;
  }
  auto needed = static_cast<mib>(x.shared.size() + x.pinned.size());
  for (auto t : refuges_.at(group_of_[at(node)])) {
    const auto& s = p_.states[at(t)];
    auto room = p_.unallocated(t, s) - 1;
    if (t == node || room < 0 || !p_.tags.may_migrate(node, t))
      continue;
    auto slots = needed;
    if (memory > 0)
      slots = std::min(slots, room / memory);
    if (disk > 0)
      slots = std::min(slots, std::max<mib>(0, s.free_disk - 1) / disk);
    needed -= slots;
    if (needed <= 0)
      return true;
  }
  return false;
}

bool global_n1::place_all(int node, const load_of& x, trial& t) {
  auto targets = refuges_.at(group_of_[at(node)]);
  std::erase(targets, node);
  set_score group{p_, groups_.at(group_of_[at(node)])};
  for (auto i : x.shared)
    if (!move_shared(i, targets, group, t))
      return false;
  if (x.pinned.empty())
    return true;
  set_score whole{p_, all_};
  for (auto i : x.pinned)
    if (!create_pinned(i, targets, whole, t))
      return false;
  return true;
}

bool global_n1::move_shared(int instance, const std::vector<int>& targets,
                            set_score& scores, trial& t) {
  contest c{scores, instance};
  for (auto n : targets) {
    auto x = try_move(p_, {instance, move_kind::failover_to, n}, true);
    if (x.why == refusal::none)
      c.enter(x);
  }
  auto best = c.winner();
  if (!best)
    return false;
  t.make({instance, move_kind::failover_to, best->where.primary}, *best);
  scores.look(*best);
  return true;
}

bool global_n1::create_pinned(int instance, const std::vector<int>& targets,
                              set_score& scores, trial& t) {
  contest c{scores, instance};
  const auto& spec = spec_of(p_, instance);
  for (auto n : targets) {
    const auto& node = p_.source->nodes[at(p_.node_index[at(n)])];
    const auto& policy = p_.source->groups[at(node.group)].policy;
    if (policy_refusal(spec, policy, node.exclusive_storage))
      continue;
    auto x = try_allocation(p_, instance, {n, -1}, true);
    if (x.why == refusal::none)
      c.enter(x);
  }
  auto best = c.winner();
  if (!best)
    return false;
  t.make({instance, move_kind::failover_to, best->where.primary}, *best);
  scores.look(*best);
  return true;
}

bool global_n1::is_untouched(int node, const outcome& x) const {
  if (node == x.where.primary)
    return false;
  for (auto i : held_[at(node)]) {
    auto to = p_.places[at(i)].secondary;
    if (!p_.instances[at(i)].mirrored || to == x.where.primary
        || to == x.where.secondary)
      return false;
  }
  return true;
}

bool global_n1::holds() {
  for (auto n : all_)
    if (counts_[at(n)] && !can_lose(n))
      return false;
  return true;
}

bool global_n1::holds_with(int instance, const outcome& x) {
  trial t{p_};
  // What the answers are without it, before it is there.
  for (auto n : all_)
    if (counts_[at(n)] && is_untouched(n, x) && !can_lose(n))
      return false;
  t.make({instance, move_kind::failover, -1}, x);
  extra_ = instance;
  auto good = true;
  auto check = [&](int n) {
    good = good && (!counts_[at(n)] || is_untouched(n, x) || ask(n));
    if (!good)
      suspect_ = n;
  };
  check(suspect_);
  for (std::size_t k = 0; good && k < all_.size(); ++k)
    if (all_[k] != suspect_ || k == 0)
      check(all_[k]);
  extra_ = -1;
  return good;
}

} // namespace orderly::planning
