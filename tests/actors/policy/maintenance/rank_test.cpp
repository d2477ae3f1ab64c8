// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/rank.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

using namespace maintenance;

namespace {

event_standing one(const std::string& uuid, event_action action, int ctime,
                   event_phase phase = event_phase::noted,
                   const std::string& node = "n1") {
  event_standing x;
  x.uuid = uuid;
  x.node = node;
  x.node_uuid = "uuid-" + node;
  x.action = action;
  x.phase = phase;
  x.ctime = instant{seconds{ctime}};
  return x;
}

event_standing ripe(event_standing x) {
  x.ripe = true;
  return x;
}

using a = event_action;
using p = event_phase;
using set = std::set<std::string>;

} // namespace

TEST_CASE("of a node's events the most invasive acts") {
  CHECK(acting({one("1", a::evacuate, 1, p::evacuating),
                ripe(one("2", a::evacuate_failover, 2)),
                one("3", a::live_repair, 0)})
        == set{"2"});
}

TEST_CASE("what is at work goes on until a worse one may begin") {
  CHECK(acting({one("1", a::evacuate, 1, p::evacuating),
                one("2", a::evacuate_failover, 2)})
        == set{"1"});
  // Where nothing is at work yet the worse one is waited for.
  CHECK(
    acting({ripe(one("1", a::evacuate, 1)), one("2", a::evacuate_failover, 2)})
    == set{"2"});
  // What gave way once is at work still: it does not take its turn back.
  CHECK(acting({one("1", a::evacuate, 1, p::evacuating),
                one("2", a::evacuate_failover, 2, p::draining)})
        == set{"2"});
}

TEST_CASE("among equals the oldest acts, and never two") {
  CHECK(acting({one("2", a::evacuate, 1), one("1", a::evacuate, 2)})
        == set{"2"});
  CHECK(acting({one("2", a::evacuate, 1), one("1", a::evacuate, 1)})
        == set{"1"});
}

TEST_CASE("what is over stands in nobody's way") {
  for (auto over : {p::completed, p::acknowledged, p::failed, p::canceled})
    CHECK(acting({one("1", a::evacuate_failover, 1, over),
                  one("2", a::live_repair, 2)})
          == set{"2"});
}

TEST_CASE("each node has its own") {
  CHECK(acting({one("1", a::evacuate, 1),
                one("2", a::live_repair, 2, p::noted, "n2")})
        == set{"1", "2"});
}

TEST_CASE("an event works from its first job to its tag") {
  CHECK(at_work({one("1", a::evacuate, 1, p::draining),
                 one("2", a::evacuate, 1, p::noted, "n2"),
                 one("3", a::evacuate, 1, p::failing, "n3"),
                 one("4", a::evacuate, 1, p::completed, "n4")})
        == std::set<node_name>{"n1", "n3"});
}

} // namespace orderly::maintenance_test
