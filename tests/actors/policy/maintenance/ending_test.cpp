// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How an event ends, where what was so when its job left is so no more.

#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_ending_test {

using namespace orderly::maintenance_test;
using act = event_action;
using p = event_phase;
using sight = event_report::sight;

namespace {

constexpr const char* reseat = R"({"status":"live-repair","command":"reseat"})";

} // namespace

TEST_CASE("the tag that opens a machine is called back where it waits, and "
          "removed where it was written, once the node is in service again") {
  life x{act::evacuate};
  x.node().drained = true;
  x.read();
  REQUIRE(x.last() == op_kind::node_modify);
  x.end(job_status::success);
  x.node().offline = true;
  x.read();
  REQUIRE(x.last() == op_kind::tags_set);
  auto tagging = x.sent.back().intent;
  x.node().offline = false;
  x.read();
  CHECK(x.withdrawn == std::vector<intent_id>{tagging});
  SECTION("it had not begun") {
    x.end(tagging, job_status::canceled);
    x.read();
    x.read();
    CHECK(x.s.phase == p::canceled);
    CHECK(x.last() == op_kind::tags_set);
    CHECK_FALSE(x.s.tagged);
  }
  SECTION("it had") {
    x.end(tagging, job_status::success);
    x.read();
    REQUIRE(x.last() == op_kind::tags_del);
    CHECK(x.sent.back().ops[0].tags
          == std::vector<std::string>{"maintd:repairready:U"});
    CHECK(x.s.phase == p::closing);
    CHECK(x.alerts.size() == 1);
    auto first = x.sent.back().intent;
    x.end(job_status::error, "the queue is full");
    x.now += minutes{5};
    x.read();
    x.read();
    CHECK(x.s.phase == p::canceled);
    REQUIRE(x.last() == op_kind::tags_del);
    CHECK(x.sent.back().intent != first);
    x.end(job_status::success);
    CHECK_FALSE(x.s.tagged);
  }
}

TEST_CASE("a move that the next master called back is no failure") {
  for (auto by_another : {true, false}) {
    life x{act::evacuate};
    x.send_move();
    job_event e;
    e.intent = x.sent.back().intent;
    e.phase = job_phase::ended;
    e.status = job_status::canceled;
    e.id = 101;
    e.by_another = by_another;
    x.feed(e);
    CHECK((x.s.phase == p::failing) == !by_another);
    CHECK(x.alerts.empty() == by_another);
  }
}

TEST_CASE("completed lives as long as its tag, and then as it is reported") {
  life x{act::live_repair, reseat};
  x.read();
  x.end(job_status::success);
  x.end(job_status::success);
  x.node().tags = {x.s.tag};
  x.read();
  CHECK(x.s.phase == p::completed);
  x.report(sight::absent);
  CHECK(x.s.phase == p::completed);
  x.report(sight::shown);
  x.node().tags.clear();
  x.read();
  CHECK(x.s.phase == p::completed); // parts of one reading may be old
  x.read();
  CHECK(x.s.phase == p::acknowledged);
  x.report(sight::unknown);
  CHECK(x.s.phase == p::acknowledged);
  x.report(sight::absent);
  CHECK(x.s.phase == p::forgotten);
}

TEST_CASE("an untrue tag goes, whoever is quicker, and over a restart") {
  life x{act::evacuate};
  x.node().drained = true;
  x.read();
  x.end(job_status::success); // marked offline
  x.node().offline = true;
  x.read();
  x.node().offline = false;
  x.end(job_status::success); // tagged
  x.node().tags = {"maintd:repairready:U"};
  x.read();
  REQUIRE(x.last() == op_kind::tags_del);
  auto untag = x.sent.back().intent;
  x.read();
  REQUIRE(x.s.phase == p::canceled);
  SECTION("a person removed it first") {
    x.node().tags.clear();
    x.end(untag, job_status::error, "Tag(s) 'maintd:repairready:U' not found");
    CHECK_FALSE(x.s.tagged);
    CHECK(x.s.open.empty());
    CHECK(x.alerts.size() == 2);
  }
  SECTION("it is not forgotten before") {
    x.order(event_verb::forget);
    CHECK(x.said.what == event_order_answer::outcome::refused);
    CHECK(x.s.phase == p::canceled);
    x.end(job_status::success);
    x.node().tags.clear();
    x.read();
    x.order(event_verb::forget);
    CHECK(x.said.what == event_order_answer::outcome::done);
  }
  SECTION("its removal waited for another try at a restart") {
    x.end(untag, job_status::error, "the queue is full");
    x.s = resume(from_fields(to_fields(x.s)), x.now, never).next;
    x.read();
    REQUIRE(x.s.phase == p::canceled);
    REQUIRE(x.last() == op_kind::tags_del);
    CHECK(x.sent.back().intent != untag);
    x.end(job_status::success);
    CHECK_FALSE(x.s.tagged);
  }
}

} // namespace orderly::maintenance_ending_test
