// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/pictures/host_ha.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace orderly::pictures_host_ha_test {

using namespace orderly::sim::pictures;

namespace {

std::string kept_picture() {
  std::ifstream in{ORDERLY_SOURCE_DIR "/docs/pictures/host-ha-states.svg",
                   std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<host_ha::edge> table() {
  auto all = host_ha::edges();
  return {all.begin(), all.end()};
}

} // namespace

TEST_CASE("the picture of host HA is the one that its table draws") {
  auto drawn = host_ha_states(host_ha::edges());
  REQUIRE(drawn);
  INFO("renew it: orderly-sim picture host-ha --into "
       "docs/pictures/host-ha-states.svg");
  // The difference by itself would be two pictures of text.
  auto same = *drawn == kept_picture();
  CHECK(same);
}

TEST_CASE("a table with another change draws another picture, or none") {
  auto all = table();
  SECTION("a change more has no place") {
    all.push_back({ha_phase::recovered, "PersonWish", ha_phase::suspect, true});
    auto drawn = host_ha_states(all);
    REQUIRE_FALSE(drawn);
    CHECK(drawn.why().text.starts_with("recovered -- PersonWish --> suspect"));
  }
  SECTION("so has one under another name") {
    all.front().event = "SwitchedOn";
    CHECK_FALSE(host_ha_states(all));
  }
  SECTION("a change less leaves a line that means nothing") {
    all.pop_back();
    auto drawn = host_ha_states(all);
    REQUIRE_FALSE(drawn);
    CHECK(drawn.why().text.starts_with("any -- OperatorWord --> fenced"));
  }
  SECTION("one that is the specification's is not slanted") {
    for (auto& x : all)
      x.ours = false;
    auto drawn = host_ha_states(all);
    REQUIRE(drawn);
    auto same = *drawn == kept_picture();
    CHECK_FALSE(same);
  }
}

TEST_CASE("no label of the picture lies on another one, a state or a line") {
  auto all = host_ha_labels();
  CHECK(what_is_covered(all) == "");
  SECTION("which is found: on another one") {
    all.push_back(all.front());
    CHECK_FALSE(what_is_covered(all).empty());
  }
  SECTION("on a state") {
    all.push_back({"Fenced", 1220, 1260, 520});
    CHECK(what_is_covered(all) == "Fenced lies on fenced");
  }
  SECTION("on a line") {
    all.push_back({"Fenced", 10, 40, 400});
    CHECK(what_is_covered(all) == "Fenced lies on the line of Ineligible");
  }
  SECTION("beyond the edge") {
    all.push_back({"Fenced", 1400, 1440, 800});
    CHECK(what_is_covered(all) == "Fenced leaves the picture");
  }
}

} // namespace orderly::pictures_host_ha_test
