// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/event.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_orders_test {

using namespace maintenance_test;

namespace {

using sight = event_report::sight;
using act = event_action;
using p = event_phase;

} // namespace

TEST_CASE("canceled stays listed while it is reported, and does nothing") {
  life x{act::evacuate};
  x.read();
  REQUIRE(x.sent.size() == 1);
  x.order(event_verb::cancel);
  CHECK(x.said.what == event_order_answer::outcome::done);
  CHECK(x.s.phase == p::canceled);
  CHECK(x.withdrawn.size() == 1);
  x.end(job_status::success);
  x.node().drained = true;
  x.read();
  x.report(sight::shown);
  CHECK(x.sent.size() == 1);
  CHECK(x.s.phase == p::canceled);
  x.report(sight::absent);
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("an event is not forgotten while a job of it may run") {
  life x{act::evacuate};
  x.read();
  REQUIRE(x.sent.size() == 1);
  job_event e;
  e.intent = x.sent.back().intent;
  e.phase = job_phase::submitted;
  e.id = 7;
  x.feed(e);
  x.order(event_verb::cancel);
  REQUIRE(x.s.phase == p::canceled);
  x.order(event_verb::forget);
  CHECK(x.said.what == event_order_answer::outcome::refused);
  CHECK(x.said.text.find("job 7") != std::string::npos);
  CHECK(x.s.phase == p::canceled);
  x.end(job_status::success);
  x.order(event_verb::forget);
  CHECK(x.said.what == event_order_answer::outcome::done);
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("an order for what has changed meanwhile does nothing") {
  life x{act::evacuate};
  x.read();
  x.order(event_verb::cancel, x.s.serial_no + 1);
  CHECK(x.said.what == event_order_answer::outcome::refused);
  CHECK(x.s.phase == p::draining);
  x.order(event_verb::ack);
  CHECK(x.said.what == event_order_answer::outcome::refused);
  x.order(event_verb::forget);
  CHECK(x.said.what == event_order_answer::outcome::refused);
  x.order(event_verb::cancel, x.s.serial_no);
  CHECK(x.said.what == event_order_answer::outcome::done);
  x.order(event_verb::cancel);
  CHECK(x.said.what == event_order_answer::outcome::refused);
}

TEST_CASE("what an event waits for is news, and no change of it") {
  event_facts seen;
  maintenance::rules limits;
  maintenance::situation x{seen, limits, instant{seconds{100}}};
  maintenance::verdict v;
  v.next.phase = p::noted;
  auto before = v.next.serial_no;
  maintenance::wait_for(v, x, "waits for a slot");
  maintenance::wait_for(v, x, "waits for two slots");
  CHECK(v.why == "waits for two slots");
  CHECK(v.next.serial_no == before);
  // A person who has seen it noted does not mean it draining.
  maintenance::turn(v, x, p::draining, "it begins");
  CHECK(v.next.phase == p::draining);
  CHECK(v.next.serial_no == before + 1);
}

} // namespace orderly::maintenance_orders_test
