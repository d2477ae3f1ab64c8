// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Several helpers for one node: what one cannot prove passes on to the next,
// and what they do not agree on is not known.

#include "tests/actors/power/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::power_levels_test {

using namespace orderly::oob_rig;

namespace {

constexpr const char* first = "/first";
constexpr const char* second = "/second";

using answers = std::function<power_answer(const power_request&)>;

power_order with_two(power_verb verb) {
  auto x = order_of("node1", verb);
  x.programs = {first, second};
  return x;
}

/// Each helper answers after 100 ms, as it likes.
void answer(rig& b, answers of_first, answers of_second) {
  b.power->calls.answer = [=](const power_request& q) {
    return says(q.program == first ? of_first(q) : of_second(q), millis{100});
  };
}

answers always(power_state state) {
  return [state](const power_request& q) { return is(q, state); };
}

answers broken(std::string text) {
  return [text](const power_request& q) { return failed(q, text); };
}

/// Obeys; shared by both helpers it is one machine.
answers obeys(const std::shared_ptr<chassis>& machine) {
  return [machine](const power_request& q) { return (*machine)(q); };
}

} // namespace

TEST_CASE("a level that cannot be read or commanded passes on to the next") {
  rig b;
  auto machine = std::make_shared<chassis>();
  answer(b, broken("no BMC"), obeys(machine));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(seconds{2});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->state == power_state::off);
  CHECK(off->program == second);
  CHECK(off->level == 1);
  CHECK(off->complaint == "no BMC");
  CHECK(off->evidence
        == "/first: power status unknown: no BMC; the command said: no BMC; "
           "/second: power status off after the command");
  CHECK(b.calls_of(first) == verbs{power_verb::status, power_verb::off});
}

TEST_CASE("a level that hangs passes on to the next") {
  rig b;
  auto machine = std::make_shared<chassis>();
  b.power->calls.answer = [&](const power_request& q) {
    return q.program == first ? reply<power_answer>{} : says((*machine)(q));
  };
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(minutes{3});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->program == second);
  CHECK(off->complaint == "the helper did not come back");
}

TEST_CASE("a level that says done without proof passes on, after its time") {
  rig b;
  answer(b, always(power_state::unknown), always(power_state::off));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(b.on.rules().host_ha.fence_timeout - seconds{1});
  CHECK_FALSE(off);
  CHECK(b.calls_of(second).empty());
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->program == second);
  // An earlier level that could not be read contradicts nothing.
  CHECK_THAT(off->evidence,
             Catch::EndsWith("/second: already off, confirmed by power status "
                             "off"));
}

TEST_CASE("if the first level proves it the next is not touched") {
  rig b;
  auto machine = std::make_shared<chassis>();
  answer(b, obeys(machine), obeys(machine));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(seconds{2});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->program == first);
  CHECK(off->level == 0);
  CHECK(off->complaint.empty());
  CHECK(b.calls_of(second).empty());
}

TEST_CASE("levels that contradict each other prove nothing") {
  rig b;
  answer(b, always(power_state::on), always(power_state::off));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(minutes{10});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->state == power_state::unknown);
  CHECK_THAT(off->evidence,
             Catch::EndsWith("/second: not confirmed in time: power status "
                             "off, but /first says on"));
  // "Already off" would not do while the first says on: it was commanded.
  CHECK(b.calls_of(second)[1] == power_verb::off);
  CHECK(b.disk->count("power-confirmed") == 0);
  CHECK(b.disk->count("power-unconfirmed") == 1);
}

TEST_CASE("a level that said on before is asked again what it says now") {
  rig b;
  auto machine = std::make_shared<chassis>();
  auto deaf = [machine](const power_request& q) {
    return q.verb == power_verb::status ? (*machine)(q) : failed(q, "locked");
  };
  answer(b, deaf, obeys(machine));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->state == power_state::off);
  CHECK(b.calls_of(first)
        == verbs{power_verb::status, power_verb::off, power_verb::status,
                 power_verb::status});
}

TEST_CASE("a level that cannot be read any more contradicts nothing") {
  // The outlet was switched off, and the controller behind it with it.
  rig b;
  auto machine = std::make_shared<chassis>();
  auto dies = [machine](const power_request& q) {
    if (machine->is_off["node1"])
      return failed(q, "no answer");
    return q.verb == power_verb::status ? is(q, power_state::on)
                                        : failed(q, "locked");
  };
  answer(b, dies, obeys(machine));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(seconds{5});
  REQUIRE(off);
  CHECK(off->confirmed);
  CHECK(off->program == second);
}

TEST_CASE("on is not confirmed while another level says off") {
  rig b;
  answer(b, always(power_state::off), always(power_state::on));
  auto on = b.give(with_two(power_verb::on));
  b.on.run_for(minutes{10});
  REQUIRE(on);
  CHECK_FALSE(on->confirmed);
  CHECK(on->state == power_state::unknown);
}

