// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/fast_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orderly::planning {

namespace {

int online_nodes(const placement& p) {
  return static_cast<int>(
    std::count_if(p.facts.begin(), p.facts.end(),
                  [](const node_facts& f) { return f.online; }));
}

} // namespace

double cost_rate_of(const placement& p, const fast_rules& fast) {
  return fast.move_cost / std::max(1, online_nodes(p));
}

fast_field::fast_field(placement& p, const search_rules& rules,
                       const fast_rules& fast)
  : p_(p),
    rules_(rules),
    rate_(cost_rate_of(p, fast)),
    unguessed_(1.0 / std::max(1, online_nodes(p))),
    board_(p),
    scan_(p, scan::use::estimates),
    origin_(p.places),
    held_(p.states.size()) {
  if (fast.shared_n1 != shared_n1_use::off) {
    n1_.emplace(p);
    if (!n1_->concerned())
      n1_.reset();
  }
  n1_forbids_ = fast.shared_n1 == shared_n1_use::constraint;
  for (int i = 0; i < p.instance_count(); ++i)
    hold(i, p.places[at(i)]);
  refresh();
}

void fast_field::hold(int instance, place where) {
  for (auto n : {where.primary, where.secondary})
    if (n >= 0)
      held_[at(n)].push_back(instance);
}

void fast_field::drop(int instance, place where) {
  for (auto n : {where.primary, where.secondary}) {
    if (n < 0)
      continue;
    auto& all = held_[at(n)];
    all.erase(std::find(all.begin(), all.end(), instance));
  }
}

void fast_field::refresh() {
  scan_.look(p_, board_);
  score_ = scan_.sums().value() + n1_term();
}

double fast_field::n1_term() const {
  return n1_ && !n1_forbids_ ? n1_->uncovered() : 0;
}

net_cost fast_field::added(int instance, place to) const {
  auto origin = origin_[at(instance)];
  auto now = net_cost_of(p_, instance, origin, p_.places[at(instance)]);
  auto then = net_cost_of(p_, instance, origin, to);
  return {then.moves - now.moves, rate_ * (then.cost - now.cost)};
}

bool fast_field::is_too_long(const net_cost& x) const {
  return rules_.max_length >= 0 && x.moves > 0
         && net_moves_ + x.moves > rules_.max_length;
}

std::optional<double> fast_field::worth(const move& m) {
  auto cost = added(m.instance, destination(p_, m));
  if (is_too_long(cost))
    return std::nullopt;
  ++tries_;
  auto x = try_move(p_, m, rules_.ignore_soft);
  if (x.why != refusal::none)
    return std::nullopt;
  auto after = scan_.score_after(p_, board_, m, x) + n1_term();
  return score_ - after - cost.cost;
}

std::optional<double> fast_field::checked_worth(const move* moves,
                                                std::size_t count) {
  auto before = score_ + burden_;
  std::size_t made = 0;
  while (made < count && make(moves[made]))
    ++made;
  auto gained = before - score_ - burden_;
  auto whole = made == count;
  for (; made > 0; --made)
    take_back();
  return whole ? std::optional{gained} : std::nullopt;
}

bool fast_field::make(const move& m, cover c) {
  auto cost = added(m.instance, destination(p_, m));
  if (is_too_long(cost))
    return false;
  ++tries_;
  auto x = try_move(p_, m, rules_.ignore_soft);
  if (x.why != refusal::none)
    return false;
  auto from = p_.places[at(m.instance)];
  auto followed = n1_ && c == cover::checked;
  undo_.push_back({m,
                   from,
                   x,
                   {},
                   scan_.sums(),
                   board_.counts(),
                   score_,
                   burden_,
                   net_moves_,
                   followed});
  auto& u = undo_.back();
  for (std::size_t k = 0; k < at(x.count); ++k) {
    auto n = at(x.nodes[k]);
    u.states[k] = p_.states[n];
    if (p_.facts[n].online)
      scan_.replace(board_.row(x.nodes[k]), row_of(p_.facts[n], x.states[k]));
  }
  board_.foresee(p_, m, x);
  scan_.replace(board_.counts());
  make_move(p_, m, x);
  auto lost = followed && n1_->follow(p_, m.instance, from);
  score_ = scan_.sums().value() + n1_term();
  burden_ += cost.cost;
  net_moves_ += cost.moves;
  if (!lost || !n1_forbids_)
    return true;
  take_back();
  return false;
}

