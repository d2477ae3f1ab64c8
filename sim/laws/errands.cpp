// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which errand of a person a job belongs to, and what that concerns: S18.

#include "sim/laws/laws.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace orderly::sim {

namespace {

/// How the tag of a setting begins; its key and a colon follow.
constexpr const char* setting_mark = "orderly:set:";

/// A job of that errand has shut it down: wherever it is by now, the errand may
/// start it again.
bool was_stopped_by(const ganeti& cluster, const instance_name& name,
                    const errand_id& errand) {
  auto stops = [&name](const opcode& op) {
    return op.kind == op_kind::instance_shutdown && op.instance == name;
  };
  return std::any_of(
    cluster.jobs().begin(), cluster.jobs().end(), [&](const sim_job& x) {
      const auto& ops = x.spec.ops;
      return x.status == job_status::success
             && x.intent.substr(0, x.intent.find_first_of("./")) == errand
             && std::any_of(ops.begin(), ops.end(), stops);
    });
}

std::string lowered(std::string text) {
  for (auto& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What a tag calls a setting that people may name as Ganeti's design of a
/// maintenance daemon does, in any case (specs/repair.md, B.2).
std::string key_in_tags(const std::string& asked) {
  using row = std::pair<const char*, const char*>;
  static constexpr std::array<row, 10> keys{
    {{"rounddelay", "maintenance.interval"},
     {"maxparallelevacuations", "maintenance.nodes_max"},
     {"debounce", "maintenance.debounce"},
     {"debouncefailover", "maintenance.debounce_failover"},
     {"autorepair", "autorepair.enabled"},
     {"balance", "balance.enabled"},
     {"balancethreshold", "balance.threshold"},
     {"balancediskmoves", "balance.disk_moves"},
     {"balancedynamicload", "balance.dynamic_load"},
     {"jobtimeout", "cluster.job_deadline"}}};
  auto word = lowered(asked);
  for (const auto& [name, key] : keys)
    if (word == name)
      return key;
  return word;
}

/// A setting is a tag of the whole cluster that names it.
bool is_about(const opcode& op, const setting_errand& x) {
  auto own = setting_mark + key_in_tags(x.key) + ':';
  auto names_it = [&](const std::string& tag) {
    return x.action != setting_action::list && (tag + ':').starts_with(own);
  };
  return (op.kind == op_kind::tags_set || op.kind == op_kind::tags_del)
         && op.tags_on == tag_kind::cluster
         && std::all_of(op.tags.begin(), op.tags.end(), names_it);
}

} // namespace

/// Does the opcode concern one of the errand's nodes, or an instance of it?
bool laws::concerns(const opcode& op, const errand_story& errand) const {
  if (const auto* setting = std::get_if<setting_errand>(&errand.wanted.what))
    return is_about(op, *setting);
  if (errand.targets.count(op.node) > 0)
    return true;
  const auto* x = lab_->cluster.instance(op.instance);
  if (op.kind == op_kind::instance_startup
      && was_stopped_by(lab_->cluster, op.instance, errand.id))
    return true;
  return x
         && (moved_lately(*x) || errand.targets.count(x->primary) > 0
             || std::any_of(x->secondaries.begin(), x->secondaries.end(),
                            [&](const auto& name) {
                              return errand.targets.count(name) > 0;
                            }));
}

/// Its jobs have `ERRAND.stamp/row/step/try` as intent.
const laws::errand_story* laws::errand_of(const sim_job& job) const {
  if (std::count(job.intent.begin(), job.intent.end(), '/') != 3)
    return nullptr;
  auto id = job.intent.substr(0, job.intent.find_first_of("./"));
  const errand_story* named = nullptr;
  const errand_story* unheard = nullptr;
  for (const auto& [number, x] : errands_)
    if (x.id == id)
      named = &x;
    else if (x.id.empty() && x.open && concerns(job.spec.ops.front(), x))
      unheard = &x; // taken, but the answer was lost
  return named ? named : unheard;
}

} // namespace orderly::sim
