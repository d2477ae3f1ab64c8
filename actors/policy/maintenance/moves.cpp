// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/moves.hpp"

#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/work.hpp"
#include "actors/policy/repair/permission.hpp"
#include "messages/codes.hpp"
#include "messages/nearest.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

bool is_home(const instance_record& i, const state& s) {
  return i.primary == s.node;
}

bool is_mirror(const instance_record& i, const state& s) {
  return std::count(i.secondaries.begin(), i.secondaries.end(), s.node) > 0;
}

instance_place place_of(const instance_record& i) {
  return {i.primary,
          i.secondaries.empty() ? node_name{} : i.secondaries.front()};
}

const std::vector<std::string>& tags_of_group(const cluster_record& all,
                                              const group_name& name) {
  static const std::vector<std::string> none;
  const auto* x = find_record(all.groups, name);
  return x == nullptr ? none : x->tags;
}

/// How a suspension by tag keeps it here.
struct suspension {
  std::string source; ///< empty: there is none
  bool ends = false;
};

suspension suspended(const instance_record& i, const node_record& node,
                     const situation& x) {
  const auto& all = *x.seen.picture;
  auto may = permission_of(
    i.name, tag_opinion{i.tags, "instance " + i.name}, node.group,
    tag_opinion{tags_of_group(all, node.group), "group " + node.group},
    tag_opinion{all.tags, "cluster"}, x.now - x.seen.ahead);
  if (may.what != permission::verdict::suspended)
    return {};
  return {may.source, may.until.has_value()};
}

/// Why it can never leave; empty: it can.
std::string immovable(const instance_record& i) {
  if (i.disks == disk_template::drbd || is_external(i.disks))
    return {};
  return fmt::format("its disks are {} and cannot leave their node",
                     to_string(i.disks));
}

bool is_open(const state& s, const intent_id& intent) {
  return std::any_of(s.open.begin(), s.open.end(), [&](const work& w) {
    return w.stage == work_stage::sent && w.intent == intent;
  });
}

/// A job of ours that is over by this reading, and of which we have not heard
/// how it ended: it may have failed, and then nothing more is sent.
job_id unheard_job(const state& s, const situation& x) {
  const auto& all = x.seen.picture->jobs;
  for (const auto& w : s.open)
    if (w.stage == work_stage::sent && w.job != 0
        && std::none_of(all.begin(), all.end(), [&](const running_job& job) {
             return job.id == w.job;
           }))
      return w.job;
  return 0;
}

/// A job that names it and is none of ours, or one of which our memory does not
/// know; 0: there is none.
job_id foreign_job(const instance_record& i, const state& s,
                   const situation& x) {
  for (const auto& job : x.seen.picture->jobs)
    if (std::count(job.instances.begin(), job.instances.end(), i.name) > 0
        && !is_open(s, intent_in_trail(job.reason)))
      return job.id;
  return 0;
}

/// Why it does not leave just now; empty: it may.
std::string hindered(const instance_record& i, const state& s,
                     const node_record& node, const situation& x) {
  if (auto job = foreign_job(i, s, x); job != 0)
    return fmt::format("job {} works on it", job);
  if (auto why = suspended(i, node, x); !why.source.empty())
    return "it is suspended by " + why.source;
  // Nor can Ganeti copy a mirror from there.
  const auto* home = find_record(x.seen.picture->nodes, i.primary);
  if (home == nullptr || home->offline)
    return fmt::format("its home {} is offline: it is left to auto-repair",
                       i.primary);
  // Nobody else makes new what it mirrored once it is dead and marked.
  auto dead_mirror = node.offline && !is_home(i, s);
  for (const auto* name : {&s.node, &i.primary})
    if (auto t = x.seen.around->troubled.find(*name);
        t != x.seen.around->troubled.end() && !(dead_mirror && *name == s.node))
      return fmt::format("{} {}", *name, t->second);
  // A mirror in trouble is replaced, one that a person switched off is not.
  for (const auto& name : i.secondaries)
    if (auto h = x.seen.around->powered_off.find(name);
        h != x.seen.around->powered_off.end())
      return fmt::format("{} {}", name, h->second);
  return {};
}

bool is_busy(const state& s, const instance_name& name) {
  return std::any_of(s.open.begin(), s.open.end(),
                     [&](const work& w) { return w.instance == name; });
}

/// Who leaves first: what runs there, what is stopped there, then mirrors.
int rank_of(const instance_record& i, const state& s) {
  if (!is_home(i, s))
    return 2;
  return i.admin == admin_state::up ? 0 : 1;
}

