// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/duration.hpp"
#include "io/config/loader.hpp"
#include "io/config/scan.hpp"
#include "messages/nearest.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace orderly::config_test {

using namespace orderly::io;

namespace {

std::vector<std::string> problems_of(std::string_view text) {
  std::vector<std::string> all;
  for (auto& p : read_settings(text, "t.toml").problems)
    all.push_back(to_string(p));
  return all;
}

/// The only problem of `text`.
std::string problem_of(std::string_view text) {
  auto all = problems_of(text);
  INFO(text);
  REQUIRE(all.size() == 1);
  return all[0];
}

std::string read_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool same(settings a, settings b) {
  return render_settings(std::move(a)) == render_settings(std::move(b));
}

} // namespace

TEST_CASE("durations are read with their units, and written shortest") {
  CHECK(parse_duration("500ms") == millis{500});
  CHECK(parse_duration("10s") == seconds{10});
  CHECK(parse_duration("5m") == minutes{5});
  CHECK(parse_duration("24h") == hours{24});
  CHECK(parse_duration("2d") == hours{48});
  CHECK(spell_duration(millis{0}) == "0s");
  CHECK(spell_duration(millis{1500}) == "1500ms");
  CHECK(spell_duration(seconds{250}) == "250s");
  CHECK(spell_duration(minutes{5}) == "5m");
  CHECK(spell_duration(hours{24}) == "24h");
}

TEST_CASE("what is no duration is not read as one") {
  for (auto text : {"", "10", "s", "-1s", "+1s", "1 s", " 1s", "1s ", "1.5s",
                    "1S", "99999999999999999999s", "9223372036854775807d"}) {
    INFO(text);
    CHECK(!parse_duration(text));
  }
}

TEST_CASE("the nearest known word is suggested, nothing far-fetched") {
  std::vector<std::string> known{"storm.percent_max", "storm.nodes_max"};
  CHECK(nearest("storm.percentmax", known) == "storm.percent_max");
  CHECK(nearest("sotrm.nodes_max", known) == "storm.nodes_max");
  CHECK(nearest("completely different", known).empty());
  CHECK(nearest(std::string(100000, 's'), known).empty());
}

TEST_CASE("an empty file means the defaults") {
  auto s = load_settings_text("", "t.toml");
  REQUIRE(s);
  CHECK(same(*s, settings{}));
}

TEST_CASE("values of every kind are read") {
  auto s = load_settings_text("log_level = 'debug'\n"
                              "[host_ha]\n"
                              "enabled = false\n"
                              "check_interval = \"500ms\"\n"
                              "check_timeout = 7\n"
                              "activity_failure_ratio = 0.25\n"
                              "daemon_port = 0\n"
                              "[storm]\n"
                              "percent_max = 5\n",
                              "t.toml");
  REQUIRE(s);
  CHECK(s->log_level == "debug");
  CHECK(!s->host_ha.enabled);
  CHECK(s->host_ha.check_interval == millis{500});
  CHECK(s->host_ha.check_timeout == seconds{7});
  CHECK(s->host_ha.activity_failure_ratio == 0.25);
  CHECK(s->host_ha.daemon_port == 0);
  CHECK(s->storm.percent_max == 5);
}

TEST_CASE("an unknown key is told with its place and what was meant") {
  CHECK(problem_of("[storm]\n  percentmax = 3\n")
        == "t.toml:2:3: unknown key 'storm.percentmax'; did you mean "
           "'storm.percent_max'?");
  CHECK(problem_of("loglevel = 'info'\n")
        == "t.toml:1:1: unknown key 'loglevel'; did you mean 'log_level'?");
  CHECK(problem_of("[strom]\nnodes_max = 3\n")
        == "t.toml:1:2: unknown section 'strom'; did you mean 'storm'?");
}

TEST_CASE("a key in the wrong section is found in the right one") {
  CHECK(problem_of("[rounds]\npercent_max = 3\n")
        == "t.toml:2:1: unknown key 'rounds.percent_max'; did you mean "
           "'storm.percent_max'?");
  CHECK(problem_of("settle = 3\n")
        == "t.toml:1:1: unknown key 'settle'; did you mean 'storm.settle'?");
  CHECK(problem_of("xyzzy = 3\n") == "t.toml:1:1: unknown key 'xyzzy'");
}

