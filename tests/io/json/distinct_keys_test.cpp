// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/distinct_keys.hpp"

#include <catch2/catch.hpp>

namespace orderly::distinct_keys_test {

using namespace orderly::io;

namespace {

/// Why it is refused; empty: it is not.
std::string why(const std::string& text, int depth_max = 3) {
  auto x = parse_distinct(text, depth_max);
  return x ? std::string{} : x.why().text;
}

} // namespace

TEST_CASE("a key may be there once in each object") {
  auto x = parse_distinct(R"({"a":{"a":[{"a":1},{"a":2}]},"b":{"a":3}})", 9);
  REQUIRE(x);
  CHECK((*x)["a"]["a"][1]["a"] == 2);
  CHECK((*x)["b"]["a"] == 3);
  CHECK(why("1").empty());
  CHECK(why(R"([{"a":1},{"a":1}])").empty());
}

TEST_CASE("what is read is what any reader of JSON reads") {
  for (const auto* text :
       {"null", "true", "-1", "18446744073709551615", "1.5e300",
        R"("\u00e4\n")", "[]", "{}", R"([[],{},[[],[1,"a",null,false]],-0.0])",
        R"({"b":[1,{"c":{},"d":[{}]}],"a":{"":""},"z":[[[]]]})"}) {
    auto x = parse_distinct(text, 9);
    REQUIRE(x);
    CHECK(x->dump() == nlohmann::json::parse(text).dump());
  }
}

TEST_CASE("a key that is there twice is named, wherever it is") {
  const auto* a = "the key 'a' is there twice";
  CHECK(why(R"({"a":1,"a":1})") == a);
  CHECK(why(R"({"a":1,"b":{"a":2},"a":3})") == a);
  CHECK(why(R"({"b":[{"a":1,"c":2,"a":3}]})") == a);
  CHECK(why(R"({"a":1,"\u0061":2})") == a);
  CHECK(why(R"({"":1,"":2})") == "the key '' is there twice");
  // The first one counts, and what follows does not matter.
  CHECK(why(R"({"a":1,"a":{"b":1,"b":2}})") == a);
}

TEST_CASE("a key is shown on one line, and not all of a long one") {
  CHECK(shown_key("a\nb\x1b[2J") == "a b [2J");
  CHECK(shown_key(std::string(61, 'k')) == std::string(60, 'k') + "...");
  auto cut = shown_key(std::string(59, 'k') + "\xc3\xa4" + "k");
  CHECK(cut == std::string(59, 'k') + "\xef\xbf\xbd...");
}

TEST_CASE("what is too deep or no JSON is refused") {
  CHECK(why("[[[1]]]").empty());
  CHECK(why("[[[[1]]]]") == "it is nested more than 3 deep");
  CHECK(why(R"({"a":{"b":{"c":1}}})").empty());
  CHECK(why(R"({"a":{"b":{"c":{}}}})") == "it is nested more than 3 deep");
  CHECK(why(std::string(200000, '[')) == "it is nested more than 3 deep");
  for (const auto* bad : {"", " ", "{", R"({"a"})", "{1:2}", "nul", "[1,]",
                          "1 2", "1e999", "\"\xff\""})
    CHECK(why(bad) == "it is no JSON");
}

} // namespace orderly::distinct_keys_test
