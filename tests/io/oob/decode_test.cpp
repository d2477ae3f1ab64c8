// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/decode.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace orderly::oob_decode_test {

using namespace orderly::io::oob;

namespace {

outcome exited(int code, std::string out = {}, std::string err = {}) {
  outcome x;
  x.exit_code = code;
  x.out = std::move(out);
  x.err = std::move(err);
  return x;
}

power_answer status(std::string out) {
  return decode("node1", power_verb::status, exited(0, std::move(out)));
}

std::string repeated(const std::string& what, int times) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += what;
  return result;
}

} // namespace

TEST_CASE("power-status tells the state by a boolean") {
  auto on = status("{\"powered\": true}\n");
  CHECK(on.node == "node1");
  CHECK(on.done);
  CHECK(on.state == power_state::on);
  CHECK(on.text.empty());
  auto off
    = status("{ \"controller\": {\"powered\": 1}, \"powered\" : false }");
  CHECK(off.done);
  CHECK(off.state == power_state::off);
}

TEST_CASE("exit code 77 says that the controller refused user or password") {
  auto refused = decode("node1", power_verb::off, exited(77, {}, "RAKP 2"));
  CHECK(refused.denied);
  CHECK_FALSE(refused.done);
  CHECK(refused.text
        == "OOB program execution failed (RAKP 2; the controller refused its "
           "user or password)");
  CHECK_FALSE(decode("node1", power_verb::off, exited(1)).denied);
  auto killed = exited(77);
  killed.signal = 9;
  CHECK_FALSE(decode("node1", power_verb::off, killed).denied);
}

TEST_CASE("any other answer to power-status is unknown and says why") {
  auto [text, why] = GENERATE(table<std::string, std::string>({
    {"", "not JSON"},
    {"off", "not JSON"},
    {"{\"powered\": false", "not JSON"},
    {"{\"powered\": false}}", "not JSON"},
    {"{\"powered\": false} {\"powered\": true}", "not JSON"},
    {"false", "not a JSON object"},
    {"[{\"powered\": false}]", "not a JSON object"},
    {"{}", "no key \"powered\""},
    {"{\"Powered\": false}", "no key \"powered\""},
    {"{\"x\": {\"powered\": false}}", "no key \"powered\""},
    {"{\"powered\": \"off\"}", "not true or false"},
    {"{\"powered\": 0}", "not true or false"},
    {"{\"powered\": null}", "not true or false"},
    {"{\"powered\": {\"powered\": false}}", "not true or false"},
    {"{\"powered\": [false]}", "not true or false"},
    {"{\"powered\": true, \"powered\": false}", "more than once"},
  }));
  auto got = status(text);
  CAPTURE(text, got.text);
  CHECK_FALSE(got.done);
  CHECK(got.state == power_state::unknown);
  CHECK(got.text.rfind("OOB program execution failed (", 0) == 0);
  CHECK(got.text.find(why) != std::string::npos);
}

TEST_CASE("depth and size of what a helper prints do no harm") {
  auto deep = status("{\"x\": " + repeated("[", 1000000));
  CHECK(deep.state == power_state::unknown);
  CHECK(deep.text.find("nested too deeply") != std::string::npos);
  CHECK(deep.text.size() < 400);
  auto wide
    = status("{\"powered\": false, \"x\": [" + repeated("1e999, ", 100000));
  CHECK(wide.state == power_state::unknown);
  auto cut = exited(0, "{\"powered\": false}");
  cut.out_truncated = true;
  auto got = decode("node1", power_verb::status, cut);
  CHECK(got.state == power_state::unknown);
  CHECK(got.text.find("too long") != std::string::npos);
}

TEST_CASE("a command is done only if the helper prints nothing") {
  auto verb = GENERATE(power_verb::on, power_verb::off, power_verb::cycle);
  auto silent = decode("node1", verb, exited(0, "", "a remark"));
  CHECK(silent.done);
  CHECK(silent.state == power_state::unknown);
  CHECK(silent.text.empty());
  auto chatty = decode("node1", verb, exited(0, "{\"powered\": false}\n"));
  CHECK_FALSE(chatty.done);
  CHECK(chatty.state == power_state::unknown);
  CHECK(chatty.text
        == "OOB program execution failed (" + std::string{to_string(verb)}
             + " must print nothing on standard output; it printed "
               "\"{\"powered\": false}\")");
}

TEST_CASE("a failed helper is quoted in the words of the design") {
  auto verb = GENERATE(power_verb::off, power_verb::status);
  auto text = [verb](const outcome& x) {
    auto got = decode("node1", verb, x);
    CHECK_FALSE(got.done);
    CHECK(got.state == power_state::unknown);
    return got.text;
  };
  CHECK(text(exited(1, "{\"powered\": false}", "no BMC\n"))
        == "OOB program execution failed (no BMC)");
  CHECK(text(exited(1))
        == "OOB program execution failed (exit code 1, no message)");
  CHECK(text(exited(3, "", "chassis\n is locked"))
        == "OOB program execution failed (chassis is locked; undefined exit "
           "code 3)");
  outcome killed;
  killed.signal = 11;
  CHECK(text(killed) == "OOB program execution failed (ended by signal 11)");
  outcome refused;
  refused.refused = "the queue is full";
  CHECK(text(refused) == "OOB program execution failed (the queue is full)");
}

TEST_CASE("an overdue helper is aborted in the words of the design") {
  auto late = exited(0, "{\"powered\": false}");
  late.timed_out = true; // it answered only after TERM
  auto got = decode("node1", power_verb::status, late);
  CHECK_FALSE(got.done);
  CHECK(got.state == power_state::unknown);
  CHECK(got.text
        == "OOB program execution timeout exceeded, OOB program execution "
           "aborted");
}

TEST_CASE("what helpers print becomes one printable line") {
  CHECK(one_line("  a\r\n\tb \x1b[31m\xff c\n", 100) == "a b [31m? c");
  CHECK(one_line(std::string(100, 'x'), 10) == "xxxxxxxxxx...");
  CHECK(one_line("\n \t", 10).empty());
}

} // namespace orderly::oob_decode_test
