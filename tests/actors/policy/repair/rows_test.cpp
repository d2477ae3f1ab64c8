// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rows of spec repair A.4 and A.7, one world each.

#include "tests/actors/policy/repair/given.hpp"

namespace orderly::repair_rows_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;
using enum op_kind;

namespace {

expectation sent(const std::string& type, std::vector<op_kind> jobs) {
  return {
    {"pending:" + type + started + "{J}"}, std::move(jobs), phase::pending};
}

given off(const char* id, disk_template disks, admin_state admin,
          expectation e) {
  auto mirror = disks == drbd ? "n2" : "";
  return {id,     {"reinstall"}, {},    {"n1"}, {},          "n1",
          mirror, disks,         admin, {},     std::move(e)};
}

given tired(const char* id, disk_template disks, admin_state admin,
            expectation e) {
  auto g = off(id, disks, admin, std::move(e));
  g.offline.clear();
  g.drained = {"n1"};
  return g;
}

given with_tag(const char* id, texts offline, const std::string& tag,
               std::vector<job_standing> jobs, expectation e) {
  return {id,   {},   {tag}, std::move(offline), {},          "n1",
          "n2", drbd, up,    std::move(jobs),    std::move(e)};
}

} // namespace

TEST_CASE("each sort of disks on an offline or drained primary gets what A.4 "
          "names, and nothing else") {
  using d = disk_template;
  const std::vector<op_kind> all{instance_shutdown, recreate_disks,
                                 instance_reinstall, instance_startup};
  const std::vector<op_kind> rest{recreate_disks, instance_reinstall};
  auto over = sent("failover", {instance_failover});
  auto move = sent("migrate", {instance_migrate});
  auto as_it_is = sent("migrate", {activate_disks, instance_migrate});
  check_all({
    off("plain up", d::plain, up, sent("reinstall", all)),
    off("plain down", d::plain, down, sent("reinstall", rest)),
    off("plain parked", d::plain, admin_state::offline, {}),
    off("file parked", d::file, admin_state::offline, {}),
    off("file", d::file, down, sent("reinstall", rest)),
    off("sharedfile", d::sharedfile, up, over),
    off("gluster", d::gluster, up, over),
    off("blockdev", d::blockdev, up, over),
    off("rbd", d::rbd, down, over),
    off("ext", d::ext, up, over),
    off("drbd down", d::drbd, down, over),
    off("diskless", d::diskless, up, {}),
    tired("plain drained", d::plain, up, {}),
    tired("file drained", d::file, down, {}),
    tired("sharedfile drained", d::sharedfile, up, move),
    tired("gluster drained", d::gluster, up, move),
    tired("blockdev drained", d::blockdev, up, move),
    tired("rbd drained", d::rbd, down, as_it_is),
    tired("ext drained", d::ext, up, move),
    tired("drbd drained", d::drbd, up, move),
    tired("drbd drained, parked", d::drbd, admin_state::offline, {}),
    tired("diskless drained", d::diskless, up, {}),
  });
}

TEST_CASE("the nodes of a drbd instance may be offline and drained in any "
          "mixture") {
  auto row = [](const char* id, texts offline, texts drained, expectation e) {
    return given{id,
                 {"reinstall"},
                 {},
                 std::move(offline),
                 std::move(drained),
                 "n1",
                 "n2",
                 drbd,
                 down,
                 {},
                 std::move(e)};
  };
  auto mirror = sent("fix-storage", {replace_disks});
  auto over = sent("failover", {instance_failover});
  auto anew = sent("reinstall", {recreate_disks, instance_reinstall});
  check_all({
    row("secondary offline", {"n2"}, {}, mirror),
    row("secondary drained", {}, {"n2"}, mirror),
    row("both drained", {}, {"n1", "n2"}, mirror),
    row("primary offline, secondary drained", {"n1"}, {"n2"}, over),
    row("primary drained, secondary offline", {"n2"}, {"n1"}, mirror),
    row("both offline", {"n1", "n2"}, {}, anew),
    row("both both", {"n1", "n2"}, {"n1", "n2"}, anew),
  });
}

TEST_CASE("a pending tag is judged by its jobs and by how the instance is") {
  auto lost = [](job_id id) { return job_standing{id, js::lost, never}; };
  auto over = [](job_id id, js how) { return job_standing{id, how, never}; };
  auto fix = ours("fix-storage", "101");
  check_all({
    with_tag("archived, in order", {}, ours("failover", "101"), {lost(101)},
             {{ended("failover", "success", "101")}, {}, phase::healthy}),
    with_tag("failed, in order", {}, fix, {over(101, js::error)},
             {{ended("fix-storage", "success", "101")}, {}, phase::healthy}),
    with_tag("no jobs, in order", {}, ours("migrate", ""), {},
             {{ended("migrate", "success", "")}, {}, phase::healthy}),
    with_tag("archived, risky", {"n1"}, ours("failover", "101"), {lost(101)},
             {{ended("failover", "failure", "101")}, {}, phase::failed}),
    with_tag("canceled, risky", {"n1"}, ours("failover", "101"),
             {over(101, js::canceled)},
             {{ended("failover", "failure", "101")}, {}, phase::failed}),
    with_tag(
      "failed, safe", {"n2"}, fix, {over(101, js::error)},
      {{ours("fix-storage", "101+{J}")}, {replace_disks}, phase::pending}),
    with_tag(
      "archived, safe", {"n2"}, fix, {lost(101)},
      {{ours("fix-storage", "101+{J}")}, {replace_disks}, phase::pending}),
    with_tag(
      "failed three times", {"n2"}, ours("fix-storage", "101+102+103"),
      {over(101, js::error), over(102, js::canceled), lost(103)},
      {{ended("fix-storage", "failure", "101+102+103")}, {}, phase::failed}),
    with_tag("waiting", {"n2"}, fix, {over(101, js::waiting)},
             {{fix}, {}, phase::pending}),
    with_tag("canceling", {}, fix, {over(101, js::canceling)},
             {{fix}, {}, phase::pending}),
    with_tag("too weak, no jobs", {"n1"}, ours("fix-storage", ""), {},
             {{ended("fix-storage", "enoperm", "")}, {}, phase::needs_repair}),
    with_tag(
      "too weak after success", {"n1"}, fix, {over(101, js::success)},
      {{ended("fix-storage", "enoperm", "101")}, {}, phase::needs_repair}),
    with_tag("too weak after an error", {"n1"}, fix, {over(101, js::error)},
             {{ended("fix-storage", "failure", "101")}, {}, phase::failed}),
    with_tag("stronger than needed", {"n2"}, ours("reinstall", ""), {},
             {{ours("reinstall", "{J}")}, {replace_disks}, phase::pending}),
  });
}

} // namespace orderly::repair_rows_test
