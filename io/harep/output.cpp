// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/harep/output.hpp"

#include "actors/pass/dry_jobs.hpp"
#include "io/cli/harep_report.hpp"
#include "io/ganeti/encode.hpp"
#include "io/json/when.hpp"

#include <nlohmann/json.hpp>

namespace orderly {

namespace {

using nlohmann::json;

/// As much of a picture as encoding needs: which instances are mirrored.
cluster_record picture_of(const std::vector<instance_row>& rows) {
  cluster_record result;
  for (const auto& row : rows) {
    instance_record x;
    x.name = row.name;
    x.disks = disk_template_from(row.disks);
    result.instances.push_back(std::move(x));
  }
  return result;
}

/// The opcodes of one job, as Ganeti would get them.
json ops_of(const noted_job& job, const cluster_record& picture) {
  auto result = json::array();
  for (const auto& op : job.spec.ops)
    if (auto x = io::encode_opcode(op, &picture))
      result.push_back(std::move(*x));
  return result;
}

/// Names and texts from outside may be any bytes.
std::string dump(const json& x, int indent) {
  return x.dump(indent, ' ', false, json::error_handler_t::replace);
}

harep_findings findings_of(const harep_options& wanted,
                           const pass_report& report, const notes& sent) {
  harep_findings x;
  x.dry_run = wanted.dry_run;
  x.decisions = report.decisions;
  for (const auto& row : report.instances)
    x.instances.push_back(row.standing);
  auto picture = picture_of(report.instances);
  for (const auto& job : sent.jobs) {
    harep_deed deed{job.id, job.spec.ops, {}};
    if (wanted.dry_run && !only_tags(job.spec.ops))
      deed.json = dump(json::array({ops_of(job, picture)}), -1);
    x.deeds.push_back(std::move(deed));
  }
  return x;
}

json instance_json(const instance_row& row) {
  const auto& x = row.standing;
  return {{"name", row.name},
          {"primary", row.primary},
          {"secondaries", row.secondaries},
          {"disk_template", row.disks},
          {"admin_state", row.admin},
          {"state", x.phase ? to_string(*x.phase) : ""},
          {"broken", x.broken},
          {"wrong", x.wrong},
          {"needed", x.needed ? to_string(*x.needed) : ""},
          {"allowed", to_string(x.allowed)},
          {"permitted_by", x.permitted_by},
          {"repair", x.incident},
          {"jobs", x.jobs},
          {"next", x.next},
          {"waits_for", x.waits_for},
          {"why", x.why},
          {"remarks", all_remarks(x)}};
}

json tags_json(const std::vector<harep_deed>& deeds) {
  auto result = json::object();
  for (const auto& [object, change] : tags_changed(deeds))
    if (!change.added.empty() || !change.removed.empty())
      result[object] = {{"added", change.added}, {"removed", change.removed}};
  return result;
}

json decisions_json(const std::vector<journal_entry>& all) {
  auto result = json::array();
  for (const auto& x : all) {
    // What host HA would make of the nodes is no part of a pass.
    if (x.kind == entry_kind::decision && x.object.starts_with("node:"))
      continue;
    result.push_back({{"at", io::http::to_rfc3339(x.at)},
                      {"object", x.object},
                      {"kind", to_string(x.kind)},
                      {"code", x.code},
                      {"why", x.why}});
  }
  return result;
}

json report_json(const harep_options& wanted, const pass_report& report,
                 const notes& sent) {
  auto found = findings_of(wanted, report, sent);
  auto picture = picture_of(report.instances);
  auto counts = json::object();
  auto instances = json::array();
  for (const auto& row : report.instances) {
    auto state = harep_state(row.standing);
    counts[state] = counts.value(state, 0) + 1;
    instances.push_back(instance_json(row));
  }
  auto jobs = json::array();
  for (const auto& job : sent.jobs)
    jobs.push_back({{"id", wanted.dry_run ? json{} : json(job.id)},
                    {"only_tags", only_tags(job.spec.ops)},
                    {"ops", ops_of(job, picture)}});
  return {{"version", report.status.version},
          {"cluster", report.status.cluster},
          {"master", report.status.master},
          {"dry_run", wanted.dry_run},
          {"complete", report.complete},
          {"error", report.error},
          {"counts", std::move(counts)},
          {"instances", std::move(instances)},
          {"jobs", std::move(jobs)},
          {"tags", tags_json(found.deeds)},
          {"decisions", decisions_json(report.decisions)}};
}

} // namespace

harep_output make_harep_output(const harep_options& wanted,
                               const pass_report& report, const notes& sent) {
  harep_output x;
  if (wanted.json)
    x.out = dump(report_json(wanted, report, sent), 2) + "\n";
  else if (report.complete || !report.instances.empty())
    x.out = harep_text(findings_of(wanted, report, sent));
  if (!report.complete) {
    x.code = 1;
    x.err = "Error: " + report.error + "\n";
  }
  return x;
}

} // namespace orderly