/// All that is on the node and may leave, in the order in which it should.
/// Its home is dead, and its only copy is on the node that we drained: Ganeti
/// starts nothing there, and only a person decides what goes first.
void tell_of_copy(verdict& v, const situation& x, const instance_record& i) {
  auto& s = v.next;
  const auto* home = find_record(x.seen.picture->nodes, i.primary);
  auto locked = is_mirror(i, s) && i.admin == admin_state::up && home != nullptr
                && home->offline && node_of(s, x.seen)->drained
                && x.seen.around->powered_off.count(i.primary) == 0;
  if (!locked || !s.copies_told.insert(i.name).second)
    return;
  v.actions.emplace_back(
    tell{entry_kind::alert, codes::event_stuck,
         fmt::format("{0} is down with {1}, and its only copy is on {2}, which "
                     "is drained to be emptied: it cannot fail over there. To "
                     "let it: gnt-node modify --drained=no {2}; that cancels "
                     "the {3}",
                     i.name, i.primary, s.node, to_string(s.action))});
}

std::vector<const instance_record*> movable(verdict& v, const situation& x,
                                            std::string& hindrance) {
  auto& s = v.next;
  const auto& node = *node_of(s, x.seen);
  std::vector<const instance_record*> result;
  std::map<instance_name, std::string> blocked;
  for (const auto& i : x.seen.picture->instances) {
    if (!is_home(i, s) && !is_mirror(i, s))
      continue;
    tell_of_copy(v, x, i);
    auto why = immovable(i);
    if (auto no = suspended(i, node, x);
        why.empty() && !no.source.empty() && !no.ends)
      why = "it is suspended for ever by " + no.source;
    if (!why.empty()) {
      blocked[i.name] = why;
      continue;
    }
    result.push_back(&i);
    if (auto late = hindered(i, s, node, x); !late.empty())
      hindrance = fmt::format("{} waits: {}", i.name, late);
  }
  std::stable_sort(result.begin(), result.end(), [&](auto* a, auto* b) {
    return rank_of(*a, s) < rank_of(*b, s);
  });
  s.blocked = std::move(blocked);
  return result;
}

std::string listed(const std::map<instance_name, std::string>& all) {
  std::string result;
  for (const auto& [name, why] : all)
    result += fmt::format("{}{} ({})", result.empty() ? "" : ", ", name, why);
  return result;
}

/// Nothing that can leave is left.
void close(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.blocked.empty()) {
    turn(v, x, event_phase::closing, s.node + " is empty");
    tend(v, x);
  } else {
    fail(v, x,
         fmt::format("all else has left {}, but these cannot: {}", s.node,
                     listed(s.blocked)));
  }
}

/// Where the hop puts it.
instance_place after(const instance_place& from, const hop& next) {
  if (next.mirror)
    return {from.primary, next.target};
  return {next.target, from.secondary.empty() ? node_name{} : from.primary};
}

/// It is seen where a job of ours, or of another event, took it away, and
/// nobody had the time to bring it back.
bool is_seen_late(const instance_record& i, const state& s,
                  const situation& x) {
  for (const auto* all : {&s.left, &x.seen.around->left})
    if (auto was = all->find(i.name); was != all->end()
                                      && was->second.from == place_of(i)
                                      && x.now - was->second.at < torn_within)
      return true;
  return false;
}

/// The move of an instance by the plan, if there is one that fits: it may have
/// been made before the last job ended.
std::optional<work> move_of(const instance_record& i, const state& s,
                            const situation& x) {
  if (is_seen_late(i, s, x))
    return std::nullopt;
  auto plan = s.hops.find(i.name);
  if (plan == s.hops.end() || plan->second.empty())
    return std::nullopt;
  auto expected = s.expected.find(i.name);
  if (expected == s.expected.end() || expected->second != place_of(i))
    return std::nullopt;
  const auto& next = plan->second.front();
  work w;
  w.kind = next.mirror ? work_kind::mirror : work_kind::move;
  w.instance = i.name;
  w.target = next.target;
  w.from = place_of(i);
  w.admin = i.admin;
  w.planned = s.planned_at;
  return w;
}

/// Nothing of it is under way, for somebody does not let it.
bool waits_for_permits(const state& s) {
  auto refused = [](const work& w) { return w.refusals > 0; };
  auto sent = [](const work& w) { return w.stage == work_stage::sent; };
  return std::any_of(s.open.begin(), s.open.end(), refused)
         && std::none_of(s.open.begin(), s.open.end(), sent);
}

/// Nothing of it is under way, for long: nobody else looks after what is there.
void tell_of_stall(verdict& v, const situation& x, const std::string& text) {
  auto& s = v.next;
  if (s.stalled == never)
    s.stalled = x.now;
  if (s.stall_told || x.now - s.stalled < stalled_max)
    return;
  s.stall_told = true;
  v.actions.emplace_back(tell{
    entry_kind::alert, codes::event_stuck,
    fmt::format("{} of {} has not gone on for {} min: {}", to_string(s.action),
                s.node, (x.now - s.stalled) / minutes{1}, text)});
}

