// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/jobs/record.hpp"

#include "actors/policy/repair/tag_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::jobs {

using stage = job_submitter_state::stage;
using item = job_submitter_state::item;

namespace {

/// The nodes that its opcodes name as places.
std::vector<node_name> joins_of(const item& x) {
  if (x.order.ops.empty())
    return x.joins;
  std::vector<node_name> result;
  for (const auto& op : x.order.ops) {
    result.insert(result.end(), op.nodes.begin(), op.nodes.end());
    if (!op.target.empty())
      result.push_back(op.target);
  }
  return result;
}

bool keeps_records(const opcode& op) {
  return op.kind == op_kind::tags_set || op.kind == op_kind::tags_del
         || op.kind == op_kind::wait;
}

/// What the job is there for, if it is for one thing more than records.
std::optional<op_kind> main_of(const item& x) {
  if (x.order.ops.empty())
    return x.main;
  for (const auto& op : x.order.ops)
    if (!keeps_records(op))
      return op.kind;
  return x.order.ops.front().kind;
}

std::optional<op_kind> op_kind_from(const std::string& text) {
  for (auto kind : {op_kind::node_set_offline, op_kind::node_modify,
                    op_kind::node_set_drained, op_kind::instance_failover,
                    op_kind::instance_migrate, op_kind::replace_disks,
                    op_kind::instance_startup, op_kind::instance_shutdown,
                    op_kind::activate_disks, op_kind::recreate_disks,
                    op_kind::instance_reinstall, op_kind::tags_set,
                    op_kind::tags_del, op_kind::repair_command})
    if (text == to_string(kind))
      return kind;
  return std::nullopt;
}

} // namespace

fields to_fields(const item& x) {
  fields f;
  f.put("owner", x.order.owner);
  f.put("incident", x.order.incident);
  // Opcodes are not kept: what they were to do stands in the reason.
  f.put("why", intent_text(x.order));
  f.put("deadline", x.deadline);
  f.put("job", static_cast<std::int64_t>(x.id));
  f.put("phase", x.stage == stage::ended ? to_string(x.last.phase) : "open");
  f.put("status", static_cast<std::int64_t>(x.status));
  f.put("text", x.last.text);
  f.put("at", x.last.at);
  f.put("called_back", x.called_back);
  f.put("once", x.order.once);
  f.put("absent", x.last.absent);
  f.put_known("untried", std::int64_t{x.last.untried});
  f.put_known("by_another", std::int64_t{x.last.by_another});
  if (auto main = main_of(x))
    f.put("main", to_string(*main));
  f.put("joins", fmt::format("{}", fmt::join(joins_of(x), " ")));
  return f;
}

item from_fields(const intent_id& intent, const fields& f) {
  item x;
  x.order.intent = intent;
  x.order.owner = f.text("owner");
  x.order.incident = f.text("incident");
  x.order.why = f.text("why");
  x.deadline = f.when("deadline");
  x.id = static_cast<job_id>(f.number("job"));
  x.status = static_cast<job_status>(f.number("status"));
  x.may_send = false;
  x.called_back = f.number("called_back") != 0;
  x.order.once = f.number("once") != 0;
  auto joins = f.text("joins");
  for (auto name : tags::split(joins, ' '))
    if (!name.empty())
      x.joins.emplace_back(name);
  x.main = op_kind_from(f.text("main"));
  auto phase = f.text("phase");
  for (auto p : {job_phase::ended, job_phase::refused, job_phase::overdue})
    if (phase == to_string(p)) {
      x.stage = stage::ended;
      x.told = true;
      x.last = {intent,   x.order.owner,  p,           x.id,
                x.status, f.text("text"), f.when("at")};
      x.last.absent = f.number("absent") != 0;
      x.last.untried = x.untried = f.number("untried") != 0;
      x.last.by_another = f.number("by_another") != 0;
    }
  if (x.stage != stage::ended)
    x.stage = x.id != 0 ? stage::watching : stage::matching;
  return x;
}

std::string ops_text(const job_order& order) {
  // What the job is there for comes first, then the records it keeps.
  std::string result;
  for (auto kept : {false, true})
    for (const auto& op : order.ops) {
      if (keeps_records(op) != kept)
        continue;
      if (!result.empty())
        result += ", ";
      result += describe(op);
    }
  return result.empty() ? order.why : result;
}

std::string intent_text(const job_order& order) {
  auto what = ops_text(order);
  return order.why.starts_with(what) ? order.why : what + ": " + order.why;
}

journal_entry entry_of(instant at, const item& x, entry_kind kind,
                       std::string code, std::string why) {
  journal_entry entry;
  entry.at = at;
  entry.kind = kind;
  entry.object = x.order.owner;
  entry.incident = x.order.incident;
  entry.intent = x.order.intent;
  entry.code = std::move(code);
  entry.why = std::move(why);
  entry.state = jobs::to_fields(x);
  entry.state_key = jobs::key_prefix + x.order.intent;
  entry.job = job_note{main_of(x), x.last.phase == job_phase::ended
                                     && x.status == job_status::success};
  return entry;
}

journal_entry removal_of(instant at, const item& x) {
  journal_entry entry;
  entry.at = at;
  entry.object = x.order.owner;
  entry.state = fields{};
  entry.state_key = key_prefix + x.order.intent;
  return entry;
}

job_event event_of(instant at, const item& x, job_phase phase,
                   std::string text) {
  job_event e{x.order.intent, x.order.owner,   phase, x.id,
              x.status,       std::move(text), at,    x.untried};
  e.joins = x.joins;
  return e;
}

} // namespace orderly::jobs
