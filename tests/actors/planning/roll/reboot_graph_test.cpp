// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/roll/reboot_graph.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::roll_graph_test {

using namespace orderly::planning;

namespace {

/// Five nodes; a and b have mirrors on n2, c is alone, d is to come.
cluster five() {
  std::string nodes;
  for (int n = 0; n < 5; ++n)
    nodes += "n" + std::to_string(n) + "|9000|500|8000|9000|9000|4|N|u\n";
  return samples::read("g|u|preferred||\n\n" + nodes
                       + "\na|100|10|1|running|Y|n0|n2|drbd|\n"
                         "b|100|10|1|running|Y|n1|n2|drbd|\n"
                         "c|100|10|1|running|Y|n4||rbd|\n"
                         "d|100|10|1|running|Y|n3|n2|drbd||1|-|Y\n\n\n");
}

std::string shown(const std::vector<bool>& wanted, bool running) {
  auto c = five();
  auto g = graph_of(c, wanted, running);
  REQUIRE(g);
  return text_of(*g);
}

} // namespace

TEST_CASE("an edge joins the two nodes of an instance, the last is first") {
  CHECK(shown({true, true, true, true, true}, false)
        == "array (0,4) [(0,[2]),(1,[2]),(2,[3,1,0]),(3,[2]),(4,[])]");
}

TEST_CASE("while instances run, edges join who shares a mirror, and loops") {
  CHECK(shown({true, true, true, true, true}, true)
        == "array (0,4) "
           "[(0,[0,1,2]),(1,[0,1,2]),(2,[3,1,0]),(3,[2]),(4,[])]");
}

TEST_CASE("who is not wanted has no edges, but shares mirrors all the same") {
  CHECK(shown({true, true, false, true, false}, true)
        == "array (0,3) [(0,[0,1]),(1,[0,1]),(2,[]),(3,[])]");
  auto c = five();
  CHECK_FALSE(graph_of(c, std::vector<bool>(5), true));
}

} // namespace orderly::roll_graph_test
