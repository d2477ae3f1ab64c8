// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Holds that look as if they were forgotten, and what the desk tells of them.

#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_holds_test {

namespace {

struct holds_rig : desk_rig {
  /// An emergency power-off that switched both nodes off.
  holds_rig() {
    read();
    ask(epo(false));
    run_for(seconds{20});
    REQUIRE(world->held.back().nodes.size() == 2);
  }

  /// The node says so of itself.
  void say(const node_name& node, instant answers, instant silent) {
    node_standing x;
    x.node = node;
    x.held = "emergency power-off";
    x.answers_since = answers;
    x.silent_since = silent;
    theatre.tell(desk, x);
  }

  [[nodiscard]] std::size_t told(const std::string& words) const {
    return static_cast<std::size_t>(std::count_if(
      book->entries.begin(), book->entries.end(), [&](const auto& x) {
        return x.kind == entry_kind::alert
               && x.why.find(words) != std::string::npos;
      }));
  }
};

} // namespace

TEST_CASE("a held node that answers in service for ten minutes is told of "
          "once") {
  holds_rig b;
  b.say("n1", b.theatre.now(), never);
  b.run_for(minutes{9});
  CHECK(b.alerts() == 0);
  b.run_for(minutes{2});
  CHECK(b.told("Node n1 is in service and answers") == 1);
  CHECK(b.told("orderly epo --on n1") == 1);
  b.run_for(minutes{20});
  b.crash();
  b.boot();
  b.read();
  b.say("n1", b.theatre.now(), never);
  b.run_for(minutes{20});
  CHECK(b.alerts() == 1);
  b.say("n1", never, b.theatre.now());
  b.run_for(seconds{50});
  CHECK(b.alerts() == 1);
  b.run_for(seconds{20});
  CHECK(b.told("Node n1 is in service and no longer answers") == 1);
  b.run_for(minutes{10});
  CHECK(b.alerts() == 2);
}

TEST_CASE("a held node that is off, or answered too shortly, is no alert") {
  holds_rig b;
  b.say("n1", never, b.theatre.now());
  b.say("n2", b.theatre.now(), never);
  b.run_for(minutes{8});
  b.say("n2", never, never);
  b.run_for(minutes{30});
  CHECK(b.alerts() == 0);
}

TEST_CASE("a watcher that rests for four hours is told of once, with why") {
  holds_rig b;
  b.theatre.run_for(hours{3} + minutes{50});
  b.read();
  CHECK(b.alerts() == 0);
  b.theatre.run_for(minutes{15});
  b.run_for(seconds{3});
  CHECK(b.told("n1 (power-1 by bob), n2 (power-1 by bob)") == 1);
  b.theatre.run_for(hours{6});
  b.crash();
  b.boot();
  b.read();
  b.run_for(minutes{1});
  CHECK(b.alerts() == 1);
}

} // namespace orderly::desk_holds_test
