// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the metrics count, by what the journal tells.

#include "actors/policy/repair/autorepair.hpp"
#include "actors/view/counts.hpp"
#include "messages/codes.hpp"
#include "messages/job.hpp"

#include <catch2/catch.hpp>

namespace orderly::view_counts_test {

namespace {

using autorepair::phase;

journal_entry told(phase now, const std::string& repair,
                   tags::repair_type type = tags::repair_type::failover) {
  autorepair::state s;
  s.phase = now;
  s.repair = repair;
  s.type = type;
  journal_entry e;
  e.kind = entry_kind::decision;
  e.object = "instance:web1";
  e.state = autorepair::to_fields(s);
  return e;
}

journal_entry sent(std::optional<op_kind> what) {
  journal_entry e;
  e.kind = entry_kind::outcome;
  e.object = "instance:web1";
  e.code = codes::job_submitted;
  e.job = job_note{what, false};
  return e;
}

std::uint64_t count(const view_counts& x, const std::string& key) {
  auto i = x.all().find(key);
  return i == x.all().end() ? 0 : i->second;
}

} // namespace

TEST_CASE("a repair is counted once when it starts and once when it ends") {
  view_counts x;
  x.take(told(phase::pending, "r1"));
  x.take(told(phase::pending, "r1"));
  CHECK(count(x, "repairs_started{type=failover}") == 1);
  CHECK(count(x, "repairs_ended{type=failover,result=success}") == 0);
  x.take(told(phase::healthy, ""));
  x.take(told(phase::healthy, ""));
  CHECK(count(x, "repairs_ended{type=failover,result=success}") == 1);
}

TEST_CASE("the result of a repair is told by the phase that follows") {
  view_counts x;
  x.take(told(phase::pending, "r1"));
  x.take(told(phase::failed, "r1"));
  CHECK(count(x, "repairs_ended{type=failover,result=failure}") == 1);
  x.take(told(phase::pending, "r2", tags::repair_type::migrate));
  x.take(told(phase::needs_repair, ""));
  CHECK(count(x, "repairs_ended{type=migrate,result=enoperm}") == 1);
  CHECK(x.all().size() == 4);
}

TEST_CASE("a state that is removed ends a repair well") {
  view_counts x;
  x.take(told(phase::pending, "r1"));
  auto end = told(phase::healthy, "");
  end.state = fields{};
  x.take(end);
  CHECK(count(x, "repairs_ended{type=failover,result=success}") == 1);
}

TEST_CASE("one repair right after the other is two") {
  view_counts x;
  x.take(told(phase::pending, "r1"));
  x.take(told(phase::pending, "r2", tags::repair_type::reinstall));
  CHECK(count(x, "repairs_ended{type=failover,result=success}") == 1);
  CHECK(count(x, "repairs_started{type=reinstall}") == 1);
}

TEST_CASE("entries about something else start no repair") {
  view_counts x;
  auto node = told(phase::pending, "r1");
  node.object = "node:node1";
  x.take(node);
  auto job = told(phase::pending, "r1");
  job.state_key = "job:7";
  x.take(job);
  CHECK(x.all().empty());
}

TEST_CASE("jobs are counted by what they are for and by how they end") {
  view_counts x;
  for (auto kind : {op_kind::instance_failover, op_kind::replace_disks})
    for (int i = 0; i < 2; ++i)
      x.take(sent(kind));
  x.take(sent(std::nullopt));
  CHECK(count(x, "jobs_submitted_by_kind{kind=instance-failover}") == 2);
  CHECK(count(x, "jobs_submitted_by_kind{kind=replace-disks}") == 2);
  CHECK(count(x, "jobs_submitted_by_kind{kind=other}") == 1);
  CHECK(count(x, "jobs_submitted") == 5);
  auto end = sent(op_kind::instance_failover);
  end.code = codes::job_ended;
  x.take(end);
  CHECK(count(x, "jobs_failed") == 1);
  end.job->success = true;
  end.object = "balance:1";
  x.take(end);
  CHECK(count(x, "jobs_succeeded") == 1);
  CHECK(count(x, "balance_moves{result=success}") == 1);
}

TEST_CASE("alerts, power and job ends are counted") {
  view_counts x;
  journal_entry e;
  e.kind = entry_kind::alert;
  x.take(e);
  e.kind = entry_kind::intent;
  e.code = "power-off";
  x.take(e);
  e.kind = entry_kind::outcome;
  e.code = "power-confirmed";
  x.take(e);
  e.code = codes::job_ended;
  e.job = job_note{op_kind::instance_failover, true};
  x.take(e);
  e.job->success = false;
  x.take(e);
  for (const char* key : {"alerts", "power_commands", "power_confirmed",
                          "jobs_succeeded", "jobs_failed"}) {
    INFO(key);
    CHECK(count(x, key) == 1);
  }
}

TEST_CASE("a move to balance is counted by how it ended, and nothing else is") {
  view_counts x;
  journal_entry e;
  e.object = "balance:web1";
  e.kind = entry_kind::decision;
  for (const char* code : {"move", "move-failed", "move-dropped"}) {
    e.code = code;
    x.take(e);
  }
  e.kind = entry_kind::outcome;
  e.code = codes::job_ended;
  e.job = job_note{op_kind::instance_migrate, false};
  x.take(e);
  CHECK(count(x, "balance_moves{result=success}") == 0);
  e.job->success = true;
  x.take(e);
  e.object = "instance:web1";
  x.take(e);
  for (const char* result : {"success", "failure", "dropped"}) {
    INFO(result);
    CHECK(count(x, std::string{"balance_moves{result="} + result + "}") == 1);
  }
}

} // namespace orderly::view_counts_test