TEST_CASE("on is commanded without a look and confirmed by a status on") {
  rig b;
  b.machines.is_off["node1"] = true;
  auto on = b.order("node1", power_verb::on);
  b.on.run_for(seconds{5});
  REQUIRE(on);
  CHECK(on->confirmed);
  CHECK(on->state == power_state::on);
  CHECK(b.calls_of("/helper") == verbs{power_verb::on, power_verb::status});
}

TEST_CASE("the first level that knows the state tells it") {
  rig b;
  answer(b, broken("no BMC"), always(power_state::off));
  auto status = b.give(with_two(power_verb::status));
  b.on.run_for(seconds{1});
  REQUIRE(status);
  CHECK(status->confirmed);
  CHECK(status->state == power_state::off);
  CHECK(status->program == second);
  CHECK(status->evidence
        == "/first: power status unknown: no BMC; /second: power status off");
  answer(b, always(power_state::on), always(power_state::off));
  status = b.give(with_two(power_verb::status));
  b.on.run_for(seconds{1});
  REQUIRE(status);
  CHECK(status->state == power_state::on);
  CHECK(status->program == first);
}

TEST_CASE("the first level with a good answer tells the health") {
  rig b;
  answer(b, broken("no sensors"), obeys(std::make_shared<chassis>()));
  auto health = b.give(with_two(power_verb::health));
  b.on.run_for(seconds{1});
  REQUIRE(health);
  CHECK(health->confirmed);
  REQUIRE(health->items.size() == 2);
  CHECK(health->items[1] == health_item{"Temp", "CRITICAL"});
  CHECK(b.disk->entries.empty());
  answer(b, broken("no sensors"), broken("none here either"));
  health = b.give(with_two(power_verb::health));
  b.on.run_for(seconds{1});
  REQUIRE(health);
  CHECK_FALSE(health->confirmed);
  CHECK(health->items.empty());
  CHECK(health->complaint == "none here either");
}

TEST_CASE("each level has its intent on disk before its command, and all "
          "together one outcome") {
  rig b;
  auto before_command = std::size_t{0};
  b.power->calls.answer = [&](const power_request& q) {
    if (!is_reading(q.verb)) {
      CHECK(b.disk->count("power-off") == ++before_command);
      CHECK_THAT(b.disk->entries.back().why, Catch::Contains(q.program));
    }
    return says(failed(q, "no answer"), millis{100});
  };
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(minutes{5});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(before_command == 2);
  CHECK(b.disk->count("power-off") == 2);
  CHECK(b.disk->count("power-unconfirmed") == 1);
}

TEST_CASE("a right that ends between two levels ends the order") {
  rig b;
  b.give_right(seconds{30});
  answer(b, always(power_state::on), always(power_state::on));
  auto off = b.give(with_two(power_verb::off));
  b.on.run_for(minutes{5});
  REQUIRE(off);
  CHECK_FALSE(off->confirmed);
  CHECK(off->state == power_state::unknown);
  CHECK_THAT(off->evidence,
             Catch::Contains("/second: not commanded: no right to act"));
  CHECK(b.power->commands() == verbs{power_verb::off});
}

TEST_CASE("no order takes longer than who gives it is told to wait") {
  settings rules;
  rules.power.levels["*"] = {first, second};
  rig b{rules};
  auto verb = GENERATE(power_verb::off, power_verb::on, power_verb::cycle);
  // The worst that helpers can do: nothing until their time is over, and on
  // the last moment an answer that does not help.
  b.power->calls.answer = [](const power_request& q) {
    auto no_help = q.verb == power_verb::status && q.program == first;
    return says(no_help ? is(q, power_state::off) : failed(q, "late"),
                q.time_limit + seconds{9});
  };
  auto x = b.give(with_two(verb));
  b.on.run_for(power_patience(rules));
  REQUIRE(x);
  CHECK(power_patience(rules) == 2 * power_patience(settings{}));
}

TEST_CASE("an order's own time limit holds for each run of its helpers") {
  rig b;
  auto x = order_by("ann", "node1", power_verb::status);
  x.time_limit = seconds{7};
  b.give(x);
  CHECK(b.power->calls.asked.back().time_limit == seconds{7});
  b.on.run_for(seconds{1});
  b.order("node1", power_verb::status);
  CHECK(b.power->calls.asked.back().time_limit
        == b.on.rules().power.command_timeout);
  CHECK(power_patience(b.on.rules(), x) < power_patience(b.on.rules()));
}

TEST_CASE("whether a program may be run is asked of the port") {
  rig b;
  b.power->programs.answer = [](const program_question& q) {
    return says(program_answer{q.program, q.program + " is not a file"});
  };
  auto x = b.on.ask<program_answer>(b.actor, program_question{"/p"});
  REQUIRE(x);
  CHECK(x->wrong == "/p is not a file");
  b.power->programs.answer
    = [](const program_question&) { return reply<program_answer>{}; };
  x = b.on.ask<program_answer>(b.actor, program_question{"/p"});
  b.on.run_for(minutes{5});
  REQUIRE(x);
  CHECK_THAT(x->wrong, Catch::Contains("the power port does not answer"));
}

} // namespace orderly::power_levels_test
