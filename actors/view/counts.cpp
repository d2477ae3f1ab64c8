// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/view/counts.hpp"

#include "actors/policy/repair/autorepair.hpp"
#include "messages/job.hpp"

#include <array>

namespace orderly {

namespace {

/// The words that `describe` begins an opcode of that kind with.
std::string opening(op_kind kind, bool flag) {
  opcode op;
  op.kind = kind;
  op.flag = flag;
  // No name can have this byte: the words end where it stands.
  op.node = op.instance = op.tag_object = "\x01";
  auto text = describe(op);
  return text.substr(0, text.find('\x01'));
}

/// What a job is for, by the entry that tells of it: "job 7: failover of web1,
/// ...". What it is for comes first there.
std::string kind_of_job(const std::string& why) {
  constexpr std::array kinds{
    op_kind::node_set_offline,  op_kind::node_set_drained,
    op_kind::instance_failover, op_kind::instance_migrate,
    op_kind::replace_disks,     op_kind::instance_startup,
    op_kind::instance_shutdown, op_kind::activate_disks,
    op_kind::recreate_disks,    op_kind::instance_reinstall,
    op_kind::tags_set,          op_kind::tags_del};
  auto at = why.find(": ");
  at = at == std::string::npos ? 0 : at + 2;
  if (why.compare(at, 4, "set ") == 0) // what it sets varies
    return to_string(op_kind::node_modify);
  for (auto kind : kinds)
    for (auto flag : {false, true}) {
      auto words = opening(kind, flag);
      if (!words.empty() && why.compare(at, words.size(), words) == 0)
        return to_string(kind);
    }
  return "other";
}

/// The result that a repair had, by the phase that followed it.
const char* result_of(autorepair::phase next) {
  switch (next) {
  case autorepair::phase::failed:
    return "failure";
  case autorepair::phase::needs_repair:
    return "enoperm";
  case autorepair::phase::healthy:
  case autorepair::phase::pending:
    return "success";
  }
  return "success";
}

} // namespace

void view_counts::take(const journal_entry& e) {
  follow(e);
  if (e.kind == entry_kind::note)
    return;
  if (e.kind == entry_kind::alert)
    up("alerts");
  if (e.kind == entry_kind::intent)
    up(e.code == "job" ? "jobs_intended" : "power_commands");
  if (e.code == "job-submitted") {
    up("jobs_submitted");
    up("jobs_submitted_by_kind{kind=" + kind_of_job(e.why) + "}");
  }
  if (e.code == "job-ended")
    up(e.why.find(" success: ") != std::string::npos ? "jobs_succeeded"
                                                     : "jobs_failed");
  follow_move(e);
  if (e.code == "power-confirmed")
    up("power_confirmed");
  if (e.code == "power-unconfirmed")
    up("power_unconfirmed");
  if (e.kind == entry_kind::decision && e.code == "fenced")
    up("nodes_fenced");
}

/// How moves to balance end; those that end well have no entry but their job's.
void view_counts::follow_move(const journal_entry& e) {
  if (e.object.compare(0, 8, "balance:") != 0)
    return;
  if (e.code == "move-failed")
    up("balance_moves{result=failure}");
  if (e.code == "move-dropped")
    up("balance_moves{result=dropped}");
  if (e.code == "job-ended" && e.why.find(" success: ") != std::string::npos)
    up("balance_moves{result=success}");
}

/// An instance's entry that carries its machine's new state shows which
/// repair begins or ends with it.
void view_counts::follow(const journal_entry& e) {
  std::string name;
  if (!e.state || !e.state_key.empty()
      || !split_object(e.object, "instance", name))
    return;
  auto now = autorepair::from_fields(*e.state);
  auto pending = now.phase == autorepair::phase::pending && !now.repair.empty();
  auto& was = stories_[e.object];
  if (!was.repair.empty() && (!pending || now.repair != was.repair)) {
    up("repairs_ended{type=" + was.type + ",result=" + result_of(now.phase)
       + "}");
    was.repair.clear();
  }
  if (pending && was.repair.empty()) {
    was.repair = now.repair;
    was.type = tags::to_string(now.type);
    up("repairs_started{type=" + was.type + "}");
  }
  if (was.repair.empty())
    stories_.erase(e.object);
}

} // namespace orderly
