// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May the nodes of an emergency power-off go off? Not before Ganeti's watcher
// rests, all instances of its plan are down, and a reading that was begun after
// that shows no other on the nodes: what came to them meanwhile is shut down
// too. The reading tells where instances belong and what is wanted of them, not
// whether they run: one that a person starts again by hand is not noticed.

#include "actors/policy/base/intents.hpp"
#include "actors/policy/errand/worker.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// Since when everything in the plan is down.
instant down_since(const state& s) {
  auto result = s.began;
  for (const auto& r : s.rows)
    if (r.kind == row_kind::instance)
      result = std::max(result, r.moved);
  return result;
}

/// Instances that are wanted up on these nodes and were not shut down there:
/// one may have been brought to another node since.
std::vector<const instance_record*> left_up(const state& s,
                                            const surroundings& w,
                                            const std::set<node_name>& nodes) {
  std::map<instance_name, node_name> seen_to;
  for (const auto& r : s.rows)
    if (r.kind == row_kind::instance
        && (!is_final(r.state) || r.state == row_state::done))
      seen_to[r.object] = r.home;
  auto is_down = [&](const instance_record& x) {
    auto i = seen_to.find(x.name);
    return i != seen_to.end() && (i->second.empty() || i->second == x.primary);
  };
  std::vector<const instance_record*> result;
  for (const auto& x : w.picture->instances)
    if (x.admin == admin_state::up && nodes.count(x.primary) != 0
        && !is_down(x))
      result.push_back(&x);
  return result;
}

/// May this job bring an instance to one of these nodes?
bool is_about(const running_job& job, const std::set<node_name>& nodes,
              const surroundings& w) {
  auto named = [&nodes](const node_name& x) { return nodes.count(x) != 0; };
  if (std::any_of(job.nodes.begin(), job.nodes.end(), named))
    return true;
  return std::any_of(
    job.instances.begin(), job.instances.end(), [&](const auto& name) {
      const auto* x = w.instance(name);
      if (x == nullptr)
        return false;
      // A repair of an instance without a mirror may end anywhere.
      if (is_external(x->disks) && !intent_in_trail(job.reason).empty())
        return true;
      auto own = nodes_of(*x);
      return std::any_of(own.begin(), own.end(), named);
    });
}

/// A job, not of this errand, that must end first; or empty.
std::string job_in_the_way(const state& s, const surroundings& w,
                           const std::set<node_name>& nodes) {
  for (const auto& job : w.picture->jobs)
    if (incident_in_trail(job.reason) != s.id && is_about(job, nodes, w))
      return fmt::format("job {} may still bring an instance there", job.id);
  return {};
}

/// What has not begun is called back by who sent it.
std::string job_that_leaves(const state& s, const node_name& node,
                            const surroundings& w) {
  for (const auto& job : w.picture->jobs) {
    auto moves = may_move(job) && incident_in_trail(job.reason) != s.id;
    for (const auto& name : job.instances)
      if (const auto* x = w.instance(name);
          moves && x != nullptr && x->primary == node)
        return fmt::format("job {} moves {} off it", job.id, name);
  }
  return {};
}

/// Why it is not known whether these nodes are empty, a clause.
std::string unread(const state& s, const surroundings& w) {
  if (!w.watcher_awake.empty())
    return fmt::format("Ganeti's watcher is not paused and would start the "
                       "instances again ({}); pause it with 'gnt-cluster "
                       "watcher pause 1h', and ask again",
                       w.watcher_awake);
  if (w.read_at <= down_since(s))
    return "the cluster was not read since the instances are down";
  return {};
}

/// Why these nodes may not stay empty, or are not, a clause.
std::string occupied(const state& s, const surroundings& w,
                     const std::set<node_name>& nodes) {
  auto late = left_up(s, w, nodes);
  if (late.size() == 1)
    return fmt::format("{} came to {}", late.front()->name,
                       late.front()->primary);
  if (!late.empty())
    return fmt::format("{} and others came to its nodes", late.front()->name);
  return job_in_the_way(s, w, nodes);
}

} // namespace

std::string against_mark(const state& s, const row& r, const surroundings& w) {
  // The job of a step that was under way at a restart may be in the queue.
  if (!is_epo_off(s) || r.interrupted || r.marked)
    return {};
  auto why = unread(s, w);
  return why.empty() ? occupied(s, w, {r.object}) : why;
}

std::string came_since(const state& s, const row& r, const surroundings& w) {
  auto node = w.node(r.object);
  if (!is_epo_off(s) || !r.marked || !node || !is_ours(*node, r.own_until))
    return {};
  std::vector<std::string> names;
  for (const auto* x : left_up(s, w, {r.object}))
    names.push_back(x->name);
  return names.empty() ? std::string{}
                       : fmt::format("{} came to it before it was marked "
                                     "offline",
                                     some_of(names));
}

/// Nodes that are yet to go off and on which Ganeti may run something. What
/// lives and is marked offline is looked at by itself.
std::set<node_name> worker::going_off() const {
  std::set<node_name> result;
  for (const auto& r : v_.next.rows)
    if (r.kind == row_kind::node && r.state == row_state::waiting)
      if (auto node = node_now(r.object); node && !node->offline)
        result.insert(r.object);
  return result;
}

/// From the beginning, under new intents: its jobs from before are other ones.
void worker::wait_again(index i) {
  auto& r = at(i);
  r.state = row_state::waiting;
  r.at = 0;
  ++r.tries;
  r.due = r.until = never;
  r.moved = now_;
  r.marked = r.interrupted = r.asked_after = false;
  r.own_until = 0;
  auto node = node_now(r); // perhaps raised by our own mark
  r.serial = node ? node->serial_no : 0;
  touch(i);
}

