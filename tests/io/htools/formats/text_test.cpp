// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/text.hpp"
#include "tests/support/planning/samples.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace orderly::formats_text_test {

using namespace orderly::io::htools;
using planning::samples::small_text;

namespace {

/// The small cluster with one text in it replaced.
std::string why_not(const std::string& from, const std::string& to) {
  std::string text{small_text};
  auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  auto c = read_text(text.replace(at, from.size(), to), "FILE");
  return c ? "it was read" : c.why().text;
}

bool says(const std::string& text, const std::string& what) {
  INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a cluster survives being written and read again") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto c = planning::samples::draw(
      seed, 5, 20, {seed % 2 == 0, seed % 3 == 0, seed % 5 == 0, true, false});
    c.groups[0].tags = {"a", "b"};
    c.groups[0].policy.vcpu_ratio = 2.5;
    for (auto& n : c.nodes) // a text does not tell who is only drained
      n.dead = n.offline;
    auto again = planning::samples::read(write_text(c));
    CHECK(again == c);
  }
}

TEST_CASE("a fault has the reference's words, the file, the line and the "
          "field") {
  CHECK(
    says(why_not("|500|7000|", "|500|7x|"),
         "FILE:3: n1.x: leftover characters when parsing '7x': 'x': field 4 "
         "(free memory)"));
  CHECK(says(why_not("|500|7000|", "|500|x7|"),
             "FILE:3: n1.x: cannot parse string 'x7': field 4 (free memory)"));
  CHECK(says(why_not("i4.x|1000", "i4.x|"),
             "FILE:11: i4.x: cannot parse string '': field 2 (memory)"));
  CHECK(says(why_not("n2.x|n3.x|drbd", "n2.x|n9.x|drbd"),
             "FILE:9: Unknown node 'n9.x' for instance i2.x: field 8 "
             "(secondary) 'n9.x' is no node"));
  CHECK(
    says(why_not("n2.x|n3.x|drbd", "n2.x|n2.x|drbd"),
         "Instance i2.x has same primary and secondary node - n2.x: field 8 "
         "(secondary) 'n2.x' is the primary node too"));
  CHECK(says(why_not("ADMIN_down", "ADMIN_dawn"),
             "Invalid string value for type InstanceStatus: \"ADMIN_dawn\": "
             "field 5 (status)"));
  CHECK(says(why_not("|ext|", "|ixt|"),
             "Invalid string value for type DiskTemplate: \"ixt\": field 9 "
             "(disk template)"));
  CHECK(says(why_not("preferred", "prefered"),
             "FILE:1: Invalid string value for type AllocPolicy: \"prefered\": "
             "field 3"));
  CHECK(says(why_not("8|Y|uuid-1", "8|Y|uuid-2"),
             "Unknown group 'uuid-2' for node n4.x: field 9 (group)"));
  CHECK(says(why_not("|drbd||2|-|Y", "|drbd||2|-|J"),
             "Invalid forthcoming value 'J' for"));
  CHECK(says(why_not("i1.x|1000|10000|2|running|Y|n1.x||ext|", "i1.x|1000"),
             "FILE:8: Invalid/incomplete instance data: it needs 10 fields, "
             "these are 2"));
  auto short_one = read_text("g|u|preferred||\n\n", "FILE");
  REQUIRE_FALSE(short_one);
  CHECK(says(short_one.why().text, "2 sections instead of 4 or more"));
}

TEST_CASE("a node of unknown size is offline and has nothing") {
  auto c = planning::samples::read(
    "g|u|preferred||\n\nn1|?|500|7000|9|9|16|M|u|4|tag|N\n\n\n\n");
  REQUIRE(c.nodes.size() == 1);
  CHECK_FALSE(c.nodes[0].master); // as the reference has it
  CHECK(c.nodes[0].offline);
  CHECK(c.nodes[0].total_memory == 0);
  CHECK(c.nodes[0].free_disk == 0);
  CHECK(c.nodes[0].tags.empty());
}

TEST_CASE("a policy goes to its group, the built-in one to the others") {
  auto c = planning::samples::read(
    "g|u|preferred||\nh|v|unallocable||\n\n\n\n\n"
    "|1,1,1,1,1,1|1,1,1,1,1,1;2,2,2,2,2,2|drbd|9.0|1.0\n"
    "h|1,1,1,1,1,1|1,1,1,1,1,1;2,2,2,2,2,2|drbd,rbd|1.5|8.0\n");
  CHECK(c.groups[0].policy == planning::instance_policy{});
  CHECK(c.groups[1].policy.vcpu_ratio == 1.5);
  CHECK(c.groups[1].policy.templates.size() == 2);
  CHECK(c.policy.vcpu_ratio == 9.0);
}

TEST_CASE("load is read for known instances and must be whole") {
  auto c = planning::samples::small();
  CHECK_FALSE(read_load("i1.x 0.5 1 2 3\nother 1 1 1 1\n", "L", c));
  CHECK(c.instances[0].use == planning::load{0.5, 1, 2, 3});
  auto fault = read_load("i1.x 0.5 1 2\n", "L", c);
  REQUIRE(fault);
  CHECK(says(fault->text, "L:1: "));
  fault = read_load("i1.x 1 1 1 1\ni2.x 1 x 1 1\n", "L", c);
  REQUIRE(fault);
  CHECK(says(fault->text, "L:2: i2.x: cannot parse string 'x': field 3 'x'"));
}

TEST_CASE("what is no number is shown as the reference shows it") {
  constexpr auto endless = std::numeric_limits<double>::infinity();
  constexpr auto none = std::numeric_limits<double>::quiet_NaN();
  for (auto show : {short_decimal, general_decimal}) {
    CHECK(show(endless) == "Infinity");
    CHECK(show(-endless) == "-Infinity");
    CHECK(show(none) == "NaN");
  }
}

TEST_CASE("numbers are shown as the reference shows them") {
  CHECK(fixed_decimal(0.001171875, 8) == "0.00117188");
  CHECK(fixed_decimal(0.90625, 4) == "0.9062");
  CHECK(fixed_decimal(0.125, 2) == "0.12");
  CHECK(fixed_decimal(0.375, 2) == "0.38");
  CHECK(fixed_decimal(1.0 / 0.0, 2) == "Infinity");
  CHECK(general_decimal(11.64637651) == "11.646377");
  CHECK(general_decimal(1e-9) == "1.000000e-9");
  CHECK(short_decimal(6) == "6.0");
  CHECK(short_decimal(1.25) == "1.25");
}

} // namespace orderly::formats_text_test
