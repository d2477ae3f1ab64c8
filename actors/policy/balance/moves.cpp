// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves of a round, from their permits to the ends of their jobs.

#include "actors/policy/balance/parts.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/utc.hpp"
#include "messages/codes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::balance {

namespace {

std::vector<move>::iterator find(state& s, const instance_name& name) {
  return std::find_if(s.open.begin(), s.open.end(),
                      [&](const move& m) { return m.what.instance == name; });
}

bool has(const instance_place& x, const node_name& name) {
  return x.primary == name || x.secondary == name;
}

std::vector<node_name> missing(const instance_place& of,
                               const instance_place& in) {
  std::vector<node_name> result;
  for (const auto* name : {&of.primary, &of.secondary})
    if (!name->empty() && !has(in, *name))
      result.push_back(*name);
  return result;
}

void add(std::vector<node_name>& names, const node_name& name) {
  if (!name.empty()
      && std::find(names.begin(), names.end(), name) == names.end())
    names.push_back(name);
}

/// The terms that change most, which come first; all are in the plan.
std::string shortened(const std::string& terms) {
  constexpr std::size_t shown_max = 2;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shown_max; ++i) {
    end = terms.find(", ", i == 0 ? 0 : end + 1);
    if (end == std::string::npos)
      return terms;
  }
  return terms.substr(0, end) + ", ...";
}

/// Told, recorded, and sent.
void send(verdict& v, move& m, const situation& x) {
  auto& s = v.next;
  m.stage = stage::sent;
  m.due = never;
  m.intent
    = fmt::format("balance-{}-{}-{}", s.round, to_unix(x.now), m.what.instance);
  m.text = "its job is being sent";
  v.actions.emplace_back(
    tell{m.what.instance, entry_kind::decision, "move", sentence_of(m.what)});
  v.actions.emplace_back(submit{m.intent, m.what.instance, m.what.ops,
                                fmt::format("to balance, round {}", s.round)});
}

/// A longer wait with each failure.
void let_wait(verdict& v, const move& m, const situation& x,
              const std::string& how) {
  auto& p = v.next.waits[m.what.instance];
  ++p.failures;
  p.until
    = x.now + backoff(x.limits.retry_base, x.limits.retry_max, p.failures);
  ++v.next.failed;
  v.actions.emplace_back(
    tell{m.what.instance, entry_kind::decision, codes::move_failed,
         fmt::format("was not moved: {}; it stays until {}", how,
                     utc_text(p.until))});
}

/// Of what was sent before a restart.
void reserve_again(verdict& v, move& m) {
  m.due = never;
  v.actions.emplace_back(
    ask_permit{m.what.instance, left_by(m.what), filled_by(m.what), true});
}

/// What the end of its job means.
void judge(verdict& v, const move& m, const job_event& e, const situation& x) {
  auto& s = v.next;
  auto done = e.phase == job_phase::ended && e.status == job_status::success;
  auto canceled
    = e.phase == job_phase::ended && e.status == job_status::canceled;
  auto refused = e.phase == job_phase::refused;
  if (done) {
    ++s.moved;
    s.waits.erase(m.what.instance);
    return;
  }
  if (e.phase == job_phase::overdue && e.id != 0) {
    // It may still succeed; as a job in the queue it keeps us off by itself.
    ++s.failed;
    v.actions.emplace_back(
      tell{m.what.instance, entry_kind::decision, "move-overdue",
           fmt::format("job {0} still runs after its deadline: its nodes are "
                       "left alone until it ends; see gnt-job info {0}",
                       e.id)});
    return;
  }
  auto what = e.id == 0 ? std::string{"its job"} : fmt::format("job {}", e.id);
  auto how = fmt::format("{} {}{}{}", what,
                         e.phase == job_phase::ended ? to_string(e.status)
                                                     : to_string(e.phase),
                         e.text.empty() ? "" : ": ", e.text);
  // Not its own fault: given up by us, or the queue was never asked.
  if ((m.withdrawn && (canceled || refused))
      || (refused && (e.untried || e.absent))) {
    ++s.dropped;
    v.actions.emplace_back(
      tell{m.what.instance, entry_kind::decision, codes::move_dropped,
           fmt::format("is not moved: {}", m.withdrawn ? m.text
                                           : refused   ? e.text
                                                       : how)});
    return;
  }
  let_wait(v, m, x, how);
}

} // namespace

std::vector<node_name> left_by(const planned_move& x) {
  auto result = missing(x.from, x.to);
  // A primary that changes is left by its load, wherever the mirror goes.
  if (x.from.primary != x.to.primary)
    add(result, x.from.primary);
  return result;
}

std::vector<node_name> filled_by(const planned_move& x) {
  auto result = missing(x.to, x.from);
  if (x.from.primary != x.to.primary)
    add(result, x.to.primary);
  return result;
}

std::vector<node_name> nodes_of(const planned_move& x) {
  std::vector<node_name> result;
  for (const auto* place : {&x.from, &x.to}) {
    add(result, place->primary);
    add(result, place->secondary);
  }
  return result;
}

std::string sentence_of(const planned_move& x) {
  auto text = [](const instance_place& p, bool both) {
    return both ? p.primary + " and " + p.secondary : p.primary;
  };
  std::string what;
  auto swap
    = x.from.primary == x.to.secondary && x.from.secondary == x.to.primary;
  if (x.from.primary == x.to.primary)
    what = fmt::format("moves the mirror of {} from {} to {}", x.instance,
                       x.from.secondary, x.to.secondary);
  else
    what = fmt::format("moves {} from {} to {}", x.instance,
                       text(x.from, !swap && !x.from.secondary.empty()),
                       text(x.to, !swap && !x.to.secondary.empty()));
  return fmt::format("{}: score {:.4f} -> {:.4f}{}{}", what, x.score + x.gain,
                     x.score, x.why.empty() ? "" : ", ", shortened(x.why));
}

