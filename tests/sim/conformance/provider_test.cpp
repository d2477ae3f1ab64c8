// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who treats a host, played on the whole daemon: what it does is compared, and
// what no case can say is a fault.

#include "sim/conformance/provider.hpp"

#include <catch2/catch.hpp>

namespace orderly::conformance_provider_test {

using namespace orderly::sim::conformance;

namespace {

const instant start = from_ms(1700000000000);

std::size_t wrong(std::vector<difference> (*play)(const json&, instant),
                  const char* cases) {
  return play(json::parse(cases), start).size();
}

} // namespace

TEST_CASE("a node is fenced only by an off that was read") {
  CHECK(wrong(play_fences, R"([
    {"oobm": true, "status_before": "On", "off_result": "hang",
     "status_after": "Off", "fence": "ok", "off_issued": true},
    {"oobm": true, "status_before": "On", "off_result": "ok",
     "status_after": "Unknown", "fence": "fail", "off_issued": true}])")
        == 0);
}

TEST_CASE("what is expected wrongly of a fence is told") {
  CHECK(wrong(play_fences, R"([
    {"oobm": false, "status_before": null, "off_result": null,
     "status_after": null, "fence": "ok", "off_issued": true}])")
        == 2);
}

TEST_CASE("a reset that the controller refused is an alert, another is not") {
  CHECK(wrong(play_recoveries, R"([
    {"power": "On", "operation_setting": "RESET", "driver": "auth-error",
     "result": "fail", "issued": "RESET", "alert": "OOBM_AUTH_ERROR"},
    {"power": "On", "operation_setting": "CYCLE", "driver": "error",
     "result": "fail", "issued": "CYCLE"}])")
        == 0);
}

TEST_CASE("calls of persons are played on the desk, one after the other") {
  CHECK(wrong(play_admin, R"([
    {"call": "configureHAForHost",
     "args": {"host": "h1", "provider": "kvmhaprovider"}, "ok": true},
    {"call": "enableHAForHost", "args": {"host": "h1"}, "ok": true,
     "shown": {"haenable": true, "hastate": "Available"}},
    {"call": "disableHAForCluster", "args": {"cluster": "c1"}, "ok": true},
    {"call": "listHostHAResources", "args": {"host": "h1"}, "ok": true,
     "shown": {"haenable": true, "hastate": "Disabled"}},
    {"call": "enableHAForCluster", "args": {"cluster": "c1"}, "ok": true},
    {"call": "disableHAForZone", "args": {"zone": "z1"}, "ok": true},
    {"call": "disableHAForZone", "args": {}, "ok": false},
    {"call": "listHostHAProviders", "args": {"hypervisor": "Simulator"},
     "ok": true, "shown": {"haprovider": ["SimulatorHAProvider"]}}])")
        == 0);
}

TEST_CASE("a case with a word that nobody knows cannot be played") {
  CHECK_THROWS_AS(wrong(play_fences, R"([{"oobm": true, "status": "On"}])"),
                  std::invalid_argument);
  CHECK_THROWS_AS(wrong(play_recoveries, R"([{"power": "Half"}])"),
                  std::invalid_argument);
  CHECK_THROWS_AS(wrong(play_admin, R"([{"call": "fly", "ok": true}])"),
                  std::invalid_argument);
}

} // namespace orderly::conformance_provider_test
