// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/edges.hpp"
#include "sim/timelines/draw.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

namespace orderly::timelines_draw_test {

using namespace orderly::sim::timelines;

TEST_CASE("a seed draws the same timelines again, another one others") {
  CHECK(draw(3, 5) == draw(3, 5));
  CHECK(draw(3, 5) != draw(3, 6));
  CHECK(draw(3, 5) != draw(4, 5));
}

TEST_CASE("drawn timelines keep the table and the order of a fence") {
  std::ostringstream out;
  CHECK(run_timelines({11, 40, nullptr}, out) == 0);
  CHECK(out.str().starts_with("40 timelines, "));
  CHECK(out.str().ends_with(", 0 failed\n"));
}

TEST_CASE("what must not be in a timeline is found") {
  chronicle x;
  CHECK(wrong_in(x, 1).empty());
  SECTION("a change that the table does not have") {
    x.transitions.push_back({5, "Fencing", "Available", "HealthCheckPassed"});
  }
  SECTION("a change under another name") {
    x.transitions.push_back({5, "Suspect", "Available", "Eligible"});
  }
  SECTION("instances of one that was never fenced") {
    x.operations.push_back({5, "host_down"});
  }
  SECTION("a power-off before the maintenance") {
    x.operations.push_back({5, "fence"});
    x.operations.push_back({5, "maintenance_on"});
  }
  SECTION("too many resets") {
    x.operations.push_back({5, "recover"});
    x.operations.push_back({9, "recover"});
  }
  CHECK(wrong_in(x, 1).size() == 1);
}

TEST_CASE("no change of state is in the table twice") {
  std::set<std::tuple<std::optional<ha_phase>, std::string_view, ha_phase>> all;
  for (const auto& x : host_ha::edges())
    CHECK(all.emplace(x.from, x.event, x.to).second);
}

} // namespace orderly::timelines_draw_test