object_id object_of(const instance_name& name) {
  return "balance:" + name;
}

void ask(verdict& v, move& m) {
  m.stage = stage::asking;
  m.text = "asks for a permit";
  ask_permit q;
  q.instance = m.what.instance;
  q.leaves = left_by(m.what);
  q.joins = filled_by(m.what);
  v.actions.emplace_back(std::move(q));
}

void drop(verdict& v, std::vector<move>::iterator m, const std::string& why) {
  ++v.next.dropped;
  v.actions.emplace_back(tell{m->what.instance, entry_kind::decision,
                              codes::move_dropped, "is not moved: " + why});
  v.next.open.erase(m);
}

void end_round(verdict& v, const situation& x) {
  auto& s = v.next;
  if (!s.open.empty() || s.phase != balance_phase::moving)
    return;
  auto text = fmt::format("round {} ended: {} moved, {} failed, {} dropped",
                          s.round, s.moved, s.failed, s.dropped);
  // What moved something is followed at once, by a fresh model.
  auto on = s.moved > 0 && ++s.in_a_row < rounds_in_a_row_max;
  if (!on)
    s.in_a_row = 0;
  rest(v, on ? x.now : x.now + x.limits.interval, std::move(text));
  s.changed = x.now;
  s.planned_on = nullptr;
  s.lodgers.clear();
  s.in_round.clear();
}

void tend(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.resume_due)
    return; // the cluster was not read yet
  auto t = taboo_of(s, x.seen, x.now, true);
  for (auto i = s.open.begin(); i != s.open.end();) {
    auto& m = *i;
    auto against = x.limits.enabled ? forbidden(m, t)
                                    : std::string{"balance.enabled is false"};
    if (m.stage == stage::sent) {
      if (m.due != never && x.now >= m.due)
        reserve_again(v, m);
      if (!against.empty() && !m.withdrawn) {
        m.withdrawn = true;
        m.text = against;
        v.actions.emplace_back(withdraw{m.intent});
      }
    } else if (!against.empty()) {
      auto asking = m.stage == stage::asking;
      auto name = m.what.instance;
      auto at = i - s.open.begin();
      drop(v, i, against);
      if (asking)
        v.actions.emplace_back(give_back_permit{name});
      i = s.open.begin() + at;
      continue;
    } else if (m.stage == stage::waiting && x.now >= m.due) {
      ask(v, m);
    }
    ++i;
  }
  auto unsure = std::any_of(s.open.begin(), s.open.end(),
                            [](const move& m) { return !m.withdrawn; });
  if (unsure && !s.viewing && x.seen.read_at > s.viewed) {
    s.viewing = true;
    s.viewed = x.seen.read_at;
    v.actions.emplace_back(ask_view{++s.errand});
  }
  end_round(v, x);
}

void resume(verdict& v, const situation&) {
  auto& s = v.next;
  s.resume_due = false;
  s.in_a_row = rounds_in_a_row_max; // what is new settles before the next one
  s.phase = balance_phase::moving;
  s.text = fmt::format("round {}: goes on with what was sent before a restart",
                       s.round);
  for (auto& m : s.open) {
    reserve_again(v, m);
    v.actions.emplace_back(submit{m.intent, m.what.instance, {}, {}});
    if (m.withdrawn) // perhaps we died before that was said
      v.actions.emplace_back(withdraw{m.intent});
  }
}

void take(verdict& v, const permit_answered& e, const situation& x) {
  auto& s = v.next;
  auto m = find(s, e.instance);
  if (m != s.open.end() && m->stage == stage::sent) {
    // The reservation of what was sent before a restart.
    m->due = e.answer.granted ? never : e.answer.retry_at;
    return;
  }
  if (m == s.open.end() || m->stage != stage::asking) {
    if (e.answer.granted)
      v.actions.emplace_back(give_back_permit{e.instance});
    return;
  }
  if (!e.answer.granted) {
    auto again = e.answer.taken && ++m->refusals < permit_tries_max;
    if (again) {
      m->stage = stage::waiting;
      m->due = e.answer.retry_at;
      m->text = "waits for a permit: " + e.answer.why;
      return;
    }
    drop(v, m, e.answer.why);
    end_round(v, x);
    return;
  }
  auto t = taboo_of(s, x.seen, x.now);
  auto against = x.limits.enabled ? objection(*m, s, x.seen, t)
                                  : std::string{"balance.enabled is false"};
  if (against.empty()) {
    send(v, *m, x);
    return;
  }
  drop(v, m, against);
  v.actions.emplace_back(give_back_permit{e.instance});
  end_round(v, x);
}

void take(verdict& v, const permit_called& e, const situation& x) {
  for (auto& m : v.next.open)
    if (m.stage == stage::waiting && object_of(m.what.instance) == e.owner)
      m.due = x.now;
  tend(v, x);
}

void take(verdict& v, const job_event& e, const situation& x) {
  auto& s = v.next;
  auto m = std::find_if(s.open.begin(), s.open.end(), [&](const move& o) {
    return !o.intent.empty() && o.intent == e.intent;
  });
  if (m == s.open.end())
    return;
  if (e.phase == job_phase::submitted) {
    m->job = e.id;
    if (!m->withdrawn)
      m->text = fmt::format("job {} is in the queue", e.id);
    return;
  }
  auto ended = std::move(*m);
  s.open.erase(m);
  judge(v, ended, e, x);
  s.changed = x.now;
  v.actions.emplace_back(give_back_permit{ended.what.instance});
  end_round(v, x);
}

} // namespace orderly::balance
