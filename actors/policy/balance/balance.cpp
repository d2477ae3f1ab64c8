// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a round may begin, and how far it gets without any move.

#include "actors/policy/balance/balance.hpp"

#include "actors/policy/balance/machine.hpp"
#include "actors/policy/base/backoff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::balance {

namespace {

/// What is not told again as long as nothing else was.
void tell_once(verdict& v, std::string text) {
  if (v.next.told == text)
    return;
  v.next.told = text;
  v.why = std::move(text);
}

/// Something holds the next round; told once.
void hold(verdict& v, instant due, std::string text) {
  v.next.phase = balance_phase::held;
  v.next.due = due;
  v.next.text = text;
  tell_once(v, "held: " + text);
}

bool awaits_answer(const state& s) {
  return s.phase == balance_phase::reading
         || s.phase == balance_phase::planning;
}

/// What holds the next round before anybody is asked; empty: nothing.
std::string obstacle(const situation& x) {
  if (!x.seen.able)
    return "there is no planner here";
  if (!x.seen.picture)
    return "the cluster was not read yet";
  if (auto age = x.now - x.seen.read_at; age > x.limits.picture_max_age)
    return "the cluster does not answer";
  return x.seen.no_right;
}

/// It is due: asks the view first, which is quick.
void begin(verdict& v, const situation& x) {
  auto& s = v.next;
  if (auto why = obstacle(x); !why.empty()) {
    hold(v, x.now + x.limits.hold_pause, std::move(why));
    return;
  }
  // What the last round did is not in an older picture.
  if (s.viewing || x.seen.read_at <= s.changed)
    return;
  s.viewing = true;
  s.viewed = x.seen.read_at;
  v.actions.emplace_back(ask_view{++s.question});
}

/// Switched off: what is under way ends, nothing new begins.
void stay_off(verdict& v) {
  auto& s = v.next;
  if (s.phase == balance_phase::off && !s.text.empty())
    return;
  s.phase = balance_phase::off;
  s.text = "balance.enabled is false";
  s.told.clear();
  s.due = never;
}

void look(verdict& v, const situation& x) {
  auto& s = v.next;
  std::erase_if(s.waits, [&](const auto& kv) {
    return kv.second.until + x.limits.retry_max < x.now;
  });
  if (s.resume_due && x.seen.picture)
    resume(v, x);
  if (!s.open.empty()) {
    tend(v, x);
    return;
  }
  if (!x.limits.enabled) {
    stay_off(v);
    return;
  }
  if (s.phase == balance_phase::off) { // what is new settles first
    s.phase = balance_phase::resting;
    s.due = x.now + x.limits.interval;
    s.text = "has just begun";
  }
  // A shorter interval shall count at once.
  if (s.phase == balance_phase::resting)
    s.due = std::min(s.due, x.now + x.limits.interval);
  if (!awaits_answer(s) && x.now >= s.due)
    begin(v, x);
}

void take(verdict& v, const viewed& e, const situation& x) {
  auto& s = v.next;
  if (e.question != s.question || !s.viewing)
    return;
  s.viewing = false;
  if (e.answered)
    s.seen = e.seen;
  if (!s.open.empty()) { // asked for the sake of moves that are open
    tend(v, x);
    return;
  }
  // Asked for the sake of moves that have ended meanwhile.
  auto early = x.now < s.due || x.seen.read_at <= s.changed;
  if (!x.limits.enabled || awaits_answer(s) || early)
    return;
  auto why = obstacle(x);
  if (why.empty())
    why = e.answered ? s.seen.guard : "the view does not answer";
  if (!why.empty()) {
    hold(v, x.now + x.limits.hold_pause, std::move(why));
    return;
  }
  s.phase = balance_phase::reading;
  s.text = "reads the figures of all nodes";
  v.actions.emplace_back(read_figures{++s.question});
}

/// Nodes whose silence nothing explains yet, and that may pass.
std::vector<node_name> baffling(state& s, const model_read& e,
                                const situation& x) {
  std::map<node_name, std::uint32_t> counts;
  for (const auto& name : e.silent) {
    auto i = s.silent.find(name);
    counts[name]
      = std::min(i == s.silent.end() ? 1 : i->second + 1, silent_max);
  }
  s.silent.clear();
  auto known = taboo_of(s, x.seen, x.now).closed;
  s.silent = std::move(counts);
  std::vector<node_name> result;
  for (const auto& [name, count] : s.silent)
    if (count < silent_max && known.count(name) == 0)
      result.push_back(name);
  return result;
}

/// Is that worth waiting for? Not if it goes on: some have no monitors.
bool lacks_load(state& s, const model_read& e) {
  s.unloaded = e.no_load.empty() ? 0 : std::min(s.unloaded + 1, silent_max);
  return s.unloaded > 0 && s.unloaded < silent_max;
}

void came_to_nothing(verdict& v, const situation& x, std::string why) {
  auto& s = v.next;
  auto pause = backoff(x.limits.interval, 8 * x.limits.interval, ++s.failures);
  hold(v, x.now + pause, std::move(why));
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const auto& x : names)
    result += (result.empty() ? "" : ", ") + x;
  return result;
}

