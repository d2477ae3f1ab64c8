// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/mass_failure.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace orderly::guards_mass_failure_test {

TEST_CASE("a mass failure is more than the share, exactly") {
  CHECK_FALSE(is_mass_failure(3, 10, 0.3));
  CHECK(is_mass_failure(4, 10, 0.3));
  CHECK_FALSE(is_mass_failure(7, 10, 0.7));
  CHECK(is_mass_failure(1, 1, 0.5));
}

TEST_CASE("without a ratio there is no mass failure") {
  CHECK_FALSE(is_mass_failure(10, 10, {}));
  CHECK_FALSE(
    is_mass_failure(10, 10, std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(is_mass_failure(10, 10, 1.0));
  CHECK_FALSE(is_mass_failure(0, 0, 0.0));
}

} // namespace orderly::guards_mass_failure_test
