// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What `given` says of the maintenance daemon: reports, kept incidents, repair
// commands and settings.

#include "actors/policy/maintenance/exact_json.hpp"
#include "sim/conformance/keys.hpp"
#include "sim/conformance/rounds.hpp"

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

settings calm_rules() {
  settings s;
  s.maintenance.mode = repair_mode::act;
  // What a round does is the scenario's matter, not how much of it.
  s.maintenance.nodes_max = 1000;
  s.maintenance.begins_per_hour_max = 1000;
  // Their failovers are sent without a question before them.
  s.maintenance.ask_home = false;
  s.host_ha.enabled = false;
  s.host_ha.check_interval = hours{24};
  s.autorepair.enabled = false;
  s.power.rehearsal_interval = millis{0};
  s.storm.settle = millis{0};
  s.cluster.poll_interval = millis{500};
  s.rounds.hold_retry = millis{100};
  s.cluster.job_deadline = hours{24 * 7};
  return s;
}

std::string take_reports(const json& given, maintd_given& into) {
  for (const auto& node : given.value("nodes", json::array())) {
    auto name = node.value("name", "");
    if (node.contains("diagnose"))
      into.agents[name].object = node["diagnose"].dump();
  }
  auto part
    = [&given](const char* key) { return given.value(key, json::object()); };
  auto signatures = part("report_signature");
  for (const auto& [name, word] : signatures.items()) {
    if (word == "good")
      continue;
    if (word != "bad" && word != "none" && word != "foreign")
      return fmt::format("given.report_signature: {} is none", word.dump());
    into.agents[name].how = hearing::unverified;
    into.agents[name].text = "its signature is " + word.get<std::string>();
  }
  auto ages = part("report_age");
  for (const auto& [name, age] : ages.items())
    into.agents[name].age = seconds{age.get<std::int64_t>()};
  for (const auto& name : given.value("unreachable", json::array()))
    into.agents[name.get<std::string>()].silent = true;
  auto commands = part("repair_commands");
  for (const auto& [name, all] : commands.items())
    for (const auto& [command, how] : all.items())
      into.commands[name][command]
        = {how.value("exit", 0), how.value("output", ""), 0};
  return {};
}

std::optional<event_phase> phase_from(const std::string& status) {
  for (auto x : {event_phase::noted, event_phase::completed,
                 event_phase::failed, event_phase::canceled})
    if (status == repair_status(x))
      return x;
  return std::nullopt;
}

/// What a pending one has begun shows in the cluster, and is found again.
event_phase pending_phase(event_action x) {
  return x == event_action::live_repair ? event_phase::repairing
                                        : event_phase::draining;
}

std::string take_incident(const json& x, instant clock, maintd_given& into) {
  maintenance::state s;
  s.uuid = x.value("uuid", "");
  auto node = x.value("node", "");
  for (const auto& one : into.world.plan.nodes)
    if (one.name == node || one.uuid == node) {
      s.node = one.name;
      s.node_uuid = one.uuid.empty() ? "uuid-" + one.name : one.uuid;
    }
  auto original = x.value("original", json::object());
  auto status = x.value("repair-status", "");
  auto action = event_action_from(
    x.value("action", original.value("status", std::string{})));
  auto phase = status == "pending" && action
                 ? std::optional{pending_phase(*action)}
                 : phase_from(status);
  if (s.uuid.empty() || s.node.empty() || !action || !phase)
    return "given.incidents: one has no uuid, node, action or status";
  s.action = *action;
  s.phase = *phase;
  s.original = original.dump();
  s.identity = maintenance::read_exact(s.original).canonical;
  s.tag = x.value("tag", "maintd:repairready:" + s.uuid);
  for (const auto& id : x.value("jobs", json::array()))
    s.jobs.push_back(id.get<job_id>());
  s.ctime = from_ms(static_cast<std::int64_t>(
    x.value("ctime", static_cast<double>(to_unix(clock))) * 1000));
  s.mtime = s.ctime;
  s.serial_no = x.value("serial_no", std::uint64_t{1});
  s.seen = into.rules.maintenance.debounce_failover;
  s.seen_at = clock;
  into.events.push_back(std::move(s));
  return {};
}

std::string take_maintenance_config(const json& config, maintd_given& into) {
  auto all = config.value("maintenance", json::object());
  return take_keys(all, "given.config.maintenance",
                   {{"roundDelay", of_no_concern},
                    {"jobs", of_no_concern},
                    {"balanceThreshold", of_no_concern},
                    {"balance", flag_into(into.rules.balance.enabled)},
                    {"autorepair", flag_into(into.rules.autorepair.enabled)}});
}

} // namespace

result<maintd_given> read_maintd_given(const json& given, instant clock) {
  maintd_given x;
  x.rules = calm_rules();
  auto rest = given;
  for (const auto* key : {"report_signature", "report_age", "unreachable",
                          "repair_commands", "job_fail"})
    rest.erase(key);
  auto world = read_world(rest);
  if (!world)
    return world.why();
  x.world = std::move(*world);
  auto wrong = take_reports(given, x);
  if (wrong.empty())
    wrong = take_maintenance_config(given.value("config", json::object()), x);
  for (const auto& one : given.value("incidents", json::array()))
    if (wrong.empty())
      wrong = take_incident(one, clock, x);
  // What a node says whose incidents are given is not known if it is not given.
  for (const auto& s : x.events)
    if (auto [agent, is_new] = x.agents.try_emplace(s.node); is_new)
      agent->second.silent = true;
  if (given.contains("job_fail") && !texts_into(x.job_fail)(given["job_fail"]))
    wrong = "given.job_fail is no list of texts";
  if (!wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  return x;
}

} // namespace orderly::sim::conformance
