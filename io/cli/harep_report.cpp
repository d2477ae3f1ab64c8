// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/harep_report.hpp"

#include "actors/policy/repair/tags.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly {

namespace {

using deeds_by_instance = std::map<instance_name, std::vector<harep_deed>>;

/// The original's name of a repair type.
const char* original_name(repair_type x) {
  switch (x) {
  case repair_type::fix_storage:
    return "ArFixStorage";
  case repair_type::migrate:
    return "ArMigrate";
  case repair_type::failover:
    return "ArFailover";
  case repair_type::reinstall:
    return "ArReinstall";
  }
  return "?";
}

/// The repair that an opcode belongs to; empty: to none.
std::string repair_of(const opcode& op) {
  switch (op.kind) {
  case op_kind::replace_disks:
    return "ArFixStorage";
  case op_kind::instance_migrate:
    return "ArMigrate";
  case op_kind::instance_failover:
    return "ArFailover";
  case op_kind::recreate_disks:
  case op_kind::instance_reinstall:
    return "ArReinstall";
  default:
    return {};
  }
}

std::string object_of(const opcode& op) {
  switch (op.tags_on) {
  case tag_kind::cluster:
    return "cluster";
  case tag_kind::group:
    return "group:" + op.tag_object;
  case tag_kind::node:
    return node_object(op.tag_object);
  case tag_kind::instance:
    break;
  }
  return instance_object(op.tag_object);
}

bool take_out(std::vector<std::string>& from, const std::string& what) {
  auto i = std::find(from.begin(), from.end(), what);
  if (i == from.end())
    return false;
  from.erase(i);
  return true;
}

/// As the original shows it in a dry run, where no job has an id.
std::string as_shown(const std::string& text, bool dry_run) {
  auto tag = tags::parse(text);
  auto* pending = tag ? std::get_if<tags::pending>(&*tag) : nullptr;
  if (!dry_run || pending == nullptr)
    return text;
  pending->jobs.clear();
  return tags::format(*pending);
}

std::string tag_lines(const std::string& object, const tag_balance& tags,
                      bool dry_run) {
  std::string name;
  if (!split_object(object, "instance", name))
    name = object;
  std::string text;
  if (!tags.added.empty())
    text += fmt::format(">>> Adding the following tag{} to {}:\n",
                        tags.added.size() > 1 ? "s" : "", name);
  for (const auto& tag : tags.added)
    text += fmt::format("\"{}\"\n", as_shown(tag, dry_run));
  if (!tags.removed.empty())
    text += fmt::format(">>> Removing the following tags from {}:\n", name);
  for (const auto& tag : tags.removed)
    text += fmt::format("\"{}\"\n", tag);
  return text;
}

/// Repairs that ended: their pending tag went, their result tag came.
std::string moving_lines(const instance_name& name, const tag_balance& tags) {
  std::string text;
  for (const auto& added : tags.added) {
    auto tag = tags::parse(added);
    const auto* end = tag ? std::get_if<tags::result>(&*tag) : nullptr;
    if (end == nullptr)
      continue;
    auto was_pending = std::any_of(
      tags.removed.begin(), tags.removed.end(), [&](const std::string& old) {
        auto before = tags::parse(old);
        const auto* p = before ? std::get_if<tags::pending>(&*before) : nullptr;
        return p != nullptr && p->id == end->id;
      });
    if (!was_pending)
      continue;
    auto to = end->outcome == tags::repair_result::success   ? "Healthy"
              : end->outcome == tags::repair_result::failure ? "Failure"
                                                             : "Needs repair";
    text
      += fmt::format("Moving {} from \"Pending repair\" to \"{}\"\n", name, to);
  }
  return text;
}

std::string job_lines(const instance_name& name,
                      const std::vector<harep_deed>& deeds) {
  std::string text;
  for (const auto& deed : deeds) {
    for (const auto& op : deed.ops)
      if (auto repair = repair_of(op); !repair.empty()) {
        text += fmt::format("Executing {} repair on {}\n", repair, name);
        break;
      }
    if (!deed.json.empty())
      text += fmt::format("jobs: {}\n", deed.json);
  }
  return text;
}

/// Why nothing was done although something is wrong.
std::string reason_line(const instance_standing& x) {
  if (x.phase == repair_phase::pending && x.jobs.empty()
      && !x.waits_for.empty())
    return fmt::format("Waiting with the repair of {}: {}\n", x.instance,
                       x.waits_for);
  if (x.phase != repair_phase::needs_repair)
    return {};
  if (!x.allowed.suspended && !x.allowed.most)
    return fmt::format("Not repairing {} because it's in state ArNotEnabled\n",
                       x.instance);
  if (x.allowed.suspended)
    return fmt::format("Not repairing {} because it's in state ArSuspended\n",
                       x.instance);
  if (x.needed && *x.allowed.most < *x.needed)
    return fmt::format("Not performing a repair of type {} on {} because only "
                       "repairs up to {} are allowed\n",
                       original_name(*x.needed), x.instance,
                       original_name(*x.allowed.most));
  return fmt::format("Not repairing {} because {}\n", x.instance,
                     x.why.empty() ? "no repair is known for it" : x.why);
}

deeds_by_instance by_instance(const std::vector<harep_deed>& deeds) {
  deeds_by_instance result;
  for (const auto& deed : deeds)
    for (const auto& op : deed.ops)
      if (!op.instance.empty()) {
        result[op.instance].push_back(deed);
        break;
      }
  return result;
}

std::string counts(const std::vector<instance_standing>& all) {
  std::map<std::string, std::size_t> by_state;
  for (const auto& x : all)
    ++by_state[harep_state(x)];
  std::string line(21, '-');
  auto text = fmt::format("{0}\nInstance status count\n{0}\n", line);
  for (const auto& [state, count] : by_state)
    text += fmt::format("{}: {}\n", state, count);
  return text;
}

} // namespace

