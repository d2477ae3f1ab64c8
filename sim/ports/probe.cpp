// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ports/ports.hpp"
#include "sim/ports/waking.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <string>
#include <vector>

namespace orderly::sim {

namespace {

using checks::check;
using checks::finding;
using checks::reply;

using probe_actor_type = probe_port::extend<caf::reacts_to<wake>>;

struct probe_state : waking {
  checks::check_judge judge{};
};

using probe_self = probe_actor_type::stateful_pointer<probe_state>;

/// While it boots, a kernel refuses connections this long before its daemons
/// are up; earlier there is nobody at all.
constexpr millis refusing_while_booting = seconds{15};

template <class Answer>
struct course {
  millis takes{};
  Answer answer;
};

/// What one port of a node says to a connection from here.
finding knock(const lab_state& lab, const checks::check_judge& judge,
              const std::string& address, const check& x, millis time_limit) {
  auto say = [&](reply got, const std::string& text) {
    return finding{x.kind, got, std::to_string(x.port) + " " + text};
  };
  if (!lab.truth.has(address))
    return say(reply::untried, "not tried: \"" + address
                                 + "\" is not the IP address of a node");
  const auto& node = lab.truth.node(address);
  auto now = lab.truth.now();
  auto cut = !lab.truth.reaches(lab.self(), address)
             || lab.truth.delay_between(lab.self(), address) >= time_limit;
  if (cut || !lab.truth.alive(address)
      || node.boots_until > now + refusing_while_booting)
    return say(reply::silent, "no answer within " + judge.describe(time_limit));
  using checks::check_kind;
  auto down
    = (x.kind == check_kind::daemon && node.daemon_down)
      || (x.kind == check_kind::monitor && node.monitor == informer::silent);
  if (down || node.boots_until > now)
    return say(reply::refused, "connection refused");
  return say(reply::good, x.http ? "monitor answers" : "accepts connections");
}

/// Without a check of the node daemon the monitor decides.
course<sighting> ask_monitor(lab_state& lab, const checks::check_judge& judge,
                             const probe_request& rq) {
  course<sighting> result;
  std::vector<finding> found;
  for (const auto& x : judge.health_checks(lab.rules))
    found.push_back(knock(lab, judge, rq.address, x, rq.time_limit));
  result.answer = judge.judge_health(rq.node, found);
  auto silent = !found.empty() && found.back().got == reply::silent;
  result.takes = silent ? rq.time_limit
                        : lab.answer_delay(rq.beside, 20)
                            + lab.truth.delay_between(lab.self(), rq.address);
  return result;
}

course<sighting> look(lab_state& lab, const checks::check_judge& judge,
                      const probe_request& rq) {
  course<sighting> result;
  auto& x = result.answer;
  x.node = rq.node;
  if (!lab.truth.has(rq.node)) {
    x.evidence = "no address of " + rq.node + " is known";
    return result;
  }
  if (lab.rules.host_ha.daemon_port == 0)
    return ask_monitor(lab, judge, rq);
  const auto& node = lab.truth.node(rq.node);
  auto port = std::to_string(lab.rules.host_ha.daemon_port);
  auto way = lab.truth.delay_between(lab.self(), rq.node);
  auto cut = !lab.truth.reaches(lab.self(), rq.node) || way >= rq.time_limit;
  if (!cut && lab.truth.answers(lab.self(), rq.node)) {
    result.takes = lab.answer_delay(rq.beside, 20) + way;
    x.verdict = health::healthy;
    x.lives = true;
    x.evidence = port + " answers";
    return result;
  }
  x.verdict = health::unhealthy;
  auto kernel = lab.truth.alive(rq.node)
                && node.boots_until <= lab.truth.now() + refusing_while_booting;
  if (kernel && !cut) {
    result.takes = lab.answer_delay(rq.beside, 5) + way;
    x.lives = true;
    x.evidence = port + " refused";
    return result;
  }
  result.takes = rq.time_limit;
  x.evidence = port + " gives no answer";
  return result;
}

bool can_look(const lab_state& lab, const node_name& neighbour,
              const node_name& node) {
  return neighbour != node && lab.truth.has(neighbour)
         && lab.truth.answers(lab.self(), neighbour)
         && lab.truth.node(neighbour).agent != informer::silent
         && !lab.truth.node(neighbour).storage_cut;
}

/// Without agents: whatever answers from there proves that it lives.
course<activity_answer> look_from_here(lab_state& lab,
                                       const checks::check_judge& judge,
                                       const activity_request& rq) {
  course<activity_answer> result;
  std::vector<finding> found;
  for (const auto& x : judge.activity_checks(lab.rules)) {
    found.push_back(knock(lab, judge, rq.address, x, rq.time_limit));
    // The first sign will do; what the others say is not waited for.
    if (judge.proves_activity(found.back())) {
      result.takes = lab.port_delay(1, 20)
                     + lab.truth.delay_between(lab.self(), rq.address);
      result.answer = judge.judge_activity(rq.node, {found.back()});
      return result;
    }
  }
  result.takes = lab.truth.has(rq.address) ? rq.time_limit : millis{1};
  result.answer = judge.judge_activity(rq.node, found);
  return result;
}

/// With agents: the first neighbour that can look at the node's storage says
/// whether its heartbeat moves.
course<activity_answer> look(lab_state& lab, const checks::check_judge& judge,
                             const activity_request& rq) {
  if (!lab.truth.agents())
    return look_from_here(lab, judge, rq);
  course<activity_answer> result;
  auto& x = result.answer;
  x.node = rq.node;
  result.takes = lab.port_delay(200, 2000);
  const node_name* witness = nullptr;
  if (rq.neighbours)
    for (const auto& name : *rq.neighbours)
      if (!witness && name != rq.node && can_look(lab, name, rq.node))
        witness = &name;
  if (!witness || !lab.truth.has(rq.node)) {
    x.evidence = "no neighbour could look at the storage of " + rq.node;
    return result;
  }
  const auto& node = lab.truth.node(rq.node);
  auto moves = lab.truth.booted(rq.node) && !node.storage_cut;
  if (lab.truth.node(*witness).agent == informer::lies_alive)
    moves = true;
  else if (lab.truth.node(*witness).agent == informer::lies_dead)
    moves = false;
  x.verdict = moves ? activity::active : activity::inactive;
  x.evidence = "heartbeat on storage " + std::string{moves ? "moves" : "stands"}
               + ", seen by " + *witness;
  return result;
}

template <class Answer, class Request>
caf::typed_response_promise<Answer> serve(probe_self self, const Request& rq) {
  auto promise = self->make_response_promise<Answer>();
  auto& lab = *self->state.lab;
  std::lock_guard<std::mutex> hold{lab.guard};
  enter(self);
  auto what = look(lab, self->state.judge, rq);
  auto takes = std::min(what.takes, rq.time_limit);
  later(self, takes, [promise, &lab, what]() mutable {
    what.answer.at = lab.truth.now();
    promise.deliver(what.answer);
  });
  return promise;
}

probe_actor_type::behavior_type probe_impl(probe_self self, lab_pointer lab,
                                           checks::check_judge judge) {
  self->state.judge = judge;
  self->state.lab = std::move(lab);
  return {
    [self](const probe_request& rq) { return serve<sighting>(self, rq); },
    [self](const activity_request& rq) {
      return serve<activity_answer>(self, rq);
    },
    [self](const wake& w) { woken(self, w); },
  };
}

} // namespace

probe_port spawn_probe_port(caf::actor_system& sys, const lab_pointer& lab,
                            const checks::check_judge& judge) {
  return sys.spawn(probe_impl, lab, judge);
}

} // namespace orderly::sim
