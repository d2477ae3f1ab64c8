// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How old what an instance's actor knows may be when its policy is asked.

#include "actors/instance/parts.hpp"
#include "actors/power/oob.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

namespace orderly::instance_parts_test {

namespace {

struct bench {
  bench() {
    st.ctx = on.ctx();
    st.facts.emplace();
    st.facts->record.name = "x";
    st.room = autorepair::room_view{true, {}, {}};
    st.room_at = start;
  }

  [[nodiscard]] const settings& rules() { return *st.ctx->rules(); }

  /// Is what was answered about room still known so long after that?
  [[nodiscard]] bool knows_room(millis later) {
    return instance_parts::seen(st, start + later).room.has_value();
  }

  stage on;
  instance_state st;
  instant start{hours{470'000}};
};

} // namespace

TEST_CASE(
  "what was answered about room is good while a job's last looks last") {
  bench b;
  auto most = b.rules().autorepair.room_max_age;
  auto looks = power_patience(b.rules());
  CHECK(b.knows_room(most));
  CHECK_FALSE(b.knows_room(most + seconds{1}));
  b.st.machine.intent = "a";
  b.st.headed = "a";
  b.st.headed_at = b.start + most;
  CHECK(b.knows_room(most + looks));
  CHECK_FALSE(b.knows_room(most + looks + seconds{1}));

  SECTION("and no longer once it was held back, or for a job of before") {
    b.st.headed_at = never;
    CHECK_FALSE(b.knows_room(most + seconds{1}));
  }
  SECTION("nor for another job") {
    b.st.machine.intent = "b";
    CHECK_FALSE(b.knows_room(most + seconds{1}));
  }
}

} // namespace orderly::instance_parts_test