TEST_CASE("a quoted dot does not make a section") {
  CHECK(problems_of("\"storm.percent_max\" = 3\n").size() == 1);
  CHECK(problems_of("storm.percent_max = 3\n").empty());
}

TEST_CASE("a value of the wrong type is told") {
  CHECK(problem_of("[storm]\npercent_max = \"3\"\n")
        == "t.toml:2:15: storm.percent_max is '3'; it must be a whole number");
  CHECK(problem_of("[storm]\npercent_max = 3.5\n")
        == "t.toml:2:15: storm.percent_max is 3.5; it must be a whole number");
  CHECK(problem_of("[autorepair]\nenabled = 1\n")
        == "t.toml:2:11: autorepair.enabled is 1; it must be true or false");
  CHECK(problem_of("log_level = [1]\n")
        == "t.toml:1:13: log_level is an array; it must be a string");
  CHECK(problem_of("log_level = 1979-05-27\n")
        == "t.toml:1:13: log_level is a date or time; it must be a string");
  CHECK(problem_of("storm = 3\n")
        == "t.toml:1:1: storm is a section; write [storm] and its keys on the "
           "lines below");
}

TEST_CASE("a value out of bounds is told with the bounds") {
  CHECK(problem_of("[storm]\npercent_max = 101\n")
        == "t.toml:2:15: storm.percent_max is 101; it must lie between 0 and "
           "100 %");
  CHECK(problem_of("[storm]\npercent_max = -1\n")
        == "t.toml:2:15: storm.percent_max is -1; it must lie between 0 and "
           "100 %");
  CHECK(problem_of("[host_ha]\ndaemon_port = 65536\n")
        == "t.toml:2:15: host_ha.daemon_port is 65536; it must lie between 0 "
           "and 65535");
  CHECK(problem_of("[cluster]\npoll_interval = \"1ms\"\n")
        == "t.toml:2:17: cluster.poll_interval is '1ms'; it must lie between "
           "500ms and 1h");
  CHECK(problem_of("[cluster]\npoll_interval = 9223372036854775807\n")
        == "t.toml:2:17: cluster.poll_interval is 9223372036854775807; it must "
           "lie between 500ms and 1h");
  CHECK(problems_of("[host_ha]\nactivity_failure_ratio = nan\n").size() == 1);
  CHECK(problems_of("[host_ha]\nactivity_failure_ratio = inf\n").size() == 1);
}

TEST_CASE("a text with choices takes these only, and tells them") {
  auto s = load_settings_text("[autorepair]\nmode = \"observe\"\n"
                              "new_nodes = \"allocator\"\n",
                              "t.toml");
  REQUIRE(s);
  CHECK(s->autorepair.mode == repair_mode::observe);
  CHECK(s->autorepair.new_nodes == node_picker::allocator);
  CHECK(problem_of("[autorepair]\nmode = \"acts\"\n")
        == "t.toml:2:8: autorepair.mode is 'acts'; it must be one of act, "
           "observe");
  CHECK(problem_of("[autorepair]\nmode = \"\"\n")
        == "t.toml:2:8: autorepair.mode is ''; it must be one of act, observe");
  CHECK(problem_of("[autorepair]\nmode = \"Act\"\n").find("one of act, observe")
        != std::string::npos);
  CHECK(problem_of("[autorepair]\nmode = true\n")
        == "t.toml:2:8: autorepair.mode is true; it must be a string");
  CHECK(problem_of("[autorepair]\nnew_nodes = \"ours\"\n")
        == "t.toml:2:13: autorepair.new_nodes is 'ours'; it must be one of "
           "named, allocator");
}

TEST_CASE("the default of a text with choices is one of them") {
  settings s;
  int with_choices = 0;
  for (const auto& k : knobs(s)) {
    if (k.choices.empty())
      continue;
    ++with_choices;
    INFO(k.key);
    if (const auto* word = std::get_if<chosen>(&k.value)) {
      CHECK(word->get() < k.choices.size());
      continue;
    }
    auto* const* text = std::get_if<std::string*>(&k.value);
    REQUIRE(text != nullptr);
    CHECK(std::count(k.choices.begin(), k.choices.end(), **text) == 1);
  }
  CHECK(with_choices >= 2);
}