std::map<std::string, tag_balance>
tags_changed(const std::vector<harep_deed>& deeds) {
  std::map<std::string, tag_balance> result;
  for (const auto& deed : deeds)
    for (const auto& op : deed.ops) {
      if (op.kind != op_kind::tags_set && op.kind != op_kind::tags_del)
        continue;
      auto& balance = result[object_of(op)];
      auto set = op.kind == op_kind::tags_set;
      auto& here = set ? balance.added : balance.removed;
      auto& there = set ? balance.removed : balance.added;
      for (const auto& tag : op.tags)
        if (!take_out(there, tag)
            && std::find(here.begin(), here.end(), tag) == here.end())
          here.push_back(tag);
    }
  return result;
}

std::string harep_state(const instance_standing& x) {
  if (x.phase == repair_phase::healthy)
    return "Healthy";
  if (x.phase == repair_phase::needs_repair)
    return "Needs repair";
  if (x.phase == repair_phase::pending)
    return "Pending repair";
  return x.phase == repair_phase::failed ? "Failure" : "Not looked at";
}

std::string harep_text(const harep_findings& x) {
  std::string text;
  auto tags = tags_changed(x.deeds);
  auto jobs = by_instance(x.deeds);
  for (const auto& one : x.instances) {
    const auto& name = one.instance;
    auto own = tags.extract(instance_object(name));
    auto change = own ? own.mapped() : tag_balance{};
    text += moving_lines(name, change);
    if (auto i = jobs.find(name); i != jobs.end())
      text += job_lines(name, i->second);
    else
      text += reason_line(one);
    text += tag_lines(instance_object(name), change, x.dry_run);
    for (const auto& remark : all_remarks(one))
      text += fmt::format("Remark on {}: {}\n", name, remark);
  }
  for (const auto& [object, change] : tags) // groups and the cluster
    text += tag_lines(object, change, x.dry_run);
  for (const auto& entry : x.decisions)
    if (entry.kind == entry_kind::alert)
      text += fmt::format("Attention, {}: {}\n", entry.object, entry.why);
  return text + counts(x.instances);
}

} // namespace orderly
