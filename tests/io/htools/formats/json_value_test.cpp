// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/json_value.hpp"

#include <catch2/catch.hpp>

namespace orderly::formats_json_value_test {

using namespace orderly::io::htools;

namespace {

/// A list of so many times `item`.
std::string list_of(const std::string& item, std::size_t times) {
  std::string text = "[";
  text.reserve(times * (item.size() + 1) + 1);
  for (std::size_t k = 0; k < times; ++k)
    text += (k == 0 ? "" : ",") + item;
  return text + "]";
}

std::string why_not(const std::string& text) {
  auto x = read_json(text, "FILE");
  return x ? "it was read" : x.why().text;
}

} // namespace

TEST_CASE("a short text of very many values is refused") {
  for (const auto* item : {"0", "[]", "\"\"", "{}"}) {
    auto why = why_not(list_of(item, 8'000'000));
    CHECK(why.find("FILE: ") == 0);
    CHECK(why.find("it has more than 8000000 values") != std::string::npos);
  }
  CHECK(why_not("{\"a\":1,\"a\":[true,null]}") == "it was read");
}

TEST_CASE("members that nobody reads take no memory and count for nothing") {
  auto long_one = list_of("[0]", 5'000'000);
  auto text = R"([{"a":1,"no":)" + long_one + R"(,"b":{"no":{"no":[{}]},"c":2}},
{"no" : "x","d":3,"e":"no"},{"no":null}])";
  CHECK(why_not(text).find("more than 8000000") != std::string::npos);
  auto x = read_json(text, "FILE", "no");
  REQUIRE(x);
  REQUIRE(x->items.size() == 3);
  const auto& first = x->items[0];
  CHECK(first.names == std::vector<std::string>{"a", "b"});
  REQUIRE(first.member("b")->items.size() == 1);
  CHECK(first.member("b")->member("c")->whole == 2);
  CHECK(x->items[1].names == std::vector<std::string>{"d", "e"});
  CHECK(x->items[1].member("e")->text == "no");
  CHECK(x->items[2].items.empty());
}

TEST_CASE("what stands behind a member that nobody reads is counted") {
  auto long_one = list_of("0", 8'000'000);
  for (const auto* before : {R"({"no":[1,{"a":2}],"b":)", R"([{"no":1},)",
                             R"({"c":"no","b":)", R"({"x":{"no":[]},"b":)"}) {
    std::string text = before + long_one;
    text += text.front() == '{' ? "}" : "]";
    auto x = read_json(text, "FILE", "no");
    REQUIRE_FALSE(x);
    CHECK(x.why().text.find("more than 8000000") != std::string::npos);
  }
}

TEST_CASE("as many values as fit are read") {
  auto x = read_json(list_of("0", 2'000'000), "FILE");
  REQUIRE(x);
  CHECK(x->items.size() == 2'000'000);
}

} // namespace orderly::formats_json_value_test
