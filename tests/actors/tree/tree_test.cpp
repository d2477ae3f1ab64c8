// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The whole tree in the laboratory: it falls and rises as one, gives up in the
// end, and leaves nobody behind.

#include "actors/tree/tree.hpp"
#include "sim/lab/drill.hpp"
#include "sim/lab/lab.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>

namespace orderly::tree_test {

using namespace orderly::sim;

namespace {

struct rig {
  explicit rig(std::uint64_t seed = 1)
    : l(*plan_named("small-3n", 1), *settings_of({}, "."), seed) {
    l.on_line
      = [this](instant, const std::string& who, const std::string& what) {
          lines.push_back(who + ": " + what);
        };
    l.kill_daemon();
    ports_only = running();
    l.start_daemon();
    l.run_for(minutes{1});
  }

  std::size_t running() { return l.clock().system().registry().running(); }

  template <class Answer, class Question>
  std::shared_ptr<std::optional<Answer>> ask(Question question) {
    auto box = std::make_shared<std::optional<Answer>>();
    l.clock().system().spawn(
      [box, tree = l.tree(), question](caf::event_based_actor* self) {
        self->request(tree, caf::infinite, question)
          .then([box](Answer& x) { *box = std::move(x); },
                [](const caf::error&) {});
      });
    l.clock().settle();
    return box;
  }

  front handles() {
    auto answer = ask<front>(ask_counters{});
    l.run_for(minutes{1});
    REQUIRE(*answer);
    return **answer;
  }

  template <class Handle>
  void fail(const Handle& who) {
    caf::anon_send_exit(who, caf::exit_reason::unhandled_exception);
  }

  [[nodiscard]] bool saw(const std::string& part) const {
    return std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      return line.find(part) != std::string::npos;
    });
  }

  /// Notes the names of those who go, in the order in which they do.
  template <class Handle>
  void watch(const Handle& who, const std::string& name) {
    who->attach_functor([this, name] { gone.push_back(name); });
  }

  lab l;
  std::vector<std::string> lines;
  std::vector<std::string> gone;
  std::size_t ports_only = 0;
};

} // namespace

TEST_CASE("when a service fails the core rises again and goes on working") {
  rig b;
  auto before = b.handles();
  b.fail(before.view);
  b.l.run_for(minutes{1});
  auto after = b.handles();
  CHECK(before.view != after.view);
  CHECK(before.journal != after.journal);
  CHECK(b.l.ask({}).status.nodes_by_phase.at("available") == 2);
  CHECK(b.l.apply("power node3 off").empty());
  b.l.run_for(minutes{20});
  CHECK(b.saw("node3: fenced"));
  CHECK(b.l.state().truth.node("node3").powered == false);
  CHECK(b.l.broken().empty());
}

TEST_CASE("that the core fell is a row of the journal, with the cause") {
  rig b;
  b.fail(b.handles().view);
  b.l.run_for(minutes{1});
  CHECK(b.saw("all services failed together and were raised again (number 1"));
  b.fail(b.handles().scheduler);
  b.l.run_for(minutes{1});
  CHECK(b.saw("all services failed together and were raised again (number 2"));
}

TEST_CASE("whichever service fails all of them rise again") {
  for (auto i = 0; i < 3; ++i) {
    INFO(i);
    rig b;
    auto before = b.handles();
    if (i == 0)
      b.fail(before.view);
    else if (i == 1)
      b.fail(before.scheduler);
    else
      b.fail(before.journal);
    b.l.run_for(minutes{1});
    auto after = b.handles();
    CHECK(before.view != after.view);
    CHECK(before.scheduler != after.scheduler);
    CHECK(before.journal != after.journal);
    auto status = b.l.ask({}).status;
    CHECK(status.right_to_act.held);
    CHECK(status.nodes_by_phase.at("available") == 2);
  }
}

TEST_CASE("a service that fails in the middle of a fence does not lose it") {
  rig b;
  auto parts = b.handles();
  auto fencing = false;
  b.l.on_entry
    = [&](const journal_entry& e) { fencing = fencing || e.code == "fencing"; };
  CHECK(b.l.apply("power node3 off").empty());
  for (auto i = 0; i < 60000 && !fencing; ++i)
    b.l.run_for(millis{10});
  REQUIRE(fencing);
  CHECK_FALSE(b.saw("node3: fenced"));
  b.fail(parts.scheduler);
  b.l.run_for(minutes{30});
  CHECK(b.saw("node3: fenced"));
  CHECK(b.l.broken().empty());
}

