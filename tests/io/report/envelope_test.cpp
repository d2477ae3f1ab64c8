// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/cluster_keys.hpp"
#include "io/report/digest.hpp"
#include "io/report/envelope.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io_report_test {

using namespace orderly::io;
using namespace orderly::io::report;

namespace {

const auto noon = from_ms(1700000000000);
constexpr const char* salt = "0123456789abcdefXYZ";

struct sample_answer {
  node_key own = *node_key::make();
  statement what{"u-1", "node1", noon, R"({"n":12345678901234567890123})"};
  expectation wanted{salt, "u-1", {}, {"secret\n"}, noon, never};

  std::string sealed() const { return seal(what, salt, "secret\n", own); }

  std::optional<refusal> refused(const std::string& envelope) const {
    auto x = open(envelope, wanted);
    auto no = std::get_if<report::refused>(&x);
    return no ? std::optional{no->why} : std::nullopt;
  }

  /// What is garbled in it.
  std::string garbled(const std::string& envelope) const {
    auto x = open(envelope, wanted);
    auto no = std::get_if<report::refused>(&x);
    return no && no->why == refusal::garbled ? no->what : "it is not";
  }

  /// Signed and coded as it should be, whatever it says.
  std::string signed_text(const std::string& text) const {
    auto both = salt + text;
    return nlohmann::json{
      {"msg", text},
      {"salt", salt},
      {"hmac", hmac_hex(hash::sha1, "secret\n", both)},
      {"hmac-sha256", hmac_hex(hash::sha256, "secret\n", both)},
      {"key", own.public_hex()},
      {"signature",
       own.sign(fmt::format("orderly-agent report 1\n{}\n{}", salt, text))}}
      .dump();
  }
};

} // namespace

TEST_CASE("what was sealed is opened as it was spelled") {
  sample_answer a;
  auto x = open(a.sealed(), a.wanted);
  REQUIRE(std::holds_alternative<believed>(x));
  auto& y = std::get<believed>(x);
  CHECK(y.what.report == a.what.report);
  CHECK(y.what.node_name == "node1");
  CHECK(y.what.time == noon);
  CHECK(y.fingerprint == fingerprint_of(a.own.public_hex()));
  a.wanted.fingerprint = y.fingerprint;
  a.wanted.last = noon;
  CHECK_FALSE(a.refused(a.sealed()));
}

