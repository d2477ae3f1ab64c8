// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a repair event waits for, and for how long.

#include "actors/policy/maintenance/event.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test::waits_test {

using namespace maintenance;
using act = event_action;
using p = event_phase;

TEST_CASE("a queue that takes no jobs ends no event") {
  life x{act::evacuate};
  x.limits.evidence_max_age = hours{24};
  x.limits.debounce = 1;
  x.read();
  REQUIRE(x.last() == op_kind::node_set_drained);
  auto sent = x.sent.size();
  job_event refused;
  refused.intent = x.sent.back().intent;
  refused.phase = job_phase::refused;
  refused.text = "Job queue is drained, refusing job";
  x.feed(refused);
  CHECK(x.s.phase == p::draining);
  x.read();
  CHECK(x.sent.size() == sent); // it does not ask again and again
  x.now += minutes{10};
  x.read();
  CHECK(x.sent.size() == sent + 1);
  CHECK(x.last() == op_kind::node_set_drained);
}

TEST_CASE("a job that the queue refuses is sent a counted number of times") {
  life x{act::evacuate};
  x.limits.evidence_max_age = hours{24};
  x.limits.debounce = 1;
  x.read();
  auto last = instant{};
  for (std::uint32_t n = 1; n <= tries_max; ++n) {
    REQUIRE(x.sent.size() == n);
    REQUIRE(x.last() == op_kind::node_set_drained);
    CHECK(x.s.phase == p::draining);
    CHECK((last == instant{} || x.now - last >= plan_pause));
    last = x.now;
    job_event e;
    e.intent = x.sent.back().intent;
    e.phase = job_phase::refused;
    e.text = "withdrawn before it was sent; the queue refused it before";
    x.feed(e);
    x.read();
    if (n < tries_max)
      CHECK(x.sent.size() == n);
    x.now += hours{1};
    x.read();
  }
  CHECK(x.s.phase == p::failing);
}

TEST_CASE("a calendar that was set back keeps no event waiting") {
  life x{act::evacuate};
  x.limits.debounce = 1;
  x.read();
  x.s.plan_due = x.now + hours{2};
  x.s.planned_at = x.now + hours{2};
  x.s.changed = x.now + hours{2};
  x.s.left["i1"] = {{"n1", "n2"}, x.now + hours{2}};
  x.read();
  CHECK(x.s.plan_due == x.now + plan_pause);
  CHECK(x.s.planned_at == never);
  CHECK(x.s.changed <= x.now); // else no reading would count
  CHECK(x.s.left.at("i1").at <= x.now);
}

TEST_CASE("a job beyond its deadline is told and waited for") {
  life x{act::evacuate};
  x.limits.debounce = 1;
  x.read();
  job_event late;
  late.intent = x.sent.back().intent;
  late.phase = job_phase::overdue;
  late.id = 7;
  x.feed(late);
  CHECK(x.s.phase == p::draining);
  CHECK(x.s.open.size() == 1);
  REQUIRE(x.alerts.size() == 1);
  CHECK(x.alerts[0].find("job 7") != std::string::npos);
  x.end(job_status::success);
  CHECK(x.s.open.empty());
}

TEST_CASE("a mark that a person took away is not set again") {
  life x{act::evacuate};
  x.limits.debounce = 1;
  x.read();
  REQUIRE(x.last() == op_kind::node_set_drained);
  x.end(job_status::success);
  auto sent = x.sent.size();
  x.read(); // it lacks the mark, and may be torn
  CHECK(x.s.phase == p::draining);
  x.read();
  CHECK(x.s.phase == p::canceled);
  CHECK(x.sent.size() == sent);
  CHECK(x.alerts.size() == 1);
}

TEST_CASE("an evacuation of which nothing is under way for long is told") {
  life x{act::evacuate};
  x.limits.debounce = 1;
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.read();
  x.plan({}, {{"i1", "no place"}});
  x.now += stalled_max;
  x.report(event_report::sight::shown);
  x.read();
  REQUIRE(x.alerts.size() == 1);
  CHECK(x.alerts[0].find("1 to leave n1") != std::string::npos);
  x.now += stalled_max;
  x.report(event_report::sight::shown);
  x.read();
  CHECK(x.alerts.size() == 1);
}

TEST_CASE("a command does not run for a report that was withdrawn") {
  life x{act::live_repair, R"({"command":"reseat"})"};
  x.limits.debounce = 1;
  x.grants = false;
  x.read();
  REQUIRE(x.s.phase == p::repairing);
  x.report(event_report::sight::absent);
  CHECK(x.s.phase == p::forgotten);
  CHECK(x.sent.empty());
}

namespace {

/// What is on its node was planned, and got no permit.
life refused(const std::string& why) {
  life x{act::evacuate_failover};
  x.limits.debounce_failover = 1;
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  x.grants = false;
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  permit none;
  none.why = why;
  none.retry_at = x.now + seconds{30};
  x.feed(permit_answered{"event:U:i1", none});
  return x;
}

} // namespace

TEST_CASE("while it is paused an event says nothing else") {
  auto x = refused("paused");
  CHECK(x.s.why == "waits for a permit: paused");
  x.read();
  CHECK(x.s.why == "waits for a permit: paused");
}

TEST_CASE("moves that only wait for permits for long are told") {
  auto x = refused("node n2 is being filled by instance:i7");
  x.read();
  CHECK(x.alerts.empty());
  x.now += stalled_max;
  x.report(event_report::sight::shown);
  x.read();
  REQUIRE(x.alerts.size() == 1);
  CHECK(x.alerts[0].find("filled by instance:i7") != std::string::npos);
}

TEST_CASE("a report that was heard by a later calendar makes the next one none "
          "in a row") {
  life x{act::evacuate};
  x.limits.debounce = 2;
  x.limits.interval = minutes{2};
  x.now -= minutes{4};
  x.report(event_report::sight::shown);
  CHECK(x.s.seen == 1);
  x.now += seconds{30};
  x.report(event_report::sight::shown);
  CHECK(x.s.seen == 1);
  x.now += minutes{2};
  x.report(event_report::sight::shown);
  CHECK(x.s.seen == 2);
}

} // namespace orderly::maintenance_test::waits_test
