// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the command lines of power control mean, and which ones are refused.

#include "io/cli/power_options.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace orderly::cli_power_options_test {

using namespace orderly::power;

namespace {

using words = std::vector<std::string>;

command read(const std::string& line) {
  std::istringstream in{line};
  words args;
  for (std::string x; in >> x;)
    args.push_back(x);
  return read_command(args);
}

template <class What>
What wanted(const command& x) {
  INFO(x.text);
  REQUIRE(x.text.empty());
  REQUIRE(std::holds_alternative<What>(x.chosen.wanted.what));
  return std::get<What>(x.chosen.wanted.what);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct wrong_line {
  const char* line;
  int code;
  const char* text; ///< part of what is said
};

} // namespace

TEST_CASE("the power commands are told from others by their first word") {
  for (const char* x : {"power", "power-status", "health", "node", "epo",
                        "verify", "confirm-off", "ha"})
    CHECK(is_power_command(x));
  for (const char* x : {"", "nodes", "status", "powers", "node info", "harep"})
    CHECK_FALSE(is_power_command(x));
}

TEST_CASE("power off takes names and options in any order") {
  auto x = read("power --force off n2 --reason fan n1 --count 2 "
                "--oob-timeout=1.5 --auto-promote n2");
  auto p = wanted<power_errand>(x);
  CHECK(p.verb == power_verb::off);
  CHECK(p.nodes == words{"n2", "n1"});
  CHECK(p.mark_offline);
  CHECK(p.auto_promote);
  CHECK_FALSE(p.bare);
  CHECK(p.time_limit == millis{1500});
  CHECK(p.power_delay == seconds{2});
  CHECK(x.chosen.yes);
  CHECK(x.chosen.wanted.reason == "fan");
  CHECK(x.chosen.wanted.count == 2U);
  CHECK_FALSE(x.chosen.wanted.dry);
}

TEST_CASE("each power action is its own verb") {
  CHECK(wanted<power_errand>(read("power on n1")).verb == power_verb::on);
  CHECK(wanted<power_errand>(read("power cycle n1")).verb == power_verb::cycle);
  CHECK(wanted<power_errand>(read("power status")).verb == power_verb::status);
  CHECK(wanted<power_errand>(read("power-status n1")).verb
        == power_verb::status);
  CHECK(wanted<power_errand>(read("health n1")).verb == power_verb::health);
}

TEST_CASE("readings may be about all nodes, and what costs something may not") {
  CHECK(wanted<power_errand>(read("power status")).nodes.empty());
  CHECK(wanted<power_errand>(read("health")).nodes.empty());
  CHECK(wanted<info_errand>(read("node info")).nodes.empty());
  for (const char* line :
       {"power on", "power off", "power cycle", "power off --yes",
        "power --force off --ignore-status", "power cycle --count 3"}) {
    INFO(line);
    auto x = read(line);
    CHECK(x.code == 1);
    CHECK(has(x.text, "Please provide at least one node for this command"));
  }
  auto x = read("epo --force");
  CHECK(x.code == 1);
  CHECK(has(x.text, "Please provide at least one node"));
  CHECK(read("epo --groups").code == 1);
}

TEST_CASE("ignoring the status leaves the offline mark out") {
  CHECK_FALSE(
    wanted<power_errand>(read("power off --ignore-status n1")).mark_offline);
}

TEST_CASE("spans have bounds and may be fractions") {
  auto p = wanted<power_errand>(
    read("power on n1 --power-delay 0 --oob-timeout 3600"));
  CHECK(p.power_delay == millis{0});
  CHECK(p.time_limit == hours{1});
  auto e = wanted<epo_errand>(
    read("epo n1 --shutdown-timeout 90 --power-delay=0.25"));
  CHECK(e.shutdown_timeout == seconds{90});
  CHECK(e.power_delay == millis{250});
  for (const char* bad : {"0.4", "3601", "-1", "1s", "", "nan", "inf", "1e1",
                          "0x2", " 2", "2 "}) {
    INFO(bad);
    auto x = read_command({"power", "on", "n1", "--oob-timeout", bad});
    CHECK(x.code == 2);
    CHECK(has(x.text, "is no number of seconds between 0.5 and 3600"));
  }
}

TEST_CASE("node modify sets what is named and nothing else") {
  auto m = wanted<modify_errand>(read("node modify --powered=yes n1"));
  CHECK(m.node == "n1");
  CHECK(m.powered == true);
  CHECK_FALSE(m.offline);
  CHECK_FALSE(m.program);
  m = wanted<modify_errand>(
    read("node modify --node-powered no -O no --auto-promote n1"));
  CHECK(m.powered == false);
  CHECK(m.offline == false);
  CHECK(m.auto_promote);
  m = wanted<modify_errand>(read("node modify --oob-program=/a/b n1"));
  CHECK(m.program == "/a/b");
  m = wanted<modify_errand>(
    read("node modify --node-parameters oob_program=! n1"));
  CHECK(m.program == "!");
  m = wanted<modify_errand>(read("node modify --oob-program= n1"));
  CHECK(m.program == "");
}

TEST_CASE("epo takes nodes, or groups, or all") {
  auto e = wanted<epo_errand>(read("epo --on --groups g1 g2"));
  CHECK(e.on);
  CHECK(e.groups);
  CHECK_FALSE(e.all);
  CHECK(e.names == words{"g1", "g2"});
  e = wanted<epo_errand>(read("epo --all -f --count 40"));
  CHECK(e.all);
  CHECK(e.names.empty());
  auto x = read("epo --all n1");
  CHECK(x.code == 1);
  CHECK(has(x.text, "Arguments in combination with --all are not allowed"));
  x = read("epo --all --groups");
  CHECK(x.code == 1);
  CHECK(has(x.text, "Only one of --groups or --all are allowed"));
}

TEST_CASE("a word that a node is off needs the node and a reason") {
  auto x = read("confirm-off n7 --reason burnt");
  CHECK(wanted<confirm_errand>(x).node == "n7");
  CHECK_FALSE(wanted<confirm_errand>(x).ignore_silence);
  CHECK(wanted<confirm_errand>(
          read("confirm-off n7 --reason burnt --ignore-silence"))
          .ignore_silence);
  CHECK(x.chosen.wanted.reason == "burnt");
  for (const char* line :
       {"confirm-off --reason x", "confirm-off n7 n8 --reason x"}) {
    INFO(line);
    CHECK(read(line).code == 1);
  }
  for (const words& line :
       {words{"confirm-off", "n7"}, words{"confirm-off", "n7", "--reason", ""},
        words{"confirm-off", "n7", "--reason", " \t "}}) {
    auto none = read_command(line);
    CHECK(none.code == 1);
    CHECK(has(none.text, "Please say by --reason how you know"));
  }
}

TEST_CASE("what cannot be understood is refused with advice") {
  const wrong_line all[] = {
    {"power", 2, "what to do is missing: one of on, off, cycle, status"},
    {"power of n1", 2, "there is no 'power of'"},
    {"power off n1 --conut 3", 2, "did you mean --count?"},
    {"power off n1 --conut 3", 2, "see 'orderly power --help'"},
    {"power off n1 -z", 2, "unrecognized option `-z'"},
    {"power off n1 --count 0", 2, "--count: '0' is no number from 1"},
    {"power off n1 --count x", 2, "--count: 'x' is no number"},
    {"power off n1 --count 1 --count 2", 2, "--count is given twice"},
    {"power off n1 --count", 2, "requires an argument"},
    {"power off n1 --yes=no", 2, "doesn't allow an argument"},
    {"power off n1 --output xml", 2, "neither text nor json"},
    {"node", 2, "it must be info or modify"},
    {"node lsit", 2, "it must be info or modify"},
    {"node modify n1", 1, "Please give at least one of the parameters"},
    {"node modify --powered=yes", 1, "Please name exactly one node"},
    {"node modify --powered=yes n1 n2", 1, "Please name exactly one node"},
    {"node modify --powered=maybe n1", 2, "neither yes nor no"},
    {"node modify --powered=yes --powered=no n1", 2, "given twice"},
    {"node modify --powered=yes --node-powered=no n1", 2,
     "--powered and --node-powered contradict each other"},
    {"node modify --oob-program=bin/x n1", 1, "absolute path"},
    {"node modify --node-parameters spindle_count=2 n1", 2, "use gnt-node"},
    {"verify n1", 2, "takes no names"},
  };
  for (const auto& x : all) {
    INFO(x.line);
    auto got = read(x.line);
    CHECK(got.code == x.code);
    INFO(got.text);
    CHECK(has(got.text, x.text));
    CHECK(got.text.back() == '\n');
    CHECK_FALSE(got.help);
  }
  auto far
    = read_command({"confirm-off", "n1", "--reason", std::string(1001, 'x')});
  CHECK(far.code == 2);
}

TEST_CASE("an empty name is refused, for it is an unset variable") {
  for (const words& line :
       {words{"power", "off", "n1", ""}, words{"power", "on", " "},
        words{"node", "info", ""}, words{"node", "modify", "--powered=no", ""},
        words{"confirm-off", "", "--reason", "x"}, words{"epo", "--groups", ""},
        words{"health", ""}, words{"ha", "list", "--group", ""},
        words{"ha", "enable", ""}, words{"power", "status", "--socket", ""}}) {
    auto got = read_command(line);
    INFO(line.front() << ": " << got.text);
    CHECK(got.code == 2);
    CHECK(has(got.text, "empty; is a variable of your shell unset?"));
  }
}

TEST_CASE("names that look like options can be given behind two dashes") {
  CHECK(wanted<power_errand>(read("power status -- -n1")).nodes
        == words{"-n1"});
}

TEST_CASE("every command has a page that says all a person needs") {
  for (const char* line : {"power", "power off", "health", "node info",
                           "node modify", "epo", "verify", "confirm-off"}) {
    auto x = read(std::string{line} + " --help");
    INFO(x.text);
    CHECK(x.help);
    CHECK(x.code == 0);
    for (const char* part :
         {"Usage: orderly ", "\nOptions:\n", "\nExamples:\n",
          "\nExit codes: ", "--socket", "--output", "--help"})
      CHECK(has(x.text, part));
    std::istringstream lines{x.text};
    for (std::string each; std::getline(lines, each);)
      CHECK(each.size() <= 80);
  }
  CHECK(read("node --help").help);
  for (const char* name : {"power", "health", "node info", "node modify", "epo",
                           "verify", "confirm-off"})
    CHECK(has(overview(), std::string{"  "} + name + " "));
}

TEST_CASE("the examples of the pages are command lines that are understood") {
  auto seen = 0;
  for (const char* page : {"power", "health", "node info", "node modify", "epo",
                           "verify", "confirm-off"}) {
    auto text = read(std::string{page} + " --help").text;
    text = text.substr(text.find("\nExamples:\n") + 11);
    std::istringstream lines{text.substr(0, text.find("\n\n"))};
    for (std::string line; std::getline(lines, line); ++seen) {
      line = line.substr(0, line.find(" |"));
      line = line.substr(0, line.find(" '")) + " x";
      if (line.find("--reason") == std::string::npos)
        line.resize(line.size() - 2);
      INFO(line);
      REQUIRE(line.starts_with("  orderly "));
      CHECK(read(line.substr(10)).text.empty());
    }
  }
  CHECK(seen >= 12);
}

TEST_CASE("only what costs people something is asked about") {
  for (const char* line :
       {"power off n1", "power cycle n1", "epo n1", "epo --all"})
    CHECK(is_asked_about(read(line).chosen.wanted));
  for (const char* line : {"power on n1", "power status", "health", "node info",
                           "verify", "node modify --powered=no n1",
                           "epo --on n1", "confirm-off n1 --reason x"})
    CHECK_FALSE(is_asked_about(read(line).chosen.wanted));
}

TEST_CASE("where the daemon listens and how long it may take can be said") {
  auto x = read("power status --socket /run/x --timeout 2.5 --output json -q");
  CHECK(x.chosen.socket == "/run/x");
  CHECK(x.chosen.timeout == millis{2500});
  CHECK(x.chosen.json);
  CHECK(x.chosen.quiet);
  auto plain = read("power status");
  CHECK(plain.chosen.socket.empty());
  CHECK_FALSE(plain.chosen.timeout);
  CHECK_FALSE(plain.chosen.json);
}

} // namespace orderly::cli_power_options_test
