// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A node dies while moves for balance are under way: it is fenced, and its
// instances fail over, as soon as without them.

#include "sim/lab/drill.hpp"
#include "sim/lab/lab.hpp"

#include <catch2/catch.hpp>

namespace orderly::lab_balance_reaction_test {

using namespace orderly::sim;

namespace {

struct times {
  millis fenced{};
  std::map<object_id, millis> failovers; ///< when their jobs were in the queue
  bool moving = false; ///< a move was under way when the node died
  instant died;
};

settings rules() {
  settings s;
  s.autorepair.enabled = true;
  s.balance.enabled = true;
  s.balance.interval = minutes{1};
  s.storm.settle = seconds{6};
  return s;
}

/// Two groups are made even; then somebody makes the first one uneven again,
/// and a node of the second dies: under a move, or, with balancing off, at the
/// given time. Checks come at the same times then, so that both are the same
/// part of their interval away.
times run(bool balanced, instant dies = never) {
  lab l{*plan_named("uneven-10n", 7), rules(), 7};
  times result;
  std::set<object_id> moves;
  auto died = never;
  l.on_entry = [&](const journal_entry& e) {
    auto since = std::chrono::duration_cast<millis>(e.at - died);
    auto is_move = e.object.starts_with("balance:");
    if (is_move && e.code == "job-submitted")
      moves.insert(e.object);
    if (is_move && e.code == "job-ended")
      moves.erase(e.object);
    if (died == never)
      return;
    if (e.code == "fenced" && result.fenced == millis{})
      result.fenced = since;
    if (e.code == "job-submitted"
        && e.why.find("failover") != std::string::npos)
      result.failovers.emplace(e.object, since);
  };
  l.run_for(minutes{40});
  auto with = rules();
  with.balance.enabled = balanced;
  l.change_rules(with);
  for (const auto* name : {"db01", "db03", "db05", "db07"})
    l.apply(std::string{"migrate "} + name + " node01");
  l.run_for(seconds{40}); // those have ended
  for (auto i = 0; i < 120 && balanced && moves.empty(); ++i)
    l.run_for(seconds{1});
  l.run_for(balanced ? millis{seconds{2}}
                     : std::chrono::duration_cast<millis>(dies - l.now()));
  result.moving = !moves.empty();
  REQUIRE(l.apply("power node04 off").empty());
  died = result.died = l.now();
  l.run_for(minutes{5});
  CHECK(l.broken().empty());
  return result;
}

} // namespace

TEST_CASE("moves for balance delay neither a fence nor a failover") {
  auto with = run(true);
  auto without = run(false, with.died);
  REQUIRE_FALSE(without.moving);
  REQUIRE(with.moving);
  REQUIRE(without.failovers.size() >= 2);
  CHECK(with.fenced <= without.fenced + seconds{2});
  REQUIRE(with.failovers.size() == without.failovers.size());
  for (const auto& [object, when] : without.failovers)
    CHECK(with.failovers.at(object) <= when + seconds{2});
}

} // namespace orderly::lab_balance_reaction_test
