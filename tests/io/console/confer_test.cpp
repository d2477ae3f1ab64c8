// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who is asked before power commands act, and what is then asked for.

#include "tests/io/console/person.hpp"

namespace orderly::console_confer_test {

using namespace orderly::test;

TEST_CASE("before a power-off the person sees a dry sheet and is asked") {
  site at;
  errand_sheet dry;
  dry.kind = errand_kind::power_off;
  dry.ended = noon;
  dry.rows = {node("n1", row_state::waiting), node("n2", row_state::waiting)};
  dry.rows[0].primaries = {"web1"};
  auto ended = dry;
  ended.id = "power-12";
  for (auto& row : ended.rows)
    row.state = row_state::done;
  script(at, {dry, ended});
  person bob;
  bob.answer = "y";
  auto x = bob.type(at, {"power", "off", "n1", "n2"});
  CHECK(x.code == 0);
  CHECK(x.out == "Node  Status\nn1    invoked\nn2    invoked\n");
  REQUIRE(bob.questions.size() == 1);
  CHECK(contains(bob.questions[0], "n1  instances: web1\n"));
  CHECK(bob.questions[0].ends_with("[y/N]: "));
  CHECK(request(at, 0).dry);
  CHECK_FALSE(request(at, 1).dry);
  // What was shown is what is meant.
  CHECK(request(at, 1).count == 2U);
}

TEST_CASE("anything but yes means no, and nothing is done") {
  for (const auto& answer : std::vector<std::optional<std::string>>{
         std::nullopt, "", "n", "no", "yess", " y", "j"}) {
    site at;
    errand_sheet dry;
    dry.ended = noon;
    dry.rows = {node("n1", row_state::waiting)};
    script(at, {dry});
    person bob;
    bob.answer = answer;
    auto x = bob.type(at, {"epo", "n1"});
    CHECK(x.code == exit_refused);
    CHECK(contains(x.err, "not confirmed; nothing was done"));
    REQUIRE(at.actors.errand_words.size() == 1);
    CHECK(request(at, 0).dry);
  }
}

TEST_CASE("without a terminal what asks needs --yes, and says so") {
  site at;
  script(at, {four_nodes(row_state::done, noon)});
  person cron;
  cron.terminal = false;
  auto x = cron.type(at, {"power", "off", "n1"});
  CHECK(x.code == exit_usage);
  CHECK(contains(x.err, "add --yes"));
  CHECK(at.actors.errand_words.empty());
  x = cron.type(at, {"power", "off", "--yes", "--count", "4", "n1"});
  CHECK(x.code == 0);
  CHECK_FALSE(request(at, 0).dry);
  CHECK(request(at, 0).count == 4U);
}

TEST_CASE("yes alone sends no count, for nobody counted") {
  site at;
  script(at, {four_nodes(row_state::done, noon)});
  person bob;
  bob.type(at, {"power", "cycle", "-f", "n1"});
  CHECK_FALSE(request(at, 0).count);
  CHECK(bob.questions.empty());
}

TEST_CASE("who interrupts before the errand is begun has done nothing") {
  site at;
  script(at, {four_nodes(row_state::running, never)});
  person bob;
  bob.looks_until_interrupt = 0;
  auto x = bob.type(at, {"power", "on", "n1"});
  CHECK(x.code == exit_interrupted);
  CHECK(x.err == "orderly: interrupted; nothing was done\n");
  CHECK(at.actors.errand_words.empty());
}

TEST_CASE(
  "an epo that switches nothing off still asks before it shuts instances "
  "down") {
  site at;
  errand_sheet dry;
  dry.kind = errand_kind::epo;
  dry.ended = noon;
  auto web = node("web1", row_state::waiting);
  web.kind = row_kind::instance;
  auto master = node("m", row_state::skipped);
  master.primaries = {"web1"};
  dry.rows = {web, master};
  auto ended = dry;
  ended.id = "power-12";
  for (auto& row : ended.rows)
    row.state = row_state::done;
  script(at, {dry, ended});
  person bob;
  bob.answer = "n";
  auto x = bob.type(at, {"epo", "--all"});
  CHECK(x.code == exit_refused);
  REQUIRE(bob.questions.size() == 1);
  CHECK(contains(bob.questions[0], "1 instance will be shut down: web1"));
  CHECK(at.actors.errand_words.size() == 1);
  script(at, {dry, ended});
  bob.answer = "y";
  bob.type(at, {"epo", "--all"});
  CHECK(request(at, 2).count == 1U); // m loses an instance
}

TEST_CASE("where nothing waits there is nothing to ask") {
  site at;
  errand_sheet dry;
  dry.ended = noon;
  dry.rows = {node("n1", row_state::skipped)};
  script(at, {dry});
  person bob;
  bob.type(at, {"epo", "n1"});
  CHECK(bob.questions.empty());
  CHECK(at.actors.errand_words.size() == 2);
}

} // namespace orderly::console_confer_test
