// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/exact_json.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

using maintenance::read_exact;

namespace {

std::string canonical(const std::string& text) {
  auto x = read_exact(text);
  INFO(x.wrong);
  REQUIRE(x.wrong.empty());
  return x.canonical;
}

} // namespace

TEST_CASE("the order of keys makes no other report") {
  CHECK(canonical(R"({"b": 1, "a": [2, {"y": 3, "x": 4}]})")
        == canonical(R"({"a":[2,{"x":4,"y":3}],"b":1})"));
  CHECK(canonical("[1,2]") != canonical("[2,1]"));
}

TEST_CASE("a number is what it is worth, however it is written") {
  for (const auto* text : {"1", "1.0", "1e0", "10e-1", "0.01e2", "1.000E+0"})
    CHECK(canonical(text) == "1");
  for (const auto* text : {"0", "-0", "0.0", "0e99"})
    CHECK(canonical(text) == "0");
  CHECK(canonical("100") == canonical("1e2"));
  CHECK(canonical("-2.50") == canonical("-25e-1"));
  CHECK(canonical("0.1") != canonical("0.10000000000000000001"));
  CHECK(canonical("9007199254740993") != canonical("9007199254740992"));
}

TEST_CASE("a text is what it says, however it is escaped") {
  CHECK(canonical(R"("\u0041\/")") == canonical(R"("A/")"));
  CHECK(canonical(R"("\ud83d\ude00")") == canonical("\"\xf0\x9f\x98\x80\""));
  CHECK(canonical(R"("a\nb")") != canonical(R"("a b")"));
}

TEST_CASE("members of the object itself are told apart from those within") {
  auto x = read_exact(R"({"status":"Ok","details":{"status":"no"},"n":1})");
  CHECK(x.is_object);
  CHECK(x.texts.at("status") == "Ok");
  CHECK(x.texts.size() == 1);
  CHECK(x.others.at("n") == "1");
}

TEST_CASE("broken JSON is wrong, and says at which byte") {
  for (const auto* text :
       {"", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "nul", "01", "1.", "1e",
        "\"a", "{\"a\":1} x", "\"\\x\"", "\"\\ud800\"", "\"\xff\"", "\"\t\"",
        "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "+1", "1e9999999999"}) {
    auto x = read_exact(text);
    CAPTURE(text);
    CHECK(x.wrong.find("byte ") == 0);
    CHECK(x.canonical.empty());
  }
}

TEST_CASE("a key that is there twice is wrong, at any depth") {
  CHECK(!read_exact(R"({"a":1,"a":1})").wrong.empty());
  CHECK(!read_exact(R"({"a":{"b":1,"\u0062":2}})").wrong.empty());
}

TEST_CASE("depth 32 is read, depth 33 is not") {
  auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(read_exact(nested(32)).wrong.empty());
  CHECK(!read_exact(nested(33)).wrong.empty());
}

TEST_CASE("64 KiB are read, a byte more is not") {
  auto sized
    = [](std::size_t size) { return "\"" + std::string(size - 2, 'x') + "\""; };
  CHECK(read_exact(sized(64 * 1024)).wrong.empty());
  CHECK(!read_exact(sized(64 * 1024 + 1)).wrong.empty());
}

} // namespace orderly::maintenance_test
