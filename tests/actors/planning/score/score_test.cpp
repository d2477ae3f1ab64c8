// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/score/score.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace orderly::score_test {

using namespace orderly::planning;

TEST_CASE("the twenty terms are the reference's") {
  auto c = samples::small();
  placement p{c, 0, {}};
  const double expected[] = {
    0.10274023, 0.21602469, 0,          0.04714045, 1, 1,          0.07795120,
    0.47140452, 0.47140452, 1.24721913, 0.47140452, 0, 0.01327870, 0.05656854,
    0.26246693, 0.19320039, 0.01327870, 0,          0, 0.20000000};
  auto lines = score_lines(p);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    INFO(lines[k].name);
    CHECK(std::abs(lines[k].value - expected[k]) < 5.1e-9);
  }
  CHECK(std::abs(exact_score(p) - 23.22632783) < 5.1e-9);
  CHECK(std::abs(lowest_score(p) - 4.166667e-3) < 5e-10);
}

TEST_CASE("a node is short at the start by what it reports, or by what is "
          "certain") {
  // n2 reports 1000 MiB free and keeps 1000 for n1's instance.
  auto c = samples::read("g|u|preferred||\n\n"
                         "n1|4000|500|2500|9000|8000|4|N|u\n"
                         "n2|4000|500|1000|9000|8000|4|N|u\n"
                         "n3|4000|500|3500|9000|9000|4|N|u\n\n"
                         "i1|1000|1000|1|running|Y|n1|n2|drbd|\n"
                         "i2|100|1000|1|running|Y|n2|n1|drbd|\n\n\n");
  build_options old;
  old.n1 = initial_n1::reported;
  CHECK_FALSE(placement(c, 0, old).states[1].short_of_memory);
  CHECK(placement(c, 0, {}).states[1].short_of_memory);
  // Touched, it is short under both rules: a new mirror is enough.
  placement p{c, 0, old};
  move m{1, move_kind::replace_secondary, 2};
  auto x = try_move(p, m, false);
  REQUIRE(x.why == refusal::none);
  make_move(p, m, x);
  CHECK(p.states[1].short_of_memory);
}

TEST_CASE("without online nodes a placement scores nothing") {
  auto c = samples::small();
  for (auto& n : c.nodes)
    n.offline = true;
  CHECK(exact_score(placement{c, 0, {}}) == 0);
}

namespace {

move draw_move(const placement& p, samples::dice& d) {
  move m;
  m.instance = d.roll(p.instance_count());
  auto kinds = allowed_kinds(p, m.instance, {});
  if (kinds.empty())
    return {};
  m.kind
    = kinds[static_cast<std::size_t>(d.roll(static_cast<int>(kinds.size())))];
  if (m.kind == move_kind::failover)
    return m;
  m.target = d.roll(p.node_count());
  auto where = p.places[static_cast<std::size_t>(m.instance)];
  auto good = m.target != where.primary && m.target != where.secondary
              && p.facts[static_cast<std::size_t>(m.target)].online;
  return good ? m : move{};
}

/// The greatest difference of the two ways over a walk of random moves.
double walk(const cluster& c, int moves, samples::dice& d, int& made) {
  placement p{c, 0, {}};
  score_board board{p};
  running_score sums{p, board};
  double worst = 0;
  for (int k = 0; k < moves; ++k) {
    auto m = draw_move(p, d);
    if (m.instance < 0)
      continue;
    auto x = try_move(p, m, true);
    if (x.why != refusal::none)
      continue;
    ++made;
    std::array<score_row, 3> before;
    for (std::size_t n = 0; n < 3; ++n)
      before[n] = board.row(x.nodes[n]);
    make_move(p, m, x);
    board.update(p, x);
    for (std::size_t n = 0; n < static_cast<std::size_t>(x.count); ++n)
      if (p.facts[static_cast<std::size_t>(x.nodes[n])].online)
        sums.replace(before[n], board.row(x.nodes[n]));
    sums.replace(board.counts());
    worst = std::max(worst, std::abs(sums.value() - board.score()));
    if (k % 1000 == 0)
      sums.recentre(p, board);
  }
  return worst;
}

} // namespace

TEST_CASE("running sums are the two-pass score over 100,000 random moves") {
  samples::dice d{7};
  int made = 0;
  for (std::uint64_t seed = 1; made < 100'000; ++seed) {
    REQUIRE(seed < 200);
    samples::flavour f{seed % 2 == 0, seed % 3 == 0, seed % 5 == 0,
                       seed % 2 == 1, seed % 3 == 1};
    auto c = samples::draw(seed, 3 + static_cast<int>(seed % 17), 60, f);
    CHECK(walk(c, 4000, d, made) < 1e-8);
  }
}

} // namespace orderly::score_test
