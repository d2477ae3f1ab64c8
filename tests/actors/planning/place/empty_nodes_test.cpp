// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is planned when orderlyd empties nodes, and where it has nothing to copy
// from.

#include "actors/planning/place/empty_nodes.hpp"
#include "tests/support/planning/nodes_with.hpp"
#include "tests/support/planning/record_of.hpp"

#include <catch2/catch.hpp>

namespace orderly::empty_nodes_test {

using namespace orderly::planning;

namespace {

/// i0 is mirrored, on n0 and n1, which are to be empty.
evacuation_question question() {
  auto c = samples::nodes_with({{1000}, {}, {}, {}});
  auto& x = c.instances.front();
  x.disks = planning::disk_template::drbd;
  x.secondary = 1;
  x.disk = 10;
  evacuation_question q;
  q.model = std::make_shared<const cluster>(c);
  q.leaves = {"n0", "n1"};
  return q;
}

evacuation_answer answer_with(std::vector<int> offline,
                              std::vector<int> drained) {
  auto q = question();
  auto record = samples::record_of(*q.model);
  for (auto n : offline)
    record.nodes[at(n)].offline = true;
  for (auto n : drained)
    record.nodes[at(n)].drained = true;
  q.picture = std::make_shared<const cluster_record>(record);
  return empty_nodes(q);
}

} // namespace

TEST_CASE(
  "off a drained home with a dead mirror the mirror is made anew first") {
  auto x = answer_with({1}, {0});
  REQUIRE(x.planned);
  CHECK(x.stuck.empty());
  const auto& hops = x.hops.at("i0");
  REQUIRE(hops.size() == 3);
  CHECK(hops[0].mirror);
  CHECK_FALSE(hops[1].mirror);
  for (const auto& h : hops)
    CHECK(h.target != "n1");
}

TEST_CASE("a dead home is failed over from, to a mirror that lives") {
  auto x = answer_with({0}, {1});
  REQUIRE(x.planned);
  const auto& hops = x.hops.at("i0");
  CHECK(hops.front() == hop{false, "n1"});
}

TEST_CASE("with both its nodes dead nothing moves, and it is said why") {
  auto x = answer_with({0, 1}, {});
  REQUIRE(x.planned);
  CHECK(x.hops.empty());
  REQUIRE(x.stuck.count("i0") == 1);
  CHECK(x.stuck.at("i0").find("Both its nodes, n0 and n1, are offline")
        != std::string::npos);
}

TEST_CASE("off a dead home that nobody empties a mirror waits for the repair") {
  auto q = question();
  q.leaves = {"n1"};
  auto record = samples::record_of(*q.model);
  record.nodes[0].offline = true;
  q.picture = std::make_shared<const cluster_record>(record);
  auto x = empty_nodes(q);
  CHECK(x.stuck.empty());
  REQUIRE(x.hops.count("i0") == 1);
  CHECK(x.hops.at("i0").front().mirror);
}

} // namespace orderly::empty_nodes_test