TEST_CASE("the codes are those of the confd protocol") {
  sample_answer a;
  auto x = nlohmann::json::parse(a.sealed());
  auto both = std::string{salt} + x["msg"].get<std::string>();
  CHECK(x["hmac"] == hmac_hex(hash::sha1, "secret\n", both));
  // RFC 2202 and RFC 4231, test case 2.
  CHECK(hmac_hex(hash::sha1, "Jefe", "what do ya want for nothing?")
        == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
  CHECK(hmac_hex(hash::sha256, "Jefe", "what do ya want for nothing?")
        == "5bdcc146bf60754e6a042426089575c7"
           "5a003f089d2739839dec58b964ec3843");
}

TEST_CASE("each lie is refused with its reason") {
  sample_answer a;
  auto good = a.sealed();
  CHECK(a.refused(std::string(1 << 20, ' ')) == refusal::too_large);
  CHECK(a.refused(good.substr(0, good.size() - 5)) == refusal::garbled);
  CHECK(a.refused(std::string(200000, '[')) == refusal::garbled);
  CHECK(a.refused("[]") == refusal::garbled);
  CHECK(a.refused(seal(a.what, "another-salt-of-old", "secret\n", a.own))
        == refusal::wrong_salt);
  CHECK(a.refused(seal(a.what, salt, "secret", a.own)) == refusal::wrong_mac);
  for (const auto* part : {"hmac", "hmac-sha256"}) {
    auto x = nlohmann::json::parse(good);
    x[part] = std::string(x[part].get<std::string>().size(), '0');
    CHECK(a.refused(x.dump()) == refusal::wrong_mac);
    x.erase(part);
    CHECK(a.refused(x.dump()) == refusal::garbled);
  }
  auto changed = nlohmann::json::parse(good);
  changed["msg"] = changed["msg"].get<std::string>() + " ";
  CHECK(a.refused(changed.dump()) == refusal::wrong_mac);
  a.wanted.keys.clear();
  CHECK(a.refused(good) == refusal::wrong_mac);
}

TEST_CASE("an envelope that has a key twice is refused, and the key named") {
  sample_answer a;
  auto good = a.sealed();
  for (const auto* part :
       {"msg", "salt", "hmac", "hmac-sha256", "key", "signature", "other"}) {
    INFO(part);
    auto x = good;
    x.insert(1, fmt::format(R"("{}":"{}",)", part, salt));
    if (std::string{part} == "other")
      x.insert(1, R"("other":1,)");
    CHECK(a.garbled(x) == fmt::format("the key '{}' is there twice", part));
  }
  // Nor if all of it is signed.
  auto says = [&](const std::string& parts) {
    return a.garbled(a.signed_text(
      R"({"node_uuid":"u-1","node_name":"node1","time_ms":1700000000000,)"
      + parts + "}"));
  };
  CHECK(says(R"("report":{"n":1})") == "it is not");
  CHECK(says(R"("node_uuid":"u-1","report":{"n":1})")
        == "the key 'node_uuid' is there twice");
  CHECK(says(R"("report":{"n":1},"report":{"n":2})")
        == "the key 'report' is there twice");
  CHECK(says(R"("report":{"data":{"n":1},"data":{"n":2}})")
        == "the key 'data' is there twice");
  CHECK(says(R"("report":{"data":[{"n":1,"\u006e":2}]})")
        == "the key 'n' is there twice");
}

TEST_CASE("another node that has the cluster's key is not this one") {
  sample_answer a;
  auto other = *node_key::make();
  a.wanted.fingerprint = fingerprint_of(a.own.public_hex());
  CHECK(a.refused(seal(a.what, salt, "secret\n", other))
        == refusal::wrong_node_key);
  // Nor with the public half of this one beside its own signature.
  auto x = nlohmann::json::parse(seal(a.what, salt, "secret\n", other));
  x["key"] = a.own.public_hex();
  CHECK(a.refused(x.dump()) == refusal::wrong_node_key);
  a.what.node_uuid = "u-2";
  CHECK(a.refused(a.sealed()) == refusal::wrong_node);
}

TEST_CASE("time is held to 300 seconds, and does not go back") {
  sample_answer a;
  for (auto off : {seconds{300}, seconds{-300}}) {
    a.what.time = noon + off;
    CHECK_FALSE(a.refused(a.sealed()));
    a.what.time += off > seconds{0} ? millis{1} : millis{-1};
    CHECK(a.refused(a.sealed()) == refusal::wrong_time);
  }
  a.what.time = noon - millis{1};
  a.wanted.last = noon;
  CHECK(a.refused(a.sealed()) == refusal::not_newer);
}

TEST_CASE("an old key of the cluster counts for ten minutes") {
  cluster_keys keys;
  CHECK(keys.at(noon).empty());
  keys.take("old", noon - hours{1});
  keys.take("new", noon);
  keys.take("", noon);
  CHECK(keys.at(noon + minutes{9}) == std::vector<std::string>{"new", "old"});
  CHECK(keys.at(noon + minutes{10}) == std::vector<std::string>{"new"});
  // By a calendar that was ahead until now.
  CHECK(keys.at(noon - minutes{1}) == std::vector<std::string>{"new"});
  keys.take("old", noon + minutes{1});
  CHECK(keys.at(noon + minutes{2}) == std::vector<std::string>{"old", "new"});
  for (int i = 0; i < 20; ++i)
    keys.take(std::to_string(i), noon + minutes{3});
  CHECK(keys.at(noon + minutes{3}).size() == cluster_keys::kept_max);
}

TEST_CASE("an agent's key is the same after it was written and read") {
  auto made = *node_key::make();
  auto again = node_key::from_pem(made.to_pem());
  REQUIRE(again);
  CHECK(again->public_hex() == made.public_hex());
  CHECK(is_signed("text", made.public_hex(), again->sign("text")));
  CHECK_FALSE(is_signed("other", made.public_hex(), again->sign("text")));
  CHECK_FALSE(node_key::from_pem("garbage"));
  CHECK(fingerprint_of("0g").empty());
  CHECK(fingerprint_of(made.public_hex()).size() == 64);
}

TEST_CASE("a salt is long enough to be dice") {
  CHECK(is_salt("0123456789abcdef"));
  CHECK_FALSE(is_salt("0123456789abcde"));
  CHECK_FALSE(is_salt("0123456789abcde\""));
  CHECK_FALSE(is_salt(std::string(65, 'a')));
}

} // namespace orderly::io_report_test