TEST_CASE("the knobs of auto-repair are read with their bounds") {
  auto s = load_settings_text("[cluster]\nallocator = \"hail\"\n"
                              "remark = \"ticket 7\"\n"
                              "[autorepair]\noffline_vouches = true\n"
                              "job_delay = \"30s\"\n"
                              "mirror_interval = 0\n"
                              "room_max_age = \"10s\"\n",
                              "t.toml");
  REQUIRE(s);
  CHECK(s->cluster.remark == "ticket 7");
  CHECK(s->autorepair.offline_vouches);
  CHECK(s->autorepair.job_delay == seconds{30});
  CHECK(s->autorepair.mirror_interval == millis{0});
  CHECK(s->autorepair.room_max_age == seconds{10});
  CHECK(problem_of("[autorepair]\njob_delay = \"11m\"\n")
        == "t.toml:2:13: autorepair.job_delay is '11m'; it must lie between 0s "
           "and 10m");
  CHECK(problem_of("[autorepair]\nmirror_interval = \"25h\"\n")
          .find("between 0s and 24h")
        != std::string::npos);
  CHECK(problem_of("[autorepair]\nmoed = \"act\"\n")
        == "t.toml:2:1: unknown key 'autorepair.moed'; did you mean "
           "'autorepair.mode'?");
  // How `orderly harep` looks once is no setting of the daemon.
  CHECK(problems_of("[autorepair]\nsingle_pass = true\n").size() == 1);
}

TEST_CASE("written settings tell the choices of a text") {
  auto text = render_settings(settings{});
  // Comments are wrapped wherever a line is full.
  for (std::size_t at = 0; (at = text.find("\n# ", at)) != std::string::npos;)
    text.replace(at, 3, " ");
  CHECK(text.find("(one of act, observe)\nmode = \"act\"\n")
        != std::string::npos);
}

TEST_CASE("a bad duration is told with good ones") {
  CHECK(problem_of("[storm]\nsettle = \"ten\"\n")
        == "t.toml:2:10: storm.settle is 'ten'; it must be a duration like "
           "\"10s\", \"500ms\", \"5m\" or \"24h\", or a whole number of "
           "seconds");
  CHECK(problems_of("[storm]\nsettle = 1.5\n").size() == 1);
}

TEST_CASE("a contradiction is told at the line that caused it") {
  CHECK(problem_of("[cluster]\npoll_interval = 30\n")
        == "t.toml:2:1: leader.lease (30000 ms) must be longer than "
           "cluster.poll_interval (30000 ms).");
}

TEST_CASE("a bad value is not told a second time as a contradiction") {
  CHECK(problem_of("[cluster]\nretry_base = \"1m\"\n"
                   "[leader]\nlease = \"1h1m\"\n")
          .find("leader.lease is '1h1m'")
        != std::string::npos);
  // The default lease of 30 s would contradict this poll interval.
  CHECK(problems_of("[cluster]\npoll_interval = 40\n[leader]\nlease = true\n")
          .size()
        == 1);
}

TEST_CASE("all problems are told at once, in the order of lines") {
  auto all = read_settings("x = 1\n[storm]\nsettle = \"no\"\ny = 2\n"
                           "[journal]\npath = \"relative\"\n",
                           "t.toml");
  REQUIRE(all.problems.size() == 4);
  CHECK(all.problems[0].line == 1);
  CHECK(all.problems[1].line == 3);
  CHECK(all.problems[2].line == 4);
  CHECK(all.problems[3].line == 6);
  auto one = load_settings_text("x = 1\ny = 2\n", "t.toml");
  REQUIRE(!one);
  CHECK(one.why().kind == fault_kind::bad_input);
  CHECK(one.why().text
        == "t.toml:1:1: unknown key 'x'\nt.toml:2:1: unknown key 'y'");
}

TEST_CASE("a flood of problems is cut off") {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "k" + std::to_string(i) + " = 1\n";
  auto all = problems_of(text);
  REQUIRE(all.size() == 101);
}

TEST_CASE("broken TOML is told with its place") {
  CHECK(problem_of("[storm]\nnodes_max 3\n").substr(0, 9) == "t.toml:2:");
  CHECK(problem_of("[\n").substr(0, 9) == "t.toml:1:");
  CHECK(problem_of("[storm]\nnodes_max = 1\nnodes_max = 2\n").substr(0, 9)
        == "t.toml:3:");
}

