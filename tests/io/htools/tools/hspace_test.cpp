// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What Debian's hspace 3.0.2 printed for clusters with more than one range of
// sizes, with groups that are not well, and with nodes that are lost already.

#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

namespace orderly::tools_hspace_test {

using namespace orderly::io::htools;

namespace {

/// Two nodes that say how many spindles are free, though they share them, and
/// a policy with a range for large and one for small instances.
std::string two_ranges() {
  const std::string nodes
    = "g|g|preferred||\n\n"
      "n1|10240|0|10240|100000|100000|8|M|g|4||N|9\n"
      "n2|10240|0|10240|100000|100000|8|N|g|4||N|9\n\n\n\n";
  const std::string policy
    = "|1024,1,5120,1,1,1|3072,2,10240,1,1,1;4096,2,10240,16,8,12;"
      "1024,1,5120,1,1,1;2048,1,5120,16,8,12|plain|4.0|32.0\n";
  return nodes + policy + "g" + policy;
}

/// One group is well, one has a node whose instance nobody could take.
const char* const bad_group
  = "fine|u1|preferred||\nweak|u2|preferred||\n\n"
    "n1|81920|0|71920|200|200|16|M|u1\n"
    "n2|81920|0|71920|200|200|16|N|u1\n"
    "n3|81920|0|7920|200|200|16|N|u2\n"
    "n4|81920|0|8920|200|200|16|N|u2\n\n"
    "i1|10000|0|1|running|Y|n1||ext||1\n"
    "i2|10000|0|1|running|Y|n2||ext||1\n"
    "i3|10000|0|1|running|Y|n3||ext||1\n\n\n"
    "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|"
    "diskless,ext|4.0|32.0\n";

/// A node is lost, and what ran there is too large for the others.
const char* const lost_node
  = "g|g|preferred||\n\n"
    "n1|81920|0|71920|200|200|16|M|g\n"
    "n2|81920|0|71920|200|200|16|N|g\n"
    "n3|81920|0|1920|200|200|16|Y|g\n\n"
    "i1|10000|0|1|running|Y|n1||ext||1\n"
    "i2|10000|0|1|running|Y|n2||ext||1\n"
    "i3|80000|0|1|running|Y|n3||ext||1\n\n\n"
    "|128,1,1024,1,1,1|128,1,1024,1,1,1;32768,8,1048576,16,8,12|"
    "diskless,ext|4.0|32.0\n";

/// The standard size of the cluster is smaller than what the group allows.
const char* const small_standard
  = "g|g|preferred||\n\n"
    "n1|2000|200|1800|4300|4300|8|M|g\n"
    "n2|2000|4|1996|3900|3900|8|N|g\n"
    "n3|2000|4|1996|3900|3900|8|N|g\n"
    "n4|2000|4|1996|3900|3900|8|N|g\n\n\n\n"
    "|936,4,1064,1,1,1|900,4,2200,1,1,1;1000,4,2600,16,8,12|plain|4.0|32.0\n"
    "g|900,4,2200,1,1,1|900,4,2200,1,1,1;1000,4,2600,16,8,12|plain|4.0|32.0\n";

} // namespace

TEST_CASE("hspace prints what comes of numbers that no cluster has") {
  const std::string size = "1024,1,1024,1,1,1|128,1,1024,1,1,1;"
                           "65536,32,1000000,16,8,12|drbd,plain|";
  draft file{"default|u-1|preferred||\n\nnode0|65536|-1000000000000|-1|1000000|"
             "900000|0|N|u-1|1||N|1|1|1.0\n\n\n\n|"
             + size + "8.0|32.0\ndefault|" + size + "0.0|32.0\n"};
  for (const auto* how : {"--machine-readable", "-v", "--output=json"}) {
    auto r = run_as_reference(tool::hspace, {how, "-t", file.path()});
    CHECK(r.code == 0);
    CHECK_FALSE(r.out.empty());
  }
}

TEST_CASE("each range of sizes has tiers, beside those of the one before") {
  draft file{two_ranges()};
  auto r = run_as_reference(
    tool::hspace,
    {"--machine-readable", "--no-capacity-checks", "-t", file.path()});
  CHECK(says(r.out, "HTS_TSPEC='4096,10240,2,12=4 1984,5120,1,12=2'\n"));
  CHECK(says(r.out, "HTS_TRL_INST_CNT=6\n"));
  CHECK(says(r.out, "HTS_ALLOC_INSTANCES=18\n"));
}

TEST_CASE("a limit that one range used up leaves nothing for the next") {
  draft file{two_ranges()};
  for (auto [limit, tiers] : {std::pair{"3", "'4096,10240,2,12=3'"},
                              std::pair{"6", "'4096,10240,2,12=4'"}}) {
    auto r = run_as_reference(tool::hspace,
                              {"--machine-readable", "--no-capacity-checks",
                               "-l", limit, "-t", file.path()});
    CHECK(says(r.out, fmt::format("HTS_TSPEC={}\n", tiers)));
  }
}

TEST_CASE(
  "whether a node could be lost is asked of the size that was placed, not "
  "of the standard one") {
  draft file{small_standard};
  auto r
    = run_as_reference(tool::hspace, {"--machine-readable", "-t", file.path()});
  CHECK(says(r.out, "HTS_TSPEC='1000,2600,4,12=3'\n"));
}

TEST_CASE("nobody counts free spindles where they are shared") {
  draft file{two_ranges()};
  auto r = run_as_reference(
    tool::hspace,
    {"--machine-readable", "--no-capacity-checks", "-t", file.path()});
  CHECK(says(r.out, "HTS_INI_SPN_FREE=18\n"));
  CHECK(says(r.out, "HTS_TRL_SPN_FREE=0\n"));
  CHECK(says(r.out, "HTS_FIN_SPN_INST=8\n"));
}

TEST_CASE("a node that is lost already need not be able to be lost again if "
          "existing errors are accepted") {
  draft file{lost_node};
  auto r = run_as_reference(tool::hspace, {"-t", file.path()});
  CHECK(says(r.out, "  -   0 instances allocated\n"));
  r = run_as_reference(tool::hspace,
                       {"--accept-existing-errors", "-t", file.path()});
  CHECK(says(r.out, "  -   1 instances of spec MEM 32768, DSK 1048576, CPU 8"));
  CHECK(says(r.out, "  - 124 instances allocated\n"));
}

TEST_CASE("bad groups and the nodes that may be used are named to who asks for "
          "much") {
  draft file{bad_group};
  auto r
    = run_as_reference(tool::hspace, {"-v", "-v", "-v", "-t", file.path()});
  CHECK(says(r.err, "Bad groups: [\"weak\"]\n"));
  CHECK(says(r.err, "Allocatable nodes: [\"n1\",\"n2\",\"n3\",\"n4\"]\n"));
  r = run_as_reference(tool::hspace, {"-v", "-v", "-v", "--independent-groups",
                                      "-t", file.path()});
  CHECK(says(r.err, "Allocatable nodes: [\"n1\",\"n2\"]\n"));
  r = run_as_reference(tool::hspace, {"-t", file.path()});
  CHECK_FALSE(says(r.err, "Bad groups"));
}

} // namespace orderly::tools_hspace_test
