// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The simulated ports alone, asked by a test.

#pragma once

#include "actors/policy/checks/verdict.hpp"
#include "sim/faults/faults.hpp"
#include "sim/ports/ports.hpp"
#include "tests/sim/ganeti/rig.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch.hpp>

#include <optional>

namespace orderly::sim::port_test {

struct test_config : caf::actor_system_config {
  test_config() { set("scheduler.policy", caf::atom("testing")); }
};

/// The ports alone, asked by the test; time stands still in between.
struct rig {
  rig() : sys(cfg), self(sys) {
    outside = spawn_sim_ports(sys, lab, checks::judge());
    coordinator().run();
  }

  ~rig() {
    stop_ports(outside);
    outside = {};
    coordinator().run();
    coordinator().clock().cancel_all();
  }

  caf::scheduler::test_coordinator& coordinator() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler());
  }

  instant now() { return lab->wall(coordinator().clock().now()); }

  void fault(const std::string& text) {
    auto order = parse_fault(text);
    REQUIRE(order.ok());
    REQUIRE(apply(*order, *lab).empty());
  }

  /// Asks and lets time pass until the answer is there.
  template <class Answer, class Port, class Request>
  Answer ask(const Port& port, Request rq) {
    auto handle = self->request(port, caf::infinite, std::move(rq));
    coordinator().run();
    while (self->mailbox().empty()) {
      REQUIRE(coordinator().clock().trigger_timeout());
      coordinator().run();
    }
    std::optional<Answer> result;
    handle.receive([&](Answer& x) { result = std::move(x); },
                   [](const caf::error&) { FAIL("a port gave an error"); });
    return *result;
  }

  void wait(millis d) {
    coordinator().clock().advance_time(d);
    coordinator().run();
  }

  sighting probe(const node_name& name) {
    return ask<sighting>(outside.probes,
                         probe_request{name, name, seconds{10}});
  }

  activity_answer activity_of(const node_name& name,
                              std::vector<node_name> neighbours) {
    activity_request question{name, name, {}, now(), seconds{60}};
    question.neighbours
      = std::make_shared<const std::vector<node_name>>(std::move(neighbours));
    return ask<activity_answer>(outside.probes, std::move(question));
  }

  power_answer power(const node_name& name, power_verb verb) {
    return ask<power_answer>(
      outside.power, power_request{name, verb, sim_oob_program, seconds{60}});
  }

  journal_ack write(const std::string& why) {
    journal_entry e;
    e.seq = ++seq;
    e.object = "node:node2";
    e.code = "suspect";
    e.why = why;
    e.state = fields{{{"phase", why}}};
    return ask<journal_ack>(outside.journal, journal_batch{{e}});
  }

  test_config cfg;
  caf::actor_system sys;
  caf::scoped_actor self;
  lab_pointer lab = std::make_shared<lab_state>(*plan_named("small-3n", 1));
  ports outside;
  std::uint64_t seq = 0;
};

inline job_submission one_job(const std::string& tag) {
  return {{{{tagging("web1", tag)}, trail_text("inc", tag), {}}}};
}

} // namespace orderly::sim::port_test
