// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Properties drawn by rapidcheck inside Catch2 tests: the same seed each
// time, so that a test that passed passes again.

#pragma once

#include <catch2/catch.hpp>

#include <sstream>

#include <rapidcheck.h>

namespace orderly {

/// Fails the running test with the shrunk counterexample, if there is one.
template <class Testable>
void check_property(Testable&& testable, int cases = 2000) {
  rc::detail::TestParams params;
  params.seed = 1;
  params.maxSuccess = cases;
  auto result = rc::detail::checkTestable(std::forward<Testable>(testable),
                                          rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  INFO(text.str());
  REQUIRE(result.template is<rc::detail::SuccessResult>());
}

} // namespace orderly
