// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What must speak for the acts of an event, until they have begun.

#include "tests/actors/policy/maintenance/life.hpp"

namespace orderly::maintenance_grounds_test {

using namespace orderly::maintenance_test;

using act = event_action;
using p = event_phase;
using sight = event_report::sight;

constexpr const char* reseat = R"({"command":"reseat"})";

/// Reports count three times, and its permit was refused.
life waiting(act what) {
  life x{what, reseat};
  x.limits.debounce = x.limits.debounce_failover = 3;
  x.grants = false;
  x.report(sight::shown);
  x.report(sight::shown);
  x.read();
  REQUIRE(x.s.phase == (what == act::live_repair ? p::repairing : p::draining));
  permit no;
  no.retry_at = x.now;
  x.feed(permit_answered{"event:U", no});
  x.grants = true;
  return x;
}

TEST_CASE("nothing leaves while the newest report does not show the event") {
  for (auto what : {act::live_repair, act::evacuate, act::evacuate_failover}) {
    auto x = waiting(what);
    x.report(sight::absent);
    x.read();
    CHECK(x.sent.empty());
    x.report(sight::shown);
    x.now += hours{1};
    x.report(sight::shown);
    x.read();
    CHECK(x.sent.size() == 1);
  }
}

TEST_CASE("a first job in the queue is called back once its report is "
          "withdrawn, and nothing was done") {
  for (auto what : {act::live_repair, act::evacuate}) {
    auto x = waiting(what);
    x.read();
    REQUIRE(x.sent.size() == 1);
    x.report(sight::absent);
    x.report(sight::absent);
    CHECK(x.withdrawn.empty()); // one answer may be wrong
    x.report(sight::absent);
    CHECK(x.withdrawn.size() == 1);
    x.end(job_status::canceled);
    x.read();
    CHECK(x.s.phase == p::forgotten);
  }
}

TEST_CASE("a command that ran although it was called back is no forgotten "
          "one") {
  auto x = waiting(act::live_repair);
  x.read();
  REQUIRE(x.sent.size() == 1);
  for (int i = 0; i < 3; ++i)
    x.report(sight::absent);
  x.end(job_status::success);
  CHECK(x.s.phase == p::tagging);
}

TEST_CASE("what has begun and sent nothing is noted again when its node falls "
          "silent") {
  for (auto what : {act::live_repair, act::evacuate}) {
    auto x = waiting(what);
    x.now += x.limits.evidence_max_age;
    x.read();
    CHECK(x.s.phase == p::noted);
    CHECK(x.sent.empty());
    CHECK(x.s.open.empty());
    x.report(sight::shown);
    x.read();
    CHECK(x.sent.size() == 1);
  }
}

TEST_CASE("an evacuation that has moved something stays what it is when its "
          "node falls silent") {
  life x{act::evacuate};
  x.limits.debounce = 1;
  x.send_move();
  x.end(job_status::success);
  x.now += hours{5};
  x.read();
  CHECK(x.s.phase == p::evacuating);
}

TEST_CASE("a command needs a report from after another one of its node") {
  life x{act::live_repair, reseat};
  x.limits.debounce = 1;
  x.seen.worked = x.now;
  x.read();
  CHECK(x.s.phase == p::noted);
  x.report(sight::shown);
  x.read();
  CHECK(x.sent.size() == 1);
}

TEST_CASE("a command that has begun does not leave beside unknown work, and "
          "an evacuation does") {
  auto command = waiting(act::live_repair);
  auto drain = waiting(act::evacuate);
  for (auto* x : {&command, &drain}) {
    x->seen.unknown = "job 7 may have repaired n1";
    x->read();
  }
  CHECK(command.sent.empty());
  CHECK(drain.sent.size() == 1);
}

TEST_CASE("whoever waits for a person says so once") {
  life x{act::live_repair, reseat};
  x.limits.debounce = 1;
  x.seen.unknown = "job 7 may have repaired n1";
  for (int i = 0; i < 5; ++i)
    x.read();
  CHECK(x.sent.empty());
  CHECK(x.alerts.size() == 1);
}

TEST_CASE("a step that is not let go is told of, whatever it is") {
  auto x = waiting(act::live_repair);
  x.seen.unknown = "job 7 may have repaired n1";
  for (int i = 0; i < 200 && x.alerts.empty(); ++i) {
    x.now += minutes{1};
    x.report(sight::shown);
    x.read();
  }
  CHECK(x.alerts.size() == 1);
  CHECK(x.sent.empty());
}

TEST_CASE("what keeps an event from beginning on its own part is known") {
  life x{act::live_repair, reseat};
  x.limits.debounce = 2;
  x.seen.no_right = "not master";
  x.read();
  CHECK(!standing_of(x.s).willing);
  x.report(sight::shown);
  CHECK(standing_of(x.s).willing);
  CHECK(!standing_of(x.s).ripe);
  x.report(sight::absent);
  CHECK(!standing_of(x.s).willing);
}

TEST_CASE("an event begins only where a slot is kept for it") {
  life x{act::live_repair, reseat};
  x.limits.debounce = 1;
  x.seen.slot = false;
  x.read();
  CHECK(x.s.phase == p::noted);
  CHECK(standing_of(x.s).willing);
  x.seen.slot = true;
  x.read();
  CHECK(x.s.phase == p::repairing);
}

TEST_CASE("an event of a node in trouble does not begin, and gives its slot "
          "back") {
  auto x = waiting(act::evacuate);
  x.around.troubled["n1"] = "is in trouble";
  x.read();
  CHECK(x.s.phase == p::noted);
  CHECK(x.s.begun == never);
  CHECK(!standing_of(x.s).willing);
  x.around.troubled.clear();
  x.read();
  CHECK(x.sent.size() == 1);
}

TEST_CASE("by a calendar that was set back no report is from later") {
  life x{act::live_repair, reseat};
  x.limits.debounce = 1;
  x.now -= hours{6};
  x.read();
  CHECK(x.s.phase == p::noted);
  x.report(sight::shown);
  x.read();
  CHECK(x.sent.size() == 1);
}

TEST_CASE("by an older journal a command is a person's, unless its job is "
          "known") {
  auto x = waiting(act::live_repair);
  x.read();
  REQUIRE(x.sent.size() == 1);
  CHECK(resume(x.s, x.now + hours{1}, x.now).next.phase == p::failing);
  job_event e;
  e.intent = x.sent[0].intent;
  e.phase = job_phase::submitted;
  e.id = 7;
  x.feed(e);
  CHECK(resume(x.s, x.now + hours{1}, x.now).next.phase == p::repairing);
}

TEST_CASE("an older journal of a later calendar is an older one") {
  auto x = waiting(act::live_repair);
  x.s.mtime = x.now + hours{1};
  CHECK(resume(x.s, x.now, x.now - minutes{1}).next.phase == p::failing);
}

} // namespace orderly::maintenance_grounds_test
