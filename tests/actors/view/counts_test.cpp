// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the metrics count, by what the journal tells.

#include "actors/policy/repair/autorepair.hpp"
#include "actors/view/counts.hpp"
#include "messages/job.hpp"

#include <catch2/catch.hpp>

using namespace orderly;

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

journal_entry sent(const std::string& why) {
  journal_entry e;
  e.kind = entry_kind::outcome;
  e.object = "instance:web1";
  e.code = "job-submitted";
  e.why = why;
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

TEST_CASE("jobs are counted by what they are for, whatever else is in them") {
  view_counts x;
  opcode op;
  op.instance = op.node = op.tag_object = "web1";
  auto by_kind = [&x](const std::string& kind) {
    return count(x, "jobs_submitted_by_kind{kind=" + kind + "}");
  };
  for (auto kind :
       {op_kind::node_set_offline, op_kind::node_set_drained,
        op_kind::instance_failover, op_kind::instance_migrate,
        op_kind::replace_disks, op_kind::instance_startup,
        op_kind::instance_shutdown, op_kind::recreate_disks,
        op_kind::instance_reinstall, op_kind::tags_set, op_kind::tags_del}) {
    op.kind = kind;
    INFO(describe(op));
    x.take(sent("job 7: " + describe(op)));
    CHECK(by_kind(to_string(kind)) == 1);
    x.take(sent("job 8: " + describe(op) + ", wait of 30 s"));
    CHECK(by_kind(to_string(kind)) == 2);
  }
  x.take(sent("something new"));
  CHECK(by_kind("other") == 1);
  CHECK(count(x, "jobs_submitted") == 23);
}

TEST_CASE("a job that repairs a mirror in place is a replacement, too") {
  view_counts x;
  opcode op;
  op.kind = op_kind::replace_disks;
  op.instance = "web1";
  op.flag = true;
  x.take(sent("job 7: " + describe(op)));
  CHECK(count(x, "jobs_submitted_by_kind{kind=replace-disks}") == 1);
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
  e.code = "job-ended";
  e.why = "job 7 success: failover of web1";
  x.take(e);
  e.why = "job 8 error: no";
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
  e.code = "job-ended";
  e.why = "job 8 error: migration of web1";
  x.take(e);
  CHECK(count(x, "balance_moves{result=success}") == 0);
  e.why = "job 9 success: migration of web1";
  x.take(e);
  e.object = "instance:web1";
  x.take(e);
  for (const char* result : {"success", "failure", "dropped"}) {
    INFO(result);
    CHECK(count(x, std::string{"balance_moves{result="} + result + "}") == 1);
  }
}
