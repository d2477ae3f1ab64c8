// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/loader.hpp"

#include <catch2/catch.hpp>

namespace orderly::config_levels_test {

using namespace orderly::io;

namespace {

using list = std::vector<std::string>;

/// The only problem of `text`.
std::string problem_of(const std::string& text) {
  auto all = read_settings(text, "t.toml").problems;
  INFO(text);
  REQUIRE(all.size() == 1);
  return to_string(all[0]);
}

} // namespace

TEST_CASE("helpers are read by node, by group and for all") {
  auto s = load_settings_text("[power.levels]\n"
                              "node1 = [\"/bin/a\", \"cluster\"]\n"
                              "\"node2.example.com\" = [\"!\"]\n"
                              "\"group:rack2\" = [\"/bin/b\"]\n"
                              "\"*\" = []\n",
                              "t.toml");
  REQUIRE(s);
  REQUIRE(s->power.levels.size() == 4);
  CHECK(s->power.levels.at("node1") == list{"/bin/a", "cluster"});
  CHECK(s->power.levels.at("node2.example.com") == list{"!"});
  CHECK(s->power.levels.at("group:rack2") == list{"/bin/b"});
  CHECK(s->power.levels.at("*").empty());
}

TEST_CASE("the rehearsal has a section of its own and may be turned off") {
  auto s = load_settings_text("[power.rehearsal]\ninterval = 0\n", "t.toml");
  REQUIRE(s);
  CHECK(s->power.rehearsal_interval == millis{0});
  s = load_settings_text("[power]\nrehearsal.interval = \"24h\"\n", "t.toml");
  REQUIRE(s);
  CHECK(s->power.rehearsal_interval == hours{24});
  CHECK(problem_of("[power.rehearsal]\ninterval = \"25h\"\n")
          .find("t.toml:2:12: power.rehearsal.interval is '25h'; it must lie "
                "between 0s and 24h")
        == 0);
  CHECK(problem_of("[power]\nrehearsal = 3\n")
        == "t.toml:2:1: power.rehearsal is a section; write [power.rehearsal] "
           "and its keys on the lines below");
  CHECK(problem_of("[power.rehearsal]\nintervall = 3\n")
        == "t.toml:2:1: unknown key 'power.rehearsal.intervall'; did you mean "
           "'power.rehearsal.interval'?");
  CHECK(problem_of("[power.rehearsel]\ninterval = 3\n")
        == "t.toml:1:8: unknown section 'power.rehearsel'; did you mean "
           "'power.rehearsal'?");
}

TEST_CASE("a key that has a new name is told so") {
  CHECK(problem_of("[power]\nparallel_max = 20\n")
        == "t.toml:2:1: power.parallel_max is called power.concurrency now; "
           "rename it");
}

TEST_CASE("a list of helpers that cannot be is told at its own place") {
  CHECK(problem_of("[power.levels]\na = [\"/x\"]\n  b = [\"rel\"]\n")
          .find("t.toml:3:3: power.levels.\"b\" has the helper 'rel'; it must "
                "be an absolute path")
        == 0);
  CHECK(problem_of("[power.levels]\nnode1 = \"/bin/a\"\n")
        == "t.toml:2:9: power.levels.\"node1\" must be a list of helpers in "
           "square brackets, as in [\"cluster\"]");
  CHECK(problem_of("[power.levels]\nnode1.example = [\"/bin/a\"]\n")
          .find("t.toml:2:1: power.levels.\"node1\" is a table; a name with "
                "dots must stand in quotes")
        == 0);
  CHECK(problem_of("[power.levels]\nnode1 = [\"/bin/a\", 7]\n")
        == "t.toml:2:20: power.levels.\"node1\" has something that is no "
           "text; helpers are paths, \"cluster\" or \"!\"");
  CHECK(problem_of("[power.levels]\nnode1 = [\"/bin/\\n\"]\n")
          .find("t.toml:2:10: power.levels.\"node1\" has control characters")
        == 0);
  CHECK(problem_of("[power]\nlevels = [\"/bin/a\"]\n")
        == "t.toml:2:10: power.levels is an array; it must be a table of "
           "lists");
}

TEST_CASE("names in lists of helpers cannot forge lines of the report") {
  auto text
    = problem_of("[power.levels]\n\"a\\nt.toml:1:1: fine\" = [\"/x\"]\n");
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find("control characters") != std::string::npos);
}

TEST_CASE("a flood of bad lists is cut off, quickly") {
  std::string text = "[power.levels]\n";
  for (int i = 0; i < 9000; ++i)
    text += "k" + std::to_string(i) + " = [\"x\"]\n";
  CHECK(read_settings(text, "t.toml").problems.size() == 101);
}

TEST_CASE("written lists of helpers are read back the same") {
  settings s;
  s.power.levels = {{"*", {"cluster"}},
                    {"group:a \"b\"", {"/opt/x\\y", "/z"}},
                    {"n.example.com", {"!"}},
                    {"none", {}}};
  s.power.rehearsal_interval = minutes{10};
  auto text = render_settings(s);
  auto again = load_settings_text(text, "t.toml");
  REQUIRE(again);
  CHECK(again->power.levels == s.power.levels);
  CHECK(again->power.rehearsal_interval == s.power.rehearsal_interval);
  CHECK(render_settings(*again) == text);
}

TEST_CASE("the example of lists in the written settings holds as it stands") {
  auto text = render_settings(settings{});
  auto at = text.find("[power.levels]");
  REQUIRE(at != std::string::npos);
  std::string example = "[power.levels]\n";
  for (auto from = text.find("# \"", at); from != std::string::npos;) {
    auto end = text.find('\n', from);
    example += text.substr(from + 2, end - from - 1);
    from = text.compare(end + 1, 3, "# \"") == 0 ? end + 1 : std::string::npos;
  }
  auto s = load_settings_text(example, "t.toml");
  INFO(example);
  REQUIRE(s);
  CHECK(s->power.levels.size() == 3);
  CHECK(s->power.levels.count("*") == 1);
}

} // namespace orderly::config_levels_test
