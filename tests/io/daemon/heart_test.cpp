// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whose death ends the daemon.

#include "io/daemon/heart.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch.hpp>

#include <chrono>
#include <future>
#include <memory>

namespace orderly::io_daemon_heart_test {

namespace {

root_actor::behavior_type quiet_root() {
  return {[](ask_counters) { return front{}; },
          [](const stop_tree&) { return tree_stopped{}; }, [](const front&) {},
          [](tick) {}};
}

agent_port::behavior_type quiet_agents() {
  return {[](const ask_diagnosis&) { return diagnosis{}; },
          [](const deposit_repair&) { return deposit_answer{}; }};
}

/// True if the daemon is told to end in time when the port of agents ends so.
bool ends_daemon(caf::exit_reason how, std::chrono::milliseconds patience) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  auto root = system.spawn(quiet_root);
  ports outside;
  outside.agents = system.spawn(quiet_agents);
  auto told = std::make_shared<std::promise<void>>();
  auto heard = told->get_future();
  auto heart = spawn_heart(system, root, outside,
                           [told](const std::string&) { told->set_value(); });
  caf::scoped_actor self{system};
  auto beats = false;
  self->request(heart, std::chrono::seconds{10}, tick{})
    .receive([&] { beats = true; }, [](const caf::error&) {});
  REQUIRE(beats);
  self->send_exit(outside.agents, how);
  auto ends = heard.wait_for(patience) == std::future_status::ready;
  self->send_exit(root, caf::exit_reason::user_shutdown);
  self->wait_for(root, heart);
  return ends;
}

} // namespace

TEST_CASE("a port of agents that fails ends the daemon, like any other port") {
  CHECK(ends_daemon(caf::exit_reason::unhandled_exception,
                    std::chrono::seconds{10}));
}

TEST_CASE("a port of agents that is ended in order ends nothing") {
  CHECK_FALSE(ends_daemon(caf::exit_reason::user_shutdown,
                          std::chrono::milliseconds{200}));
}

} // namespace orderly::io_daemon_heart_test
