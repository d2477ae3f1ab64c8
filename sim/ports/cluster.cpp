// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace orderly::sim {

namespace {

using cluster_actor_type = cluster_port::extend<caf::reacts_to<wake>>;
using cluster_self = cluster_actor_type::stateful_pointer<waking>;

/// Until a node that does not answer is given up by a query.
constexpr millis connect_limit = seconds{3};

std::string no_luxi(millis time_limit) {
  return "luxi: no answer within " + std::to_string(time_limit.count()) + " ms";
}

cluster_answer read(lab_state& lab, millis time_limit) {
  cluster_answer result;
  if (lab.cluster.habits.deaf(time_limit)) {
    result.text = no_luxi(time_limit);
    return result;
  }
  result.picture = lab.cluster.picture();
  result.is_master = result.picture->master == lab.self();
  lab.cluster.note_read(lab.truth.now());
  return result;
}

auto on_read(cluster_self self, const read_cluster& rq) {
  auto promise = self->make_response_promise<cluster_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  const auto& habits = x.cluster.habits;
  auto limit = rq.time_limit;
  if (!habits.deaf(limit) && habits.luxi_slow > millis{}) {
    // Read at once, and told when it is old.
    later(self, habits.luxi_slow, [promise, seen = read(x, limit)]() mutable {
      promise.deliver(seen);
    });
    return promise;
  }
  auto takes = habits.deaf(limit) ? limit : x.port_delay(5, 30);
  later(self, takes,
        [promise, &x, limit]() mutable { promise.deliver(read(x, limit)); });
  return promise;
}

room_answer look_for_room(const lab_state& lab, const read_room& rq) {
  room_answer result;
  result.answered = true;
  for (const auto& name : rq.nodes)
    if (lab.cluster.node(name) && lab.cluster.answers(name))
      result.nodes.push_back(lab.cluster.room(name));
  std::sort(result.nodes.begin(), result.nodes.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return result;
}

/// A node that does not answer is waited for, in vain.
template <class Names>
bool all_answer(const lab_state& lab, const Names& names) {
  return std::all_of(names.begin(), names.end(), [&](const node_name& x) {
    return !lab.truth.has(x) || lab.cluster.answers(x);
  });
}

auto on_room(cluster_self self, const read_room& rq) {
  auto promise = self->make_response_promise<room_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  auto down = x.cluster.habits.deaf(rq.time_limit);
  auto takes
    = down ? rq.time_limit : x.port_delay(20, 200) + x.cluster.habits.luxi_slow;
  if (!down && !all_answer(x, rq.nodes))
    takes = std::min(rq.time_limit, connect_limit);
  later(self, takes, [promise, &x, rq, down]() mutable {
    room_answer result;
    if (down)
      result.text = no_luxi(rq.time_limit);
    else
      result = look_for_room(x, rq);
    promise.deliver(std::move(result));
  });
  return promise;
}

void calm_watcher(lab_state& x, instant until) {
  x.cluster.pause_watcher(until);
  auto left = std::chrono::floor<minutes>(until - x.truth.now()).count();
  x.truth.tell(left > 0
                 ? "the watcher sits still for " + std::to_string(left) + " min"
                 : "the watcher goes on");
}

auto on_pause(cluster_self self, const pause_watcher& rq) {
  auto promise = self->make_response_promise<watcher_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  if (x.gagged)
    return promise;
  const auto& habits = x.cluster.habits;
  auto down = habits.deaf(rq.time_limit);
  auto takes = down ? rq.time_limit : x.port_delay(5, 30) + habits.luxi_slow;
  if (habits.luxi_stalled)
    x.cluster.hold([&x, until = rq.until] { calm_watcher(x, until); });
  later(self, takes, [promise, &x, rq, down]() mutable {
    watcher_answer result;
    if (down) {
      result.text = no_luxi(rq.time_limit);
    } else {
      calm_watcher(x, rq.until);
      result.done = true;
    }
    promise.deliver(std::move(result));
  });
  return promise;
}

mirrors_answer look_at_mirrors(const lab_state& lab, const read_mirrors& rq) {
  mirrors_answer result;
  result.answered = true;
  for (const auto& name : rq.instances) {
    const auto* x = lab.cluster.instance(name);
    // Its disks were closed when it was stopped: they say nothing.
    if (x && x->admin != admin_state::up && lab.truth.homes(name).empty())
      continue;
    auto fault = x ? lab.cluster.mirror_fault(*x) : std::vector<disk_fault>{};
    auto heard = x && all_answer(lab, x->secondaries)
                 && all_answer(lab, std::vector<node_name>{x->primary});
    if (!fault.empty())
      result.faults[name] = std::move(fault);
    else if (heard)
      result.well.insert(name);
  }
  return result;
}

auto on_mirrors(cluster_self self, const read_mirrors& rq) {
  auto promise = self->make_response_promise<mirrors_answer>();
  auto& x = *self->state.lab;
  std::lock_guard<std::mutex> hold{x.guard};
  enter(self);
  auto takes = x.port_delay(50, 500);
  for (const auto& name : rq.instances) {
    const auto* inst = x.cluster.instance(name);
    if (inst
        && (!all_answer(x, inst->secondaries)
            || !all_answer(x, std::vector<node_name>{inst->primary})))
      takes = x.cluster.habits.no_answer * x.cluster.habits.factor;
  }
  takes += x.cluster.habits.luxi_slow;
  auto heard = !x.cluster.habits.deaf(rq.time_limit) && takes <= rq.time_limit;
  takes = heard ? takes : rq.time_limit;
  later(self, takes, [promise, &x, rq, heard]() mutable {
    mirrors_answer result;
    if (heard)
      result = look_at_mirrors(x, rq);
    else
      result.text = no_luxi(rq.time_limit);
    promise.deliver(std::move(result));
  });
  return promise;
}

cluster_actor_type::behavior_type cluster_impl(cluster_self self,
                                               lab_pointer lab) {
  self->state.lab = std::move(lab);
  return {
    [self](const read_cluster& rq) { return on_read(self, rq); },
    [self](const read_room& rq) { return on_room(self, rq); },
    [self](const read_mirrors& rq) { return on_mirrors(self, rq); },
    [self](const pause_watcher& rq) { return on_pause(self, rq); },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

cluster_port spawn_cluster_port(caf::actor_system& sys,
                                const lab_pointer& lab) {
  return sys.spawn(cluster_impl, lab);
}

} // namespace orderly::sim