void take(verdict& v, const model_read& e, const situation& x) {
  auto& s = v.next;
  if (e.question != s.question || s.phase != balance_phase::reading)
    return;
  if (!x.limits.enabled) {
    stay_off(v);
    return;
  }
  if (!e.answered) {
    came_to_nothing(v, x, "the model could not be read: " + e.text);
    return;
  }
  s.remarks = e.remarks;
  if (auto who = baffling(s, e, x); !who.empty()) {
    hold(v, x.now + x.limits.hold_pause,
         fmt::format("{} {} no figures", listed(who),
                     who.size() == 1 ? "gives" : "give"));
    return;
  }
  if (auto why = obstacle(x); !why.empty()) {
    hold(v, x.now + x.limits.hold_pause, std::move(why));
    return;
  }
  if (lacks_load(s, e)) {
    hold(v, x.now + x.limits.hold_pause, "no load data: " + e.no_load);
    return;
  }
  auto t = taboo_of(s, x.seen, x.now);
  make_plan order;
  order.question = ++s.question;
  for (const auto& [name, why] : t.closed)
    order.closed.insert(name);
  for (const auto& [name, why] : t.fixed)
    order.fixed.insert(name);
  s.planned_on = x.seen.picture;
  s.phase = balance_phase::planning;
  s.text = "plans";
  v.actions.emplace_back(std::move(order));
}

std::string scores(const plan_answer& plan, bool after) {
  std::string result;
  for (const auto& g : plan.groups) {
    result += fmt::format("{}{} scores {:.4f}", result.empty() ? "" : ", ",
                          g.group, g.before);
    if (after && g.after != g.before)
      result += fmt::format(" and would score {:.4f}", g.after);
  }
  return result.empty() ? "there is nothing to score" : result;
}

/// "; left alone: 2 nodes (n3 is drained), 1 instance (web1 ...)".
std::string left_alone(const taboo& t) {
  std::string result;
  auto add = [&](const auto& names, const char* what) {
    if (names.empty())
      return;
    const auto& [name, why] = *names.begin();
    result += fmt::format(
      "{}{} {}{} ({} {})", result.empty() ? "; left alone: " : ", ",
      names.size(), what, names.size() == 1 ? "" : "s", name, why);
  };
  add(t.closed, "node");
  add(t.fixed, "instance");
  return result;
}

