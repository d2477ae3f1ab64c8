// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which jobs an errand may have: S18.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_errands_test {

using namespace orderly::sim;

TEST_CASE("S18: a setting of the cluster is a tag of its name, and no more") {
  hand_played x;
  errand_request wanted;
  wanted.what
    = setting_errand{setting_action::set, "maintenance.interval", "5"};
  x.take(wanted);
  std::string intent = "errand-1/0/0/0";
  x.write(entry_kind::intent, "errand:errand-1", "job", intent);
  opcode op;
  op.kind = op_kind::tags_set;
  op.tags_on = tag_kind::cluster;
  op.tags = {"orderly:set:maintenance.interval:5"};
  auto expected = names{"S18"};
  SECTION("its tag") {
    expected.clear();
  }
  SECTION("its tag, where the person called it by its other name") {
    wanted.what = setting_errand{setting_action::set, "RoundDelay", "5"};
    x.take(wanted);
    intent = "errand-2/0/0/0";
    x.write(entry_kind::intent, "errand:errand-2", "job", intent);
    expected.clear();
  }
  SECTION("another setting's, by the other name") {
    wanted.what = setting_errand{setting_action::set, "jobTimeout", "5"};
    x.take(wanted);
    intent = "errand-2/0/0/0";
    x.write(entry_kind::intent, "errand:errand-2", "job", intent);
  }
  SECTION("a tag of another setting") {
    op.tags = {"orderly:set:maintenance.interval2:5"};
  }
  SECTION("other tags beside it go") {
    op.kind = op_kind::tags_del;
    op.tags.emplace_back("ganeti:watcher:autorepair:failover");
  }
  SECTION("on a node") {
    op.tags_on = tag_kind::node;
    op.tag_object = "node4";
  }
  x.send(op, intent);
  CHECK(x.broken() == expected);
}

} // namespace orderly::laws_errands_test
