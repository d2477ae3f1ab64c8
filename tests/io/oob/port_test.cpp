// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/port.hpp"
#include "tests/io/child/scripts.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_actor.hpp>
#include <catch2/catch.hpp>

namespace orderly::oob_port_test {

namespace {

struct rig : test::scripts {
  caf::actor_system_config config;
  io::loop where;
  caf::actor_system system{config};
  power_port port;

  rig() {
    settings knobs;
    knobs.power.kill_delay = millis{300};
    port = io::oob::spawn_power_port(system, where, knobs);
  }

  power_answer ask(power_verb verb, const std::string& program,
                   millis limit = seconds{20},
                   const std::string& node = "node1") {
    caf::scoped_actor self{system};
    power_answer result;
    self->request(port, seconds{30}, power_request{node, verb, program, limit})
      .receive([&](const power_answer& x) { result = x; },
               [&](const caf::error& x) { FAIL(system.render(x)); });
    return result;
  }

  std::string wrong(const std::string& program) {
    caf::scoped_actor self{system};
    program_answer result;
    self->request(port, seconds{30}, program_question{program})
      .receive([&](const program_answer& a) { result = a; },
               [&](const caf::error& e) { FAIL(system.render(e)); });
    CHECK(result.program == program);
    return result.wrong;
  }
};

} // namespace

TEST_CASE("the power port runs the helper with verb and node") {
  rig x;
  auto helper
    = x.add("helper", "case $1 in\n"
                      "  power-status) echo '{\"powered\": false}';;\n"
                      "  *) echo \"$1 of $2 refused\" >&2; exit 1;;\n"
                      "esac");
  auto status = x.ask(power_verb::status, helper);
  CHECK(status.node == "node1");
  CHECK(status.done);
  CHECK(status.state == power_state::off);
  auto cycle = x.ask(power_verb::cycle, helper);
  CHECK_FALSE(cycle.done);
  CHECK(cycle.text
        == "OOB program execution failed (power-cycle of node1 refused)");
}

TEST_CASE("the power port ends an overdue helper") {
  rig x;
  auto got = x.ask(power_verb::off, x.add("helper", "sleep 30"), millis{200});
  CHECK_FALSE(got.done);
  CHECK(got.text
        == "OOB program execution timeout exceeded, OOB program execution "
           "aborted");
}

TEST_CASE("the power port runs no program of doubtful make") {
  rig x;
  auto text = [&x](const std::string& program) {
    auto got = x.ask(power_verb::off, program);
    CHECK_FALSE(got.done);
    CHECK(got.text.rfind("OOB program execution failed (", 0) == 0);
    CHECK_FALSE(std::filesystem::exists(x.path("ran")));
    return got.text;
  };
  auto body = "touch " + x.path("ran");
  CHECK_THAT(text(""), Catch::Contains("no helper program"));
  CHECK_THAT(text("!"), Catch::Contains("! is not an absolute path"));
  CHECK_THAT(text("bin/helper"), Catch::Contains("not an absolute path"));
  CHECK_THAT(text(x.path("no-such")),
             Catch::Contains("error stating out of band helper: ")
               && Catch::Contains("No such file"));
  CHECK_THAT(text(x.path("")), Catch::Contains("is not a file"));
  CHECK_THAT(text(x.add("plain", body, 0644)),
             Catch::Contains("not executable"));
  CHECK_THAT(text(x.add("group", body, 0775)),
             Catch::Contains("writable by its group"));
  CHECK_THAT(text(x.add("all", body, 0757)), Catch::Contains("or by others"));
  auto good = x.add("good", body);
  for (const auto* node : {"-f", "", "node1\noutput=x", "node1 node2",
                           "node1\t", "node1\x1b[2J", "node1\x7f", "n\xc3\xb6"})
    CHECK_FALSE(x.ask(power_verb::off, good, seconds{20}, node).done);
  CHECK_FALSE(std::filesystem::exists(x.path("ran")));
  CHECK(x.ask(power_verb::off, good).done);
  CHECK(std::filesystem::exists(x.path("ran")));
}

TEST_CASE("the power port reads a helper's health, longer than a pipe") {
  rig x;
  auto helper = x.add("helper", "printf '[[\"Temp\", \"CRITICAL\"]'\n"
                                "i=1\n"
                                "while [ $i -lt 1000 ]; do\n"
                                "  printf ', [\"a sensor with a name of some "
                                "length, which is number %d\", \"OK\"]' $i\n"
                                "  i=$((i + 1))\n"
                                "done\n"
                                "echo ']'");
  auto health = x.ask(power_verb::health, helper);
  CHECK(health.done);
  CHECK(health.text.empty());
  REQUIRE(health.items.size() == 1000);
  CHECK(health.items.front() == health_item{"Temp", "CRITICAL"});
  CHECK(health.state == power_state::unknown);
}

TEST_CASE("the power port says whether a program may be run, in the words of "
          "Ganeti's check, and runs nothing") {
  rig x;
  auto body = "touch " + x.path("ran");
  auto good = x.add("good", body);
  auto plain = x.add("plain", body, 0644);
  auto open = x.add("open", body, 0757);
  CHECK(x.wrong(good).empty());
  CHECK_THAT(x.wrong(x.path("no-such")),
             Catch::StartsWith("error stating out of band helper: "
                               + x.path("no-such")));
  CHECK_THAT(
    x.wrong(x.path("")),
    Catch::StartsWith("out of band helper " + x.path("") + " is not a file"));
  CHECK_THAT(x.wrong(plain), Catch::StartsWith("out of band helper " + plain
                                               + " is not executable"));
  CHECK_THAT(x.wrong(open), Catch::StartsWith("out of band helper " + open)
                              && Catch::Contains("by others"));
  CHECK_FALSE(std::filesystem::exists(x.path("ran")));
}

TEST_CASE("a helper under way does not hold up a port that is told to end") {
  auto start = std::chrono::steady_clock::now();
  {
    rig x;
    caf::scoped_actor self{x.system};
    self->send(x.port,
               power_request{"node1", power_verb::off,
                             x.add("helper", "exec sleep 20"), seconds{20}});
    x.ask(power_verb::off, x.add("quick", "exit 0"));
    caf::anon_send_exit(x.port, caf::exit_reason::user_shutdown);
  }
  CHECK(std::chrono::steady_clock::now() - start < seconds{5});
}

} // namespace orderly::oob_port_test
