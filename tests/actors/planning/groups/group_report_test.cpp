// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/groups/group_report.hpp"
#include "tests/support/planning/plain_rules.hpp"
#include "tests/support/planning/racks.hpp"
#include "tests/support/planning/squeezable.hpp"

#include <catch2/catch.hpp>

namespace orderly::group_report_test {

using namespace orderly::planning;
using samples::add;

TEST_CASE("a group is unhealthy by who is on dead nodes, weakly so by N+1") {
  auto c = samples::racks(2, 3);
  add(c, 0, 6000, disk_template::drbd, 1);
  auto is = [&] { return report_groups(c, {})[0].health(); };
  CHECK(is() == group_health::healthy);
  add(c, 1, 5000, disk_template::plain);
  CHECK(is() == group_health::weakly);
  samples::lose(c, 0);
  auto all = report_groups(c, {});
  CHECK(all[0].health() == group_health::unhealthy);
  CHECK(all[0].stranded == std::vector<int>{0});
  CHECK(all[0].state.nodes == 2);
  CHECK(all[0].nodes == 3);
  CHECK(all[1].health() == group_health::healthy);
}

TEST_CASE("half a mirror on a dead node makes a group unhealthy") {
  auto c = samples::racks(1, 3);
  add(c, 0, 1000, disk_template::drbd, 1);
  samples::lose(c, 1);
  CHECK(report_groups(c, {})[0].health() == group_health::unhealthy);
}

TEST_CASE("only nodes in service have room") {
  auto c = samples::racks(2, 2);
  add(c, 0, 1000);
  add(c, 2, 3000, disk_template::plain);
  samples::lose(c, 1);
  auto all = report_groups(c, {});
  CHECK(all[0].room
        == group_room{10'000, 9000, 1'000'000, 1'000'000, 256, 254});
  CHECK(all[1].room
        == group_room{20'000, 17'000, 2'000'000, 1'999'000, 512, 509});
}

TEST_CASE("the health of drawn groups is what the plain rules say") {
  auto weak = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    samples::squeezable f;
    f.nodes = 6;
    f.instances = 80;
    f.local = true;
    auto c = samples::draw_squeezable(seed, f);
    plain_rules rules{c};
    for (const auto& g : report_groups(c, {})) {
      auto well = true;
      for (int n = 0; n < rules.count(); ++n)
        if (rules.group_of(n) == g.group && rules.is_on(n))
          well = well && rules.has_n1(n) && rules.is_covered(n);
      CHECK((g.health() == group_health::healthy) == well);
      weak += well ? 0 : 1;
    }
  }
  CHECK(weak >= 5);
}

} // namespace orderly::group_report_test
