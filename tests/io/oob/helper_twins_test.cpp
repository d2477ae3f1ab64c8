// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The ready helpers warn of two nodes that name one machine.

#include "tests/io/child/scripts.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>

namespace orderly::test::oob_helper_twins_test {

namespace {

/// What `HELPER --check NODE` prints with this configuration.
std::string check(const std::string& helper, const std::string& node,
                  const std::string& text) {
  scripts files;
  auto secret = files.add("password", "", 0600);
  auto file = files.add("helpers.conf", text, 0644);
  std::ofstream{file} << "[*]\nuser = orderly\npassword_file = " << secret
                      << "\n"
                      << text;
  auto command = "python3 " ORDERLY_SOURCE_DIR "/configs/helpers/" + helper
                 + " --config " + file + " --check " + node + " 2>&1";
  auto* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string all;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), static_cast<int>(piece.size()), pipe))
    all += piece.data();
  INFO(all);
  CHECK(::pclose(pipe) == 0);
  return all;
}

bool warns(const std::string& said, const std::string& of) {
  return said.find("WARNING: " + of + " names the same machine")
         != std::string::npos;
}

} // namespace

TEST_CASE("a helper warns of another node with the same controller") {
  const std::string text = "[node1]\naddress = 10.0.9.1\n"
                           "[node2]\naddress = 10.0.9.1\nport = 623\n"
                           "[node3]\naddress = 10.0.9.1\nport = 6230\n"
                           "[node4 oob-redfish]\naddress = 10.0.9.1\n";
  auto said = check("oob-ipmi", "node1", text);
  CHECK(warns(said, "node2"));
  CHECK_FALSE(warns(said, "node3"));
  CHECK_FALSE(warns(said, "node4"));
  CHECK(warns(check("oob-ipmi", "node2", text), "node1"));
  CHECK_FALSE(warns(check("oob-ipmi", "node3", text), "node1"));
}

TEST_CASE("machines of one enclosure are told apart by what names them there") {
  const std::string text = "[* oob-redfish]\naddress = enclosure1\n"
                           "[node1 oob-redfish]\nsystem = Blade1\n"
                           "[node2 oob-redfish]\nsystem = Blade2\n"
                           "[node3 oob-redfish]\nsystem = Blade1\n";
  auto said = check("oob-redfish", "node1", text);
  CHECK_FALSE(warns(said, "node2"));
  CHECK(warns(said, "node3"));
}

TEST_CASE("a mistake in another node's lines is not this node's") {
  const std::string text = "[node1]\naddress = 10.0.9.1\n"
                           "[node2]\naddres = 10.0.9.1\n"
                           "[node3]\nport = many\naddress = 10.0.9.1\n";
  auto said = check("oob-ipmi", "node1", text);
  CHECK_FALSE(warns(said, "node2"));
  CHECK_FALSE(warns(said, "node3"));
}

} // namespace orderly::test::oob_helper_twins_test