void fast_field::take_back() {
  auto& u = undo_.back();
  auto x = u.after;
  x.where = u.from;
  x.states = u.states;
  auto to = p_.places[at(u.what.instance)];
  make_move(p_, u.what, x);
  if (u.followed)
    n1_->follow(p_, u.what.instance, to);
  board_.restore(p_, x, u.counts);
  scan_.restore(u.sums);
  score_ = u.score;
  burden_ = u.burden;
  net_moves_ = u.net_moves;
  undo_.pop_back();
}

void fast_field::settle() {
  for (const auto& u : undo_) {
    auto to = u.after.where;
    drop(u.what.instance, u.from);
    hold(u.what.instance, to);
    scan_.touch(p_, board_, u.after);
    steps_.push_back({u.what, u.from, to, 0});
  }
  undo_.clear();
}

void fast_field::add_costs(int instance,
                           std::vector<scan_instance::estimate>& lines) {
  auto origin = origin_[at(instance)];
  auto n = (at(p_.node_count()) + 7) / 8 * 8;
  constexpr int some_node = -2;
  for (auto& l : lines) {
    auto price = [&](int target) {
      auto x = added(instance, destination(p_, {instance, l.kind, target}));
      return is_too_long(x) ? never : x.cost;
    };
    // Only the nodes that it comes from cost something else than all others.
    auto kept = *l.line;
    lanes::raise(l.line->data(), price(some_node), n);
    if (origin == p_.places[at(instance)])
      continue;
    for (auto t : {origin.primary, origin.secondary})
      if (t >= 0)
        (*l.line)[at(t)] = kept[at(t)] + price(t);
  }
}

std::vector<move> fast_field::promising(int instance, std::size_t count) {
  struct found {
    double score;
    move what;
  };

  scan_instance one{scan_, p_, board_, rules_, instance};
  auto lines = one.estimates();
  std::vector<move> result;
  if (!lines)
    return result;
  scans_ += p_.node_count();
  add_costs(instance, *lines);
  std::vector<found> best;
  auto bar = never;
  for (const auto& l : *lines)
    for (int t = 0; t < p_.node_count(); ++t) {
      auto score = (*l.line)[at(t)];
      if (!(score < bar))
        continue;
      if (best.size() == count)
        best.pop_back();
      auto where = std::find_if(best.begin(), best.end(), [&](const found& f) {
        return score < f.score;
      });
      best.insert(where, {score, {instance, l.kind, t}});
      if (best.size() == count)
        bar = best.back().score;
    }
  for (const auto& f : best)
    result.push_back(f.what);
  return result;
}

void fast_field::consider(const move& m, std::optional<offer>& best) {
  auto w = worth(m);
  if (!w || (best && *w + hope() <= best->worth))
    return;
  if (in_danger(1))
    w = checked_worth(&m, 1);
  if (w && (!best || *w > best->worth))
    best = offer{m, *w};
}

choice fast_field::best_of(int instance, std::size_t more) {
  choice result;
  if (!is_candidate(p_, instance, rules_))
    return result;
  // Estimates are nearly the truth: the best move is among the first.
  constexpr std::size_t first = 6;
  if (!has_estimates(instance)) {
    for (const auto& m : all_moves(instance))
      consider(m, result.best);
    return result;
  }
  auto kinds = allowed_kinds(p_, instance, rules_);
  auto fails_over = !kinds.empty() && kinds.front() == move_kind::failover;
  result.promising = promising(instance, std::max(first, more));
  for (std::size_t k = 0; k < std::min(first, result.promising.size()); ++k)
    consider(result.promising[k], result.best);
  if (fails_over) {
    move m{instance, move_kind::failover, -1};
    consider(m, result.best);
    result.promising.insert(result.promising.begin(), m);
  }
  return result;
}

bool fast_field::has_estimates(int instance) {
  return scan_instance{scan_, p_, board_, rules_, instance}.has_bounds();
}

std::vector<move> fast_field::all_moves(int instance) const {
  std::vector<move> result;
  auto where = p_.places[at(instance)];
  for (auto k : allowed_kinds(p_, instance, rules_)) {
    if (k == move_kind::failover) {
      result.push_back({instance, k, -1});
      continue;
    }
    for (int t = 0; t < p_.node_count(); ++t)
      if (p_.facts[at(t)].online && t != where.primary && t != where.secondary)
        result.push_back({instance, k, t});
  }
  return result;
}

} // namespace orderly::planning
