// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/fast_pairs.hpp"

#include <algorithm>
#include <limits>

namespace orderly::planning {

namespace {

/// How many first moves of a pair are tried for an instance.
constexpr std::size_t beginnings = 12;

/// Which node has an instance, or half of one, more than before, and which
/// has less; the same for a plain failover's load.
struct shift {
  int from = -1;
  int to = -1;
};

bool has(place x, int node) {
  return x.primary == node || x.secondary == node;
}

shift shift_of(place before, place after) {
  shift r;
  for (auto n : {before.primary, before.secondary})
    if (n >= 0 && !has(after, n))
      r.from = n;
  for (auto n : {after.primary, after.secondary})
    if (n >= 0 && !has(before, n))
      r.to = n;
  if (r.to < 0) // they changed roles
    return {before.primary, after.primary};
  return r;
}

class pairing {
public:
  pairing(fast_field& f, action& best) : f_(f), best_(best) {}

  void begin_with(const move& m) {
    auto before = f_.here().places[at(m.instance)];
    auto burden = f_.burden();
    auto score = f_.score();
    if (!f_.make(m, fast_field::cover::ignored))
      return;
    first_ = m;
    value_ = score - f_.score() - (f_.burden() - burden);
    way_ = {m.instance, before, f_.here().places[at(m.instance)]};
    auto x = shift_of(way_.from, way_.to);
    for (auto i : f_.held(x.to))
      if (i != m.instance)
        end_with(i, x);
    f_.take_back();
  }

private:
  void end_with(int instance, shift x) {
    const auto& p = f_.here();
    if (!is_candidate(p, instance, f_.rules()))
      return;
    auto where = p.places[at(instance)];
    for (auto k : allowed_kinds(p, instance, f_.rules())) {
      if (k == move_kind::failover) {
        if (where.primary == x.to)
          try_end({instance, k, -1});
      } else if (p.facts[at(x.from)].online && !has(where, x.from)) {
        move m{instance, k, x.from};
        if (!has(destination(p, m), x.to) || where.primary == x.to)
          try_end(m);
      }
    }
  }

  void try_end(const move& m) {
    const auto& p = f_.here();
    transit back{m.instance, p.places[at(m.instance)], destination(p, m)};
    // What is guessed leaves out the reserve: some losses may not be any.
    if (f_.guess(way_, back) + f_.unguessed() + f_.hope() <= best_.worth)
      return;
    auto w = f_.worth(m);
    if (!w || value_ + *w + f_.hope() <= best_.worth)
      return;
    std::array<move, 2> both{first_, m};
    auto sum = std::optional{value_ + *w};
    if (f_.in_danger(both.size())) {
      f_.take_back();
      sum = f_.checked_worth(both.data(), both.size());
      f_.make(first_, fast_field::cover::ignored);
    }
    if (!sum || *sum <= best_.worth)
      return;
    best_.worth = *sum;
    best_.moves = both;
    best_.count = both.size();
  }

  fast_field& f_;
  action& best_;
  move first_;
  transit way_;
  double value_ = 0;
};

} // namespace

namespace {

action action_of(const choice& x) {
  action r;
  r.worth = -std::numeric_limits<double>::infinity();
  if (x.best) {
    r.worth = x.best->worth;
    r.moves[0] = x.best->what;
    r.count = 1;
  }
  return r;
}

} // namespace

action single_action(fast_field& f, int instance) {
  return action_of(f.best_of(instance, 0));
}

action best_action(fast_field& f, int instance) {
  auto all = f.best_of(instance, beginnings);
  auto best = action_of(all);
  pairing pairs{f, best};
  for (const auto& m : all.promising)
    pairs.begin_with(m);
  return best;
}

} // namespace orderly::planning
