// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/journal/journal.hpp"
#include "actors/maintenance/event.hpp"
#include "tests/actors/support/fakes.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_event_test {

namespace {

using standings_ptr = std::shared_ptr<std::vector<event_standing>>;

event_keeper::behavior_type listening_keeper(standings_ptr heard) {
  return {
    [](const event_started&, const event_actor&) {},
    [](const plan_wanted&) {},
    [heard](const event_standing& x) { heard->push_back(x); },
  };
}

/// One event, of a node in service, that has done nothing yet. Each row takes
/// a second to write.
struct rig {
  rig() {
    node_record node;
    node.name = "n1";
    node.uuid = "uuid-n1";
    auto event = maintenance::begin("U", node, event_action::evacuate, "{}",
                                    "{}", on.now());
    disk->states[object_of_event("U")] = maintenance::to_fields(event);
    disk->writes.answer = [this](const journal_batch& batch) {
      disk->write(batch);
      return says(journal_ack{true, {}}, seconds{1});
    };
    auto paper_port = on.keep(spawn_fake(on.system(), disk));
    auto view = on.keep(spawn_fake(on.system(), seen));
    event_peers peers;
    peers.journal = on.enter(journal, on.ctx(), paper_port, view);
    peers.jobs = on.keep(spawn_fake(on.system(), jobs));
    peers.keeper = on.enter(listening_keeper, heard);
    peers.view = peers.keeper;
    actor = on.enter(repair_event, on.ctx(), peers, std::string{"U"});
    on.run_for(seconds{5});
  }

  pending<event_order_answer> order(event_verb verb) {
    return on.ask<event_order_answer>(actor,
                                      event_order{"U", verb, "anna", {}});
  }

  std::shared_ptr<paper> disk = std::make_shared<paper>();
  std::shared_ptr<view_fake> seen = std::make_shared<view_fake>();
  std::shared_ptr<submitter_fake> jobs = std::make_shared<submitter_fake>();
  standings_ptr heard = std::make_shared<std::vector<event_standing>>();
  stage on;
  event_actor actor;
};

} // namespace

TEST_CASE("of two orders at the same moment each is told what became of it, "
          "once that is on disk") {
  rig b;
  auto canceled = b.order(event_verb::cancel);
  auto acknowledged = b.order(event_verb::ack);
  CHECK_FALSE(canceled);
  REQUIRE(acknowledged); // refused: nothing is to be written
  CHECK(acknowledged->what == event_order_answer::outcome::refused);
  b.on.run_for(millis{500});
  CHECK_FALSE(canceled);
  b.on.run_for(seconds{2});
  REQUIRE(canceled);
  CHECK(canceled->what == event_order_answer::outcome::done);
}

TEST_CASE("an event that is forgotten is so on disk before anybody hears it") {
  rig b;
  auto canceled = b.order(event_verb::cancel);
  auto forgotten = b.order(event_verb::forget);
  b.on.run_for(millis{1500}); // only the first row is written
  CHECK(canceled);
  CHECK_FALSE(forgotten);
  b.on.run_for(seconds{2});
  REQUIRE(forgotten);
  CHECK(forgotten->what == event_order_answer::outcome::done);
}

TEST_CASE("nobody hears of a phase that is not on disk, whatever else comes") {
  rig b;
  auto canceled = b.order(event_verb::cancel);
  b.on.run_for(millis{500});
  // Refused, without a row: nothing that could be told.
  auto acknowledged = b.order(event_verb::ack);
  for (const auto& x : *b.heard)
    CHECK(x.phase != event_phase::canceled);
  b.on.run_for(seconds{2});
  REQUIRE_FALSE(b.heard->empty());
  CHECK(b.heard->back().phase == event_phase::canceled);
}

} // namespace orderly::maintenance_event_test
