// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of which copy: S38.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_copies_mutants_test {

using namespace orderly::mutants;

TEST_CASE(
  "law S38 is broken by a daemon that takes an old answer for news of a "
  "copy that was left behind since") {
  attacks("an-old-answer-clears-no-copy", {"old-answer-clears-a-copy"},
          {"S38"});
}

} // namespace orderly::mutants_copies_mutants_test