TEST_CASE(
  "who asks for the handles while the core is down gets them when it is "
  "up") {
  rig b;
  b.fail(b.handles().view);
  b.l.clock().settle();
  auto answer = b.ask<front>(ask_counters{});
  CHECK_FALSE(*answer);
  b.l.run_for(seconds{1});
  REQUIRE(*answer);
  CHECK((*answer)->view);
}

TEST_CASE("a core that fails again and again takes the tree down") {
  rig b;
  b.watch(b.l.tree(), "root");
  for (auto i = 0; i < 5; ++i) {
    b.fail(b.handles().view);
    b.l.run_for(seconds{10});
  }
  CHECK(b.gone.empty());
  b.fail(b.handles().view);
  b.l.run_for(minutes{1});
  CHECK(b.gone == std::vector<std::string>{"root"});
  CHECK(b.running() == b.ports_only);
}

TEST_CASE("after a jump of the clocks all begins anew, by the new calendar") {
  rig b;
  auto before = b.handles();
  CHECK(b.l.ask({}).status.right_to_act.held);
  clock_jump x;
  SECTION("a suspend") {
    x.asleep = minutes{20};
  }
  SECTION("a step ahead") {
    x.stepped = minutes{20};
  }
  SECTION("a step back") {
    x.stepped = -hours{3};
  }
  b.l.jump_clocks(x);
  b.l.run_for(seconds{30});
  CHECK(b.saw("leader: ALERT the clocks jumped"));
  CHECK(before.view != b.handles().view);
  auto status = b.l.ask({}).status;
  CHECK(status.right_to_act.held);
  CHECK(status.now - b.l.now() == x.asleep + x.stepped);
  // It fences as before.
  CHECK(b.l.apply("power node3 off").empty());
  b.l.run_for(minutes{20});
  CHECK(b.saw("node3: fenced"));
}

TEST_CASE("a daemon whose journal is taken away begins nothing, says so, and "
          "ends for good") {
  rig b;
  b.watch(b.l.tree(), "root");
  CHECK(b.l.apply("journal lost").empty());
  CHECK(b.l.apply("power node3 off").empty());
  b.l.run_for(seconds{30});
  auto status = b.l.ask({}).status;
  CHECK_FALSE(status.right_to_act.held);
  CHECK(status.right_to_act.text
        == "somebody removed the journal, or put it back from a backup");
  CHECK(b.gone.empty());
  b.l.run_for(minutes{20});
  CHECK(b.gone == std::vector<std::string>{"root"});
  CHECK_FALSE(b.saw("node3: fenc"));
  CHECK(b.running() == b.ports_only);
}

TEST_CASE("a tree that is stopped stops in order and leaves nobody") {
  rig b;
  CHECK(b.running() > b.ports_only + 10);
  auto parts = b.handles();
  b.watch(parts.view, "view");
  b.watch(parts.scheduler, "scheduler");
  b.watch(parts.journal, "journal");
  b.watch(b.l.tree(), "root");
  auto answer = b.ask<tree_stopped>(stop_tree{});
  REQUIRE(*answer);
  CHECK((*answer)->text == "stopped in order");
  CHECK(b.gone
        == std::vector<std::string>{"scheduler", "journal", "view", "root"});
  CHECK(b.running() == b.ports_only);
}

TEST_CASE("a tree can be stopped while its core is down") {
  rig b;
  b.fail(b.handles().view);
  b.l.clock().settle();
  auto answer = b.ask<tree_stopped>(stop_tree{});
  REQUIRE(*answer);
  CHECK((*answer)->text == "stopped while restarting");
  b.l.run_for(minutes{1});
  CHECK(b.running() == b.ports_only);
}

TEST_CASE(
  "a service that fails while the tree stops does not keep it from it") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO(seed);
    rig b{seed};
    auto parts = b.handles();
    caf::anon_send(b.l.tree(), stop_tree{});
    b.fail(parts.view);
    b.l.run_for(minutes{1});
    CHECK(b.running() == b.ports_only);
  }
}

TEST_CASE("a killed tree leaves nobody, whenever it is killed") {
  rig b;
  b.l.kill_daemon();
  CHECK(b.running() == b.ports_only);
  b.l.start_daemon();
  b.l.run_for(seconds{10});
  CHECK(b.running() > b.ports_only);
  b.l.kill_daemon();
  CHECK(b.running() == b.ports_only);
}

} // namespace orderly::tree_test
