// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/utc.hpp"

#include <catch2/catch.hpp>

namespace orderly::base_utc_test {

TEST_CASE("ages are told in the two largest units") {
  CHECK(age_text(millis{-5}) == "0s");
  CHECK(age_text(millis{59'999}) == "59s");
  CHECK(age_text(seconds{61}) == "1m 1s");
  CHECK(age_text(minutes{61}) == "1h 1m");
  CHECK(age_text(hours{49}) == "2d 1h");
}

} // namespace orderly::base_utc_test
