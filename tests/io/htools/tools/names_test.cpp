// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Names that somebody chose to be more than names: in commands, which root
// runs, and on a terminal.

#include "io/htools/formats/json_value.hpp"
#include "tests/support/planning/recorded_luxid.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

namespace orderly::tools_names_test {

using namespace orderly::io::htools;
using nlohmann::json;

namespace {

/// The text with each `from` made `to`.
std::string renamed(std::string text, const std::string& from,
                    const std::string& to) {
  auto found = false;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size(), found = true)
    text.replace(at, from.size(), to);
  REQUIRE(found);
  return text;
}

/// n2 can be switched off once its instance is on n1, n3 comes back.
const char* const squeezable
  = "g|u|preferred||\n\n"
    "n1|8192|512|3584|100000|100000|4|M|u|1||N|0|1|1.0\n"
    "n2|8192|512|7680|100000|100000|4|N|u|1||N|0|1|1.0\n"
    "n3|8192|512|6656|100000|100000|4|N|u|1||N|0|1|1.0\n\n"
    "i1|4096|1024|1|running|Y|n1||ext||1\n"
    "i2|1024|1024|1|running|Y|n3||ext||1\n\n\n"
    "|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|"
    "4.0|32.0\n"
    "g|1024,1,10240,1,1,1|128,1,1024,1,1,1;65536,16,2097152,16,8,12|ext|"
    "4.0|32.0\n";

outcome of_text(tool of, std::vector<std::string> words,
                const std::string& text) {
  draft file{text};
  words.insert(words.end(), {"-t", file.path()});
  return run_as_reference(of, words);
}

std::string balanced_with(const std::string& from, const std::string& to) {
  return of_text(tool::hbal, {"--search=exact", "-C"},
                 renamed(planning::samples::small_text, from, to))
    .out;
}

outcome of_luxid(const std::function<void(json&)>& warp) {
  auto answers = json::parse(text_of("luxi.json"));
  warp(answers);
  recorded_luxid luxid{answers};
  return outcome_of(
    [&](auto to) { return run_tool(tool::hinfo, {luxid.option()}, to); });
}

bool is_shown_safely(const outcome& r) {
  INFO(r.out << r.err);
  return (r.out + r.err).find_first_of("\x1b\x07\x7f\x9b") == std::string::npos;
}

} // namespace

TEST_CASE("a name in a command is one word, whatever it is") {
  CHECK(says(balanced_with("i5.x", "i5$(reboot).x"),
             "    gnt-instance failover -f 'i5$(reboot)'\n"));
  CHECK(says(balanced_with("i5.x", "i5'`a b`.x"),
             "    gnt-instance replace-disks -n n3 'i5'\\''`a b`'\n"));
  CHECK(says(balanced_with("n3.x", "n;3.x"),
             "    gnt-instance replace-disks -n 'n;3' i5\n"));
  auto r = of_text(tool::hsqueeze, {"-C", "--search=exact"},
                   renamed(renamed(squeezable, "n2", "n2&"), "i2", "i2>x"));
  CHECK(says(r.out, " 'i2>x'\n"));
  CHECK(says(r.out, "    gnt-node add-tags 'n2&' htools:standby:auto\n"));
  CHECK(says(r.out, "    gnt-node power -f off 'n2&'\n"));
}

TEST_CASE("a name of Ganeti stands in a command as it is") {
  CHECK(says(balanced_with("i5.x", "web-5_a.x"),
             "    gnt-instance failover -f web-5_a\n"));
}

TEST_CASE("a name that a command would take for an option is refused") {
  for (const auto* name : {"i5", "n3"}) {
    auto r
      = of_text(tool::hbal, {"-C"},
                renamed(planning::samples::small_text, name, "--no-check"));
    CHECK(r.code == 1);
    CHECK(says(r.err, "'--no-check.x'"));
    CHECK(says(r.err, "begins with -"));
  }
}

TEST_CASE("a name with what a terminal obeys is refused, whoever tells it") {
  const std::string text{planning::samples::small_text};
  auto of_file = [&](const std::string& from, const std::string& to) {
    return of_text(tool::hinfo, {"-p", "--print-instances"},
                   renamed(text, from, to));
  };
  const std::pair<const char*, const char*> bad[]
    = {{"i5.x", "i\x1b]0;it obeys\x07"},
       {"n3.x", "n\xc2\x9b"
                "31m"},
       {"group-01", "g\x7f"},
       {"nodetag", "a\x9b"},
       {"uuid-1", "u\xe2\x80\xae"},
       {"i1.x", "i\r"}};
  for (const auto& [from, to] : bad) {
    auto r = of_file(from, to);
    CHECK(r.code == 1);
    CHECK(says(r.err, "orderly-tools-"));
    CHECK(says(r.err, "a control character"));
    CHECK(is_shown_safely(r));
  }
  CHECK(of_file("i5.x", "b\xc3\xbc"
                        "cher")
          .code
        == 0);
}

TEST_CASE("a query socket, the remote API and a request are no safer") {
  auto r
    = of_luxid([](json& x) { x["instance"]["data"][0][0][1] = "i\x1b[8m"; });
  CHECK(r.code == 1);
  CHECK(says(r.err, "instance 1 'i [8m'"));
  CHECK(is_shown_safely(r));
  auto message = json::parse(text_of("hail.json"))["message"];
  message["request"] = {{"type", "relocate"}};
  auto bad = message;
  bad["cluster_tags"] = {"a\x1b[8m"};
  draft ial{bad.dump()};
  r = run_as_reference(tool::hinfo, {"--ialloc-src", ial.path()});
  CHECK(r.code == 1);
  CHECK(says(r.err, "a control character"));
  CHECK(is_shown_safely(r));
}

TEST_CASE("hail refuses a new instance with such a name") {
  auto golden = json::parse(text_of("hail.json"));
  auto message = golden["message"];
  message["request"] = golden["requests"][0]["request"];
  message["request"]["name"] = "new\xc2\x9b"
                               "1m";
  draft file{message.dump()};
  auto r = run_as_reference(tool::hail, {file.path()});
  CHECK(r.code == 1);
  CHECK(says(r.err, "a control character"));
  CHECK(is_shown_safely(r));
}

TEST_CASE("a fault that quotes what others wrote is safe to show") {
  const std::string text{planning::samples::small_text};
  for (const auto& [from, to] : {std::pair{"|running|", "|run\x1b[8mning|"},
                                 std::pair{"|1000|", "|10\x1b[8m00|"}}) {
    auto r = of_text(tool::hinfo, {}, renamed(text, from, to));
    CHECK(r.code == 1);
    CHECK(is_shown_safely(r));
  }
  auto r
    = of_luxid([](json& x) { x["instance"]["data"][0][5][1] = "no\x1b[8mde"; });
  CHECK(r.code == 1);
  CHECK(is_shown_safely(r));
  draft pools{"{\"nodes\":{\"a\\u001b[8m\":[]},\"instances\":{\"\\u009b\":3}}"};
  r = of_text(tool::hinfo, {"--pools", pools.path()}, text);
  CHECK(is_shown_safely(r));
}

} // namespace orderly::tools_names_test
