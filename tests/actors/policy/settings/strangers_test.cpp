// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings that name nobody.

#include "actors/policy/settings/strangers.hpp"

#include <catch2/catch.hpp>

namespace orderly::settings_strangers_test {

namespace {

const std::vector<std::string> nodes{"node1.example.com", "node2.example.com"};
const std::vector<std::string> groups{"default", "rack7"};

std::vector<std::string> told(const settings& s) {
  std::vector<std::string> result;
  for (const auto& x : keys_of_nobody(s, nodes, groups))
    result.push_back(x.key + " " + x.why);
  return result;
}

} // namespace

TEST_CASE("a setting for a node or group that there is not is told") {
  settings s;
  s.power.levels = {
    {"node2", {"!"}}, {"nodeX.example.com", {"!"}}, {"group:defualt", {"!"}}};
  s.host_ha.groups = {{"rack8", {"activity_checks = 500"}}};
  CHECK(told(s)
        == std::vector<std::string>{
          "power.levels.\"group:defualt\" names no group that has a node, and "
          "holds for nobody; did you mean 'default'?",
          "power.levels.\"node2\" names no node of the cluster, and holds for "
          "nobody; did you mean 'node2.example.com'?",
          "power.levels.\"nodeX.example.com\" names no node of the cluster, "
          "and holds for nobody; did you mean 'node1.example.com'?",
          "host_ha.groups.\"rack8\" names no group that has a node, and holds "
          "for nobody; did you mean 'rack7'?"});
}

TEST_CASE("what names somebody, or all, is no stranger") {
  settings s;
  s.power.levels
    = {{"*", {"/oob"}}, {"node2.example.com", {"!"}}, {"group:default", {"!"}}};
  s.host_ha.groups = {{"rack7", {"activity_checks = 500"}}};
  CHECK(keys_of_nobody(s, nodes, groups).empty());
  CHECK(keys_of_nobody({}, {}, {}).empty());
}

TEST_CASE("of very many strangers the first ones are told") {
  settings s;
  for (int i = 0; i < 1000; ++i)
    s.power.levels["other" + std::to_string(i)] = {"!"};
  CHECK(keys_of_nobody(s, nodes, groups).size() == 20);
}

} // namespace orderly::settings_strangers_test
