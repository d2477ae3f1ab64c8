// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/digest.hpp"
#include "io/report/envelope.hpp"
#include "io/report/order.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::report_order_test {

using namespace orderly::io::report;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

const instant noon{seconds{1'770'000'000}};

repair_order reseat() {
  return {"n1",
          "event/e1/1",
          "e1",
          "reseat",
          R"({"status": "live-repair", "slot":  3})",
          noon};
}

std::string why(const std::string& envelope, instant now = noon,
                const std::string& node = "n1") {
  auto got = open_order(envelope, {"old", "key"}, node, now);
  return got ? std::string{} : got.why().text;
}

} // namespace

TEST_CASE("an order comes as it was given, byte for byte") {
  auto got = open_order(seal_order(reseat(), "key"), {"key"}, "n1", noon);
  REQUIRE(got);
  CHECK(*got == reseat());
}

TEST_CASE("an order that is another's, foreign or old is refused") {
  auto good = seal_order(reseat(), "key");
  CHECK(why(good).empty());
  CHECK(why(good, noon, "n2").find("another node") != std::string::npos);
  CHECK_FALSE(why(good, noon, "").empty());
  CHECK(why(seal_order(reseat(), "no key")).find("hmac.key")
        != std::string::npos);
  CHECK(why(good, noon + clock_slack).empty());
  CHECK(why(good, noon + clock_slack + millis{1}).find("old")
        != std::string::npos);
  CHECK_FALSE(why(good, noon - clock_slack - millis{1}).empty());
  // What was signed is what counts.
  auto changed = json::parse(good);
  auto text = changed["msg"].get<std::string>();
  text.replace(text.find("reseat"), 6, "format");
  changed["msg"] = text;
  CHECK(why(changed.dump()).find("hmac.key") != std::string::npos);
}

TEST_CASE("an order that is cut, or lacks a part, is refused") {
  auto good = seal_order(reseat(), "key");
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(why(good.substr(0, size)).empty());
  for (const auto* part :
       {"node", "intent", "event", "command", "object", "time_ms"}) {
    INFO(part);
    auto x = json::parse(order_text(reseat()));
    x.erase(part);
    CHECK_FALSE(read_order_text(x.dump()));
    x[part] = json::array();
    CHECK_FALSE(read_order_text(x.dump()));
  }
  for (const auto* time : {"4611686018427387904", "-1", "-9223372036854775808",
                           "18446744073709551615", "1e300", "1.5"}) {
    INFO(time);
    auto x = json::parse(order_text(reseat()));
    x["time_ms"] = json::parse(time);
    CHECK_FALSE(read_order_text(x.dump()));
  }
  CHECK_FALSE(read_order_text(std::string(order_max + 1, ' ')));
}

TEST_CASE("an order that has a key twice is refused, and the key named") {
  auto text = order_text(reseat());
  auto twice = [](std::string x, const std::string& member) {
    return x.insert(1, member + ",");
  };
  for (const auto* part :
       {"node", "intent", "event", "command", "object", "time_ms"}) {
    INFO(part);
    auto got = read_order_text(twice(text, fmt::format(R"("{}":"x")", part)));
    REQUIRE_FALSE(got);
    CHECK(got.why().text
          == fmt::format("the order cannot be taken: the key '{}' is there "
                         "twice",
                         part));
  }
  // Escaped it is the same key; one that nobody reads counts, too.
  CHECK_FALSE(read_order_text(twice(text, R"("\u0063ommand":"format")")));
  CHECK_FALSE(read_order_text(twice(text, R"("a":1,"a":1)")));
  CHECK(read_order_text(twice(text, R"("a":1)")));
  auto good = seal_order(reseat(), "key");
  CHECK_THAT(why(twice(good, R"("msg":"{}")")), Contains("'msg'"));
  CHECK_THAT(why(twice(good, R"("hmac-sha256":"00")")),
             Contains("'hmac-sha256'"));
  // Signed, and yet refused.
  auto inside = twice(text, R"("command":"format")");
  json sealed{{"msg", inside},
              {"hmac-sha256", hmac_hex(hash::sha256, "key", inside)}};
  CHECK_THAT(why(sealed.dump()), Contains("'command' is there twice"));
}

} // namespace orderly::report_order_test