TEST_CASE("bytes that no settings file may have are told with their place") {
  CHECK(problem_of(std::string_view{"\xef\xbb\xa1\0", 4})
        == "t.toml:1:1: only ASCII is allowed outside strings and comments");
  CHECK(problem_of("# \xff\n") == "t.toml:1:3: this byte is not valid UTF-8");
  CHECK(problem_of("# \xed\xa0\x80\n")
        == "t.toml:1:3: this byte is not valid UTF-8");
  CHECK(problem_of("log_level = \"a\x01\"\n")
        == "t.toml:1:15: control characters are not allowed");
  CHECK(problem_of("a = 1\rb = 2\n")
        == "t.toml:1:6: control characters are not allowed");
  CHECK(problem_of("log_level = \"info\n")
        == "t.toml:1:13: this string is not closed");
  CHECK(problem_of("log_level = '''info\n\n")
        == "t.toml:1:13: this string is not closed");
  CHECK(problem_of(std::string(300 << 10, ' '))
        == "t.toml:1:1: the file is larger than 256 KiB");
}

TEST_CASE("UTF-8 is welcome in strings and comments") {
  CHECK(
    !scan_toml("# \xc3\xa4\r\na = \"\xe2\x82\xac\\\"\" # \xf0\x9f\x98\x80"));
  CHECK(!scan_toml("a = \"\"\"x\"\"\"\"\"\nb = ''\nc = '\\'\n"));
  auto s = load_settings_text("[leader]\nown_node = \"kn\xc3\xb6terich\"\n",
                              "t.toml");
  REQUIRE(s);
  CHECK(s->leader.own_node == "kn\xc3\xb6terich");
}

TEST_CASE("deeply nested input is refused, not dug through the stack") {
  std::string dots = "a";
  for (int i = 0; i < 100000; ++i)
    dots += ".a";
  CHECK(problems_of(dots + " = 1\n").size() == 1);
  CHECK(problems_of("[" + dots + "]\n").size() == 1);
  CHECK(problems_of("a = " + std::string(200000, '[')).size() == 1);
}

TEST_CASE("names from the file cannot forge lines of the report") {
  auto text = problem_of("\"a\\nt.toml:1:1: fine\" = 1\n");
  CHECK(text.find('\n') == std::string::npos);
}

TEST_CASE("written settings are read back the same") {
  settings s;
  s.host_ha.activity_failure_ratio = 1;
  s.cluster.poll_interval = millis{1500};
  s.power.program = "/opt/a \"b\"\\c";
  s.journal.path = "/tmp/j.db";
  auto again = load_settings_text(render_settings(s), "t.toml");
  REQUIRE(again);
  CHECK(same(s, *again));
  CHECK(again->power.program == s.power.program);
  CHECK(again->cluster.poll_interval == s.cluster.poll_interval);
}

TEST_CASE("the settings file that is shipped names every knob at its default") {
  auto path = std::string{ORDERLY_SOURCE_DIR} + "/configs/orderlyd.toml";
  if (std::getenv("ORDERLY_REWRITE"))
    std::ofstream{path} << render_settings(settings{});
  INFO("run once with ORDERLY_REWRITE=1 to renew the file");
  CHECK((read_file(path) == render_settings(settings{})));
  auto s = load_settings(path);
  REQUIRE(s);
  CHECK(same(*s, settings{}));
}

TEST_CASE("no line of written settings is wider than 80 columns") {
  std::istringstream in{render_settings(settings{})};
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("a file that cannot be read is told by name") {
  auto missing = load_settings("/nonexistent/orderlyd.toml");
  REQUIRE(!missing);
  CHECK(missing.why().kind == fault_kind::not_found);
  CHECK(missing.why().text.find("/nonexistent/orderlyd.toml")
        != std::string::npos);
  auto folder = load_settings("/tmp");
  REQUIRE(!folder);
  CHECK(folder.why().text.find("/tmp") != std::string::npos);
  auto endless = load_settings("/dev/zero");
  REQUIRE(!endless);
  CHECK(endless.why().text.find("plain file") != std::string::npos);
}

} // namespace orderly::config_test
