// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/shared_n1.hpp"
#include "actors/planning/search/fast.hpp"
#include "actors/planning/search/fast_field.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace orderly::search_fast_test {

using namespace orderly::planning;

namespace {

samples::flavour flavour_of(std::uint64_t seed) {
  return {seed % 2 == 0, seed % 5 == 0, seed % 7 == 0, seed % 3 == 0,
          seed % 4 == 0};
}

cluster drawn(std::uint64_t seed) {
  return samples::draw(seed, 2 + static_cast<int>(seed % 11), 35,
                       flavour_of(seed));
}

search_rules rules_of(std::uint64_t seed) {
  search_rules r;
  r.restricted_migration = seed % 11 == 0;
  r.disk_moves = seed % 13 != 0;
  r.evacuate = seed % 17 == 0;
  return r;
}

/// What holds before a step must hold after it.
void check_step(const placement& before, const placement& after) {
  for (std::size_t n = 0; n < after.states.size(); ++n) {
    const auto& f = after.facts[n];
    const auto& s = after.states[n];
    const auto& b = before.states[n];
    if (!f.online)
      continue;
    CHECK((b.short_of_memory || !s.short_of_memory));
    if (s.cpus > b.cpus)
      CHECK(static_cast<double>(s.cpus) <= f.vcpu_ratio * f.total_cpus);
    if (s.spindles > b.spindles)
      CHECK(static_cast<double>(s.spindles) <= f.high_spindles);
    if (s.free_disk < b.free_disk)
      CHECK(s.free_disk > 0);
    if (s.conflicts > b.conflicts)
      CHECK(s.conflicts == b.conflicts);
  }
}

} // namespace

TEST_CASE("each step of a fast plan is allowed and breaks nothing that held") {
  int steps = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    auto c = drawn(seed);
    auto rules = rules_of(seed);
    placement p{c, 0, {}};
    placement walked{c, 0, {}};
    shared_n1 cover{p};
    auto x = balance_fast(p, rules, {});
    CHECK(x.found.initial == exact_score(walked));
    for (const auto& s : x.found.steps) {
      auto before = walked;
      CHECK(is_candidate(walked, s.what.instance, rules));
      auto kinds = allowed_kinds(walked, s.what.instance, rules);
      CHECK(std::find(kinds.begin(), kinds.end(), s.what.kind) != kinds.end());
      CHECK(walked.places[static_cast<std::size_t>(s.what.instance)] == s.from);
      auto o = try_move(walked, s.what, rules.ignore_soft);
      REQUIRE(o.why == refusal::none);
      make_move(walked, s.what, o);
      CHECK_FALSE(cover.follow(walked, s.what.instance, s.from));
      CHECK(o.where == s.to);
      CHECK(exact_score(walked) == s.score);
      if (!flavour_of(seed).offline)
        check_step(before, walked);
      ++steps;
    }
    CHECK(walked.places == p.places);
    CHECK(x.found.final == exact_score(p));
    CHECK(x.found.final <= x.found.initial);
    CHECK((x.found.steps.empty() || x.found.final < x.found.initial));
    for (std::size_t i = 0; i < p.places.size(); ++i)
      if (!p.instances[i].movable || !c.instances[i].auto_balance)
        CHECK(p.places[i] == placement(c, 0, {}).places[i]);
  }
  CHECK(steps > 1000);
}

TEST_CASE("the same input, rules and budget give the same fast plan") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = drawn(seed);
    fast_rules fast;
    fast.effort_max = seed % 2 == 0 ? 2000 : 1'000'000;
    placement a{c, 0, {}};
    placement b{c, 0, {}};
    auto first = balance_fast(a, {}, fast);
    auto second = balance_fast(b, {}, fast);
    REQUIRE(first.found.steps.size() == second.found.steps.size());
    for (std::size_t k = 0; k < first.found.steps.size(); ++k) {
      CHECK(first.found.steps[k].what == second.found.steps[k].what);
      CHECK(first.found.steps[k].score == second.found.steps[k].score);
    }
    CHECK(first.effort == second.effort);
  }
}

TEST_CASE("a fast plan has no more steps than the budget of moves") {
  for (int most : {0, 1, 2, 5, 9})
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      auto c = drawn(seed);
      search_rules rules;
      rules.max_length = most;
      placement p{c, 0, {}};
      auto x = balance_fast(p, rules, {});
      CHECK(x.found.steps.size() <= static_cast<std::size_t>(most));
      CHECK(x.found.final == exact_score(p));
      CHECK(x.found.final <= x.found.initial);
    }
}

