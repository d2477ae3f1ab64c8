// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/report.hpp"

#include <catch2/catch.hpp>

namespace orderly::maintenance_test {

using namespace maintenance;

namespace {

report read(const std::string& object) {
  diagnosis x;
  x.how = hearing::heard;
  x.object = object;
  return read_report(x);
}

} // namespace

TEST_CASE("a report that says Ok wants nothing") {
  CHECK(read(R"({"status":"Ok","details":"No file specified"})").what
        == saying::ok);
}

TEST_CASE("a report asks for what its status says") {
  auto x = read(R"({"status": "live-repair", "command": "reseat", "n": 5.0})");
  CHECK(x.what == saying::asks);
  CHECK(x.action == event_action::live_repair);
  CHECK(x.command == "reseat");
  CHECK(x.original
        == R"({"status": "live-repair", "command": "reseat", "n": 5.0})");
  CHECK(
    x.identity
    == read(R"({"n":5,"command":"reseat","status":"live-repair"})").identity);
  CHECK(read(R"({"status":"evacuate"})").action == event_action::evacuate);
  CHECK(read(R"({"status":"evacuate-failover"})").action
        == event_action::evacuate_failover);
}

TEST_CASE("what is no report is unknown, and never Ok") {
  for (const auto* text :
       {"", "[]", "\"Ok\"", "{}", R"({"status":1})", R"({"status":"ok"})",
        R"({"status":"OK"})", R"({"status":"Ok","status":"Ok"})",
        R"({"status":"Evacuate"})", "{\"status\":\"Ok\"} {"}) {
    CAPTURE(text);
    auto x = read(text);
    CHECK(x.what == saying::unknown);
    CHECK(x.how == hearing::failed);
    CHECK(!x.text.empty());
  }
}

TEST_CASE("who was not heard, or not believed, said nothing") {
  for (auto how : {hearing::silent, hearing::unverified, hearing::failed}) {
    diagnosis x;
    x.how = how;
    x.object = R"({"status":"evacuate"})";
    auto said = read_report(x);
    CHECK(said.what == saying::unknown);
    CHECK(said.how == how);
  }
}

TEST_CASE("a command is a plain name") {
  CHECK(wrong_with_command("reseat_disk-2").empty());
  for (const auto* name : {"", "../reseat", "a b", "a/b", ".", "a.sh", "a\n"})
    CHECK(!wrong_with_command(name).empty());
  CHECK(!wrong_with_command(std::string(256, 'a')).empty());
}

} // namespace orderly::maintenance_test
