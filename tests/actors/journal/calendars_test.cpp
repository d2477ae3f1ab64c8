// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How what was dated by one calendar is told by another.

#include "actors/journal/calendars.hpp"

#include <catch2/catch.hpp>

namespace orderly::calendars_test {

namespace {

const instant noon = from_ms(1'767'268'800'000);
const std::set<std::string> both{"boot-1", "boot-2"};

calendars of(const std::string& name) {
  calendars x;
  x.begin(name, noon, never);
  return x;
}

} // namespace

TEST_CASE("what was dated before the calendar was set is told by the one of "
          "now") {
  auto x = of("boot-1/0");
  CHECK(x.since("boot-1/0") == millis{0});
  CHECK(x.follow("boot-1/-240000"));
  CHECK(x.follow("boot-1/-245000"));
  CHECK(x.since("boot-1/0") == -minutes{4} - seconds{5});
  CHECK(x.since("boot-1/-240000") == -seconds{5});
  CHECK(x.is_sure("boot-1/0"));
  SECTION("one that is slewed orders nothing anew") {
    CHECK_FALSE(x.follow("boot-1/-244100"));
    CHECK(x.since("boot-1/-244100") == millis{0});
  }
  SECTION("many times slewed it was set") {
    CHECK(x.follow("boot-1/-244000"));
    CHECK(x.since("boot-1/-245000") == seconds{1});
  }
}

TEST_CASE("no name of a calendar tells nothing") {
  auto x = of("boot-1/0");
  for (const auto* broken : {"", "boot-1", "boot-1/", "boot-1/7x", "/", "/7"}) {
    INFO(broken);
    CHECK_FALSE(x.since(broken));
    CHECK_FALSE(x.is_sure(broken));
    CHECK_FALSE(x.follow(broken));
    CHECK(start_in(broken).empty());
  }
  CHECK(x.since("boot-1/0") == millis{0});
}

TEST_CASE("dates of before the machine was started keep their order, and are "
          "sure no more") {
  auto first = of("boot-1/0");
  first.follow("boot-1/-3600000");
  calendars x{first.kept(), both};
  // It goes on, or is earlier than what was written down last.
  auto earlier = GENERATE(-minutes{3}, minutes{20});
  auto back = std::max<millis>(earlier + seconds{20}, millis{0});
  x.begin("boot-2/500", noon, noon + earlier);
  CHECK(x.since("boot-1/0") == -hours{1} - back);
  CHECK(x.since("boot-1/-3600000") == -back);
  CHECK(x.since("boot-2/500") == millis{0});
  CHECK(x.is_sure("boot-2/500"));
  CHECK_FALSE(x.is_sure("boot-1/0"));
  SECTION("what is set later sets all of them") {
    auto before = *x.since("boot-1/0");
    CHECK(x.follow("boot-2/60500"));
    CHECK(x.since("boot-1/0") == before + minutes{1});
  }
  SECTION("over one more start of the machine, too") {
    auto before = *x.since("boot-1/0");
    calendars y{x.kept(), both};
    y.begin("boot-3/7", noon, noon + minutes{1});
    CHECK(y.since("boot-1/0") == before - seconds{80});
    CHECK(y.since("boot-2/500") == -seconds{80});
  }
}

TEST_CASE("a start of the machine that dates nothing any more is forgotten") {
  auto first = of("boot-1/0");
  calendars second{first.kept(), both};
  second.begin("boot-2/0", noon, never);
  calendars third{second.kept(), {"boot-2"}};
  CHECK_FALSE(third.since("boot-1/0"));
  CHECK(third.since("boot-2/0") == millis{0});
  CHECK_FALSE(third.kept().has("offset/boot-1"));
}

TEST_CASE("after a restart of the daemon the calendar may have been set") {
  auto x = calendars{of("boot-1/0").kept(), both};
  x.begin("boot-1/90000", noon, noon + hours{5});
  CHECK(x.since("boot-1/0") == seconds{90});
  CHECK(x.is_sure("boot-1/0"));
}

TEST_CASE("a machine whose start has no name is sure of nothing") {
  calendars x{of("boot-1/0").kept(), both};
  x.begin("", noon, never);
  CHECK(x.since("boot-1/0") == millis{0});
  CHECK_FALSE(x.is_sure("boot-1/0"));
  CHECK_FALSE(x.follow(""));
}

} // namespace orderly::calendars_test
