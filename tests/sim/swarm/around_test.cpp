// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/faults.hpp"
#include "sim/swarm/around.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace orderly::swarm_around_test {

using namespace orderly::sim;

namespace {

drill home() {
  auto d = parse_drill("# A node loses power.\n"
                       "world small-5n\n"
                       "seed 4\n"
                       "set storm.settle 6s\n"
                       "at 2m power node3 off\n"
                       "at 4m luxi down\n"
                       "at 5m luxi up\n"
                       "upon fenced node:node3 after 1s journal slow\n"
                       "run 20m\n"
                       "----\n",
                       "home");
  REQUIRE(d.ok());
  return *d;
}

std::multiset<std::string> faults_of(const drill& d) {
  std::multiset<std::string> result;
  for (const auto& e : d.events)
    result.insert(e.fault);
  return result;
}

} // namespace

TEST_CASE("a drill and a number always give the same neighbour") {
  std::set<std::string> different;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    auto text = neighbour(home(), i).text;
    CHECK(text == neighbour(home(), i).text);
    different.insert(text);
  }
  CHECK(different.size() >= 98);
}

TEST_CASE("a neighbour has all faults of the drill, and is a drill itself") {
  auto all = faults_of(home());
  std::set<std::string> added;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    auto x = neighbour(home(), i);
    INFO(x.text);
    auto read = parse_drill(x.text + "----\n", "neighbour");
    REQUIRE(read.ok());
    CHECK(read->events.size() == x.events.size());
    CHECK(read->sets == home().sets);
    CHECK(read->triggers.size() == 1);
    auto faults = faults_of(*read);
    CHECK(std::includes(faults.begin(), faults.end(), all.begin(), all.end()));
    for (const auto& e : read->events) {
      CHECK(e.at >= millis{0});
      if (all.count(e.fault) == 0)
        added.insert(sort_of(e.fault)->name);
    }
  }
  CHECK(added.size() > 20);
}

TEST_CASE("neighbours differ in times, in order and by faults that are new") {
  auto moved = false;
  auto turned = false;
  auto more = false;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    auto x = neighbour(home(), i);
    if (x.events.size() > 3) {
      more = true;
      continue;
    }
    moved = moved || x.events[0].at != minutes{2};
    turned = turned || x.events[0].fault != "power node3 off";
  }
  CHECK(moved);
  CHECK(turned);
  CHECK(more);
}

TEST_CASE("neighbours of a power loss keep the safety laws") {
  auto d = home();
  auto rules = settings_of(d, ".");
  REQUIRE(rules.ok());
  for (std::uint64_t i = 1; i <= 4; ++i) {
    INFO(neighbour(d, i).text);
    auto failure = play_neighbour(d, *rules, i);
    INFO((failure ? failure->law.sentence : std::string{}));
    CHECK(!failure);
  }
}

} // namespace orderly::swarm_around_test
