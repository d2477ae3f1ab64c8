// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One for one, with growing pauses and a bound: a child that throws is raised
// again, and no sibling notices.

#include "actors/shell/supervisor.hpp"
#include "tests/actors/support/stage.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace orderly::shell_supervisor_test {

enum class order { work, fail, leave };

} // namespace orderly::shell_supervisor_test

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::shell_supervisor_test::order)

namespace orderly::shell_supervisor_test {

namespace {

/// A child with a body of its own for each life.
struct life {
  std::vector<instant> starts;
  std::uint32_t worked = 0; ///< in all lives
  caf::actor now;
};

caf::behavior child(caf::event_based_actor* self, std::shared_ptr<life> x) {
  die_with_reason(self, "child");
  return {
    [self, x](order what) {
      if (what == order::fail)
        throw std::runtime_error("a node actor stumbled");
      if (what == order::leave)
        self->quit();
      ++x->worked;
    },
  };
}

struct rig {
  explicit rig(settings rules = {}, bool abandon = false)
    : on(std::move(rules)) {
    supervisor_options options;
    options.abandon = abandon;
    options.tell = [this](const std::string& who, const std::string& cause,
                          std::uint32_t restarts) {
      told.push_back(who + " " + std::to_string(restarts));
      causes.push_back(cause);
    };
    actor = on.enter(supervisor, on.ctx(), std::move(options));
    on.settle();
  }

  ~rig() {
    // Lives hold handles.
    on.kill(actor);
    for (auto& x : lives)
      if (x->now)
        on.kill(x->now);
    for (auto& x : lives)
      x->now = nullptr;
  }

  std::shared_ptr<life> raise(const std::string& name) {
    auto x = std::make_shared<life>();
    lives.push_back(x);
    on.tell(actor, start_child{name, [this, x] {
                                 x->starts.push_back(on.now());
                                 x->now = on.system().spawn(child, x);
                                 return x->now;
                               }});
    return x;
  }

  void give(const std::shared_ptr<life>& x, order what) {
    on.tell(x->now, what);
  }

  bool alive() {
    auto gone = std::make_shared<bool>(false);
    auto watcher = on.system().spawn(
      [gone, who = actor](caf::event_based_actor* self) -> caf::behavior {
        self->set_down_handler([=](const caf::down_msg&) {
          *gone = true;
          self->quit();
        });
        self->monitor(who);
        return {[](order) {}};
      });
    on.settle();
    on.kill(watcher);
    return !*gone;
  }

  std::vector<std::string> told;
  std::vector<std::string> causes;
  std::vector<std::shared_ptr<life>> lives;
  stage on;
  supervisor_actor actor;
};

settings with(std::uint32_t restarts_max) {
  settings s;
  s.supervision.restarts_max = restarts_max;
  return s;
}

} // namespace

TEST_CASE("a node actor that throws is raised again and no other notices") {
  rig b;
  auto bad = b.raise("node:node1");
  auto good = b.raise("node:node2");
  b.give(bad, order::fail);
  b.give(good, order::work);
  b.on.run_for(minutes{1});
  CHECK(bad->starts.size() == 2);
  CHECK(good->starts.size() == 1);
  b.give(bad, order::work);
  b.give(good, order::work);
  CHECK(bad->worked == 1);
  CHECK(good->worked == 2);
  REQUIRE(b.told == std::vector<std::string>{"node:node1 1"});
  CHECK(b.causes[0].find("a node actor stumbled") != std::string::npos);
}

TEST_CASE("the pause before a restart doubles up to its bound") {
  settings rules = with(6);
  rules.supervision.restart_base = millis{200};
  rules.supervision.restart_max = millis{1000};
  rig b{rules};
  auto x = b.raise("node:node1");
  for (auto i = 0; i < 5; ++i) {
    b.give(x, order::fail);
    b.on.run_for(seconds{1});
  }
  // It runs for what is left of each second.
  REQUIRE(x->starts.size() == 6);
  CHECK(x->starts[1] - x->starts[0] == millis{200});
  CHECK(x->starts[2] - stage::start() == millis{1000 + 400});
  CHECK(x->starts[3] - stage::start() == millis{2000 + 800});
  CHECK(x->starts[4] - stage::start() == millis{3000 + 1000});
  CHECK(x->starts[5] - stage::start() == millis{4000 + 1000});
}

TEST_CASE("failures of long ago are forgiven") {
  rig b{with(2)};
  auto x = b.raise("node:node1");
  for (auto i = 0; i < 10; ++i) {
    b.give(x, order::fail);
    b.on.run_for(minutes{6}); // the period is ten minutes
  }
  CHECK(x->starts.size() == 11);
  CHECK(b.alive());
}

TEST_CASE("a child that fails again and again ends its supervisor") {
  rig b{with(3)};
  auto bad = b.raise("node:node1");
  auto good = b.raise("node:node2");
  for (auto i = 0; i < 3; ++i) {
    b.give(bad, order::fail);
    b.on.run_for(seconds{10});
  }
  CHECK(bad->starts.size() == 4);
  CHECK(b.alive());
  b.give(bad, order::fail);
  b.on.run_for(hours{1});
  CHECK(bad->starts.size() == 4);
  CHECK_FALSE(b.alive());
}

TEST_CASE("where a child is abandoned the others go on") {
  rig b{with(1), true};
  auto bad = b.raise("node:node1");
  auto good = b.raise("node:node2");
  b.give(bad, order::fail);
  b.on.run_for(seconds{10});
  b.give(bad, order::fail);
  b.on.run_for(minutes{9});
  CHECK(bad->starts.size() == 2); // left dead
  CHECK(b.alive());
  CHECK(good->starts.size() == 1);
  CHECK(b.told.size() == 2);
  b.on.run_for(minutes{2}); // once a period it gets another chance
  CHECK(bad->starts.size() == 3);
  b.give(bad, order::work);
  CHECK(bad->worked == 1);
}

TEST_CASE("a child that leaves by itself or is told to is not raised again") {
  rig b;
  auto x = b.raise("node:node1");
  auto y = b.raise("node:node2");
  b.give(x, order::leave);
  b.on.tell(b.actor, stop_child{"node:node2"});
  b.give(y, order::work);
  b.on.run_for(hours{1});
  CHECK(x->starts.size() == 1);
  CHECK(y->starts.size() == 1);
  CHECK(y->worked == 0);
  CHECK(b.told.empty());
}

TEST_CASE("a child that is stopped while it waits for its restart stays away") {
  rig b;
  auto x = b.raise("node:node1");
  b.give(x, order::fail);
  b.on.tell(b.actor, stop_child{"node:node1"});
  b.on.run_for(hours{1});
  CHECK(x->starts.size() == 1);
}

TEST_CASE("a supervisor that is stopped takes its children along") {
  rig b;
  auto x = b.raise("node:node1");
  caf::anon_send_exit(b.actor, caf::exit_reason::user_shutdown);
  b.on.settle();
  b.give(x, order::work);
  CHECK(x->worked == 0);
  CHECK_FALSE(b.alive());
}

} // namespace orderly::shell_supervisor_test
