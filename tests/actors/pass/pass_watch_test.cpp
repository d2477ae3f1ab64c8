// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// When a pass is over, by what the view says: here it says what the test
// wants.

#include "actors/pass/pass.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch.hpp>

#include <memory>

namespace orderly::pass_watch_test {

namespace {

root_actor::behavior_type gate(root_actor::pointer, view_actor view) {
  return {
    [view](const ask_counters&) {
      front x;
      x.view = view;
      return x;
    },
    [](const stop_tree&) { return tree_stopped{}; },
    [](const front&) {},
    [](const tick&) {},
  };
}

/// A pass over a tree of which only the view is there.
struct rig {
  rig() {
    says.status.right_to_act.held = true;
    instance_row row;
    row.name = row.standing.instance = "i1";
    row.standing.settled = true;
    says.instances = {row};
    auto view = on.keep(spawn_fake(on.system(), told));
    auto tree = on.enter(gate, view);
    auto watcher = on.keep(spawn_pass(on.system(), on.ctx(), tree));
    report = on.ask<pass_report>(watcher, run_pass{minutes{1}});
  }

  void reading(millis took) {
    says.status.polled = on.now();
    says.status.read_from = on.now() - took;
  }

  stage on;
  std::shared_ptr<view_fake> told = std::make_shared<view_fake>();
  view_answer& says = told->answer;
  pending<pass_report> report;
};

} // namespace

TEST_CASE("a pass ends with a reading that began after all was settled") {
  rig b;
  b.reading(millis{10});
  b.on.run_for(seconds{2});
  CHECK_FALSE(b.report);
  // It ended since, but what it says may be from before.
  b.reading(seconds{3});
  b.on.run_for(seconds{2});
  CHECK_FALSE(b.report);
  b.reading(seconds{1});
  b.on.run_for(seconds{1});
  REQUIRE(b.report);
  CHECK(b.report->complete);
}

TEST_CASE("a reading from before the last change ends no pass") {
  rig b;
  b.reading(millis{10});
  b.on.run_for(seconds{1});
  b.says.instances[0].standing.settled = false;
  b.on.run_for(seconds{1});
  b.says.instances[0].standing.settled = true;
  b.on.run_for(millis{300});
  b.reading(millis{500});
  b.on.run_for(seconds{1});
  CHECK_FALSE(b.report);
  b.reading(millis{500});
  b.on.run_for(seconds{1});
  CHECK(b.report);
}

TEST_CASE("a pass waits for the removal of expired suspensions") {
  rig b;
  b.says.status.removals = 1;
  for (int i = 0; i < 10; ++i) {
    b.reading(millis{10});
    b.on.run_for(seconds{1});
  }
  CHECK_FALSE(b.report);
  b.says.status.removals = 0;
  b.on.run_for(seconds{1});
  CHECK_FALSE(b.report); // the next reading shows what came of it
  b.reading(millis{10});
  b.on.run_for(seconds{1});
  REQUIRE(b.report);
  CHECK(b.report->complete);
}

TEST_CASE("a pass that is given up names the removals that it waited for") {
  rig b;
  b.says.status.removals = 2;
  b.reading(millis{10});
  b.on.run_for(seconds{62});
  REQUIRE(b.report);
  CHECK_FALSE(b.report->complete);
  CHECK(b.report->error.find("it waited for the removal of suspensions that "
                             "are over, from cluster or groups")
        != std::string::npos);
}

} // namespace orderly::pass_watch_test
