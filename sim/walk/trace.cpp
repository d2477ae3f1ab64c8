// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/trace.hpp"

#include "sim/walk/inputs.hpp"

#include <nlohmann/json.hpp>

namespace orderly::sim::walking {

namespace {

using namespace host_ha;

struct operation_names {
  const char* operator()(const check_activity&) const {
    return "check activity";
  }

  const char* operator()(const read_power&) const { return "read power"; }

  const char* operator()(const ask_permit&) const { return "ask permit"; }

  const char* operator()(const give_back_permit&) const {
    return "give permit back";
  }

  const char* operator()(const reset_power&) const { return "reset"; }

  const char* operator()(const fence_power&) const { return "fence"; }

  const char* operator()(const enter_maintenance&) const {
    return "maintenance on";
  }

  const char* operator()(const release_instances&) const { return "release"; }

  const char* operator()(const tell&) const { return nullptr; }
};

} // namespace

std::string trace_line(const machine_step& step, instant begin,
                       std::uint64_t life) {
  const auto& to = step.answer.next;
  nlohmann::ordered_json line;
  line["t"] = (step.at - begin).count();
  line["node"] = step.node;
  line["from"] = to_string(step.from.phase);
  line["told"] = to_string(kind_of(step.event));
  line["event"] = step.from.phase == to.phase
                    ? ""
                    : name_of_transition(step.from, step.event, to);
  line["to"] = to_string(to.phase);
  line["why"] = step.answer.why;
  // All that the machine knew: its guards look at nothing else.
  line["guards"] = to_fields(step.from).all();
  line["epochs"]
    = {{"life", life}, {"order", step.acts}, {"ticket", step.ticket}};
  auto operations = nlohmann::ordered_json::array();
  auto codes = nlohmann::ordered_json::array();
  for (const auto& x : step.answer.actions) {
    if (const auto* name = std::visit(operation_names{}, x))
      operations.push_back(name);
    if (const auto* said = std::get_if<tell>(&x))
      codes.push_back(said->code);
  }
  line["operations"] = std::move(operations);
  line["codes"] = std::move(codes);
  constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
  return line.dump(-1, ' ', false, replace);
}

} // namespace orderly::sim::walking