void want_plan(verdict& v, const situation& x) {
  auto& s = v.next;
  if (s.planning || x.now < s.plan_due)
    return;
  s.planning = true;
  v.actions.emplace_back(ask_plan{});
}

} // namespace

std::string against_move(const state& s, const work& w, const situation& x) {
  const auto& all = *x.seen.picture;
  const auto* i = find_record(all.instances, w.instance);
  const auto* node = node_of(s, x.seen);
  if (i == nullptr)
    return w.instance + " is gone";
  if (place_of(*i) != w.from)
    return w.instance + " is not where it was";
  // What is mirrored moves to its mirror, whatever was planned.
  if (w.kind == work_kind::move && !w.from.secondary.empty()
      && w.target != w.from.secondary)
    return fmt::format("the mirror of {} is not on {}", w.instance, w.target);
  if (i->admin != w.admin)
    return fmt::format("{} is {} now", w.instance, to_string(i->admin));
  const auto* to = find_record(all.nodes, w.target);
  if (to == nullptr)
    return w.target + " is gone";
  if (to->offline || to->drained || !to->vm_capable)
    return w.target + " takes no instances";
  if (auto c = x.seen.around->closed.find(w.target);
      c != x.seen.around->closed.end())
    return fmt::format("{} {}", w.target, c->second);
  return hindered(*i, s, *node, x);
}

bool asks_home(const state& s, const work& w) {
  return s.action == event_action::evacuate_failover
         && w.kind == work_kind::move && w.admin == admin_state::up;
}

bool goes_alone(const state& s, const work& w, const rules& r) {
  return r.ask_home && asks_home(s, w);
}

std::string crowded(const state& s, const work& w, const situation& x) {
  const auto& all = *x.seen.picture;
  auto is_there
    = [&](const node_name& node) { return node == s.node || node == w.target; };
  for (const auto& job : all.jobs) {
    auto intent = intent_in_trail(job.reason);
    auto there = std::any_of(job.nodes.begin(), job.nodes.end(), is_there)
                 || std::any_of(
                   job.instances.begin(), job.instances.end(),
                   [&](const instance_name& name) {
                     const auto* i = find_record(all.instances, name);
                     return i != nullptr
                            && (is_there(i->primary)
                                || std::any_of(i->secondaries.begin(),
                                               i->secondaries.end(), is_there));
                   });
    if (there && !intent.empty() && intent != w.intent)
      return fmt::format("job {} still works on {} or {}", job.id, s.node,
                         w.target);
  }
  return {};
}

void evacuate(verdict& v, const situation& x) {
  auto& s = v.next;
  std::string hindrance;
  if (x.seen.read_at <= s.changed)
    return; // the next reading shows what became of the last job
  if (unheard_job(s, x) != 0)
    return; // so does its end
  auto left = movable(v, x, hindrance);
  if (left.empty()) {
    if (s.open.empty())
      close(v, x);
    return;
  }
  auto usable = s.planned_at != never && x.now - s.planned_at <= plan_good;
  auto unplanned = !usable;
  auto alone = std::any_of(s.open.begin(), s.open.end(), [&](const work& w) {
    return goes_alone(s, w, x.limits);
  });
  for (const auto* i : left) {
    if (alone || s.open.size() >= x.limits.moves_parallel_max)
      break;
    if (!usable || is_busy(s, i->name))
      continue;
    auto w = move_of(*i, s, x);
    if (!w) {
      unplanned = true;
      if (auto no = s.stuck.find(i->name); no != s.stuck.end())
        hindrance = no->second;
      continue;
    }
    if (!against_move(s, *w, x).empty()) {
      unplanned = unplanned || hindered(*i, s, *node_of(s, x.seen), x).empty();
      continue;
    }
    alone = goes_alone(s, *w, x.limits);
    auto others = alone ? crowded(s, *w, x) : std::string{};
    if (alone && (!s.open.empty() || !others.empty())) {
      hindrance = std::move(others);
      break;
    }
    auto& hops = s.hops[i->name];
    s.expected[i->name] = after(w->from, hops.front());
    hops.erase(hops.begin());
    add(v, x, std::move(*w));
  }
  if (unplanned)
    want_plan(v, x);
  if (waits_for_permits(s)) {
    tell_of_stall(v, x, s.why);
    return; // and says so
  }
  auto text = fmt::format("{} to leave {}", left.size(), s.node);
  if (s.open.empty() && !hindrance.empty())
    text += "; " + hindrance;
  if (s.open.empty())
    tell_of_stall(v, x, text);
  else
    s.stalled = never;
  wait_for(v, x, std::move(text));
}

} // namespace orderly::maintenance
