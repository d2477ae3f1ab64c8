// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an emergency power-off leaves for people to do.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_advice_test {

TEST_CASE("an epo that stops says how to start what it has shut down") {
  rig b;
  b.add_instance("i1", "n1");
  b.begin(b.epo_of({"n1"}));
  b.job("i1");
  b.feed(stopped{"eve"});
  b.job("n1", false, "canceled");
  CHECK(b.s.ended != never);
  CHECK(b.has_remark("'orderly epo --on n1' starts what was shut down"));
}

} // namespace orderly::errand::errand_advice_test
