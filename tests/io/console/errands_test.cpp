// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The commands of power control, run against a daemon with a made-up desk.

#include "tests/io/console/person.hpp"

#include <cstdlib>

namespace orderly::console_errands_test {

using namespace orderly::test;

namespace {

fault away() {
  return {fault_kind::timed_out, "orderlyd is starting"};
}

} // namespace

TEST_CASE("a reading is begun, watched to its end and printed") {
  site at;
  auto ended = four_nodes(row_state::done, noon);
  for (auto& row : ended.rows)
    row.power = power_state::on;
  script(at, {four_nodes(row_state::waiting, never),
              four_nodes(row_state::running, never), ended});
  person bob;
  auto x = bob.type(at, {"power", "status", "--quiet"});
  CHECK(x.code == 0);
  CHECK(x.out == "Node  Status\nn1    on\nn2    on\nn3    on\nn4    on\n");
  CHECK(x.err.empty());
  CHECK(bob.questions.empty());
  CHECK(bob.rests == std::vector<millis>{millis{300}, millis{300}});
  REQUIRE(at.actors.errand_words.size() == 3);
  CHECK(std::get<errand_query>(at.actors.errand_words[2]).id == "power-12");
}

TEST_CASE("a refusal is printed and ends with 1, as Ganeti's tools do") {
  for (auto kind :
       {refused_for::usage, refused_for::not_found, refused_for::state}) {
    site at;
    errand_sheet no;
    no.refusal = "Unable to change powered state for node n1";
    no.refusal_kind = kind;
    script(at, {no});
    person bob;
    auto x = bob.type(at, {"node", "modify", "--powered=no", "n1"});
    CHECK(x.code == 1);
    CHECK(x.err == "orderly: " + no.refusal + "\n");
    CHECK(x.out.empty());
  }
}

TEST_CASE("a row that failed makes the exit code 1") {
  site at;
  auto ended = four_nodes(row_state::failed, noon);
  ended.rows[0].text = "OOB program execution failed (bmc gone)";
  ended.failed = true;
  script(at, {ended});
  person bob;
  auto x = bob.type(at, {"power", "on", "n1", "n2", "n3", "n4"});
  CHECK(x.code == 1);
  CHECK(contains(x.out, "n1    OOB program execution failed (bmc gone)\n"));
}

TEST_CASE("progress is shown to who watches, and taken away at the end") {
  site at;
  auto half = four_nodes(row_state::running, never);
  half.rows[0].state = row_state::done;
  half.doing = "power-on of n2";
  script(at, {half, four_nodes(row_state::done, noon)});
  person bob;
  auto x = bob.type(at, {"power", "on", "n1", "n2", "n3", "n4"});
  CHECK(x.err
        == "\r1 of 4 nodes: 1 done, 0 failed; power-on of n2\x1b[K\r\x1b[K");
}

TEST_CASE("progress is cut so that it fits into one line of a terminal") {
  site at;
  auto half = four_nodes(row_state::running, never);
  half.doing = "power-on of ";
  while (half.doing.size() < 200)
    half.doing += "\xc3\xbc";
  script(at, {half, four_nodes(row_state::done, noon)});
  person bob;
  auto err = bob.type(at, {"power", "on", "n1", "n2", "n3", "n4"}).err;
  auto line = err.substr(1, err.find("\x1b[K") - 1);
  CHECK(line.size() <= 79);
  CHECK(line.ends_with("\xc3\xbc..."));
}

TEST_CASE("where nobody watches, progress is a line now and then") {
  site at;
  std::deque<result<errand_sheet>> answers(
    70, four_nodes(row_state::running, never));
  answers.push_back(four_nodes(row_state::done, noon));
  script(at, answers);
  person cron;
  cron.terminal = false;
  auto x = cron.type(at, {"power", "on", "n1", "n2", "n3", "n4"});
  CHECK(std::count(x.err.begin(), x.err.end(), '\n') == 2);
  CHECK(starts_with(x.err, "0 of 4 nodes: 0 done, 0 failed\n"));
}

TEST_CASE("an interrupt leaves the errand going and says how to look") {
  site at;
  script(at, {four_nodes(row_state::running, never)});
  person bob;
  bob.looks_until_interrupt = 2;
  auto x = bob.type(at, {"power", "on", "--quiet", "n1"});
  CHECK(x.code == exit_interrupted);
  CHECK(x.err
        == "orderly: errand power-12 goes on; see 'orderly errand power-12', "
           "stop it with 'orderly errand power-12 --stop'\n");
  for (const auto& word : at.actors.errand_words)
    CHECK_FALSE(std::holds_alternative<errand_stop>(word));
}

TEST_CASE("a daemon that is away for a while is waited for") {
  site at;
  auto gone = errand_sheet{};
  gone.found = false;
  // Away, then back without having read its journal, then all is well.
  script(at, {four_nodes(row_state::running, never), away(), away(), gone,
              four_nodes(row_state::done, noon)});
  person bob;
  auto x = bob.type(at, {"power", "on", "--quiet", "n1"});
  CHECK(x.code == 0);
  CHECK(x.err == "orderly: orderlyd is starting; waiting for it\n");
  CHECK(contains(x.out, "n4    invoked\n"));
}

TEST_CASE("a daemon that stays away is given up, and the errand is not") {
  site at;
  script(at, {four_nodes(row_state::running, never), away()});
  person bob;
  auto x = bob.type(at, {"power", "on", "--quiet", "n1"});
  CHECK(x.code == exit_timed_out);
  CHECK(contains(x.err, "errand power-12 goes on as far as is known"));
  CHECK(bob.rests.size() == 31);
}

TEST_CASE("an errand that is unknown from one moment to the next is told") {
  site at;
  auto gone = errand_sheet{};
  gone.found = false;
  script(at, {four_nodes(row_state::running, never), gone});
  person bob;
  auto x = bob.type(at, {"power", "on", "--quiet", "n1"});
  CHECK(x.code == exit_not_found);
  CHECK(contains(x.err, "there is no errand 'power-12'"));
}

TEST_CASE("nobody at the socket means that nothing was begun") {
  scratch_folder folder;
  person bob;
  auto x = bob.type_at(folder.path("none"), {"power", "status"});
  CHECK(x.code == exit_unreachable);
  CHECK(contains(x.err, "cannot reach orderlyd"));
  CHECK_FALSE(contains(x.err, "goes on"));
}

TEST_CASE(
  "an empty socket of the environment sends no order to the usual one") {
  auto read = power::read_command({"power", "off", "n1", "--reason", "x"});
  INFO(read.text);
  REQUIRE(read.text.empty());
  for (const char* blank : {"", " "}) {
    ::setenv("ORDERLY_SOCKET", blank, 1);
    std::ostringstream out;
    std::ostringstream err;
    surroundings with{out, err, "1.2.3", [] { return noon; },
                      [] { return false; }};
    CHECK(run_errand(task_of(read.chosen), with) == exit_usage);
    CHECK(contains(err.str(), "ORDERLY_SOCKET is set and empty"));
  }
  ::unsetenv("ORDERLY_SOCKET");
}

TEST_CASE("an errand without a name, or with another one, is not followed") {
  auto said = std::make_shared<std::deque<std::string>>();
  site at{{}, [said](io::http::request, io::http::reply done) {
            done(answer_of(said->front()));
            if (said->size() > 1)
              said->pop_front();
          }};
  auto is_strange
    = [&](std::deque<std::string> answers, const std::string& more) {
        *said = std::move(answers);
        person bob;
        auto x = bob.type(at, {"power", "off", "--quiet", "--yes", "n1"});
        CHECK(x.code == exit_failed);
        CHECK(x.out.empty());
        CHECK(contains(x.err, more));
        CHECK(bob.rests.size() < 2);
      };
  is_strange({"{}"}, "cannot be understood");
  is_strange({R"({"done":true})"}, "cannot be understood");
  is_strange({R"({"rows":[]})"}, "cannot be understood");
  is_strange({R"({"id":"power-12"})"}, "cannot be understood");
  is_strange(
    {R"({"id":"power-12","rows":[]})", R"({"id":"power-13","rows":[]})"},
    "errand power-12 goes on");
}

TEST_CASE("as JSON the sheet is printed as it is") {
  site at;
  auto ended = four_nodes(row_state::failed, noon);
  ended.failed = true;
  script(at, {ended});
  person bob;
  auto x = bob.type(at, {"power", "status", "--output", "json"});
  CHECK(x.code == 1);
  auto sheet = nlohmann::json::parse(x.out);
  CHECK(sheet["id"] == "power-12");
  CHECK(sheet["rows"][3]["state"] == "failed");
  CHECK(x.err.empty());
}

TEST_CASE("errands are listed, looked at and stopped") {
  site at;
  auto going = four_nodes(row_state::running, never);
  going.who = "bob";
  going.doing = "power-off of n1";
  going.remarks = {"look\nhere"};
  auto listed = going;
  listed.rows.clear();
  auto before = listed;
  before.id = "power-11";
  before.ended = noon;
  before.failed = true;
  before.doing.clear();
  at.actors.errand_list = errand_list_answer{{before, listed}};
  script(at, {going});
  auto x = orderly_cli(at.socket(), {"errands"});
  CHECK(x.code == 0);
  CHECK(x.out
        == "ID        KIND       WHO  BEGAN                              "
           "STATE                 DOING\n"
           "power-11  power-off  bob  2026-03-01T12:00:00.000Z (0s ago)  "
           "ended, with failures  -\n"
           "power-12  power-off  bob  2026-03-01T12:00:00.000Z (0s ago)  "
           "goes on               power-off of n1\n");
  x = orderly_cli(at.socket(), {"errand", "power-12"});
  CHECK(x.code == 0);
  CHECK(contains(x.out, "remark  look here\n"));
  CHECK(contains(x.out, "node  n4    running  -     -      -\n"));
  x = orderly_cli(at.socket(), {"errand", "power-12", "--stop"});
  CHECK(x.code == 0);
  CHECK(contains(x.err, "nothing more of it is begun"));
  CHECK(std::get<errand_stop>(at.actors.errand_words.back()).id == "power-12");
  CHECK(parsed({"errand"}).code == exit_usage);
}

TEST_CASE("options of the program may stand before a power command") {
  using words = std::vector<std::string>;
  auto words_of = [](const words& args) {
    return power_words(args, power::is_power_command);
  };
  CHECK(words_of({"--socket", "/s", "--output=json", "power", "off", "n1"})
        == words{"power", "--socket", "/s", "--output=json", "off", "n1"});
  CHECK(words_of({"verify"}) == words{"verify"});
  CHECK(words_of({"--timeout", "3", "node", "info", "n1"})
        == words{"node", "info", "--timeout", "3", "n1"});
  CHECK(words_of({"--timeout=3", "node"}) == words{"node", "--timeout=3"});
  CHECK_FALSE(words_of({"--socket", "power"}));
  CHECK_FALSE(words_of({"nodes", "power"}));
  CHECK_FALSE(words_of({"--help"}));
  CHECK_FALSE(words_of(words{}));
}

TEST_CASE("the help of the program names commands with pages of their own") {
  const char* args[] = {"orderly", "--help"};
  auto text = parse_command_line(2, args, "1.2.3", more_help()).text;
  for (const char* name :
       {"power ", "health ", "node info", "node modify", "epo ", "verify ",
        "confirm-off ", "ha ", "harep ", "errands"})
    CHECK(contains(text, std::string{"\n  "} + name));
}

TEST_CASE("status and nodes tell of protection and of what differs") {
  site at;
  at.actors.all.status.nodes_by_protection
    = {{"protected", 1}, {"unprotected", 1}};
  at.actors.all.status.power_mismatches = {{"node2", "recorded off, is on"}};
  auto& check = at.actors.all.nodes[1].standing.power_control;
  check = {protection::unproven, "bmc gone", noon - minutes{1}, power_state::on,
           "recorded off, is on"};
  at.actors.all.nodes[0].standing.held = "epo by bob";
  auto x = orderly_cli(at.socket(), {"status"}).out;
  CHECK(contains(x, "protection         protected 1, unprotected 1\n"));
  CHECK(contains(x, "power mismatch     node2 recorded off, is on\n"));
  x = orderly_cli(at.socket(), {"nodes"}).out;
  CHECK(contains(x, "unprotected,power-mismatch"));
  CHECK(contains(x, "held"));
  x = orderly_cli(at.socket(), {"explain", "node2"}).out;
  CHECK(contains(x, "unprotected: bmc gone\n"));
  CHECK(contains(x, "(1m 0s ago)\n"));
}

} // namespace orderly::console_errands_test
