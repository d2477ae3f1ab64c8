// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/moves.hpp"

namespace orderly::planning {

namespace {

/// The nodes of one move, in the order in which the reference asks them: the
/// first refusal is the answer.
class attempt {
public:
  attempt(const placement& p, const move& m, bool ignore_soft)
    : p_(p), m_(m), soft_(ignore_soft), old_(p.places[at(m.instance)]) {
    result_.where = destination(p, m);
  }

  outcome failover() {
    if (!mig(old_.primary, old_.secondary))
      return refused(refusal::migration);
    auto pri = bare_primary();
    auto sec = bare_secondary();
    auto off = offline(old_.primary);
    if (auto no = give_primary(old_.secondary, sec, off || soft_);
        no != refusal::none)
      return refused(no);
    if (auto no = give_secondary(old_.primary, pri, {off, off || soft_});
        no != refusal::none)
      return refused(no);
    put(old_.primary, pri);
    put(old_.secondary, sec);
    return result_;
  }

  outcome failover_to() {
    if (!mig(old_.primary, m_.target))
      return refused(refusal::migration);
    auto target = state(m_.target);
    auto easy = offline(old_.primary) || soft_;
    if (auto no = give_primary(m_.target, target, easy); no != refusal::none)
      return refused(no);
    put(old_.primary, bare_primary());
    put(m_.target, target);
    return result_;
  }

  outcome replace_secondary() {
    auto target = state(m_.target);
    auto easy = offline(old_.secondary) || soft_;
    if (auto no = give_secondary(m_.target, target, {false, easy});
        no != refusal::none)
      return refused(no);
    // The primary is left and entered again, which judges its memory anew.
    auto pri = bare_primary();
    if (auto no = give_primary(old_.primary, pri, true); no != refusal::none)
      return refused(no);
    put(old_.primary, pri);
    put(old_.secondary, bare_secondary());
    put(m_.target, target);
    return result_;
  }

  outcome replace_and_failover() {
    if (!mig(old_.primary, m_.target))
      return refused(refusal::migration);
    auto target = state(m_.target);
    if (auto no = give_primary(m_.target, target, soft_); no != refusal::none)
      return refused(no);
    auto pri = bare_primary();
    auto easy = offline(old_.secondary) || soft_;
    if (auto no = give_secondary(old_.primary, pri, {false, easy});
        no != refusal::none)
      return refused(no);
    put(old_.primary, pri);
    put(old_.secondary, bare_secondary());
    put(m_.target, target);
    return result_;
  }

  outcome replace_primary() {
    if (!mig(old_.primary, old_.secondary) || !mig(old_.secondary, m_.target))
      return refused(refusal::migration);
    auto easy = offline(old_.primary) || soft_;
    auto sec = bare_secondary();
    auto host = sec;
    if (auto no = give_primary(old_.secondary, host, easy); no != refusal::none)
      return refused(no);
    sec = leave_again(host, sec);
    auto target = state(m_.target);
    if (auto no = give_primary(m_.target, target, easy); no != refusal::none)
      return refused(no);
    if (auto no = give_secondary(old_.secondary, sec, {false, easy});
        no != refusal::none)
      return refused(no);
    put(old_.primary, bare_primary());
    put(old_.secondary, sec);
    put(m_.target, target);
    return result_;
  }

  outcome failover_and_replace() {
    if (!mig(old_.primary, old_.secondary))
      return refused(refusal::migration);
    auto easy = offline(old_.primary) || soft_;
    auto sec = bare_secondary();
    if (auto no = give_primary(old_.secondary, sec, easy); no != refusal::none)
      return refused(no);
    auto target = state(m_.target);
    if (auto no = give_secondary(m_.target, target, {false, easy});
        no != refusal::none)
      return refused(no);
    put(old_.primary, bare_primary());
    put(old_.secondary, sec);
    put(m_.target, target);
    return result_;
  }

private:
  const node_state& state(int node) const { return p_.states[at(node)]; }

  bool offline(int node) const { return !p_.facts[at(node)].online; }

  bool mig(int from, int to) const { return p_.tags.may_migrate(from, to); }

  node_state bare_primary() const {
    return without_primary(p_, old_.primary, state(old_.primary), m_.instance);
  }

  node_state bare_secondary() const {
    return without_secondary(p_, old_.secondary, state(old_.secondary),
                             m_.instance, old_.primary);
  }

