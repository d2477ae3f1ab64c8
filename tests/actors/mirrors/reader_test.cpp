// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an answer says against a move.

#include "messages/protocol/mirror_reader.hpp"

#include <catch2/catch.hpp>

namespace orderly::mirrors_reader_test {

TEST_CASE("what only the home's own disk lacks keeps nothing there that runs, "
          "and holds the move of what is stopped") {
  auto syncs = GENERATE(false, true);
  mirror_answer x;
  x.heard.emplace();
  x.heard->fault = {{"disk/0", !syncs, "n1", syncs}};
  CHECK(against_move(x, "n1").empty());
  CHECK_FALSE(against_move(x).empty());
  CHECK_FALSE(against_move(x, {}).empty());
  CHECK_FALSE(against_move(x, "n2").empty());
  SECTION("but not if the mirror lacks something as well") {
    x.heard->fault.push_back({"disk/1", true, "n2"});
  }
  SECTION("nor if it is degraded only") {
    x.heard->fault = {{"disk/0", false, "n1"}};
  }
  SECTION("nor if nothing was heard") {
    x = no_mirror_answer();
  }
  CHECK_FALSE(against_move(x, "n1").empty());
}

} // namespace orderly::mirrors_reader_test
