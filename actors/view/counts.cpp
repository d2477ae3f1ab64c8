// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/view/counts.hpp"

#include "actors/policy/repair/autorepair.hpp"
#include "messages/codes.hpp"
#include "messages/job.hpp"

#include <fmt/format.h>

namespace orderly {

namespace {

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

bool went_well(const journal_entry& e) {
  return e.job && e.job->success;
}

} // namespace

void view_counts::take(const journal_entry& e) {
  follow(e);
  if (e.kind == entry_kind::note)
    return;
  if (e.kind == entry_kind::alert)
    up("alerts");
  if (e.kind == entry_kind::intent)
    up(e.code == codes::job ? "jobs_intended" : "power_commands");
  if (e.code == codes::job_submitted) {
    up("jobs_submitted");
    auto kind = e.job && e.job->kind ? to_string(*e.job->kind) : "other";
    up(fmt::format("jobs_submitted_by_kind{{kind={}}}", kind));
  }
  if (e.code == codes::job_ended)
    up(went_well(e) ? "jobs_succeeded" : "jobs_failed");
  follow_move(e);
  if (e.code == codes::power_confirmed)
    up("power_confirmed");
  if (e.code == codes::power_unconfirmed)
    up("power_unconfirmed");
  if (e.kind == entry_kind::decision && e.code == codes::fenced)
    up("nodes_fenced");
}

/// How moves to balance end; those that end well have no entry but their job's.
void view_counts::follow_move(const journal_entry& e) {
  if (std::string round; !split_object(e.object, "balance", round))
    return;
  if (e.code == codes::move_failed)
    up("balance_moves{result=failure}");
  if (e.code == codes::move_dropped)
    up("balance_moves{result=dropped}");
  if (e.code == codes::job_ended && went_well(e))
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
    up(fmt::format("repairs_ended{{type={},result={}}}", to_string(was.type),
                   result_of(now.phase)));
    was.repair.clear();
  }
  if (pending && was.repair.empty()) {
    was.repair = now.repair;
    was.type = now.type;
    up(fmt::format("repairs_started{{type={}}}", to_string(was.type)));
  }
  if (was.repair.empty())
    stories_.erase(e.object);
}

} // namespace orderly
