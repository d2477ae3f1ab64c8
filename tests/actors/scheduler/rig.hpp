// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The scheduler with a real journal, whose disk outlives it.

#pragma once

#include "actors/journal/journal.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <utility>
#include <vector>

namespace orderly {

inline settings with(std::uint32_t fences_per_hour_max) {
  settings s;
  s.budget.fences_per_hour_max = fences_per_hour_max;
  return s;
}

using calls = std::shared_ptr<std::vector<object_id>>;

inline permit_client::behavior_type hearing_calls(permit_client::pointer,
                                                  const calls& heard) {
  return {
    [heard](const permit_called& what) { heard->push_back(what.owner); },
  };
}

struct scheduler_rig {
  explicit scheduler_rig(settings rules = {}) : on(std::move(rules)) {
    port = on.keep(spawn_fake(on.system(), disk));
    onlooker = on.keep(spawn_fake(on.system(), seen));
    client = on.enter(hearing_calls, heard);
    start();
    give_right();
    on.run_for(minutes{1}); // it has settled
  }

  void start() {
    memory = on.enter(journal, on.ctx(), port, onlooker);
    actor = on.enter(scheduler, on.ctx(), memory, onlooker);
    on.settle();
  }

  /// The daemon dies and starts again, with the same disk.
  void restart() {
    on.kill(actor);
    on.kill(memory);
    start();
    give_right();
    on.run_for(minutes{1});
  }

  void give_right() {
    on.tell(actor, lease{true, on.now() + hours{100}, "right to act"});
  }

  permit_request request(const std::string& name, act_kind act) {
    permit_request q;
    q.act = act;
    q.incident = "n-" + name;
    q.since = on.now() - minutes{1};
    q.owner
      = act == act_kind::failover ? instance_object(name) : node_object(name);
    if (act == act_kind::failover)
      q.instances = {name};
    else
      q.leaves = {name};
    return q;
  }

  permit ask(const permit_request& q) {
    auto answer = on.ask<permit>(actor, q);
    REQUIRE(answer);
    return *answer;
  }

  permit ask(const std::string& name, act_kind act) {
    return ask(request(name, act));
  }

  /// If it is refused it waits to be called.
  permit wait(const permit_request& q) {
    auto answer = on.ask<permit>(actor, q, client);
    REQUIRE(answer);
    return *answer;
  }

  /// Who was called since this was asked last.
  std::vector<object_id> called() {
    on.settle();
    return std::exchange(*heard, {});
  }

  void release(const object_id& owner) {
    on.tell(actor, permit_release{owner});
  }

  /// Of ten nodes so many are in trouble.
  void troubled(int count) {
    for (auto i = 0; i < 10; ++i) {
      node_standing s;
      s.node = "node" + std::to_string(i);
      s.troubled = i < count;
      on.tell(actor, s);
    }
  }

  pause_answer pause(bool on_or_off) {
    auto answer = on.ask<pause_answer>(
      actor, pause_order{on_or_off, "ann", "works on the roof"});
    REQUIRE(answer);
    return *answer;
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  calls heard = std::make_shared<std::vector<object_id>>();
  stage on;
  permit_client client;
  journal_port port;
  view_actor onlooker;
  journal_actor memory;
  scheduler_actor actor;
};

} // namespace orderly
