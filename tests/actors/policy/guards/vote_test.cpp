// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/vote.hpp"

#include <catch2/catch.hpp>

namespace orderly::vote_test {

namespace {

const std::vector<node_name> four{"n1", "n2", "n3", "n4"};

start_step step(const ballots& said, std::uint32_t repeats = 0) {
  return by_vote("n1", four, said, repeats).what;
}

} // namespace

TEST_CASE("who is not the master by its own record leaves") {
  CHECK(by_own_record("n1", "n1").what == start_step::go);
  CHECK(by_own_record("n1", "n2").what == start_step::leave);
  CHECK(by_own_record("n1", "").what == start_step::leave);
}

TEST_CASE("more than half of all nodes make a master") {
  CHECK(step({{"n1", "n1"}, {"n2", "n1"}, {"n3", "n1"}}) == start_step::go);
  // Half of them do for another as well.
  CHECK(step({{"n1", "n1"}, {"n2", "n1"}, {"n3", "n3"}, {"n4", "n3"}})
        == start_step::leave);
}

TEST_CASE("who is silent is waited for while it matters, and not for ever") {
  ballots two{{"n1", "n1"}, {"n2", "n1"}};
  CHECK(step(two) == start_step::ask_again);
  CHECK(step(two, vote_repeats - 1) == start_step::ask_again);
  CHECK(step(two, vote_repeats) == start_step::leave);
  ballots lost{{"n1", "n1"}, {"n2", "n3"}, {"n3", "n3"}};
  CHECK(step(lost) == start_step::leave); // whatever n4 would say
  CHECK(step({}) == start_step::ask_again);
}

TEST_CASE("whoever is no node of the cluster has no vote") {
  CHECK(step({{"n1", "n1"}, {"n2", "n1"}, {"x", "n1"}}) != start_step::go);
  CHECK(by_vote("n1", {}, {}, 0).what == start_step::leave);
}

} // namespace orderly::vote_test
