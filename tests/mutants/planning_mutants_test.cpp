// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Laws about balancing: S27 S28 S29 S30 S40.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_planning_mutants_test {

using namespace orderly::mutants;

namespace {

const std::string rounds = "set balance.enabled true\n"
                           "set balance.interval 1m\n";

/// Like `shows`, for a daemon that balances `world`.
void shows_in(const std::string& world, const std::string& text,
              const names& defects, const names& laws) {
  auto whole = "world " + world + "\n" + quick.substr(quick.find('\n') + 1)
               + rounds + text;
  SECTION("without the defect all laws are kept, and something is moved") {
    auto found = run(whole);
    INFO(found.story);
    CHECK(found.laws == names{});
    CHECK(found.story.find("1 moved") != std::string::npos);
  }
  SECTION("with the defect they are broken") {
    auto found = run(whole, defects);
    INFO(found.story);
    CHECK(found.laws == laws);
  }
}

} // namespace

TEST_CASE("law S27 is broken by a daemon that balances what is suspended") {
  shows_in("uneven-5n",
           "at 0s tag instance:web3 add ganeti:watcher:autorepair:suspend\n"
           "at 0s tag instance:db1 add ganeti:watcher:autorepair:suspend\n"
           "run 10m\n",
           {"protected-is-balanced"}, {"S27"});
}

TEST_CASE("law S28 is broken by a daemon that fills a drained node") {
  shows_in("uneven-5n",
           "at 0s node node5 drained\n"
           "at 0s node node1 drained\n"
           "run 10m\n",
           {"drained-is-filled"}, {"S28"});
}

TEST_CASE("law S29 is broken by a planner that forgets what mirrors need") {
  // Only what is shared can go to node2, which looks empty.
  std::string text = "set balance.disk_moves false\n";
  for (const auto* name : {"web1", "web2", "web3", "web4", "web5"})
    text += std::string{"at 0s tag instance:"} + name
            + " add ganeti:watcher:autorepair:suspend\n";
  shows_in("tight-4n", text + "run 10m\n", {"mirrors-need-nothing"}, {"S29"});
}

TEST_CASE("law S30 is broken by a daemon that balances beside a dead node") {
  shows_in("uneven-5n",
           "set host_ha.enabled false\n" // it stays in trouble
           "at 4m power node2 off\n"
           "run 10m\n",
           {"troubled-group-is-balanced"}, {"S30"});
}

TEST_CASE("law S40 is broken by a daemon that does not ask the mirror of what "
          "it moves") {
  shows_in("uneven-5n", "at 20s mirror web3 faulty\nrun 10m\n",
           {"mirror-is-not-asked"}, {"S40"});
}

TEST_CASE("law S40 is broken by a daemon that asks a mirror and does not mind "
          "what it says") {
  shows_in("uneven-5n", "at 20s mirror web3 faulty\nrun 10m\n",
           {"any-answer-is-well"}, {"S40"});
}

} // namespace orderly::mutants_planning_mutants_test
