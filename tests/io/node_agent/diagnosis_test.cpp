// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/diagnosis.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::node_agent_diagnosis_test {

using namespace orderly::io::node_agent;
using orderly::io::child::outcome;

namespace {

outcome printed(std::string text, int code = 0) {
  outcome x;
  x.exit_code = code;
  x.out = std::move(text);
  return x;
}

/// A look that failed by `word`, and is Ok to old readers.
bool fails_by(const outcome& x, const std::string& word) {
  auto got = read_diagnosis(x);
  auto data = nlohmann::json::parse(got.data);
  INFO(got.probe_error << " / " << got.data);
  CHECK(data["status"] == "Ok");
  CHECK(data["details"].get<std::string>().rfind("Could not parse result: ", 0)
        == 0);
  CHECK(got.probe_error.find(word) != std::string::npos);
  return got.probe_error.find(word) != std::string::npos;
}

std::string nested(int depth) {
  auto n = static_cast<std::size_t>(depth - 1);
  return R"({"status":"Ok","details":)" + std::string(n, '[')
         + std::string(n, ']') + "}";
}

} // namespace

TEST_CASE("a good answer is passed on as it was spelled") {
  for (const auto* text :
       {R"({"status":"Ok"})", R"({"status":"evacuate-failover"})",
        R"({ "b": 1.50, "status" : "evacuate", "n": 123456789012345678901 })",
        R"({"status":"live-repair","command":"x","details":{"status":"y"}})"}) {
    auto got = read_diagnosis(printed(std::string{text} + "\n"));
    CHECK(got.data == text);
    CHECK(got.probe_error.empty());
  }
  CHECK(read_diagnosis(printed(nested(32))).probe_error.empty());
}

TEST_CASE("no answer is none, and is named") {
  CHECK(fails_by(printed(""), "empty"));
  CHECK(fails_by(printed(" \n"), "empty"));
  auto flood = printed(std::string(100, 'y'));
  flood.out_truncated = true;
  CHECK(fails_by(flood, "more than 64 KiB"));
  auto hung = printed(R"({"status":"Ok"})");
  hung.timed_out = true;
  hung.signal = 9;
  CHECK(fails_by(hung, "was killed"));
  hung.exit_code = -1;
  hung.signal = 0;
  CHECK(fails_by(hung, "cannot be killed"));
  auto failed = printed(R"({"status":"Ok"})", 1);
  failed.err = "no such disk\nmore";
  CHECK(fails_by(failed, "exit code 1: no such disk"));
  auto shot = printed(R"({"status":"Ok"})", -1);
  shot.signal = 11;
  CHECK(fails_by(shot, "signal 11"));
  outcome refused;
  refused.refused = "cannot start it";
  CHECK(fails_by(refused, "cannot start it"));
}

TEST_CASE("what cannot be taken is named") {
  CHECK(fails_by(printed("{\"status\":\"Ok\",\"x\":\"\xff\"}"), "not UTF-8"));
  CHECK(fails_by(printed("{\"status\":"), "no JSON from byte"));
  CHECK(fails_by(printed(R"({"status":"Ok"} x)"), "no JSON from byte"));
  CHECK(fails_by(printed(R"({"status":"Ok"}{"status":"Ok"})"), "no JSON"));
  CHECK(fails_by(printed("[]"), "no JSON object"));
  CHECK(fails_by(printed("\"Ok\""), "no JSON object"));
  CHECK(fails_by(printed(R"({"status":"Ok","status":"evacuate"})"),
                 "'status' is there twice"));
  CHECK(fails_by(printed(R"({"status":"Ok","a":{"b":1,"b":1}})"),
                 "'b' is there twice"));
  CHECK(fails_by(printed(nested(33)), "more than 32 deep"));
  CHECK(fails_by(printed(std::string(60000, '[')), "32 deep"));
  CHECK(fails_by(printed(R"({"a":{"status":"Ok"}})"), "has no status"));
  CHECK(fails_by(printed(R"({"status":1})"), "status is no text"));
  CHECK(fails_by(printed(R"({"status":["Ok"]})"), "status is no text"));
  CHECK(fails_by(printed(R"({"status":"ok"})"), "status is 'ok'"));
  CHECK(fails_by(printed(R"({"status":"Ok","n":1e999})"), "out of range"));
}

} // namespace orderly::node_agent_diagnosis_test
