// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The moves of a round, from their permits to the ends of their jobs.

#include "actors/policy/balance/machine.hpp"
#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
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

/// Told, recorded, and sent.
void send(verdict& v, move& m, const situation& x) {
  auto& s = v.next;
  m.stage = stage::sent;
  m.due = never;
  m.intent = move_intent(s.round, x.now, m.what.instance);
  m.text = "its job is being sent";
  v.actions.emplace_back(
    tell{m.what.instance, entry_kind::decision, "move", sentence_of(m.what)});
  v.actions.emplace_back(submit{m.intent, m.what.instance, m.what.ops,
                                fmt::format("to balance, round {}", s.round)});
}

/// A longer wait with each failure.
const patience& wait_longer(verdict& v, const move& m, const situation& x,
                            std::string why) {
  auto& p = v.next.waits[m.what.instance];
  ++p.failures;
  p.until
    = x.now + backoff(x.limits.retry_base, x.limits.retry_max, p.failures);
  p.why = std::move(why);
  return p;
}

void let_wait(verdict& v, const move& m, const situation& x,
              const std::string& how) {
  const auto& p = wait_longer(v, m, x, {});
  ++v.next.failed;
  v.actions.emplace_back(
    tell{m.what.instance, entry_kind::decision, codes::move_failed,
         fmt::format("was not moved: {}; it stays until {}", how,
                     utc_text(p.until))});
}

/// A move is no longer part of its round; it was not sent.
void drop(verdict& v, std::vector<move>::iterator m, const std::string& why) {
  ++v.next.dropped;
  v.actions.emplace_back(tell{m->what.instance, entry_kind::decision,
                              codes::move_dropped, "is not moved: " + why});
  v.next.open.erase(m);
}

/// All moves of the round have ended.
void end_round(verdict& v, const situation& x) {
  auto& s = v.next;
  if (!s.open.empty() || s.phase != balance_phase::moving)
    return;
  auto text = fmt::format("round {} ended: {} moved, {} failed, {} dropped",
                          s.round, s.moved, s.failed, s.dropped);
  // What moved something is followed at once, by a fresh model. So is what a
  // mirror held back: others may move in its place.
  auto news = s.moved > 0 || s.held_back > 0;
  auto on = news && ++s.in_a_row < rounds_in_a_row_max;
  if (!on)
    s.in_a_row = 0;
  rest(v, on ? x.now : x.now + x.limits.interval, std::move(text));
  s.changed = x.now;
  s.planned_on = nullptr;
  s.lodgers.clear();
  s.in_round.clear();
}

/// What is left of its mirror may not be the good copy: the next plan is made
/// without it.
void hold_back(verdict& v, std::vector<move>::iterator m, const situation& x,
               const std::string& why) {
  auto name = m->what.instance;
  const auto& p = wait_longer(v, *m, x, why);
  ++v.next.held_back;
  drop(v, m, fmt::format("{}; it stays until {}", why, utc_text(p.until)));
  v.actions.emplace_back(give_back_permit{name});
  end_round(v, x);
}

/// Of what was sent before a restart.
void reserve_again(verdict& v, move& m) {
  m.due = never;
  v.actions.emplace_back(ask_permit{m.what.instance, left_by(m.what),
                                    filled_by(m.what), true, nodes_of(m.what)});
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
           fmt::format("job {0} has not ended by its deadline: its nodes are "
                       "left alone until it does; see gnt-job info {0}",
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
    // What its first opcodes have done stays, and nobody tells us of it.
    auto text = m.withdrawn && e.id != 0
                  ? fmt::format("{} was called back: {}; what it had done by "
                                "then stays",
                                what, m.text)
                  : fmt::format("is not moved: {}", m.withdrawn ? m.text
                                                    : refused   ? e.text
                                                                : how);
    v.actions.emplace_back(tell{m.what.instance, entry_kind::decision,
                                codes::move_dropped, std::move(text)});
    return;
  }
  let_wait(v, m, x, how);
}

} // namespace

