// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/harep_report.hpp"

#include <catch2/catch.hpp>

namespace orderly::cli_harep_report_test {

namespace {

const std::string a = "ganeti:watcher:autorepair:";
const std::string id = "11111111-1111-4111-8111-111111111111";
const std::string head
  = "---------------------\nInstance status count\n---------------------\n";

instance_standing standing(const std::string& name,
                           std::optional<repair_phase> phase) {
  instance_standing x;
  x.instance = name;
  x.phase = phase;
  return x;
}

opcode tags(op_kind kind, const std::string& name,
            std::vector<std::string> which) {
  opcode op;
  op.kind = kind;
  op.tag_object = name;
  op.tags = std::move(which);
  return op;
}

opcode repair(op_kind kind, const std::string& name) {
  opcode op;
  op.kind = kind;
  op.instance = name;
  return op;
}

} // namespace

TEST_CASE("every phase is counted once under its name, sorted by name") {
  harep_findings x;
  x.instances = {standing("i1", repair_phase::pending),
                 standing("i2", repair_phase::healthy),
                 standing("i3", repair_phase::failed),
                 standing("i4", repair_phase::healthy),
                 standing("i5", repair_phase::needs_repair)};
  x.instances.back().allowed = {};
  CHECK(harep_text(x)
        == "Not repairing i5 because it's in state ArNotEnabled\n" + head
             + "Failure: 1\nHealthy: 2\nNeeds repair: 1\nPending repair: 1\n");
}

TEST_CASE("a repair that was begun is shown with its tag") {
  harep_findings x;
  x.instances = {standing("i1", repair_phase::pending)};
  auto first = a + "pending:failover:" + id + ":1700000000:";
  x.deeds = {{1, {tags(op_kind::tags_set, "i1", {first})}, {}},
             {2, {repair(op_kind::instance_failover, "i1")}, {}},
             {3,
              {tags(op_kind::tags_set, "i1", {first + "2"}),
               tags(op_kind::tags_del, "i1", {first})},
              {}}};
  CHECK(harep_text(x)
        == "Executing ArFailover repair on i1\n"
           ">>> Adding the following tag to i1:\n\""
             + first + "2\"\n" + head + "Pending repair: 1\n");
}

TEST_CASE("a dry run shows jobs, and pending tags without job ids") {
  harep_findings x;
  x.dry_run = true;
  x.instances = {standing("i1", repair_phase::pending)};
  auto tag = a + "pending:fix-storage:" + id + ":1700000000:";
  x.deeds
    = {{1, {repair(op_kind::replace_disks, "i1")}, "[[{\"OP_ID\":\"X\"}]]"},
       {2, {tags(op_kind::tags_set, "i1", {tag + "99"})}, {}}};
  CHECK(harep_text(x)
        == "Executing ArFixStorage repair on i1\n"
           "jobs: [[{\"OP_ID\":\"X\"}]]\n"
           ">>> Adding the following tag to i1:\n\""
             + tag + "\"\n" + head + "Pending repair: 1\n");
}

TEST_CASE("the end of a repair is a move, in the original's order of lines") {
  auto old = a + "pending:failover:" + id + ":1700000000:5";

  struct {
    const char* outcome;
    repair_phase phase;
    const char* to;
  } rows[] = {{"success", repair_phase::healthy, "Healthy"},
              {"failure", repair_phase::failed, "Failure"},
              {"enoperm", repair_phase::pending, "Needs repair"}};

  for (const auto& row : rows) {
    harep_findings x;
    x.instances = {standing("i1", row.phase)};
    auto end
      = a + "result:failover:" + id + ":1700000009:" + row.outcome + ":5";
    x.deeds = {{1,
                {tags(op_kind::tags_set, "i1", {end}),
                 tags(op_kind::tags_del, "i1", {old})},
                {}}};
    auto text = harep_text(x);
    CHECK(text.substr(0, text.find(head))
          == std::string{"Moving i1 from \"Pending repair\" to \""} + row.to
               + "\"\n>>> Adding the following tag to i1:\n\"" + end
               + "\"\n>>> Removing the following tags from i1:\n\"" + old
               + "\"\n");
  }
}

TEST_CASE("why a broken instance is left alone is said") {
  auto line = [](instance_standing x) {
    x.phase = x.phase.value_or(repair_phase::needs_repair);
    x.instance = "i1";
    harep_findings f;
    f.instances = {std::move(x)};
    auto text = harep_text(f);
    return text.substr(0, text.find(head));
  };
  instance_standing x;
  x.allowed = {true, {}};
  CHECK(line(x) == "Not repairing i1 because it's in state ArSuspended\n");
  x.allowed = {false, repair_type::fix_storage};
  x.needed = repair_type::failover;
  CHECK(line(x)
        == "Not performing a repair of type ArFailover on i1 because only "
           "repairs up to ArFixStorage are allowed\n");
  x.allowed = {false, repair_type::reinstall};
  x.why = "job 7 works on it";
  CHECK(line(x) == "Not repairing i1 because job 7 works on it\n");
  x.phase = repair_phase::pending;
  x.waits_for = "room for 512 MiB";
  CHECK(line(x) == "Waiting with the repair of i1: room for 512 MiB\n");
  x.jobs = {5};
  CHECK(line(x).empty());
}

TEST_CASE("tags written and removed again on the way do not show") {
  auto sum = tags_changed({{1, {tags(op_kind::tags_set, "i1", {"x", "y"})}, {}},
                           {2, {tags(op_kind::tags_del, "i1", {"x", "z"})}, {}},
                           {3, {tags(op_kind::tags_set, "i1", {"z"})}, {}}});
  REQUIRE(sum.size() == 1);
  CHECK(sum.at("instance:i1").added == std::vector<std::string>{"y"});
  CHECK(sum.at("instance:i1").removed.empty());
}

TEST_CASE("tags of cluster and groups, remarks and alerts are shown too") {
  harep_findings x;
  x.instances = {standing("i1", repair_phase::healthy)};
  x.instances[0].remarks = {"tag t is no number"};
  auto op = tags(op_kind::tags_del, "g1", {"old"});
  op.tags_on = tag_kind::group;
  auto of_cluster = tags(op_kind::tags_del, "", {"older"});
  of_cluster.tags_on = tag_kind::cluster;
  x.deeds = {{1, {op, of_cluster}, {}}};
  journal_entry alert;
  alert.kind = entry_kind::alert;
  alert.object = "instance:i1";
  alert.why = "look into it";
  journal_entry plain;
  plain.kind = entry_kind::decision;
  plain.why = "not shown";
  x.decisions = {alert, plain};
  CHECK(harep_text(x)
        == "Remark on i1: tag t is no number\n"
           ">>> Removing the following tags from cluster:\n\"older\"\n"
           ">>> Removing the following tags from group:g1:\n\"old\"\n"
           "Attention, instance:i1: look into it\n"
             + head + "Healthy: 1\n");
}

} // namespace orderly::cli_harep_report_test
