// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/port.hpp"

#include "io/agent/prober.hpp"
#include "actors/policy/checks/verdict.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <map>

namespace orderly::io::agent {

/// From the loop's thread to the port itself.
struct survey_done {
  std::uint64_t ticket = 0;
  std::vector<finding> found;
};

} // namespace orderly::io::agent

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::agent::survey_done)

namespace orderly::io::agent {

namespace {

/// The collector bounds its probes itself, far below; this keeps a mistake
/// there from eating all descriptors.
constexpr std::size_t sockets_max = 2000;
constexpr auto not_admitted
  = "not admitted: too many connections to nodes are open";

using port_actor = probe_port::extend<caf::reacts_to<survey_done>>;
using health_promise = caf::typed_response_promise<sighting>;
using activity_promise = caf::typed_response_promise<activity_answer>;

template <class Promise>
struct pending {
  Promise answer;
  node_name node;
  std::size_t sockets = 0;
};

struct port_state {
  std::vector<check> for_health;
  std::vector<check> for_activity;
  std::map<std::uint64_t, pending<health_promise>> healths;
  std::map<std::uint64_t, pending<activity_promise>> activities;
  std::uint64_t last_ticket = 0;
  std::size_t sockets = 0;

  static inline const char* name = "probe port";
};

using port_pointer = port_actor::stateful_pointer<port_state>;

/// Starts a survey; its findings come back under the returned ticket.
std::uint64_t send_out(port_pointer self, loop& where, survey what) {
  auto ticket = ++self->state.last_ticket;
  self->state.sockets += what.checks.size();
  look(where, std::move(what),
       [to = self->address(), ticket](std::vector<finding> found) {
         if (auto port = caf::actor_cast<port_actor>(to))
           caf::anon_send(port, survey_done{ticket, std::move(found)});
       });
  return ticket;
}

/// Answers the request of that ticket, if it is one of `open`.
template <class Open, class Judge>
void settle(port_state& state, Open& open, const survey_done& news,
            Judge judge) {
  auto found = open.find(news.ticket);
  if (found == open.end())
    return;
  auto& x = found->second;
  state.sockets -= x.sockets;
  x.answer.deliver(judge(x.node, news.found));
  open.erase(found);
}

port_actor::behavior_type probe_port_impl(port_pointer self, loop* where,
                                          std::vector<check> for_health,
                                          std::vector<check> for_activity) {
  self->state.for_health = std::move(for_health);
  self->state.for_activity = std::move(for_activity);
  return {
    [self, where](const probe_request& request) {
      auto answer = self->make_response_promise<health_promise>();
      const auto& checks = self->state.for_health;
      if (self->state.sockets + checks.size() > sockets_max) {
        answer.deliver(
          sighting{request.node, health::not_looked, not_admitted, {}});
        return answer;
      }
      auto ticket = send_out(
        self, *where, {request.address, checks, request.time_limit, false});
      self->state.healths.emplace(
        ticket, pending<health_promise>{answer, request.node, checks.size()});
      return answer;
    },
    [self, where](const activity_request& request) {
      auto answer = self->make_response_promise<activity_promise>();
      const auto& checks = self->state.for_activity;
      if (self->state.sockets + checks.size() > sockets_max) {
        answer.deliver(activity_answer{
          request.node, activity::not_looked, not_admitted, {}});
        return answer;
      }
      auto ticket = send_out(
        self, *where, {request.address, checks, request.time_limit, true});
      self->state.activities.emplace(
        ticket, pending<activity_promise>{answer, request.node, checks.size()});
      return answer;
    },
    [self](const survey_done& news) {
      settle(self->state, self->state.healths, news, judge_health);
      settle(self->state, self->state.activities, news, judge_activity);
    },
  };
}

} // namespace

probe_port spawn_probe_port(caf::actor_system& system, loop& where,
                            const settings& knobs) {
  return system.spawn(probe_port_impl, &where, health_checks(knobs),
                      activity_checks(knobs));
}

} // namespace orderly::io::agent
