// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The balancer between a real journal and a real scheduler, with a model port
// and planners that say what the test wants, and a queue that only listens.

#pragma once

#include "actors/balance/balancer.hpp"
#include "actors/journal/journal.hpp"
#include "actors/planning/model/cluster.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <algorithm>

namespace orderly {

/// How mirrors are; without an answer it hangs for ever.
using mirror_desk = desk<mirror_question, mirror_answer>;

inline mirror_reader::behavior_type mirrors_of(mirror_reader::pointer self,
                                               std::shared_ptr<mirror_desk> x) {
  return {[self, x](const mirror_question& what) {
    x->asked.push_back(what);
    auto promise = self->make_response_promise<mirror_answer>();
    if (auto said = x->answer(what); said.answer)
      promise.deliver(*said.answer);
    return promise;
  }};
}

struct balancer_rig {
  explicit balancer_rig(bool enabled = true) : on(rules(enabled)) {
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
      node_record x;
      x.name = name;
      x.group = "g";
      cluster.nodes.push_back(x);
    }
    add("a", "n1", "n2");
    add("b", "n1", "n2");
    add("c", "n3", "n4");
    cluster.groups = {{"g", "", {}}};
    for (const auto& x : cluster.instances) {
      instance_row row;
      row.name = x.name;
      row.standing.phase = repair_phase::healthy;
      seen->answer.instances.push_back(row);
    }
    models->reads.answer = [](const read_model&) { return says(figures()); };
    planner->plans.answer = [this](const plan_question&) { return says(plan); };
    placer->targets.answer
      = [this](const target_question& q) { return says(place(q)); };
    copies->answer = [this](const mirror_question&) {
      mirror_standing well;
      well.at = on.now();
      return says(mirror_answer{well, {}});
    };
    plan.planned = true;
    plan.groups = {{"g", 3.21, 3.21, 0, false}};
    port = on.keep(spawn_fake(on.system(), disk));
    onlooker = on.keep(spawn_fake(on.system(), seen));
    outside.model = on.keep(spawn_fake(on.system(), models));
    outside.planner = on.keep(spawn_fake(on.system(), planner));
    outside.placer = on.keep(spawn_fake(on.system(), placer));
    queue = on.keep(spawn_fake(on.system(), jobs));
    mirrors = on.enter(mirrors_of, copies);
    start();
  }

  static settings rules(bool enabled) {
    settings s;
    s.balance.enabled = enabled;
    return s;
  }

  static model_answer figures() {
    model_answer x;
    x.model = std::make_shared<const planning::cluster>();
    return x;
  }

  void add(const char* name, const char* primary, const char* secondary) {
    instance_record x;
    x.name = name;
    x.primary = primary;
    x.secondaries = {secondary};
    x.disks = disk_template::drbd;
    cluster.instances.push_back(x);
  }

  void start() {
    memory = on.enter(journal, on.ctx(), port, onlooker);
    balancer_peers s;
    s.journal = memory;
    s.view = onlooker;
    permits = on.enter(scheduler, on.ctx(), memory, onlooker);
    s.scheduler = permits;
    s.jobs = queue;
    s.mirrors = mirrors;
    actor = on.enter(balancer, on.ctx(), s, outside);
    on.settle();
    on.tell(permits, lease{true, on.now() + hours{1000}, "right to act"});
    read();
  }

  void restart() {
    on.kill(actor);
    on.kill(permits);
    on.kill(memory);
    start();
  }

  /// The cluster is read as it is now, and everybody told.
  void read() {
    picture_news news;
    news.picture = std::make_shared<const cluster_record>(cluster);
    news.poll.answered = true;
    news.poll.is_master = is_master;
    news.poll.master = "n9";
    news.poll.at = on.now();
    news.poll.asked_at = on.now();
    // As the leader makes it of the same reading.
    on.tell(actor, lease{is_master, on.now() + on.rules().leader.lease,
                         is_master ? "right to act"
                                   : "no right to act: the master is "
                                       + news.poll.master});
    on.tell(actor, news);
  }

  /// Time passes, and the cluster is read every five seconds.
  void run(millis span) {
    for (auto end = on.now() + span; on.now() < end;) {
      on.run_for(std::min<millis>(
        seconds{5}, std::chrono::duration_cast<millis>(end - on.now())));
      read();
    }
  }

  static planned_move swap(const char* name, const char* from, const char* to) {
    planned_move m;
    m.instance = name;
    m.from = {from, to};
    m.to = {to, from};
    m.score = 2.98;
    m.gain = 0.23;
    m.why = "reserved_mem_cv -0.0310";
    opcode op;
    op.kind = op_kind::instance_migrate;
    op.instance = name;
    m.ops = {op};
    return m;
  }

  void end(const intent_id& intent, job_status status,
           const std::string& text = {}) {
    job_event e;
    e.intent = intent;
    e.phase = job_phase::ended;
    e.id = 7;
    e.status = status;
    e.text = text;
    on.tell(actor, e);
  }

  void stand(const char* name, bool troubled, const char* held = "") {
    node_standing x;
    x.node = name;
    x.troubled = troubled;
    x.phase = troubled ? ha_phase::suspect : ha_phase::available;
    x.held = held;
    on.tell(permits, x);
    on.tell(actor, x);
  }

  balance_sheet sheet(bool plan_now = false,
                      std::set<instance_name> explained = {}) {
    auto answer = on.ask<balance_sheet>(
      actor, balance_query{plan_now, std::move(explained)});
    return answer ? *answer : balance_sheet{};
  }

  pending<target_answer> seek(const char* name) {
    place_question q;
    q.instance = name;
    q.leaves_primary = true;
    return on.ask<target_answer>(actor, q);
  }

  /// The first node that nobody is on the way to.
  target_answer place(const target_question& q) const {
    target_answer x;
    for (const auto& node : cluster.nodes) {
      auto taken = std::any_of(
        q.under_way.begin(), q.under_way.end(),
        [&](const auto& kv) { return kv.second.primary == node.name; });
      if (taken || q.closed.count(node.name) != 0)
        continue;
      x.found = true;
      x.to.primary = node.name;
      break;
    }
    return x;
  }

  [[nodiscard]] bool told(const std::string& why) const {
    return std::any_of(disk->entries.begin(), disk->entries.end(),
                       [&](const journal_entry& x) { return x.why == why; });
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  std::shared_ptr<model_fake> models = std::make_shared<model_fake>();
  std::shared_ptr<planner_fake> planner = std::make_shared<planner_fake>();
  std::shared_ptr<planner_fake> placer = std::make_shared<planner_fake>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  std::shared_ptr<mirror_desk> copies = std::make_shared<mirror_desk>();
  cluster_record cluster;
  plan_answer plan;
  bool is_master = true;
  stage on;
  journal_port port;
  view_actor onlooker;
  job_submitter_actor queue;
  mirror_reader mirrors;
  journal_actor memory;
  scheduler_actor permits;
  ports outside;
  balancer_actor actor;
};

} // namespace orderly
