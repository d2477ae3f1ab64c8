// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/decode.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace orderly::oob_health_test {

using namespace orderly::io::oob;

namespace {

power_answer health(std::string out, bool truncated = false) {
  outcome x;
  x.exit_code = 0;
  x.out = std::move(out);
  x.out_truncated = truncated;
  return decode("node1", power_verb::health, x);
}

std::string list_of(std::size_t items) {
  std::string result;
  for (std::size_t i = 0; i < items; ++i)
    result += (i == 0 ? "[" : ", ") + std::string{"[\"FAN\", \"OK\"]"};
  return result + "]";
}

} // namespace

TEST_CASE("health tells items and their statuses in the helper's order") {
  auto got = health("[[\"PS\",\"OK\"],[\"FAN 1\",\"WARNING\"],"
                    "[\"Temp\",\"CRITICAL\"],[\"X\",\"UNKNOWN\"]]\n");
  CHECK(got.node == "node1");
  CHECK(got.done);
  CHECK(got.text.empty());
  CHECK(got.state == power_state::unknown);
  CHECK(got.items
        == std::vector<health_item>{{"PS", "OK"},
                                    {"FAN 1", "WARNING"},
                                    {"Temp", "CRITICAL"},
                                    {"X", "UNKNOWN"}});
}

TEST_CASE("a health without any item is an answer") {
  auto got = health(" [ ]\n");
  CHECK(got.done);
  CHECK(got.items.empty());
}

TEST_CASE("one bad word spoils the whole health and is named") {
  auto [text, why] = GENERATE(table<std::string, std::string>({
    {"", "not JSON"},
    {"OK", "not JSON"},
    {"[[\"FAN\", \"OK\"]", "not JSON"},
    {"[[\"FAN\", \"OK\"]] []", "not JSON"},
    {"[[\"FAN\", \"OK\"]]x", "not JSON"},
    {"[[\"FAN\", \"OK\"],]", "not JSON"},
    {"[[\"F\xff\", \"OK\"]]", "not JSON"},
    {"null", "not a JSON list"},
    {"\"OK\"", "not a JSON list"},
    {"{\"FAN\": \"OK\"}", "not a JSON list"},
    {"{}", "not a JSON list"},
    {"[\"FAN\", \"OK\"]", "entry 1 is not a pair of two texts"},
    {"[{\"FAN\": \"OK\"}]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", \"OK\"], null]", "entry 2 is not a pair of two texts"},
    {"[[]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\"]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", \"OK\", \"OK\"]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", 1]]", "entry 1 is not a pair of two texts"},
    {"[[1, \"OK\"]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", null]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", true]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", 1.5]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", [\"OK\"]]]", "entry 1 is not a pair of two texts"},
    {"[[\"FAN\", {}]]", "entry 1 is not a pair of two texts"},
    {"[[\"A\", \"OK\"], [\"B\", \"FINE\"]]",
     "entry 2 has the status \"FINE\", which is none of"},
    {"[[\"FAN\", \"ok\"]]", "the status \"ok\""},
    {"[[\"FAN\", \"OK \"]]", "entry 1 has the status"},
    {"[[\"FAN\", \"\"]]", "entry 1 has the status"},
    {"[[\"OK\", \"FAN\"]]", "the status \"FAN\""},
  }));
  auto got = health(text);
  CAPTURE(text, got.text);
  CHECK_FALSE(got.done);
  CHECK(got.items.empty());
  CHECK(got.text.rfind("OOB program execution failed (the answer to health is "
                       "not a list [[item, status], ...]: ",
                       0)
        == 0);
  CHECK(got.text.find(why) != std::string::npos);
}

TEST_CASE("a health that is cut off or too long is none") {
  auto cut = health("[[\"FAN\", \"OK\"]]", true);
  CHECK_FALSE(cut.done);
  CHECK(cut.items.empty());
  CHECK_THAT(cut.text, Catch::Contains("the answer to health is too long"));
  CHECK(health(list_of(1000)).items.size() == 1000);
  auto crowd = health(list_of(1001));
  CHECK_FALSE(crowd.done);
  CHECK(crowd.items.empty());
  CHECK_THAT(crowd.text, Catch::Contains("more than 1000 items"));
}

TEST_CASE("depth of a health does no harm") {
  std::string deep;
  for (int i = 0; i < 1000000; ++i)
    deep += "[";
  auto got = health(deep);
  CHECK_FALSE(got.done);
  CHECK(got.text.size() < 400);
}

TEST_CASE("names of sensors are printable, in any language, and not endless") {
  auto got = health("[[\"\\u001b[31mCPU\\n\\u0085\", \"OK\"], "
                    "[\"Temp \xc2\xb0"
                    "C\", \"OK\"], [\""
                    + std::string(199, 'x') + "\xc3\xa9\", \"OK\"]]");
  REQUIRE(got.items.size() == 3);
  CHECK(got.items[0].item == " [31mCPU   ");
  CHECK(got.items[1].item
        == "Temp \xc2\xb0"
           "C");
  CHECK(got.items[2].item == std::string(199, 'x') + "...");
}

TEST_CASE("the health of a helper that failed is its complaint") {
  outcome x;
  x.exit_code = 1;
  x.out = "[[\"FAN\", \"OK\"]]";
  x.err = "no SDR";
  auto got = decode("node1", power_verb::health, x);
  CHECK_FALSE(got.done);
  CHECK(got.items.empty());
  CHECK(got.text == "OOB program execution failed (no SDR)");
}

} // namespace orderly::oob_health_test