/// Its turn had come, but its mark was not set at once: since then something
/// may have come to the node, and the gate is asked anew before each try.
bool worker::shut_out(index i) {
  auto why = against_mark(s(), at(i), w_);
  if (why.empty())
    return false;
  wait_again(i);
  if (s().barred == never) {
    s().barred = now_;
    act(look_soon{});
  }
  return true;
}

/// What came to the node before its mark Ganeti stops only if the mark is taken
/// back. Then it begins anew, with what came among the rows.
bool worker::goes_back(index i) {
  auto& r = at(i);
  auto why = came_since(s(), r, w_);
  if (why.empty())
    return false;
  auto text = fmt::format("{} is taken back into service before it goes off: "
                          "{}, and is to be shut down there",
                          r.object, why);
  say(entry_kind::decision, node_object(r.object), "errand-late", text);
  remark(std::move(text));
  r.at = 0;
  ++r.tries;
  r.due = r.until = never;
  r.moved = now_;
  r.interrupted = false;
  touch(i);
  enter(i);
  return true;
}

/// The row is at its mark again, which is there: the job takes it away.
bool worker::take_back_mark(index i, const node_record& node) {
  if (!node.offline) { // somebody did
    wait_again(i);
    return true;
  }
  order_job(i, return_job(node), "something came to it before it was marked");
  return true;
}

/// Between the opcodes of a failover its home must not be marked offline:
/// Ganeti would start elsewhere what it did not stop. That of a migration that
/// may fall back on one neither. Events and repairs send such jobs only from
/// nodes that are drained or no place any more, and none from a node that an
/// order takes away: what is seen in a reading from after the order is all
/// there is.
bool worker::waits_for_moves(index i, const node_record& node) {
  auto& r = at(i);
  auto why = job_that_leaves(s(), node.name, w_);
  auto is_left = node.drained || !node.vm_capable;
  if (why.empty() && is_left && w_.read_at <= r.moved)
    why = "the cluster was not read since";
  if (why.empty())
    return false;
  if (now_ - r.moved >= clear_within) {
    came_to_nothing(i, step_at(i), why);
  } else {
    r.due = now_ + reading_pause;
    act(look_soon{});
  }
  return true;
}

/// The mark of a fence, which records the node powered off as well: its job is
/// done whatever a person switched on since, and the record is set after it.
bool worker::waits_for_mark(index i, const node_record& node) {
  auto& r = at(i);
  auto marks = std::any_of(
    w_.picture->jobs.begin(), w_.picture->jobs.end(), [&](const auto& job) {
      return is_mark(intent_in_trail(job.reason))
             && std::count(job.nodes.begin(), job.nodes.end(), node.name) > 0;
    });
  if (!marks || now_ - r.moved >= clear_within)
    return false;
  r.due = now_ + reading_pause;
  act(look_soon{});
  return true;
}

/// What waits to be switched off is given up.
void worker::leave_on(const std::string& why) {
  s().barred = never;
  for (index i = 0; i < s().rows.size(); ++i)
    if (at(i).kind == row_kind::node && at(i).state == row_state::waiting)
      skip(i, "not switched off: " + why, false);
}

/// They are shut down as well; false if there are too many.
bool worker::add_rows(const std::vector<const instance_record*>& late) {
  if (s().rows.size() + late.size() > rows_max)
    return false;
  for (const auto* x : late) {
    row r;
    r.object = x->name;
    r.kind = row_kind::instance;
    r.moved = now_;
    s().rows.push_back(std::move(r));
    touch(static_cast<index>(s().rows.size()) - 1);
    auto text = fmt::format("{} came to {} after the emergency power-off was "
                            "asked for: it is shut down as well",
                            x->name, x->primary);
    say(entry_kind::decision, instance_object(x->name), "errand-late", text);
    remark(std::move(text));
  }
  s().barred = never; // it has its own time
  return true;
}

bool worker::bar_until_empty() {
  auto nodes = going_off();
  std::string why;
  // What waits and is out of service already needs none: nothing comes there.
  if (!nodes.empty())
    why = unread(s(), w_);
  if (!nodes.empty() && why.empty()) {
    if (start_the_astray())
      return true;
    if (auto late = left_up(s(), w_, nodes); !late.empty() && add_rows(late))
      return true;
    why = occupied(s(), w_, nodes);
  }
  if (why.empty()) {
    s().barred = never;
    return false;
  }
  if (s().barred == never) {
    s().barred = now_;
    act(look_soon{});
  } else if (now_ - s().barred >= clear_within) {
    leave_on(why);
  }
  return true;
}

/// No node goes off as long as an instance is up, nor if one stays up.
bool worker::bar_nodes() {
  bool open = false;
  bool lost = false;
  for (const auto& r : s().rows)
    if (r.kind == row_kind::instance) {
      open = open || !is_final(r.state);
      lost = lost || (is_final(r.state) && !r.met);
    }
  if (!open && lost)
    leave_on("not every instance was shut down");
  return open || lost || bar_until_empty();
}

bool awaits_reading(const state& s, const surroundings& w) {
  // What is to be shut down may leave before its job begins.
  auto shuts_down = [&s](const row& r) {
    return r.kind == row_kind::instance && r.state == row_state::running
           && is_epo_off(s);
  };
  return s.ended == never
         && (s.barred != never || turns(s, w)
             || std::any_of(s.rows.begin(), s.rows.end(), shuts_down));
}

} // namespace orderly::errand
