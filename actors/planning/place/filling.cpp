// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/place/filling.hpp"

#include <algorithm>
#include <string>

namespace orderly::planning {

namespace {

constexpr mib memory_step = 64;
constexpr mib disk_step = 256;

/// The failures, the rarest first; of equals in their order.
std::vector<failure> by_frequency(const failure_counts& counts) {
  std::vector<failure> result;
  for (std::size_t k = 0; k < failure_kinds; ++k)
    result.push_back(static_cast<failure>(k));
  std::stable_sort(result.begin(), result.end(), [&](failure a, failure b) {
    return counts[static_cast<std::size_t>(a)]
           < counts[static_cast<std::size_t>(b)];
  });
  return result;
}

/// Sizes that differ in nothing that shrinks, asked in the same way.
size_key key_of(const instance_spec& x, bool capacity) {
  auto spindles
    = x.disk_spindles.empty() ? std::nullopt : x.disk_spindles.front();
  return {x.memory, x.disk, x.vcpus, spindles.value_or(-1), capacity ? 1 : 0};
}

} // namespace

std::optional<instance_spec> shrunk(instance_spec size, failure by) {
  switch (by) {
  case failure::memory:
    size.memory -= memory_step;
    if (size.memory < memory_step)
      return std::nullopt;
    return size;
  case failure::disk:
    size.disk -= disk_step;
    size.disk_sizes = {size.disk};
    if (size.disk < disk_step)
      return std::nullopt;
    return size;
  case failure::cpu:
    --size.vcpus;
    if (size.vcpus < 1)
      return std::nullopt;
    return size;
  case failure::spindles: {
    auto& s = size.disk_spindles.front();
    if (!s || *s <= 1)
      return std::nullopt;
    s = *s - 1;
    return size;
  }
  default:
    return std::nullopt;
  }
}

filler::filler(placement p, filling_rules rules)
  : p_(std::move(p)),
    rules_(std::move(rules)),
    pattern_(p_.instance_count() - 1),
    n1_(p_),
    scores_(p_, p_.all_nodes()) {
  n1_.only(rules_.guarded);
}

/// Is there room for one? What is known of a size holds until the next
/// instance is made.
const filler::known* filler::look(const instance_spec& size, bool capacity) {
  if (result_.made.size() >= rules_.countable) {
    fault_
      = fault{fault_kind::bad_input,
              "there is room for " + std::to_string(rules_.countable)
                + " instances or more, and more are not counted: look at the "
                  "sizes of the nodes, ask for a larger instance, or for at "
                  "most so many (--max-length)"};
    return nullptr;
  }
  auto key = key_of(size, capacity);
  auto found = tried_.find(key);
  if (found != tried_.end() && !found->second.fits)
    return &found->second;
  if (tried_.size() >= rules_.countable) {
    fault_ = fault{fault_kind::bad_input,
                   "of " + std::to_string(rules_.countable)
                     + " sizes none fits, and smaller ones are not tried: look "
                       "at the largest size by the instance policy, or ask for "
                       "a smaller one (--tiered-alloc)"};
    return nullptr;
  }
  p_.resize(pattern_, size);
  allocation_rules rules;
  if (capacity)
    rules.is_good
      = [this](int i, const outcome& x) { return n1_.holds_with(i, x); };
  auto answer = allocate(p_, pattern_, size, rules_.targets, rules_.nodes,
                         scores_, rules);
  if (!answer) {
    fault_ = answer.why();
    return nullptr;
  }
  next_ = answer->best;
  auto& entry = tried_[key];
  entry = {answer->failures, answer->best.has_value()};
  return &entry;
}

void filler::take(const instance_spec& size) {
  auto i = p_.add_copy(pattern_);
  make_move(p_, {i, move_kind::failover, -1}, next_->what);
  n1_.moved(i);
  scores_.look(next_->what);
  result_.made.push_back({size, next_->what.where});
  forget();
}

std::optional<fault> filler::fill(const instance_spec& size) {
  return fill(size, rules_.limit);
}

std::optional<fault> filler::fill(const instance_spec& size,
                                  std::optional<std::int64_t> limit) {
  const auto* found = look(size, rules_.capacity);
  if (!found)
    return fault_;
  if (!rules_.capacity || !found->fits)
    return fill_singly(size, limit);
  for (auto step : {guess_step(size), std::int64_t{10}})
    while (!limit || *limit > 0) {
      auto most = limit ? std::min(step, *limit) : step;
      auto before = result_.made.size();
      auto good = fill_batch(size, most);
      if (fault_)
        return fault_;
      if (!good)
        break;
      if (limit)
        *limit -= most;
      if (result_.made.size() == before || (limit && *limit <= 0))
        return std::nullopt;
    }
  return fill_singly(size, limit);
}

std::optional<fault> filler::fill_singly(const instance_spec& size,
                                         std::optional<std::int64_t> limit) {
  for (;;) {
    const auto* found = look(size, rules_.capacity);
    if (!found)
      return fault_;
    result_.failures = found->failures;
    if (!found->fits || (limit && *limit <= 0))
      return std::nullopt;
    take(size);
    if (limit)
      --*limit;
  }
}

/// So many at once that the question of global N+1 is asked seldom; at every
/// node one might miss by little.
std::int64_t filler::guess_step(const instance_spec& size) const {
  mib room = 0;
  mib greatest = 0;
  for (int n = 0; n < p_.node_count(); ++n) {
    room += p_.unallocated(n, p_.states[static_cast<std::size_t>(n)]);
    greatest = std::max(
      greatest,
      static_cast<mib>(p_.facts[static_cast<std::size_t>(n)].total_memory));
  }
  auto most = std::max<mib>(0, room - greatest) / std::max<mib>(1, size.memory);
  return std::max<std::int64_t>(20, most - p_.node_count());
}

/// Without asking for global N+1 but at the end. If it does not hold then, all
/// is as it was before.
bool filler::fill_batch(const instance_spec& size, std::int64_t most) {
  auto saved = p_;
  auto before = result_.made.size();
  for (auto left = most;; --left) {
    const auto* found = look(size, false);
    if (!found)
      return false;
    result_.failures = found->failures;
    if (!found->fits || left == 0)
      break;
    take(size);
  }
  if (n1_.holds())
    return true;
  p_ = std::move(saved);
  n1_.reset();
  scores_.look();
  result_.made.resize(before);
  forget();
  return false;
}

/// The first smaller size that fits, made smaller by `by` alone; nothing if it
/// is not that which keeps it out. Like the reference it does not look at the
/// least size, one CPU for example.
std::optional<instance_spec> filler::shrunk_until_it_fits(instance_spec size,
                                                          failure by) {
  std::vector<size_key> passed;
  auto end = [&](std::size_t result) {
    for (const auto& key : passed)
      walked_.emplace(std::pair{key, by}, result);
    return walk_ends_[result];
  };
  auto ends_with = [&](std::optional<instance_spec> result) {
    walk_ends_.push_back(std::move(result));
    return end(walk_ends_.size() - 1);
  };
  while (auto smaller = shrunk(size, by)) {
    passed.push_back(key_of(size, rules_.capacity_of_smaller));
    if (auto i = walked_.find({passed.back(), by}); i != walked_.end())
      return end(i->second);
    const auto* found = look(size, rules_.capacity_of_smaller);
    if (!found)
      return std::nullopt;
    if (found->fits)
      return ends_with(size);
    if (found->failures[static_cast<std::size_t>(by)] == 0)
      return ends_with(std::nullopt);
    size = *smaller;
  }
  return ends_with(std::nullopt);
}

void filler::forget() {
  tried_.clear();
  walked_.clear();
  walk_ends_.clear();
}

std::optional<fault>
filler::fill_tiered(const std::vector<instance_spec>& sizes) {
  for (const auto& size : sizes) {
    auto limit = rules_.limit;
    auto made = static_cast<std::int64_t>(result_.made.size());
    if (limit && *limit <= made)
      break;
    if (limit)
      *limit -= made;
    if (auto wrong = fill_tiers_of(size, limit))
      return wrong;
  }
  return std::nullopt;
}

std::optional<fault> filler::fill_tiers_of(instance_spec size,
                                           std::optional<std::int64_t> limit) {
  forget();
  // Sizes since the last one that fitted, the last one at the back.
  std::vector<tier> waiting;
  for (;;) {
    auto before = result_.made.size();
    if (auto wrong = fill(size, limit))
      return wrong;
    auto made = static_cast<std::int64_t>(result_.made.size());
    if (result_.made.size() > before)
      waiting.clear();
    // Each size takes from the limit all that was made until then, even if none
    // of it was of this size.
    if (!limit || *limit > made) {
      if (limit)
        *limit -= made;
      auto most = by_frequency(result_.failures).back();
      auto smaller = shrunk(size, most);
      waiting.push_back({size, result_.failures, limit});
      if (smaller) {
        size = *smaller;
        continue;
      }
    }
    auto other = step_back(waiting);
    if (!other || fault_)
      return fault_;
    size = *other;
    // With what this size left of the limit, not those that were tried after.
    limit = waiting.back().limit;
  }
}

/// Looks from the last size on for one that fits when a single thing is made
/// smaller, what failed most often first. Those after it are dropped.
std::optional<instance_spec> filler::step_back(std::vector<tier>& waiting) {
  for (; !waiting.empty(); waiting.pop_back()) {
    const auto& last = waiting.back();
    auto kinds = by_frequency(last.failures);
    for (auto k = kinds.rbegin(); k != kinds.rend(); ++k)
      if (auto other = shrunk_until_it_fits(last.size, *k))
        return other;
    result_.failures = last.failures;
  }
  return std::nullopt;
}

} // namespace orderly::planning
