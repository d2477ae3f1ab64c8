// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/when.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace orderly::json_when_test {

using namespace orderly::io::http;

TEST_CASE("times are written as RFC 3339 and read back the same") {
  for (std::int64_t ms :
       {1LL, 951'782'400'123LL, 1'772'366'400'000LL, 253'402'300'799'999LL}) {
    auto text = to_rfc3339(from_ms(ms));
    CHECK(text.size() == 24);
    REQUIRE(from_rfc3339(text));
    CHECK(to_ms(*from_rfc3339(text)) == ms);
  }
  CHECK(to_rfc3339(from_ms(951'782'400'123)) == "2000-02-29T00:00:00.123Z");
  CHECK(from_rfc3339("2000-02-29T00:00:00Z") == from_ms(951'782'400'000));
}

TEST_CASE("times that never were have no text") {
  for (std::int64_t ms :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{253'402'300'800'000},
        std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    CHECK(to_rfc3339(from_ms(ms)).empty());
}

TEST_CASE("what is no time is not read as one") {
  for (const char* text :
       {"", "Z", "2026-03-01", "2026-03-01 12:00:00Z", "2026-02-30T12:00:00Z",
        "2026-03-01T24:00:00Z", "2026-03-01T12:60:00Z",
        "2026-03-01T12:00:00+01:00", "2o26-03-01T12:00:00.000Z"}) {
    INFO(text);
    CHECK_FALSE(from_rfc3339(text));
  }
}

} // namespace orderly::json_when_test
