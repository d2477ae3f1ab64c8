// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/specified.hpp"
#include "sim/walk/walk.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace orderly::walk_test {

using namespace orderly::sim::walking;

namespace {

using edges = std::vector<host_ha::edge>;

edges table() {
  auto all = host_ha::edges();
  return {all.begin(), all.end()};
}

std::string trace_of(std::uint64_t seed) {
  std::ostringstream out;
  walk_wish what;
  what.seed = seed;
  what.events = 1500;
  what.trace = &out;
  walk(what);
  return out.str();
}

/// What is said of a walk that goes by `all`.
std::vector<std::string> wrong_by(const edges& all) {
  walk_wish what;
  what.events = 6000;
  what.table = all;
  return walk(what).wrong();
}

bool says(const std::vector<std::string>& all, const std::string& what) {
  return std::find(all.begin(), all.end(), what) != all.end();
}

edges::iterator find(edges& all, const char* event, ha_phase to) {
  return std::find_if(all.begin(), all.end(), [&](const auto& x) {
    return x.event == event && x.to == to;
  });
}

} // namespace

TEST_CASE("a seed walks the same way again, another one another way") {
  auto first = trace_of(5);
  auto again = first == trace_of(5);
  auto another = first == trace_of(6);
  CHECK(again);
  CHECK_FALSE(another);
}

TEST_CASE("a walk goes by both tables, into every state") {
  walk_wish what;
  what.events = 6000;
  auto met = walk(what);
  CHECK(met.events() >= 6000);
  std::ostringstream out;
  CHECK(report(met, what, false, out) == 0);
  INFO(out.str());
  CHECK(met.wrong().empty());
  auto told = met.pairs();
  for (std::size_t i = 0; i < phases; ++i) {
    auto name = std::string{to_string(static_cast<ha_phase>(i))} + ": ";
    INFO(name);
    CHECK(std::any_of(told.begin(), told.end(), [&](const auto& x) {
      return x.count > 0 && x.what.starts_with(name);
    }));
  }
}

TEST_CASE("a change that the code's table does not have is found") {
  auto all = table();
  all.erase(find(all, "HealthCheckFailed", ha_phase::suspect));
  CHECK(says(wrong_by(all), "available -- HealthCheckFailed --> suspect is not "
                            "in the table of the code"));
}

TEST_CASE("a change that the specification does not have is found") {
  auto all = table();
  find(all, "OperatorWord", ha_phase::fenced)->ours = false;
  auto wrong = wrong_by(all);
  CHECK(std::any_of(wrong.begin(), wrong.end(), [](const auto& x) {
    return x.find("-- OperatorWord --> fenced is not in the table of the "
                  "specification")
           != std::string::npos;
  }));
}

TEST_CASE("a change of the specification that is called ours is found") {
  auto all = table();
  find(all, "PerformActivityCheck", ha_phase::checking)->ours = true;
  CHECK(says(wrong_by(all), "suspect -- PerformActivityCheck --> checking is "
                            "called ours, and is in the specification"));
}

TEST_CASE("a change whose guard does not hold is found, and what it says") {
  auto told = [](auto change) {
    walk_wish what;
    what.events = 6000;
    change(what.by);
    return walk(what).wrong();
  };
  // A guard that goes by one reset only, where the machine goes by two.
  CHECK(
    says(told([](limits& x) { x.recoveries = 1; }),
         "checking -- ActivityCheckFailureOverThresholdRatio --> recovering "
         "was taken by 'permit granted', and this did not hold: checks = "
         "max and failures > ratio x checks and recoveries < max"));
  CHECK(says(told([](limits& x) { ++x.checks; }),
             "checking -- ActivityCheckFailureUnderThresholdRatio --> degraded "
             "was taken by 'active', and this did not hold: checks = max and "
             "failures <= ratio x checks"));
  CHECK(says(told([](limits& x) { x.recoveries = 1; }),
             "recovering -- RetryRecovery --> recovering was taken by 'due', "
             "and this did not hold: failed, attempts left, backoff over"));
}

TEST_CASE("each row of the specification has a guard") {
  for (const auto& row : specified()) {
    INFO(row.event);
    CHECK(row.holds != nullptr);
  }
}

TEST_CASE("what was met too seldom is told by its name") {
  walk_wish what;
  what.events = 300;
  what.least = 1'000'000;
  auto met = walk(what);
  std::ostringstream out;
  CHECK(report(met, what, true, out) == 1);
  auto said = nlohmann::json::parse(out.str());
  CHECK(said.at("events") == met.events());
  // Each pair must be met so often, each change once.
  auto changes = met.changes();
  auto never = std::count_if(changes.begin(), changes.end(),
                             [](const auto& x) { return x.count == 0; });
  CHECK(never > 0);
  CHECK(said.at("wrong").size()
        == met.pairs().size() + static_cast<std::size_t>(never));
}

TEST_CASE("a line of the trace says what was told, what was known, and what "
          "came of it") {
  std::istringstream lines{trace_of(5)};
  std::set<std::string> changes;
  std::int64_t before = 0;
  for (std::string line; std::getline(lines, line);) {
    auto x = nlohmann::json::parse(line);
    CHECK(x.at("t") >= before);
    before = x.at("t");
    auto moved = x.at("from") != x.at("to");
    CHECK(moved == !x.at("event").get<std::string>().empty());
    CHECK(x.at("guards").at("phase") == x.at("from"));
    CHECK(x.at("epochs").at("life") >= 1);
    CHECK(x.at("operations").is_array());
    CHECK(x.at("codes").is_array());
    changes.insert(x.at("event"));
  }
  CHECK(changes.count("PerformActivityCheck") == 1);
  CHECK(changes.count("") == 1);
}

TEST_CASE("what the code's table calls the specification's is in it, and the "
          "other way round") {
  for (const auto& x : host_ha::edges()) {
    INFO(name_of(x.from ? to_string(*x.from) : "any", x.event, x.to));
    CHECK(x.ours
          != std::any_of(specified().begin(), specified().end(),
                         [&](const auto& row) {
                           return row.from == x.from && row.event == x.event
                                  && row.to == x.to;
                         }));
  }
  for (const auto& row : specified()) {
    INFO(name_of(row.from ? to_string(*row.from) : "any", row.event, row.to));
    // What stays where it is is no change.
    if (row.from != row.to)
      CHECK(host_ha::is_edge(row.from.value_or(ha_phase::available), row.event,
                             row.to));
  }
}

} // namespace orderly::walk_test
