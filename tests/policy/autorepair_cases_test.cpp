// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/policy/autorepair_lab.hpp"

using namespace orderly;
using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

texts sorted(texts all) {
  std::sort(all.begin(), all.end());
  return all;
}

/// A public case: the given world, and what stands after one run in which
/// repair jobs start and do not end.
struct row {
  const char* id;
  texts cluster_tags;
  texts own_tags;
  texts dead;
  texts drained;
  std::string primary;
  std::string secondary; ///< empty: plain
  texts expected_tags;   ///< `{now}` filled in; JOBS come with the job's end
  std::vector<op_kind> jobs;
  phase expected;
};

std::string pending1(const char* jobs) {
  return "pending:failover:" + id1 + ":1699990000:" + jobs;
}

using enum op_kind;

const std::vector<row> public_cases{
  {"H01", {}, {}, {"n1"}, {}, "n1", "n2", {}, {}, phase::needs_repair},
  {"H02",
   {"failover"},
   {},
   {"n1"},
   {},
   "n1",
   "n2",
   {"pending:failover:u1:1700000000:"},
   {instance_failover},
   phase::pending},
  {"H04",
   {"fix-storage"},
   {},
   {"n1"},
   {},
   "n1",
   "n2",
   {"result:failover:u1:1700000000:enoperm:"},
   {},
   phase::needs_repair},
  {"H10 i1",
   {"fix-storage", "reinstall"},
   {"failover"},
   {"n1"},
   {},
   "n1",
   "n2",
   {"failover", "pending:failover:u1:1700000000:"},
   {instance_failover},
   phase::pending},
  {"H10 i2",
   {"fix-storage", "reinstall"},
   {},
   {"n1"},
   {},
   "n1",
   "n2",
   {"result:failover:u1:1700000000:enoperm:"},
   {},
   phase::needs_repair},
  {"H14",
   {"suspend"},
   {"failover"},
   {"n1"},
   {},
   "n1",
   "n2",
   {"failover", "pending:failover:u1:1700000000:"},
   {instance_failover},
   phase::pending},
  {"H16",
   {},
   {"failover", "suspend:1699999999"},
   {"n1"},
   {},
   "n1",
   "n2",
   {"failover", "pending:failover:u1:1700000000:"},
   {instance_failover},
   phase::pending},
  {"H22",
   {"failover"},
   {pending1("101+102")},
   {},
   {},
   "n2",
   "n3",
   {"result:failover:" + id1 + ":1700000000:success:101+102"},
   {},
   phase::healthy},
  {"H23",
   {"reinstall"},
   {pending1("101+102")},
   {"n1"},
   {},
   "n1",
   "n2",
   {"result:failover:" + id1 + ":1700000000:failure:101+102"},
   {},
   phase::failed},
  {"H25",
   {"failover"},
   {pending1("101")},
   {"n2"},
   {},
   "n1",
   "n2",
   {pending1("101")},
   {replace_disks},
   phase::pending},
  {"H26",
   {"reinstall"},
   {"result:failover:" + id1 + ":1699990000:failure:101"},
   {"n1"},
   {},
   "n1",
   "n2",
   {"result:failover:" + id1 + ":1699990000:failure:101"},
   {},
   phase::failed},
  {"H28",
   {"failover"},
   {pending1("101"), "pending:fix-storage:" + id2 + ":1699995000:"},
   {},
   {},
   "n1",
   "n2",
   {"result:failover:" + id1 + ":1700000000:success:101",
    "result:fix-storage:" + id2 + ":1700000000:success:"},
   {},
   phase::healthy},
  {"H29",
   {},
   {pending1("")},
   {"n1"},
   {},
   "n1",
   "n2",
   {pending1("")},
   {instance_failover},
   phase::pending},
  {"H32",
   {"migrate"},
   {},
   {},
   {"n1"},
   "n1",
   "n2",
   {"pending:migrate:u1:1700000000:"},
   {instance_migrate},
   phase::pending},
  {"H34", {"reinstall"}, {}, {}, {"n1"}, "n1", "", {}, {}, phase::needs_repair},
};

} // namespace

TEST_CASE("public cases end with the expected tags, jobs and state") {
  for (const auto& r : public_cases) {
    INFO(r.id);
    bench b;
    for (const auto& tag : r.cluster_tags)
      b.cluster_tags.push_back(tagged(tag));
    for (const auto& tag : r.own_tags)
      b.record.tags.push_back(tagged(tag));
    for (const auto& name : r.dead)
      b.kill(name);
    for (const auto& name : r.drained)
      b.nodes[name].drained = true;
    b.record.primary = r.primary;
    b.record.secondaries = {r.secondary};
    if (r.secondary.empty()) {
      b.record.secondaries.clear();
      b.record.disks = disk_template::plain;
      b.record.admin = admin_state::down;
    }
    b.run(false);
    CHECK(b.tags_now() == sorted(r.expected_tags));
    std::vector<op_kind> jobs;
    for (const auto& op : b.repairs)
      jobs.push_back(op.kind);
    CHECK(jobs == r.jobs);
    CHECK(b.machine.phase == r.expected);
    if (!r.jobs.empty())
      CHECK(b.machine.jobs.back() == b.last_job);
  }
}

TEST_CASE("H20: a pending tag whose job still runs is left as it is") {
  bench b;
  b.kill("n1");
  auto tag = tagged("pending:failover:" + id1 + ":1699990000:101");
  b.record.tags = {tag};
  b.foreign_job = 101;
  b.run();
  CHECK(b.record.tags == texts{tag});
  CHECK(b.intents.empty());
  CHECK(b.machine.phase == phase::pending);
  CHECK(says(b.shown().waits_for, "job 101"));
}

TEST_CASE("H06: a reinstall is recognised, allowed or not, and never done") {
  bench b;
  b.kill("n1");
  b.kill("n2");
  b.cluster_tags = {tagged("reinstall")};
  b.run();
  CHECK(b.tags_now().empty());
  CHECK(b.machine.phase == phase::needs_repair);
  CHECK(says(b.machine.why, "not done by this version"));
  b.cluster_tags = {tagged("failover")};
  b.run();
  CHECK(b.tags_now() == texts{"result:reinstall:u4:1700000000:enoperm:"});
  CHECK(b.repairs.empty());
}
