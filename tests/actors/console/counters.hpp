// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What stands behind the console in its tests: a root, and of each part only
// what persons ask of it.

#pragma once

#include "actors/tree/tree.hpp"
#include "messages/protocol/console.hpp"

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/response_promise.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace orderly::console_fakes {

/// Writes down what was ordered, and answers at once unless it hangs.
struct parts_fake {
  [[nodiscard]] bool hangs(console_part x) const {
    return hang || hanging == x;
  }

  bool hang = false; ///< all of them
  console_part hanging = console_part::none;
  console_scene now = std::make_shared<const scene>();
  std::vector<pause_order> pauses;
  std::vector<repair_request> repairs;
  std::vector<balance_query> balances;
  std::vector<event_order> events;
  std::vector<std::function<void()>> kept;
};

using parts_ptr = std::shared_ptr<parts_fake>;

/// `x`, or nothing if that part hangs.
template <class Answer, class Self>
caf::result<Answer> said(Self self, const parts_ptr& at, console_part part,
                         Answer x) {
  if (!at->hangs(part))
    return x;
  auto promise = self->template make_response_promise<Answer>();
  at->kept.push_back([promise, x]() mutable { promise.deliver(x); });
  return promise;
}

/// At a tick those that were left to wait get their answers.
using late_counter = pause_counter::extend<caf::reacts_to<tick>>;
using repair_counter
  = caf::typed_actor<caf::replies_to<repair_request>::with<repair_answer>>;

inline scene_source::behavior_type view_fake(scene_source::pointer self,
                                             parts_ptr at) {
  return {[self, at](const ask_scene&) {
    return said(self, at, console_part::view, scene_answer{at->now});
  }};
}

inline late_counter::behavior_type scheduler_fake(late_counter::pointer self,
                                                  parts_ptr at) {
  return {
    [self, at](const pause_order& x) {
      at->pauses.push_back(x);
      return said(self, at, console_part::scheduler,
                  pause_answer{true, "held"});
    },
    [at](const tick&) {
      for (auto& deliver : std::exchange(at->kept, {}))
        deliver();
    },
  };
}

inline repair_counter::behavior_type cluster_fake(repair_counter::pointer self,
                                                  parts_ptr at) {
  return {[self, at](const repair_request& x) {
    at->repairs.push_back(x);
    return said(self, at, console_part::cluster,
                repair_answer{true, "r-1", "its tag is written"});
  }};
}

inline errand_sheet sheet_named(std::string id) {
  errand_sheet x;
  x.id = std::move(id);
  return x;
}

inline errand_counter::behavior_type desk_fake(errand_counter::pointer self,
                                               parts_ptr at) {
  auto answer = [self, at](std::string id) {
    return said(self, at, console_part::desk, sheet_named(std::move(id)));
  };
  return {
    [answer](const errand_request& x) {
      return answer("asked for by " + x.who);
    },
    [answer](const errand_query& x) { return answer("asked " + x.id); },
    [answer](const errand_stop& x) {
      return answer(x.id + " stopped by " + x.who);
    },
    [self, at](const errand_list&) {
      return said(self, at, console_part::desk,
                  errand_list_answer{{sheet_named("a"), sheet_named("b")}});
    },
  };
}

inline balance_counter::behavior_type
balancer_fake(balance_counter::pointer self, parts_ptr at) {
  return {[self, at](const balance_query& x) {
    at->balances.push_back(x);
    balance_sheet sheet;
    sheet.asked = 17;
    return said(self, at, console_part::balancer, sheet);
  }};
}

inline event_counter::behavior_type intake_fake(event_counter::pointer self,
                                                parts_ptr at) {
  return {[self, at](const event_order& x) {
    at->events.push_back(x);
    return said(self, at, console_part::events,
                event_order_answer{event_order_answer::outcome::done, "so"});
  }};
}

/// A tree of these parts; `keep` is told of each. Nothing else is asked of them
/// than what they answer.
template <class Keep>
front spawn_parts(const parts_ptr& at, Keep keep, caf::actor_system& system) {
  front x;
  auto enter = [&]<class Role>(Role& place, const auto& part) {
    keep(part);
    place = caf::actor_cast<Role>(part);
  };
  enter(x.view, system.spawn(view_fake, at));
  enter(x.scheduler, system.spawn(scheduler_fake, at));
  enter(x.cluster, system.spawn(cluster_fake, at));
  enter(x.desk, system.spawn(desk_fake, at));
  enter(x.balancer, system.spawn(balancer_fake, at));
  enter(x.events, system.spawn(intake_fake, at));
  return x;
}

struct tree_fake {
  front now_at;
  bool down = false;
};

inline root_actor::behavior_type root_fake(root_actor::pointer self,
                                           std::shared_ptr<tree_fake> tree) {
  return {
    [self, tree](const ask_counters&) -> caf::result<front> {
      if (tree->down)
        return self->make_response_promise<front>();
      return tree->now_at;
    },
    [](const stop_tree&) { return tree_stopped{}; },
    [](const front&) {},
    [](const tick&) {},
  };
}

} // namespace orderly::console_fakes
