// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_options.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace orderly::cli_ha_options_test {

using namespace orderly::power;

namespace {

using names = std::vector<std::string>;

command read(const std::string& line) {
  std::istringstream in{line};
  names args;
  for (std::string x; in >> x;)
    args.push_back(x);
  return read_command(args);
}

ha_errand wanted(const std::string& line) {
  auto x = read(line);
  INFO(x.text);
  REQUIRE(x.text.empty());
  return std::get<ha_errand>(x.chosen.wanted.what);
}

} // namespace

TEST_CASE("ha names nodes, a group or the cluster") {
  auto nodes = wanted("ha enable n1 n2");
  CHECK(nodes.action == ha_action::enable);
  CHECK(nodes.scope == ha_scope::nodes);
  CHECK(nodes.names == names{"n1", "n2"});
  auto group = wanted("ha disable --group rack7");
  CHECK(group.scope == ha_scope::group);
  CHECK(group.names == names{"rack7"});
  auto cluster = wanted("ha disable --cluster");
  CHECK(cluster.scope == ha_scope::cluster);
  CHECK(cluster.names.empty());
}

TEST_CASE("ha configure takes a provider and nodes") {
  auto x = wanted("ha configure --provider KVMHAProvider n1");
  CHECK(x.action == ha_action::configure);
  CHECK(x.provider == "KVMHAProvider");
}

TEST_CASE("ha list and providers are about all if nothing is named") {
  CHECK(wanted("ha list").names.empty());
  CHECK(wanted("ha list --cluster").scope == ha_scope::nodes);
  CHECK(wanted("ha list --group rack7").scope == ha_scope::group);
  CHECK(wanted("ha providers kvm").names == names{"kvm"});
  CHECK(wanted("ha settings").names.empty());
  CHECK(wanted("ha settings --group rack7").names == names{"rack7"});
}

TEST_CASE("an ha command line that cannot be meant is refused") {
  struct {
    const char* line;
    int code;
  } lines[]{{"ha", 2},
            {"ha able n1", 2},
            {"ha enable", 1},
            {"ha enable --cluster n1", 1},
            {"ha settings n1", 1},
            {"ha enable --group g --cluster", 1},
            {"ha configure n1", 1},
            {"ha configure --provider ganeti --group g", 1},
            {"ha enable --provider ganeti n1", 2}};

  for (const auto& x : lines) {
    INFO(x.line);
    auto got = read(x.line);
    CHECK_FALSE(got.text.empty());
    CHECK(got.code == x.code);
  }
}

} // namespace orderly::cli_ha_options_test