TEST_CASE("the fast search ends no worse than the exact one, over many") {
  double exact_sum = 0;
  double fast_sum = 0;
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    samples::flavour f{false, false, false, false, false};
    auto c = samples::draw(seed, 6 + static_cast<int>(seed % 7), 60, f);
    placement a{c, 0, {}};
    placement b{c, 0, {}};
    fast_rules fast;
    fast.move_cost = 0;
    fast.shared_n1 = shared_n1_use::off;
    auto x = balance(a, {}).final;
    auto y = balance_fast(b, {}, fast).found.final;
    exact_sum += x;
    fast_sum += y;
    better += y < x ? 1 : 0;
  }
  CHECK(fast_sum < exact_sum);
  CHECK(better > 45);
}

TEST_CASE("a deadline that is over at once leaves everything where it is") {
  auto c = drawn(4);
  placement p{c, 0, {}};
  auto before = p.places;
  fast_rules fast;
  fast.is_over = [] { return true; };
  auto x = balance_fast(p, {}, fast);
  CHECK(x.cut);
  CHECK(x.found.steps.empty());
  CHECK(p.places == before);
}

TEST_CASE("where no node is online nothing moves") {
  auto c = drawn(4);
  for (auto& n : c.nodes)
    n.offline = true;
  placement p{c, 0, {}};
  auto x = balance_fast(p, {}, {});
  CHECK(x.found.steps.empty());
  CHECK(x.found.final == 0);
}

TEST_CASE("a deadline in between cuts a plan that is still good") {
  int cut = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    auto c = drawn(seed);
    placement p{c, 0, {}};
    fast_rules fast;
    int asked = 0;
    fast.is_over = [&] { return ++asked > static_cast<int>(seed); };
    auto x = balance_fast(p, {}, fast);
    CHECK(x.found.final == exact_score(p));
    CHECK(x.found.final <= x.found.initial);
    cut += x.cut ? 1 : 0;
  }
  CHECK(cut > 10);
}

TEST_CASE("a move that costs more than it gains is not made") {
  auto c = samples::draw(5, 8, 40, {});
  fast_rules fast;
  fast.move_cost = 1e6;
  placement p{c, 0, {}};
  CHECK(balance_fast(p, {}, fast).found.steps.empty());
  std::size_t last = 1000;
  for (auto cost : {0.0, 0.05, 0.5, 5.0}) {
    placement q{c, 0, {}};
    fast.move_cost = cost;
    auto made = balance_fast(q, {}, fast).found.steps.size();
    CHECK(made <= last);
    last = made;
  }
}

TEST_CASE("two instances that only pay together change places") {
  // Equal counts: one move makes them unequal, which costs more than it gains.
  auto c = samples::read(R"(g|u|preferred||

n1|64000|0|10000|100|100|16|M|u|8||N|0|0|1.0
n2|64000|0|46000|100|100|16|N|u|8||N|0|0|1.0

a1|27000|0|4|running|Y|n1||ext|
a2|27000|0|4|running|Y|n1||ext|
b1|9000|0|4|running|Y|n2||ext|
b2|9000|0|4|running|Y|n2||ext|

)");
  placement exact{c, 0, {}};
  CHECK(balance(exact, {}).steps.empty());
  placement p{c, 0, {}};
  fast_rules fast;
  fast.shared_n1 = shared_n1_use::off; // alone, no node could take it all
  auto x = balance_fast(p, {}, fast);
  CHECK(x.found.steps.size() == 2);
  CHECK(x.found.final < 0.01);
}

TEST_CASE("what a field says a move is worth is what the score says") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    auto c = drawn(seed);
    placement p{c, 0, {}};
    fast_rules fast;
    fast.move_cost = 0;
    fast.shared_n1 = shared_n1_use::off;
    search_rules rules;
    fast_field field{p, rules, fast};
    samples::dice d{seed};
    for (int k = 0; k < 60; ++k) {
      move m{d.roll(p.instance_count()), move_kind::replace_secondary,
             d.roll(p.node_count())};
      auto where = p.places[static_cast<std::size_t>(m.instance)];
      if (!is_candidate(p, m.instance, rules) || where.primary == m.target
          || where.secondary == m.target
          || !p.facts[static_cast<std::size_t>(m.target)].online)
        continue;
      auto kinds = allowed_kinds(p, m.instance, rules);
      if (kinds.empty())
        continue;
      m.kind = kinds[static_cast<std::size_t>(
        d.roll(static_cast<int>(kinds.size())))];
      auto before = p;
      auto worth = field.worth(m);
      auto score = exact_score(p);
      CHECK(field.make(m) == worth.has_value());
      if (!worth)
        continue;
      CHECK(std::abs(score - exact_score(p) - *worth) < 1e-9);
      CHECK(std::abs(field.score() - exact_score(p)) < 1e-9);
      ++compared;
      if (d.chance(50)) {
        field.settle();
        continue;
      }
      field.take_back();
      CHECK(p.states == before.states);
      CHECK(p.places == before.places);
      CHECK(p.by_secondary == before.by_secondary);
      CHECK(p.shared_locations == before.shared_locations);
    }
  }
  CHECK(compared > 300);
}

} // namespace orderly::search_fast_test
