// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/crowd.hpp"

#include "actors/journal/journal.hpp"

#include <caf/actor_cast.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <utility>

#include <fmt/format.h>

namespace orderly::sim::walking {

namespace {

/// Waits so short that a walk meets the end of each, in the proportions of a
/// real cluster.
settings quick() {
  settings s;
  auto& ha = s.host_ha;
  ha.check_interval = seconds{5};
  ha.check_timeout = seconds{1};
  ha.activity_timeout = seconds{1};
  ha.activity_interval_base = seconds{1};
  ha.activity_interval_max = seconds{2};
  ha.activity_checks = 2;
  ha.degraded_period = seconds{25};
  ha.recovery_timeout = seconds{5};
  ha.fence_timeout = seconds{5};
  ha.recovery_wait = seconds{30};
  ha.recovery_attempts_max = 2;
  ha.retry_base = seconds{1};
  ha.retry_max = seconds{8};
  ha.evidence_max_age = minutes{4};
  s.power.command_timeout = seconds{6};
  s.power.kill_delay = seconds{1};
  s.autorepair.proof_max_age = seconds{30};
  s.autorepair.word_max_age = minutes{2};
  return s;
}

} // namespace

limits walk_limits() {
  auto ha = quick().host_ha;
  return {ha.activity_checks, ha.activity_failure_ratio,
          ha.recovery_attempts_max, ha.recovery_wait};
}

crowd::crowd(std::uint64_t seed, std::size_t nodes, step_reader reader)
  : clock_(seed),
    begin_(from_ms(1767225600000)), // a day like any other
    ctx_(std::make_shared<context>(std::make_shared<const settings>(quick()),
                                   clock_.now(), begin_, seed, "walk")),
    hosts_(std::make_shared<hosts>()),
    book_(std::make_shared<paper>()),
    reader_(std::move(reader)) {
  std::vector<node_name> names;
  for (std::size_t i = 1; i <= nodes; ++i)
    names.push_back(fmt::format("node{}", i));
  auto online = std::make_shared<const std::vector<node_name>>(names);
  for (const auto& name : names) {
    auto& x = (*hosts_)[name];
    x.facts.record.name = name;
    x.facts.record.uuid = "uuid-" + name;
    x.facts.record.oob_program = "/usr/lib/orderly/power";
    x.facts.online = online;
  }
  start();
}

crowd::~crowd() {
  stop();
}

void crowd::start() {
  ++life_;
  auto& sys = clock_.system();
  auto keep = [this](auto who) {
    actors_.push_back(caf::actor_cast<caf::actor>(who));
    return who;
  };
  auto view = keep(spawn_onlooker(sys));
  node_peers peers;
  peers.journal
    = keep(sys.spawn(journal, ctx_, keep(spawn_paper(sys, book_, ctx_)), view));
  auto checks = keep(spawn_checker(sys, hosts_, ctx_));
  peers.scheduler = keep(spawn_office(sys, hosts_));
  peers.provider = {checks, keep(spawn_switch(sys, hosts_, ctx_, book_))};
  peers.jobs = keep(spawn_jobs(sys, hosts_, ctx_));
  peers.cluster = keep(spawn_source(sys));
  peers.told = {view};
  peers.reader = [this](const machine_step& step) {
    auto& x = hosts_->at(step.node);
    x.phase = step.answer.next.phase;
    x.due = step.answer.next.due;
    reader_(step);
  };
  for (auto& [name, x] : *hosts_)
    x.actor = keep(sys.spawn(node, ctx_, peers, name));
  clock_.settle();
  for (auto& [name, x] : *hosts_)
    read(x);
}

void crowd::stop() {
  for (auto& [name, x] : *hosts_)
    x.actor = node_actor{};
  for (const auto& x : actors_)
    caf::anon_send_exit(x, caf::exit_reason::kill);
  actors_.clear();
  clock_.settle();
}

void crowd::restart(millis absence) {
  stop();
  run_for(absence);
  start();
}

void crowd::run_for(millis span) {
  clock_.run_until(clock_.now() + span);
}

void crowd::read(host& x) {
  x.facts.read_at = now();
  caf::anon_send(x.actor, x.facts);
  clock_.settle();
}

void crowd::tell_on(host& x) {
  power_report r;
  r.node = x.facts.record.name;
  r.state = x.power;
  r.confirmed = true;
  r.program = x.facts.record.oob_program;
  r.evidence = "read for another";
  r.at = now();
  caf::anon_send(x.actor, r);
  clock_.settle();
}

void crowd::call(host& x) {
  caf::anon_send(x.actor, permit_called{x.facts.record.name});
  clock_.settle();
}

void crowd::vouch(host& x) {
  constexpr auto patience = minutes{1};
  off_word word;
  word.node = x.facts.record.name;
  word.who = "an operator";
  word.reason = "its cords are pulled";
  word.until = now() + patience;
  clock_.system().spawn([to = x.actor, word](caf::event_based_actor* self) {
    self->request(to, caf::infinite, word)
      .then([](const off_word_answer&) {}, [](const caf::error&) {});
  });
  clock_.settle();
}

} // namespace orderly::sim::walking
