// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands as JSON: written and read again, and what is refused.

#include "io/json/errand_json.hpp"
#include "io/json/render.hpp"
#include "tests/fuzz/errand_drawing.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <random>

namespace orderly::json_errand_json_test {

using namespace orderly::io::http;
using nlohmann::json;

namespace {

std::string why_not(const std::string& body) {
  auto x = read_errand_request(body);
  INFO(body);
  REQUIRE_FALSE(x.ok());
  CHECK(x.why().kind == fault_kind::bad_input);
  return x.why().text;
}

struct bad_body {
  const char* body;
  const char* place; ///< part of what is said
};

} // namespace

TEST_CASE("every errand and every sheet survives being written and read") {
  std::mt19937 dice{20261120};
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint8_t> noise(400);
    for (auto& x : noise)
      x = static_cast<std::uint8_t>(dice());
    fuzz::bytes in{noise.data(), noise.size()};
    fuzz::errand_drawing draw{in};
    auto wanted = draw.request();
    auto body = to_text(render(wanted));
    INFO(body);
    auto got = read_errand_request(body);
    REQUIRE(got.ok());
    REQUIRE(fuzz::same(wanted, *got));
    auto sheet = draw.sheet();
    auto text = to_text(render(sheet));
    INFO(text);
    auto back = read_errand_sheet(json::parse(text));
    REQUIRE(back.ok());
    REQUIRE(fuzz::same(sheet, *back));
  }
}

TEST_CASE("what a sheet is about is told in the words that journals have") {
  for (const auto* word : errand_kind_words) {
    auto x = read_errand_sheet(json{{"kind", word}});
    REQUIRE(x.ok());
    REQUIRE(x->kind);
    CHECK(to_string(*x->kind) == std::string{word});
    CHECK(render(*x)["kind"] == word);
  }
  CHECK(to_string(errand_kind::cluster_unset) == std::string{"cluster-unset"});
  CHECK(to_string(errand_kind::confirm_off) == std::string{"confirm-off"});
  CHECK(to_string(errand_kind::ha_list) == std::string{"ha-list"});
  CHECK_FALSE(read_errand_sheet(json{{"kind", ""}})->kind);
}

TEST_CASE("a request says with few words what most people want") {
  auto x = read_errand_request(
    R"({"power": {"command": "power-off", "nodes": ["n1"]}})");
  REQUIRE(x.ok());
  const auto& p = std::get<power_errand>(x->what);
  CHECK(p.verb == power_verb::off);
  CHECK(p.nodes == std::vector<std::string>{"n1"});
  CHECK(p.mark_offline);
  CHECK(p.power_delay == seconds{2});
  CHECK(p.time_limit == millis{0});
  CHECK_FALSE(x->dry);
  CHECK_FALSE(x->count);
  auto epo = read_errand_request(R"({"epo": {}})");
  REQUIRE(epo.ok());
  // What is left out never widens what is meant.
  CHECK_FALSE(std::get<epo_errand>(epo->what).all);
}