  /// What adding and taking away again leaves: the same but for the last bits
  /// of the load, which are added and subtracted as the reference does.
  node_state leave_again(const node_state& host, const node_state& before) {
    auto r = before;
    const auto& x = p_.instances[at(m_.instance)];
    if (!x.forthcoming)
      for (std::size_t k = 0; k < load_parts; ++k)
        r.use[k] = host.use[k] - x.use[k];
    r.short_of_memory = p_.unallocated(old_.secondary, r) <= r.reserved;
    return r;
  }

  refusal give_primary(int node, node_state& s, bool easy) {
    return add_primary(p_, node, s, m_.instance, result_.where, easy);
  }

  refusal give_secondary(int node, node_state& s, secondary_rules rules) {
    return add_secondary(p_, node, s, m_.instance, result_.where.primary,
                         rules);
  }

  outcome refused(refusal why) {
    result_.why = why;
    return result_;
  }

  void put(int node, const node_state& s) {
    auto k = static_cast<std::size_t>(result_.count++);
    result_.nodes[k] = node;
    result_.states[k] = s;
  }

  const placement& p_;
  const move& m_;
  bool soft_;
  place old_;
  outcome result_;
};

bool touches_closed(const placement& p, const move& m) {
  auto where = p.places[at(m.instance)];
  auto closed = [&](int n) { return n >= 0 && p.facts[at(n)].closed; };
  return closed(where.primary) || closed(where.secondary) || closed(m.target);
}

/// The node from which a new mirror is copied; -1 if there is none.
int copied_from(const move& m, place where) {
  switch (m.kind) {
  case move_kind::failover:
  case move_kind::failover_to:
    return -1;
  case move_kind::replace_secondary:
  case move_kind::replace_and_failover:
    return where.primary;
  case move_kind::replace_primary:
  case move_kind::failover_and_replace:
    return where.secondary;
  }
  return -1;
}

/// A new mirror is made on a node in service, of a copy that lives. Failovers
/// are judged by their room alone: N+1 asks whether there is any, wherever, and
/// who plans one chooses among nodes in service.
bool copies_what_is_out(const placement& p, const move& m) {
  auto from = copied_from(m, p.places[at(m.instance)]);
  return from >= 0 && (p.facts[at(from)].dead || !p.facts[at(m.target)].online);
}

} // namespace

place destination(const placement& p, const move& m) {
  return destination(p.places[at(m.instance)], m);
}

place destination(place old, const move& m) {
  switch (m.kind) {
  case move_kind::failover:
    return {old.secondary, old.primary};
  case move_kind::failover_to:
    return {m.target, old.secondary};
  case move_kind::replace_secondary:
    return {old.primary, m.target};
  case move_kind::replace_and_failover:
    return {m.target, old.primary};
  case move_kind::replace_primary:
    return {m.target, old.secondary};
  case move_kind::failover_and_replace:
    return {old.secondary, m.target};
  }
  return old;
}

outcome try_move(const placement& p, const move& m, bool ignore_soft) {
  outcome no;
  no.why = touches_closed(p, m) ? refusal::closed : refusal::storage;
  // A failover to the mirror needs no node to reach anything new.
  auto reached = m.target < 0 || p.storage.reaches(m.target, m.instance);
  if (no.why == refusal::closed || !reached)
    return no;
  if (copies_what_is_out(p, m)) {
    no.why = refusal::out_of_service;
    return no;
  }
  attempt a{p, m, ignore_soft};
  switch (m.kind) {
  case move_kind::failover:
    return a.failover();
  case move_kind::failover_to:
    return a.failover_to();
  case move_kind::replace_secondary:
    return a.replace_secondary();
  case move_kind::replace_and_failover:
    return a.replace_and_failover();
  case move_kind::replace_primary:
    return a.replace_primary();
  case move_kind::failover_and_replace:
    return a.failover_and_replace();
  }
  return {};
}

void make_move(placement& p, const move& m, const outcome& x) {
  auto old = p.places[at(m.instance)];
  const auto& f = p.instances[at(m.instance)];
  for (int k = 0; k < x.count; ++k)
    p.states[at(x.nodes[at(k)])] = x.states[at(k)];
  p.places[at(m.instance)] = x.where;
  if (old.secondary >= 0)
    p.change_reserve(old.secondary, old.primary, -f.reserve);
  if (x.where.secondary >= 0)
    p.change_reserve(x.where.secondary, x.where.primary, f.reserve);
  if (old.primary != x.where.primary)
    p.retag(m.instance, old.primary, x.where.primary);
}

} // namespace orderly::planning
