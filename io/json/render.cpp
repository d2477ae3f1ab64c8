// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/render.hpp"

#include "io/json/when.hpp"
#include "messages/host_view.hpp"

#include <nlohmann/json.hpp>

namespace orderly::io::http {

namespace {

using nlohmann::json;

json render_guard(const guard_standing& x) {
  return {{"paused", x.paused},
          {"paused_by", x.paused_by},
          {"storm", x.storm},
          {"storm_text", x.storm_text},
          {"budget", x.budget},
          {"budget_text", x.budget_text},
          {"troubled", x.troubled},
          {"nodes", x.nodes},
          {"fences_left", x.fences_left},
          {"failovers_left", x.failovers_left},
          {"permits_out", x.permits_out}};
}

json render_proof(const std::optional<proof>& x) {
  if (!x)
    return nullptr;
  return {{"level", x->level == proof_level::power_status ? "power-status"
                                                          : "operator-word"},
          {"text", x->text},
          {"at", render_time(x->at)}};
}

} // namespace

json render_time(instant t) {
  auto text = to_rfc3339(t);
  return text.empty() ? json(nullptr) : json(text);
}

namespace {

json render_order(const std::optional<accepted_order>& x) {
  if (!x)
    return nullptr;
  return {{"verb", to_string(x->verb)},
          {"who", x->who},
          {"why", x->why},
          {"errand", x->errand},
          {"running", x->running},
          {"step", x->step},
          {"at", render_time(x->at)},
          {"waits_for", x->waits_for}};
}

} // namespace

json render(const rehearsal& x) {
  return {{"result", to_string(x.result)},
          {"why", x.why},
          {"at", render_time(x.at)},
          {"seen", to_string(x.seen)},
          {"mismatch", x.mismatch}};
}

json render(const status_row& x) {
  return {{"version", x.version},
          {"cluster", x.cluster},
          {"master", x.master},
          {"right_to_act",
           {{"held", x.right_to_act.held},
            {"until", render_time(x.right_to_act.until)},
            {"text", x.right_to_act.text}}},
          {"guard", render_guard(x.guard)},
          {"started", render_time(x.started)},
          {"now", render_time(x.now)},
          {"polled", render_time(x.polled)},
          {"poll_error", x.poll_error},
          {"journal_trouble", x.journal_trouble},
          {"autorepair", x.autorepair},
          {"autorepair_mode", to_string(x.autorepair_mode)},
          {"host_ha", x.host_ha},
          {"nodes_by_phase", x.nodes_by_phase},
          {"instances_by_phase", x.instances_by_phase},
          {"repairs_needed", x.repairs_needed},
          {"nodes_by_protection", x.nodes_by_protection},
          {"power_mismatches", x.power_mismatches},
          {"counters", x.counters}};
}

json render_view(ha_phase phase) {
  auto seen = view_of(phase);
  return seen ? json{{"host", seen->host}, {"alive", seen->alive}} : json{};
}

json render(const node_row& x) {
  return {{"name", x.name},
          {"group", x.group},
          {"offline", x.offline},
          {"drained", x.drained},
          {"powered", x.powered},
          {"power_control", x.power_control},
          {"power_levels", x.power_levels},
          {"rehearsal", render(x.standing.power_control)},
          {"held", x.standing.held},
          {"phase", to_string(x.standing.phase)},
          {"vm_ha", render_view(x.standing.phase)},
          {"since", render_time(x.standing.since)},
          {"why", x.standing.reason},
          {"waits_for", x.standing.waits_for},
          {"wants", x.standing.wants ? to_string(*x.standing.wants) : ""},
          {"ordered", render_order(x.ordered)},
          {"power", to_string(x.standing.power)},
          {"power_since", render_time(x.standing.power_since)},
          {"power_text", x.standing.power_text},
          {"incident", x.standing.incident},
          {"troubled", x.standing.troubled},
          {"proved_down", render_proof(x.standing.proved_down)}};
}

json render(const instance_row& x) {
  return {{"name", x.name},
          {"primary", x.primary},
          {"secondaries", x.secondaries},
          {"disks", x.disks},
          {"admin", x.admin},
          {"phase", x.standing.phase ? to_string(*x.standing.phase) : ""},
          {"why", x.standing.why},
          {"broken", x.standing.broken},
          {"wrong", x.standing.wrong},
          {"needed", x.standing.needed ? to_string(*x.standing.needed) : ""},
          {"may_live", x.standing.may_live},
          {"permission", x.standing.permission},
          {"allowed", to_string(x.standing.allowed)},
          {"permitted_by", x.standing.permitted_by},
          {"next", x.standing.next},
          {"waits_for", x.standing.waits_for},
          {"incident", x.standing.incident},
          {"jobs", x.standing.jobs},
          {"remarks", all_remarks(x.standing)}};
}

json render(const journal_entry& x) {
  return {{"seq", x.seq},
          {"at", render_time(x.at)},
          {"kind", to_string(x.kind)},
          {"object", x.object},
          {"incident", x.incident},
          {"intent", x.intent},
          {"code", x.code},
          {"why", x.why}};
}

template <class Row>
json render_list(const char* name, const std::vector<Row>& rows) {
  auto list = json::array();
  for (const auto& row : rows)
    list.push_back(render(row));
  return json::object({{name, std::move(list)}});
}

template json render_list(const char*, const std::vector<node_row>&);
template json render_list(const char*, const std::vector<instance_row>&);
template json render_list(const char*, const std::vector<journal_entry>&);

std::string to_text(const json& x) {
  // Nothing of it is a command to a terminal, nor turns the direction of
  // writing.
  return x.dump(-1, ' ', true, json::error_handler_t::replace);
}

} // namespace orderly::io::http
