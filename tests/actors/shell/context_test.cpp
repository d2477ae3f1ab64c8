// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What all actors share: who was on duty, and for how long nobody was.

#include "actors/shell/context.hpp"

#include <catch2/catch.hpp>

namespace orderly::context_test {

namespace {

struct rig {
  rig() {
    x.watch([this] { return offsets; });
    x.settle_clocks(t);
  }

  /// The core falls, and another one begins.
  void raise() {
    x.end_duty(t);
    x.settle_clocks(t);
  }

  /// A machine that sleeps runs no clock but the calendar.
  void sleep(millis d) {
    offsets.boot += d;
    offsets.wall += d;
  }

  [[nodiscard]] millis off() const { return x.off_duty(t); }

  caf::actor_clock::time_point t{hours{1}};
  clock_offsets offsets{hours{1}, hours{400'000}};
  context x{std::make_shared<const settings>(), t, instant{hours{400'001}}, 1,
            "test"};
};

} // namespace

TEST_CASE("a process that has just begun was never off duty") {
  rig b;
  b.t += minutes{20};
  CHECK(b.off() == millis{0});
  b.x.set_duty(duty::ours, b.t);
  CHECK(b.off() == millis{0});
  CHECK(b.x.on_duty_since() == b.x.at(b.t));
}

TEST_CASE("a core that begins anew is off duty until it has the right to act") {
  rig b;
  b.x.set_duty(duty::ours, b.t);
  b.t += hours{1};
  b.raise();
  CHECK(b.x.on_duty() == duty::unknown);
  CHECK(b.x.on_duty_since() == never);
  b.t += minutes{7};
  CHECK(b.off() == minutes{7});
  SECTION("and another one after it") {
    b.raise();
    b.t += minutes{2};
    CHECK(b.off() == minutes{9});
  }
  SECTION("until then, and no longer") {
    b.x.set_duty(duty::ours, b.t);
    b.t += hours{5};
    b.x.set_duty(duty::ours, b.t);
    CHECK(b.off() == minutes{7});
  }
  SECTION("unless others were on duty in between") {
    b.x.set_duty(duty::others, b.t);
    CHECK(b.x.others_watched());
    b.t += minutes{2};
    b.x.set_duty(duty::ours, b.t);
    CHECK(b.off() == millis{0});
    b.t += minutes{2};
    b.raise();
    CHECK_FALSE(b.x.others_watched());
  }
  SECTION("unless others are on duty") {
    b.x.set_duty(duty::others, b.t);
    CHECK(b.off() == millis{0});
    b.raise();
    b.x.set_duty(duty::ours, b.t);
    CHECK(b.off() == millis{0});
  }
}

TEST_CASE("a sleep is off duty, and a step of the calendar is none") {
  rig b;
  b.x.set_duty(duty::ours, b.t);
  b.t += hours{1};
  SECTION("slept") {
    b.sleep(minutes{18});
    b.raise();
    CHECK(b.off() == minutes{18});
    // The calendar is set once the machine is awake.
    b.offsets.wall += seconds{30};
    b.raise();
    b.x.set_duty(duty::ours, b.t);
    CHECK(b.off() == minutes{18});
  }
  SECTION("set ahead") {
    b.offsets.wall += hours{3};
    b.raise();
    CHECK(b.off() == millis{0});
  }
  SECTION("set back") {
    b.offsets.wall -= hours{3};
    b.raise();
    CHECK(b.off() == millis{0});
  }
}

TEST_CASE("a calendar is named by the start of the machine and by how it is "
          "set") {
  rig b;
  b.x.watch([&b] { return b.offsets; }, "boot-1");
  auto first = b.x.calendar_name();
  CHECK(first.starts_with("boot-1/"));
  b.sleep(seconds{20});
  b.raise();
  CHECK(b.x.calendar_name() == first);
  b.t += minutes{1};
  b.offsets.wall -= minutes{4};
  b.raise();
  CHECK(b.x.calendar_name() != first);
  b.offsets.wall += minutes{4};
  b.raise();
  CHECK(b.x.calendar_name() == first);
  b.x.watch([&b] { return b.offsets; });
  CHECK(b.x.calendar_name().empty());
}

} // namespace orderly::context_test
