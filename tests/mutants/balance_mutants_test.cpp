// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Balancing where a person works: S26 S35.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_balance_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S26 is broken by a daemon that balances what an emergency "
          "power-off has") {
  // Everything takes long, so that the power-off is still under way when the
  // next rounds would begin.
  auto text = "world uneven-5n\n" + quick.substr(quick.find('\n') + 1)
              + "set balance.enabled true\n"
                "set balance.interval 30s\n"
                "at 10s job-durations x30\n"
                "at 20s orderly epo node3 --reason \"a leak\"\n"
                "run 10m\n";
  SECTION("without the defect all laws are kept") {
    auto found = run(text);
    INFO(found.story);
    CHECK(found.laws == names{});
  }
  SECTION("with the defect it is broken") {
    auto found = run(text, {"held-is-balanced"});
    INFO(found.story);
    CHECK(found.laws == names{"S26", "S35"});
  }
}

} // namespace orderly::mutants_balance_mutants_test
