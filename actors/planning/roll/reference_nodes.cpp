// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/reference_nodes.hpp"

#include <algorithm>
#include <numeric>

namespace orderly::planning {

namespace {

std::vector<int> numbers(std::size_t count) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// Of all disks; nothing if one does not say.
std::optional<std::int64_t> spindles_of(const instance_spec& x) {
  std::int64_t result = 0;
  for (const auto& s : x.disk_spindles) {
    if (!s)
      return std::nullopt;
    result += *s;
  }
  return result;
}

void forget(std::vector<int>& from, int instance) {
  auto found = std::find(from.begin(), from.end(), instance);
  if (found != from.end())
    from.erase(found);
}

} // namespace

reference_nodes::reference_nodes(const cluster& c)
  : c_(&c), storage_(c, numbers(c.nodes.size()), numbers(c.instances.size())) {
  std::vector<mib> used(c.nodes.size());
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    const auto& x = c.nodes[n];
    picture p;
    p.node = static_cast<int>(n);
    p.group = x.group;
    p.free_disk = x.free_disk;
    p.free_spindles = x.free_spindles;
    p.exclusive = x.exclusive_storage;
    pictures_.push_back(p);
  }
  for (std::size_t i = 0; i < c.instances.size(); ++i) {
    const auto& x = c.instances[i];
    places_.push_back({x.primary, x.secondary});
    if (x.forthcoming || x.primary < 0)
      continue;
    auto number = static_cast<int>(i);
    auto& home = pictures_[at(x.primary)].primaries;
    home.insert(home.begin(), number);
    used[at(x.primary)] += uses_memory(x) ? x.memory : 0;
    if (!has_mirror(number))
      continue;
    auto& mirrors = pictures_[at(x.secondary)].secondaries;
    mirrors.insert(mirrors.begin(), number);
  }
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    const auto& x = c.nodes[n];
    auto left = static_cast<mib>(x.total_memory) - x.node_memory - used[n];
    auto missing = left - x.free_memory;
    pictures_[n].free_memory = left - std::max<mib>(0, missing);
  }
}

const std::vector<int>& reference_nodes::primaries(int node) const {
  return pictures_[at(node)].primaries;
}

const std::vector<int>& reference_nodes::secondaries(int node) const {
  return pictures_[at(node)].secondaries;
}

bool reference_nodes::has_mirror(int instance) const {
  return c_->instances[at(instance)].disks == disk_template::drbd
         && places_[at(instance)].secondary >= 0;
}

bool reference_nodes::add(picture& to, int instance, bool as_primary) const {
  const auto& x = c_->instances[at(instance)];
  auto& list = as_primary ? to.primaries : to.secondaries;
  list.insert(list.begin(), instance);
  if (as_primary && uses_memory(x))
    to.free_memory -= x.memory;
  if (as_primary && !x.forthcoming && to.free_memory <= 0)
    return false;
  if (!uses_local_disk(x.disks))
    return true;
  to.free_disk -= x.disk;
  if (to.free_disk <= 0)
    return false;
  if (!to.exclusive)
    return true;
  auto taken = spindles_of(x);
  to.free_spindles = taken ? to.free_spindles - *taken : -1;
  return to.free_spindles >= 0;
}

void reference_nodes::remove(picture& from, int instance,
                             bool as_primary) const {
  const auto& x = c_->instances[at(instance)];
  forget(as_primary ? from.primaries : from.secondaries, instance);
  if (as_primary && uses_memory(x))
    from.free_memory += x.memory;
  if (!uses_local_disk(x.disks))
    return;
  from.free_disk += x.disk;
  if (from.exclusive)
    from.free_spindles += spindles_of(x).value_or(0);
}

bool reference_nodes::move_primary(int instance, int to) {
  auto& where = places_[at(instance)];
  auto filled = pictures_[at(to)];
  if (!storage_.reaches(to, instance) || !add(filled, instance, true))
    return false;
  auto left = pictures_[at(where.primary)];
  remove(left, instance, true);
  pictures_[at(to)] = std::move(filled);
  pictures_[at(where.primary)] = std::move(left);
  where.primary = to;
  return true;
}

bool reference_nodes::migrate(int instance) {
  auto& where = places_[at(instance)];
  auto from = pictures_[at(where.primary)];
  auto to = pictures_[at(where.secondary)];
  remove(from, instance, true);
  remove(to, instance, false);
  if (!add(to, instance, true) || !add(from, instance, false))
    return false;
  pictures_[at(where.secondary)] = std::move(to);
  pictures_[at(where.primary)] = std::move(from);
  std::swap(where.primary, where.secondary);
  return true;
}

bool reference_nodes::move_secondary(int instance, int to) {
  auto& where = places_[at(instance)];
  auto filled = pictures_[at(to)];
  if (to == where.primary || !storage_.reaches(to, instance)
      || !add(filled, instance, false))
    return false;
  // The reference takes the primary for the node that the mirror leaves.
  auto left = pictures_[at(where.primary)];
  remove(left, instance, false);
  pictures_[at(to)] = std::move(filled);
  pictures_[at(where.secondary)] = std::move(left);
  where.secondary = to;
  return true;
}

std::vector<round_move>
reference_nodes::moves_since(const reference_nodes& before) const {
  std::vector<round_move> result;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    auto number = static_cast<int>(i);
    const auto& was = before.places_[i];
    const auto& is = places_[i];
    auto mirrored = has_mirror(number);
    auto moved = was.primary != is.primary
                 || (mirrored && was.secondary != is.secondary);
    auto swapped = was.primary == is.secondary && was.secondary == is.primary;
    if (!moved || swapped)
      continue;
    place shown{pictures_[at(is.primary)].node, -1};
    if (mirrored)
      shown.secondary = pictures_[at(is.secondary)].node;
    result.push_back({number, shown});
  }
  return result;
}

} // namespace orderly::planning