/// Who lived where when it was planned, on the nodes of the round.
void remember_lodgers(state& s) {
  std::set<node_name> touched;
  for (const auto& m : s.open)
    for (auto& name : nodes_of(m.what))
      touched.insert(std::move(name));
  s.lodgers.clear();
  for (const auto& name : touched)
    s.lodgers[name];
  for (const auto& x : s.planned_on->instances) {
    auto lodge = [&](const node_name& name) {
      if (auto i = s.lodgers.find(name); i != s.lodgers.end())
        i->second.insert(x.name);
    };
    lodge(x.primary);
    for (const auto& name : x.secondaries)
      lodge(name);
  }
}

/// The first wave, as far as it goes.
void open_moves(state& s, const plan_answer& plan, const situation& x) {
  s.in_round.clear();
  for (const auto& what : plan.moves) {
    if (what.wave != 0 || what.ops.empty()
        || s.open.size() >= x.limits.moves_max)
      continue;
    move m;
    m.what = what;
    for (const auto& record : s.planned_on->instances)
      if (record.name == what.instance)
        m.admin = record.admin;
    if (s.in_round.insert(what.instance).second)
      s.open.push_back(std::move(m));
  }
  remember_lodgers(s);
}

void take(verdict& v, const planned& e, const situation& x) {
  auto& s = v.next;
  if (e.question != s.question || s.phase != balance_phase::planning)
    return;
  if (!x.limits.enabled) {
    stay_off(v);
    return;
  }
  if (!e.plan.planned) {
    came_to_nothing(v, x, "there is no plan: " + e.plan.text);
    return;
  }
  s.failures = 0;
  open_moves(s, e.plan, x);
  if (s.open.empty()) {
    s.in_a_row = 0;
    rest(v, x.now + x.limits.interval, "nothing to move");
    s.text = "nothing to move: " + scores(e.plan, false)
             + left_alone(taboo_of(s, x.seen, x.now));
    return;
  }
  ++s.round;
  s.phase = balance_phase::moving;
  s.moved = s.failed = s.dropped = s.held_back = 0;
  s.told.clear();
  auto count = s.open.size();
  s.text = fmt::format("round {}: {} move{}; {}", s.round, count,
                       count == 1 ? "" : "s", scores(e.plan, true));
  v.why = s.text;
  for (auto& m : s.open)
    ask(v, m);
}

} // namespace

const char* to_string(stage x) {
  switch (x) {
  case stage::waiting:
    return "waiting";
  case stage::asking:
    return "asking";
  case stage::looking:
    return "looking";
  case stage::sent:
    return "sent";
  }
  return "?";
}

void rest(verdict& v, instant due, std::string text) {
  v.next.phase = balance_phase::resting;
  v.next.due = due;
  v.next.text = text;
  tell_once(v, std::move(text));
}

verdict step(const state& s, const event& e, const facts& seen, const rules& r,
             instant now) {
  verdict v{s, {}, {}};
  situation x{seen, r, now};
  if (std::holds_alternative<looked>(e))
    look(v, x);
  else if (const auto* view = std::get_if<viewed>(&e))
    take(v, *view, x);
  else if (const auto* model = std::get_if<model_read>(&e))
    take(v, *model, x);
  else if (const auto* plan = std::get_if<planned>(&e))
    take(v, *plan, x);
  else if (const auto* answer = std::get_if<permit_answered>(&e))
    take(v, *answer, x);
  else if (const auto* said = std::get_if<mirror_answered>(&e))
    take(v, *said, x);
  else if (const auto* call = std::get_if<permit_called>(&e))
    take(v, *call, x);
  else
    take(v, std::get<job_event>(e), x);
  return v;
}

instant due_at(const state& s, const rules& r) {
  auto first = never;
  auto take = [&first](instant t) {
    if (t != never && (first == never || t < first))
      first = t;
  };
  for (const auto& m : s.open)
    if (m.stage != stage::asking && m.stage != stage::looking)
      take(m.due);
  auto idle
    = s.phase == balance_phase::resting || s.phase == balance_phase::held;
  if (r.enabled && idle && s.open.empty())
    take(s.due);
  return first;
}

} // namespace orderly::balance
