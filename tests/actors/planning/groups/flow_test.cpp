// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/flow.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

namespace orderly::flow_test {

using namespace orderly::planning;

namespace {

struct arc {
  int from;
  int to;
  std::int64_t capacity;
};

/// By looking at every set of points that could be on the source's side.
std::int64_t least_cut(int points, const std::vector<arc>& arcs) {
  auto result = flow_net::no_bound;
  for (unsigned set = 0; set < (1U << static_cast<unsigned>(points)); ++set) {
    auto in
      = [&](int p) { return (set >> static_cast<unsigned>(p) & 1U) != 0; };
    if (!in(0) || in(1))
      continue;
    std::int64_t cut = 0;
    for (const auto& a : arcs)
      cut += in(a.from) && !in(a.to) ? a.capacity : 0;
    result = std::min(result, cut);
  }
  return result;
}

} // namespace

TEST_CASE("the greatest flow is the least cut, and the cut is told") {
  constexpr int points = 7;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    samples::dice d{seed};
    std::vector<arc> arcs;
    flow_net net{points};
    for (auto k = d.roll(20); k > 0; --k) {
      arc a{d.roll(points), d.roll(points), d.roll(30)};
      arcs.push_back(a);
      net.connect(a.from, a.to, a.capacity);
    }
    auto flow = net.greatest(0, 1);
    CHECK(flow == least_cut(points, arcs));
    std::int64_t cut = 0;
    for (const auto& a : arcs)
      cut += net.is_behind(a.from) && !net.is_behind(a.to) ? a.capacity : 0;
    CHECK(cut == flow);
  }
}

} // namespace orderly::flow_test
