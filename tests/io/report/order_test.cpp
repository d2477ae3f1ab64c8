// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/envelope.hpp"
#include "io/report/order.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::report_order_test {

using namespace orderly::io::report;
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

} // namespace orderly::report_order_test