std::string stale(const move& m, instant now) {
  if (!rests_on_mirror(m.what))
    return {};
  if (m.well == never)
    return "its mirror was not asked how it is";
  return now - m.well > mirror_good ? "its mirror was asked too long ago"
                                    : std::string{};
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
  q.also = nodes_of(m.what);
  v.actions.emplace_back(std::move(q));
}

namespace {

/// A mirror, or a home that has one, comes to a node without its data.
bool copies_disks(const planned_move& x) {
  const auto& to = x.to;
  auto is_new = [&from = x.from](const node_name& node) {
    return node != from.primary && node != from.secondary;
  };
  return !to.secondary.empty() && (is_new(to.primary) || is_new(to.secondary));
}

/// By the settings, which may be others than when it was planned.
std::string unwanted(const move& m, const rules& limits) {
  if (!limits.enabled)
    return "balance.enabled is false";
  if (!limits.disk_moves && copies_disks(m.what))
    return "balance.disk_moves is false";
  return {};
}

} // namespace

void tend(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.resume_due)
    return; // the cluster was not read yet
  auto t = taboo_of(s, x.seen, x.now, true);
  for (auto i = s.open.begin(); i != s.open.end();) {
    auto& m = *i;
    auto against = unwanted(m, x.limits);
    if (against.empty())
      against = forbidden(m, t);
    if (m.stage == stage::sent) {
      if (against.empty())
        against = started(m, x.seen);
      if (m.due != never && x.now >= m.due)
        reserve_again(v, m);
      if (!against.empty() && !m.withdrawn) {
        m.withdrawn = true;
        m.text = against;
        v.actions.emplace_back(withdraw{m.intent});
      }
    } else if (!against.empty()) {
      auto permitted = m.stage != stage::waiting; // or soon
      auto name = m.what.instance;
      auto at = i - s.open.begin();
      drop(v, i, against);
      if (permitted)
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
    v.actions.emplace_back(ask_view{++s.question});
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

namespace {

/// Is it still right? If not it is dropped, and its permit comes back.
bool stands(verdict& v, std::vector<move>::iterator m, const situation& x) {
  auto t = taboo_of(v.next, x.seen, x.now);
  auto against = unwanted(*m, x.limits);
  if (against.empty())
    against = objection(*m, v.next, x.seen, t);
  if (against.empty())
    return true;
  auto name = m->what.instance;
  drop(v, m, against);
  v.actions.emplace_back(give_back_permit{name});
  end_round(v, x);
  return false;
}

} // namespace

void take(verdict& v, const permit_answered& e, const situation& x) {
  auto& s = v.next;
  auto m = find(s, e.instance);
  if (m != s.open.end() && m->stage == stage::sent) {
    // The reservation of what was sent before a restart.
    m->due = e.answer.granted ? never : e.answer.retry_at;
    return;
  }
  if (m != s.open.end() && m->stage == stage::looking)
    return; // it has one
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
  if (!stands(v, m, x))
    return;
  if (!rests_on_mirror(m->what)) {
    send(v, *m, x);
    return;
  }
  m->stage = stage::looking;
  m->due = never;
  m->looked = x.now;
  m->text = "its mirror is asked how it is";
  v.actions.emplace_back(ask_mirror{e.instance});
}

void take(verdict& v, const mirror_answered& e, const situation& x) {
  auto m = find(v.next, e.instance);
  // What was asked for the sake of an earlier move is old.
  if (m == v.next.open.end() || m->stage != stage::looking || e.at < m->looked)
    return;
  if (!e.well) {
    hold_back(v, m, x, e.text);
    return;
  }
  m->well = e.at;
  if (auto late = stale(*m, x.now); !late.empty()) {
    hold_back(v, m, x, late);
    return;
  }
  if (stands(v, m, x))
    send(v, *m, x);
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

std::vector<running_job> strays_of(const state& s, const cluster_record& seen) {
  std::vector<running_job> result;
  for (const auto& job : seen.jobs) {
    auto intent = intent_in_trail(job.reason);
    auto known = std::any_of(s.open.begin(), s.open.end(),
                             [&](const move& m) { return m.intent == intent; });
    if (is_move(intent) && !known)
      result.push_back(job);
  }
  return result;
}

} // namespace orderly::balance
