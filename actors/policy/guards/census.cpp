// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/census.hpp"

namespace orderly {

namespace {

/// One that is out of service says nothing about what goes on now.
bool counts(const node_standing& x) {
  return x.counted;
}

} // namespace

void census::take(const node_standing& x) {
  auto [i, fresh] = by_name_.try_emplace(x.node, x);
  if (!fresh && counts(i->second)) {
    --nodes_;
    troubled_ -= i->second.troubled ? 1 : 0;
  }
  i->second = x;
  if (counts(x)) {
    ++nodes_;
    troubled_ += x.troubled ? 1 : 0;
  }
}

const node_standing* census::find(const node_name& name) const {
  auto i = by_name_.find(name);
  return i == by_name_.end() ? nullptr : &i->second;
}

} // namespace orderly
