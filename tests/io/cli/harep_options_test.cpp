// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/harep_options.hpp"

#include <catch2/catch.hpp>

namespace orderly::cli_harep_options_test {

namespace {

harep_command parse(const std::vector<std::string>& args) {
  return parse_harep(args, "1.2.3", "/luxi", "/daemon");
}

bool begins(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

} // namespace

TEST_CASE("harep without options waits ten seconds and acts") {
  auto c = parse({});
  REQUIRE(c.options);
  CHECK(c.options->job_delay_s == 10);
  CHECK(c.options->reason == "harep (orderly) 1.2.3 called");
  CHECK(c.options->luxi_socket.empty());
  CHECK(c.options->daemon_socket == "/daemon");
  CHECK_FALSE(c.options->dry_run);
  CHECK_FALSE(c.options->json);
  CHECK_FALSE(c.options->force);
}

TEST_CASE("options of harep come with values attached or behind") {
  auto c = parse({"-L/some/socket", "--job-delay", "0.5", "--reason=rack 7",
                  "--dry-run", "--output=json", "--timeout=2.5",
                  "--journal=/j.db", "--socket=/s", "--force"});
  REQUIRE(c.options);
  CHECK(c.options->luxi_socket == "/some/socket");
  CHECK(c.options->job_delay_s == 0.5);
  CHECK(c.options->reason == "rack 7");
  CHECK(c.options->dry_run);
  CHECK(c.options->json);
  CHECK(c.options->limit == millis{2500});
  CHECK(c.options->journal == "/j.db");
  CHECK(c.options->daemon_socket == "/s");
  CHECK(c.options->force);
}

TEST_CASE("the socket of -L may be left out, and is never the next word") {
  CHECK(parse({"-L"}).options);
  CHECK(parse({"--luxi"}).options);
  CHECK(parse({"--luxi=/x"}).options->luxi_socket == "/x");
  CHECK(parse({"-L", "/x"}).code == 1);
}

TEST_CASE("a positional argument ends harep with code 1") {
  for (const auto& args : std::vector<std::vector<std::string>>{
         {"web1"}, {"--dry-run", "web1"}, {"--", "--dry-run"}, {"-"}}) {
    auto c = parse(args);
    CHECK_FALSE(c.options);
    CHECK(c.code == 1);
    CHECK(c.text == "Error: this program doesn't take any arguments.\n");
  }
}

TEST_CASE("an unknown option ends harep with code 2 and the usage") {
  auto c = parse({"--zzz", "-q"});
  CHECK_FALSE(c.options);
  CHECK(c.code == 2);
  CHECK(begins(c.text, "Command line error: unrecognized option `--zzz'\n"
                       "unrecognized option `-q'\n\n"
                       "harep (orderly) version 1.2.3\n"
                       "Usage: harep [OPTION...]\n"));
}

TEST_CASE("a missing or a surplus argument of an option has code 2") {
  CHECK(begins(parse({"--reason"}).text,
               "Command line error: option `--reason' requires an argument "
               "REASON\n"));
  CHECK(begins(parse({"--dry-run=1"}).text,
               "Command line error: option `--dry-run' doesn't allow an "
               "argument\n"));
  CHECK(parse({"--reason"}).code == 2);
  CHECK(parse({"--dry-run=1"}).code == 2);
}

TEST_CASE("a bad value of an option has code 1, in the original's words") {
  auto c = parse({"--job-delay=abc", "web1"});
  CHECK(c.code == 1);
  CHECK(c.text
        == "Error while parsing command line arguments:\n"
           "job delay: cannot parse string 'abc'\n");
  CHECK(parse({"--job-delay=5."}).text
        == "Error while parsing command line arguments:\n"
           "job delay: leftover characters when parsing '5.': '.'\n");
  for (const auto* bad : {"", ".5", "-3", "1e999", "nan", "Infinity", "7s"})
    CHECK(parse({std::string{"--job-delay="} + bad}).code == 1);
  CHECK(parse({"--output=xml"}).code == 1);
  CHECK(parse({"--timeout=soon"}).code == 1);
}

TEST_CASE("numbers of harep may have a fraction and an exponent") {
  CHECK(parse({"--job-delay=0"}).options->job_delay_s == 0);
  CHECK(parse({"--job-delay=1e1"}).options->job_delay_s == 10);
  CHECK(parse({"--job-delay=2.25"}).options->job_delay_s == 2.25);
}

TEST_CASE("long options may be cut short as far as the original's allow") {
  CHECK(parse({"--dry"}).options->dry_run);
  CHECK(parse({"--jo=3"}).options->job_delay_s == 3);
  CHECK(parse({"--out=json"}).options->json);
  auto c = parse({"--he"});
  CHECK(c.code == 2);
  CHECK(begins(c.text, "Command line error: option `--he' is ambiguous; could "
                       "be one of:\n  -h  --help "));
}

TEST_CASE("help goes before everything but errors and shows examples") {
  auto c = parse({"web1", "--version", "--help"});
  CHECK(c.code == 0);
  CHECK_FALSE(c.options);
  CHECK(begins(c.text, "harep (orderly) version 1.2.3\nUsage: harep"));
  CHECK(c.text.find("  -L[SOCKET]  --luxi[=SOCKET]      collect data via Luxi, "
                    "optionally using the given SOCKET path [/luxi]\n")
        != std::string::npos);
  CHECK(c.text.find("Examples:\n  orderly harep --dry-run\n")
        != std::string::npos);
  CHECK(begins(parse({"-V"}).text, "harep (orderly) version 1.2.3\n"));
  CHECK(parse({"--help", "--zzz"}).code == 2);
}

TEST_CASE("completion names every option and its kind of argument") {
  auto c = parse({"--help-completion"});
  CHECK(c.code == 0);
  CHECK(begins(c.text, "-L,--luxi file\n--job-delay float\n--reason none\n"
                       "--dry-run none\n"));
  CHECK(c.text.find("-V,--version none\n-h,--help none\n"
                    "--help-completion none\n")
        != std::string::npos);
}

} // namespace orderly::cli_harep_options_test
