// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a person stopped stays down: S44.

#include "tests/sim/laws/hand_played.hpp"

namespace orderly::laws_stopped_test {

using namespace orderly::sim;

TEST_CASE("S44: no job of a repair starts what a person has stopped") {
  hand_played x;
  auto breaks = [&x] {
    x.broken();
    x.order(x.on_instance(op_kind::instance_startup, "web5"));
    return x.broken().count("S44") == 1;
  };
  SECTION("long ago") {
    x.fault("instance web5 stop");
    x.wait(minutes{10});
    CHECK(breaks());
  }
  SECTION("a moment ago, so that nobody can have read of it") {
    x.wait(minutes{10});
    x.fault("instance web5 stop");
    CHECK_FALSE(breaks());
  }
  SECTION("and started again") {
    x.fault("instance web5 stop");
    x.wait(minutes{10});
    x.fault("instance web5 up");
    CHECK_FALSE(breaks());
  }
  SECTION("not what a job of ours shut down") {
    x.order(x.on_instance(op_kind::instance_shutdown, "web5"));
    x.wait(minutes{10});
    CHECK_FALSE(breaks());
  }
}

} // namespace orderly::laws_stopped_test
