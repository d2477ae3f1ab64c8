// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Machines that were removed, and others that get their names.

#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_gone_test {

namespace {

struct gone_rig : desk_rig {
  void named(const node_name& node, const std::string& uuid) {
    world->node(node).uuid = uuid;
    read();
  }

  /// n1 and n2 are held and off.
  void hold() {
    ask(epo(false));
    run_for(seconds{20});
    REQUIRE(world->held.back().nodes.size() == 2);
  }

  /// n3 is off by a record that orderly keeps itself.
  void record_off() {
    auto rules = theatre.rules();
    rules.power.program = "/etc/ours";
    theatre.change(rules);
    world->node("n3").oob_program.clear();
    read();
    ask(power(power_verb::off, {"n3"}));
    run_for(seconds{4});
    REQUIRE(world->records.back().off == std::set<node_name>{"n3"});
  }

  void restart() {
    crash();
    boot();
  }

  [[nodiscard]] std::size_t forgotten() const {
    return static_cast<std::size_t>(
      std::count_if(book->entries.begin(), book->entries.end(),
                    [](const auto& x) { return x.code == "forgotten"; }));
  }

  [[nodiscard]] bool keeps(const std::string& key) const {
    return book->states.count(key) != 0;
  }
};

} // namespace

TEST_CASE("a hold is of one machine, and not of another under its name") {
  gone_rig b;
  b.named("n1", "u1");
  b.hold();
  if (GENERATE(false, true))
    b.restart();
  b.named("n1", "u1");
  CHECK(b.forgotten() == 0);
  b.named("n1", "u2");
  b.run_for(seconds{2});
  CHECK(b.forgotten() == 1);
  CHECK_FALSE(b.keeps("hold:n1"));
  REQUIRE(b.world->held.back().nodes.size() == 1);
  CHECK(b.world->held.back().nodes.count("n2") == 1);
}

TEST_CASE("a power record is of one machine, and not of another under its "
          "name") {
  gone_rig b;
  b.named("n3", "u1");
  b.record_off();
  if (GENERATE(false, true))
    b.restart();
  b.named("n3", "u1");
  CHECK(b.keeps("powered:n3"));
  b.named("n3", "u2");
  b.run_for(seconds{2});
  CHECK(b.forgotten() == 1);
  CHECK_FALSE(b.keeps("powered:n3"));
  CHECK(b.world->records.back().off.empty());
}

TEST_CASE("what an older journal holds is of the first machine that is seen") {
  gone_rig b;
  b.read();
  b.hold();
  b.record_off();
  for (const char* key : {"hold:n1", "powered:n3"})
    b.book->states[key].put("uuid", "");
  b.restart();
  b.named("n1", "u1");
  b.named("n3", "u3");
  b.run_for(seconds{2});
  CHECK(b.forgotten() == 0);
  CHECK(b.book->states["hold:n1"].text("uuid") == "u1");
  CHECK(b.book->states["powered:n3"].text("uuid") == "u3");
  b.restart();
  b.named("n1", "u2");
  b.named("n3", "u4");
  b.run_for(seconds{2});
  CHECK(b.forgotten() == 2);
  CHECK(b.world->held.back().nodes.count("n1") == 0);
  CHECK(b.world->records.back().off.empty());
}

} // namespace orderly::desk_gone_test
