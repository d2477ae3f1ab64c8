// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/daemon_options.hpp"

#include <catch2/catch.hpp>

namespace orderly::io::daemon_options_test {

namespace {

auto read(std::vector<std::string> args) {
  return read_daemon_options(std::move(args), "1.2");
}

daemon_end end(std::vector<std::string> args) {
  auto x = read(std::move(args));
  REQUIRE(std::holds_alternative<daemon_end>(x));
  return std::get<daemon_end>(x);
}

} // namespace

TEST_CASE("orderlyd takes the options of Ganeti's daemons") {
  auto x = read({"-f", "-d", "-p", "1234", "-b", "::1", "--standby"});
  REQUIRE(std::holds_alternative<daemon_options>(x));
  auto o = std::get<daemon_options>(x);
  CHECK(o.debug);
  CHECK(o.port == 1234);
  CHECK(o.bind == "::1");
  CHECK(o.standby);
  CHECK_FALSE(o.no_voting);
}

TEST_CASE("without them nothing of the settings is changed") {
  auto o = std::get<daemon_options>(read({}));
  CHECK_FALSE(o.port);
  CHECK(o.bind.empty());
  CHECK_FALSE(o.debug);
  CHECK_FALSE(o.standby);
}

TEST_CASE("nobody skips the vote without having said so twice") {
  auto once = end({"--no-voting"});
  CHECK(once.code == 1);
  CHECK(once.text.find("--yes-do-it") != std::string::npos);
  auto o = std::get<daemon_options>(read({"--no-voting", "--yes-do-it"}));
  CHECK(o.no_voting);
  CHECK_FALSE(std::get<daemon_options>(read({"--yes-do-it"})).no_voting);
}

TEST_CASE("help and version end well, a wrong option does not") {
  CHECK(end({"--help"}).code == 0);
  CHECK(end({"--help"}).text.find("Examples") != std::string::npos);
  CHECK(end({"--version"}).text == "1.2\n");
  auto wrong = GENERATE(std::vector<std::string>{"--nonsense"},
                        std::vector<std::string>{"-p", "70000"},
                        std::vector<std::string>{"-p"},
                        std::vector<std::string>{"file"});
  auto x = end(wrong);
  CHECK(x.code == 2);
  CHECK_FALSE(x.text.empty());
}

} // namespace orderly::io::daemon_options_test
