// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/base/natural_order.hpp"

#include <catch2/catch.hpp>

#include <string>

#include <rapidcheck.h>

namespace orderly::base_natural_order_test {

TEST_CASE("names with numbers come in natural order") {
  CHECK(natural_less("node2", "node10"));
  CHECK_FALSE(natural_less("node10", "node2"));
  CHECK(natural_less("a9b10", "a10b2"));
  CHECK(natural_less("node", "node1"));
  CHECK(natural_less("node1", "node1a"));
  CHECK(natural_less("a2", "b1"));
  CHECK(natural_less("n99999999999999999999998", "n99999999999999999999999"));
  CHECK_FALSE(natural_less("n1", "n1"));
  CHECK(natural_less("n01", "n1") != natural_less("n1", "n01"));
}

TEST_CASE("natural order is a strict order of all names") {
  auto name = rc::gen::container<std::string>(
    rc::gen::element('0', '1', '2', '9', 'a', 'b', '.', '-', '\xc3', '\0'));
  REQUIRE(rc::check([&] {
    auto a = *name;
    auto b = *name;
    auto c = *name;
    RC_ASSERT(!natural_less(a, a));
    if (a != b)
      RC_ASSERT(natural_less(a, b) != natural_less(b, a));
    if (natural_less(a, b) && natural_less(b, c))
      RC_ASSERT(natural_less(a, c));
  }));
}

} // namespace orderly::base_natural_order_test
