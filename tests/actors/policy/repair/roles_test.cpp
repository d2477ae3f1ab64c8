// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was heard before something was known of a copy does not end that.

#include "tests/actors/policy/repair/lab.hpp"

namespace orderly::repair_roles_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

const std::vector<disk_fault> at_home{{"disk/0", true, "n1"}};

/// The copy on n2 was left behind, and its node is back in service.
bench behind() {
  bench b;
  b.nodes["n1"].lives = true;
  b.kill("n2");
  b.look();
  b.now += minutes{20};
  b.nodes["n2"].offline = false;
  b.nodes["n2"].proved_down.reset();
  return b;
}

} // namespace

TEST_CASE("an answer from before ends nothing that was concluded of a copy "
          "since") {
  using faults = std::vector<disk_fault>;
  auto b = behind();
  auto fault
    = GENERATE(faults{}, at_home, faults{{"disk/0", false, "n1", true}},
               faults{{"disk/0", false, "n2", true}});
  b.heard = {fault, fault.empty(), b.now - minutes{30}};
  b.mirror_syncs = only_syncs(fault);
  b.look();
  CHECK(b.machine.bad_copy == "n2");
  CHECK(says(b.machine.why, "its copy counts as behind since"));
  auto of_copy = !fault.empty() && fault.front().node == "n2";
  b.now += seconds{1};
  b.heard.at = b.now;
  b.look();
  CHECK(b.machine.bad_copy.empty());
  CHECK(b.seen().mirror_syncs == only_syncs(fault));
  CHECK(b.seen().copy_fault.empty() != of_copy);
}

} // namespace orderly::repair_roles_test