TEST_CASE("a request that is not just so is refused, with the place") {
  const bad_body all[] = {
    {"", "no JSON"},
    {"[]", "no JSON object"},
    {"{", "no JSON"},
    {"{}", "there must be one of power, modify, info, epo, verify"},
    {R"({"verify":{},"info":{}})", "and there are 2"},
    {R"({"verify":{},"verify":{}})", "'verify' is there twice"},
    {R"({"verify":{},"x":1})", "there is no 'x'; known are"},
    {R"({"verify":{"x":1}})", "there is no 'verify.x'"},
    {R"({"verify":[]})", "'verify' must be an object"},
    {R"({"verify":{},"who":"root"})", "there is no 'who'"},
    {R"({"verify":{},"dry":1})", "'dry' must be true or false"},
    {R"({"verify":{},"count":0})", "'count' must be a whole number from 1"},
    {R"({"verify":{},"count":-1})", "'count' must be"},
    {R"({"verify":{},"count":2.0})", "'count' must be"},
    {R"({"verify":{},"count":1000001})", "'count' must be"},
    {R"({"verify":{},"count":18446744073709551616})", "'count' must be"},
    {R"({"verify":{},"reason":null})", "'reason' must be a text"},
    {R"({"power":{}})", "'power.command' must be power-on"},
    {R"({"power":{"command":"reboot"}})", "'power.command' must be"},
    {R"({"power":{"command":"power-on","nodes":"n1"}})",
     "'power.nodes' must be a list"},
    {R"({"power":{"command":"power-on","nodes":["n1",""]}})",
     "'power.nodes[1]' must be a name"},
    {R"({"power":{"command":"power-on","nodes":["n 1"]}})",
     "'power.nodes[0]' must be a name"},
    {R"({"power":{"command":"power-on","nodes":[1]}})",
     "'power.nodes[0]' must be a name"},
    {R"({"power":{"command":"power-on","time_limit_ms":499}})",
     "'power.time_limit_ms' must be 0 or a whole number"},
    {R"({"power":{"command":"power-on","time_limit_ms":3600001}})",
     "'power.time_limit_ms'"},
    {R"({"power":{"command":"power-on","power_delay_ms":-1}})",
     "'power.power_delay_ms'"},
    {R"({"modify":{}})", "'modify.node' must be a name"},
    {R"({"modify":{"node":"n1","powered":"yes"}})", "'modify.powered'"},
    {R"({"epo":{"names":["a"],"all":"true"}})", "'epo.all'"},
    {R"({"epo":{"shutdown_timeout_ms":999}})", "'epo.shutdown_timeout_ms'"},
    {R"({"confirm_off":{"node":null}})", "'confirm_off.node'"},
    {R"({"x":[[[[[[[[[[1]]]]]]]]]]})", "nested more than 8 deep"},
  };
  for (const auto& x : all) {
    auto text = why_not(x.body);
    INFO(x.body);
    INFO(text);
    CHECK(text.find(x.place) != std::string::npos);
  }
}

TEST_CASE("requests are bounded in names, reason and key") {
  json many{{"info", {{"nodes", json::array()}}}};
  for (std::size_t i = 0; i < errand_names_max; ++i)
    many["info"]["nodes"].push_back("n" + std::to_string(i));
  CHECK(read_errand_request(many.dump()).ok());
  many["info"]["nodes"].push_back("one-more");
  CHECK(why_not(many.dump()).find("at most 5000 names") != std::string::npos);
  json wordy{{"verify", json::object()},
             {"reason", std::string(errand_reason_max, 'x')}};
  CHECK(read_errand_request(wordy.dump()).ok());
  wordy["reason"] = std::string(errand_reason_max + 1, 'x');
  CHECK(why_not(wordy.dump()).find("'reason'") != std::string::npos);
  json odd{{"verify", json::object()}, {std::string(100000, '\n'), 1}};
  auto text = why_not(odd.dump());
  CHECK(text.size() < 300);
  CHECK(text.find('\n') == std::string::npos);
  json name{{"confirm_off", {{"node", std::string(256, 'x')}}}};
  CHECK(why_not(name.dump()).find("1 to 255 bytes") != std::string::npos);
}

TEST_CASE("a sheet with something odd in it names the place") {
  auto why = [](const char* text) {
    auto x = read_errand_sheet(json::parse(text));
    REQUIRE_FALSE(x.ok());
    return x.why().text;
  };
  CHECK(why("[]")
        == "the sheet of the errand cannot be read: 'errand' is no "
           "object");
  CHECK(why(R"({"rows":{}})").find("'errand.rows'") != std::string::npos);
  CHECK(why(R"({"rows":[{},{"state":"gone"}]})")
          .find("'errand.rows[1].state' is an unknown word")
        != std::string::npos);
  CHECK(why(R"({"rows":[{"record":{"offline":"no"}}]})")
          .find("'errand.rows[0].record.offline' has another type")
        != std::string::npos);
  CHECK(why(R"({"kind":"power-up"})").find("'errand.kind' is an unknown word")
        != std::string::npos);
  CHECK(why(R"({"began":"yesterday"})").find("'errand.began'")
        != std::string::npos);
  auto x = read_errand_sheet(json::parse(R"({"id":"a","news":[1]})"));
  REQUIRE(x.ok());
  CHECK(x->id == "a");
}

} // namespace orderly::json_errand_json_test
