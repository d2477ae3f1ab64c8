// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// oob_call PROGRAM COMMAND NODE [SECONDS]: one call of a helper program just
// as the daemon does it, and what the daemon makes of the answer, in one line
// of JSON; the items of a health as a list in `out`.

#include "io/oob/port.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_actor.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>

using namespace orderly;

namespace {

struct call {
  std::string program;
  std::string command;
  node_name node;
  millis time_limit = seconds{60};
};

std::optional<power_verb> verb_of(const std::string& command) {
  for (auto x : {power_verb::on, power_verb::off, power_verb::cycle,
                 power_verb::status, power_verb::health})
    if (command == to_string(x))
      return x;
  return std::nullopt;
}

std::string list_of(const std::vector<health_item>& items) {
  auto result = nlohmann::json::array();
  for (const auto& x : items)
    result.push_back({x.item, x.status});
  return result.dump();
}

nlohmann::json ask_port(const call& what, power_verb verb) {
  caf::actor_system_config config;
  io::loop where; // outlives the port
  caf::actor_system system{config};
  auto port = io::oob::spawn_power_port(system, where, settings{});
  caf::scoped_actor self{system};
  nlohmann::json result;
  self
    ->request(port, caf::infinite,
              power_request{what.node, verb, what.program, what.time_limit})
    .receive(
      [&](const power_answer& x) {
        result["done"] = x.done;
        result["state"] = to_string(x.state);
        result["text"] = x.text;
        if (verb == power_verb::health)
          result["out"] = list_of(x.items);
      },
      [&](const caf::error& x) {
        result["done"] = false;
        result["text"] = "the port: " + system.render(x);
      });
  self->send_exit(port, caf::exit_reason::user_shutdown);
  return result;
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::cerr << "usage: oob_call PROGRAM COMMAND NODE [SECONDS]\n";
    return 2;
  }
  call what{argv[1], argv[2], argv[3]};
  if (argc == 5)
    what.time_limit = seconds{std::atoi(argv[4])};
  auto verb = verb_of(what.command);
  if (!verb) {
    std::cerr << "oob_call: there is no command " << what.command
              << "; take power-on, power-off, power-cycle, power-status or "
                 "health\n";
    return 2;
  }
  auto start = std::chrono::steady_clock::now();
  auto said = ask_port(what, *verb);
  said["ms"] = std::chrono::duration_cast<millis>(
                 std::chrono::steady_clock::now() - start)
                 .count();
  std::cout << said.dump(-1, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << "\n";
  return 0;
}
