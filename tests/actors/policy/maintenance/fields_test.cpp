// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/event.hpp"
#include "tests/actors/policy/maintenance/life.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

namespace {

using act = event_action;
using p = event_phase;

} // namespace

TEST_CASE("what the journal kept goes on where it was") {
  life x{act::evacuate};
  x.node().drained = true;
  x.add("i1", "n1", "n2");
  auto admin = GENERATE(admin_state::up, admin_state::down);
  x.instance("i1").admin = admin;
  x.read();
  x.plan({{"i1", {{false, "n2"}}}});
  auto again = from_fields(to_fields(x.s));
  CHECK(to_fields(again) == to_fields(x.s));
  CHECK(again.phase == p::evacuating);
  REQUIRE(again.open.size() == 1);
  CHECK(again.open[0].admin == admin);
  auto v = resume(again, x.now);
  REQUIRE(!v.actions.empty());
  CHECK(std::get<submit>(v.actions[0]).intent == x.sent[0].intent);
  CHECK(std::get<submit>(v.actions[0]).ops.empty());
}

} // namespace orderly::maintenance_test
